//! The directives of `irdl`'s formats.

use mlirbc_ir::text::is_bare_keyword;
use mlirbc_ir::{Attribute, AttributeData, Context, Parameter, Result};
use mlirbc_text::{
    Continuation, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState,
    OpenDirective, Parsed, Printed,
};

use super::{NAME, VARIADICITIES, Variadicity, variadicities};

/// `(name: %a, name: optional %b)`
pub(super) const NAMED_LIST: Directive = Directive::new(print_named_list, parse_named_list);

/// `{"name" = %a}`
pub(super) const ATTRIBUTES: Directive =
    Directive::new(print_attributes, parse_attributes).starts(|parser| parser.text().is_at(b'{'));

/// `{...}`, where its one block has operations.
pub(super) const SINGLE_BLOCK: Directive = Directive::with_regions(print_single_block, parse_single_block);

/// How many values each name stands for.
fn kinds_of(context: &Context, attribute: Attribute) -> Option<Vec<Variadicity>> {
    variadicities(context.attribute_parameters(attribute, NAME, VARIADICITIES.mnemonic)?)
}

fn print_named_list(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let list = arguments.values(printer, 0)?;
    let names = arguments.required(printer, 1)?;
    let names = printer.array(names)?;
    let kinds = match arguments.len() {
        0..=2 => vec![Variadicity::Single; names.len()],
        _ => kinds_of(printer.context(), arguments.required(printer, 2)?).ok_or(NotCustom::UseGeneric)?,
    };
    if names.len() != list.len() || kinds.len() != list.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("(");
    for (at, ((&name, &value), kind)) in names.iter().zip(&list).zip(kinds).enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let AttributeData::String { value: name, ty: None } = &printer.context()[name] else {
            return Err(NotCustom::UseGeneric);
        };
        // A name in quotes cannot be read.
        if !std::str::from_utf8(name).is_ok_and(is_bare_keyword) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(name);
        printer.text(": ");
        if kind != Variadicity::Single {
            printer.text(kind.name());
            printer.text(" ");
        }
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

fn parse_named_list<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let has_kinds = state.arguments().len() > 2;
    let (mut names, mut values, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    parser.text().expect(b'(')?;
    parser.list(b')', |parser| {
        let name = parser.text().word();
        if name.is_empty() {
            return Err(parser.text().expected("a name"));
        }
        names.push(parser.context().string(name));
        parser.text().expect(b':')?;
        let word = parser.text().peek_word();
        let kind = std::str::from_utf8(word).ok().and_then(Variadicity::from_name).filter(|_| has_kinds);
        if kind.is_some() {
            parser.text().word();
        }
        kinds.push(Parameter::Unsigned(kind.unwrap_or(Variadicity::Single).value() as u64));
        values.push(parser.operand_name()?);
        Ok(())
    })?;
    state.set_operands(parser, 0, values)?;
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    state.set_attribute(parser, op, 1, names)?;
    if has_kinds {
        let kinds = [Parameter::List(kinds.into())];
        let kinds = parser.context().dialect_attribute(NAME, VARIADICITIES.mnemonic, kinds);
        state.set_attribute(parser, op, 2, kinds)?;
    }
    Ok(())
}

fn print_attributes(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let list = arguments.values(printer, 0)?;
    let names = arguments.required(printer, 1)?;
    let names = printer.array(names)?;
    // Without any, the dictionary of other attributes would be taken for them.
    if names.len() != list.len() || list.is_empty() && printer.all_attributes().len() > 1 {
        return Err(NotCustom::UseGeneric);
    }
    for (at, (&name, &value)) in names.iter().zip(&list).enumerate() {
        printer.text(if at == 0 { "{" } else { ", " });
        printer.attribute(name)?;
        printer.text(" = ");
        printer.value(value);
    }
    if !list.is_empty() {
        printer.text("}");
    }
    Ok(())
}

fn parse_attributes<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    if parser.text().eat(b'{') {
        loop {
            names.push(parser.text().attribute()?);
            parser.text().expect(b'=')?;
            values.push(parser.operand_name()?);
            if parser.text().eat(b'}') {
                break;
            }
            parser.text().expect(b',')?;
        }
    }
    state.set_operands(parser, 0, values)?;
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    state.set_attribute(parser, op, 1, names)
}

fn print_single_block(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    for number in arguments.regions(printer, 0)? {
        let (_, body, all) = printer.op().region_tree()?;
        let block = all.get(number).and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
        if body.next_block(block).is_some() {
            return Err(NotCustom::UseGeneric);
        }
        if printer.terminator(number)?.is_some() {
            printer.region(number, true, true);
        } else if !printer.region_argument_types(number)?.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
    }
    Ok(())
}

fn parse_single_block<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    mut directive: OpenDirective<'a>,
) -> Parsed<'a> {
    directive.add_region(parser, 0)?;
    if !parser.text().eat(b'{') {
        parser.empty_region(op);
        parser.ensure_block(op);
        return directive.finish(parser, op);
    }
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.ensure_block(op);
            directive.finish(parser, op)
        }),
    ))
}
