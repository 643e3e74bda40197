//! The directives of the formats of `pdl` and `pdl_interp`.

use mlirbc_ir::{AttributeData, Context, Result, Type};
use mlirbc_text::{Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed};

use super::{VALUE, is_item, item_of, range, range_of};

/// ` {"name" = %value}`
pub(crate) const NAMED_VALUES: Directive =
    Directive::new(print_named, parse_named).starts(|parser| parser.text().is_at(b'{'));

/// The type of a range, where no argument says it.
pub(crate) const RANGE_TYPE: Directive = Directive::new(print_range_type, parse_range_type);

/// `-> type` of one result by its number; that of all is known.
pub(super) const RESULTS_TYPE: Directive = Directive::new(print_results_type, parse_results_type);

fn print_named(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let names = match arguments.attribute(printer, 1)? {
        Some(names) => printer.array(names)?,
        None => &[],
    };
    if names.len() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    for (at, (&name, &value)) in names.iter().zip(&values).enumerate() {
        printer.text(if at == 0 { " {" } else { ", " });
        printer.attribute(name)?;
        printer.text(" = ");
        printer.value(value);
    }
    if !values.is_empty() {
        printer.text("}");
    }
    Ok(())
}

fn parse_named<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    if parser.text().eat(b'{') {
        parser.list(b'}', |parser| {
            let name = parser.text().string()?;
            names.push(parser.context().string(name));
            parser.text().expect(b'=')?;
            values.push(parser.operand_name()?);
            Ok(())
        })?;
    }
    state.set_operands(parser, 0, values)?;
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    state.set_attribute(parser, op, 1, names)
}

/// The type of a range of what the first argument is: `!pdl.value` and `!pdl.range<value>` both make a range of values. `None`
/// where it is neither.
fn range_type(context: &Context, first: Type) -> Option<Type> {
    let item = item_of(context, first).unwrap_or(first);
    is_item(context, item).then(|| range_of(context, item))
}

fn print_range_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let results = arguments.values(printer, 1)?;
    if let Some(&first) = arguments.values(printer, 0)?.first() {
        let ty = range_type(printer.context(), printer.type_of(first)?).ok_or(NotCustom::UseGeneric)?;
        return results.iter().try_for_each(|&result| printer.expect_type(result, ty));
    }
    printer.text(": ");
    printer.value_types(&results)
}

fn parse_range_type<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let first = state.types(parser, 0)?.and_then(|types| types.first().copied());
    let ty = match first {
        None => {
            parser.text().expect(b':')?;
            parser.any_type()?
        }
        Some(ty) => {
            let ty = parser.resolved(ty)?;
            let range = range_type(parser.context(), ty);
            range.ok_or_else(|| parser.text().error("there is no range of what has this type"))?.into()
        }
    };
    state.set_types(parser, 1, vec![ty])
}

fn print_results_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let result = arguments.value(printer, 1)?;
    if arguments.attribute(printer, 0)?.is_some() {
        printer.text(" -> ");
        return printer.value_type(result);
    }
    printer.expect_type(result, range(printer.context(), VALUE))
}

fn parse_results_type<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let ty = if op.find(parser.context(), "index").is_some() {
        if !parser.text().eat_arrow() {
            return Err(parser.text().expected("`->` and the type of the result"));
        }
        parser.any_type()?
    } else {
        range(parser.context(), VALUE).into()
    };
    state.set_types(parser, 1, vec![ty])
}
