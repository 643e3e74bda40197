//! The directives of the dialect's formats.

use super::Linkage;
use super::assembly::{Bundles, LINKAGE, bundles, case, keyword};
use super::{ArrayType, StructType};
use mlirbc_ir::{AttributeData, Context, Dialect, Result, Type, TypeData};
use mlirbc_text::directives::{case_label, case_labels, case_values};
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

/// Attaches them to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let bundles = Directive::new(print_bundles_of, parse_bundles_of).starts(|parser| parser.text().is_at(b'['));
    dialect
        .directive("GEPIndices", Directive::new(print_indices, parse_indices))
        .directive("IndirectBrOpSucessors", Directive::new(print_successors, parse_successors))
        .directive("InsertExtractValueElementType", Directive::new(print_element_type, parse_element_type))
        .directive("LLVMLinkage", Directive::new(print_linkage, parse_linkage))
        .directive("OpBundles", bundles)
        .directive("ShuffleType", Directive::new(print_shuffle_type, parse_shuffle_type))
        .directive("SwitchOpCases", Directive::new(print_switch_cases, parse_switch_cases))
}

/// The index of an element address that stands for a value.
const DYNAMIC_INDEX: i64 = i32::MIN as i64;

/// The type at a position inside of an aggregate, outermost index first.
fn element_at(context: &Context, container: Type, position: &[i64]) -> Option<Type> {
    position.iter().try_fold(container, |ty, &index| {
        if let Some(array) = ArrayType::of(context, ty) {
            let is_inside = u64::try_from(index).is_ok_and(|index| index < array.count(context));
            return is_inside.then(|| array.element(context));
        }
        StructType::of(context, ty)?.member(context, usize::try_from(index).ok()?)
    })
}

/// The type that a shuffle by a mask of that length gives.
fn shuffled(context: &Context, vector: Type, length: usize) -> Option<Type> {
    match &context[vector] {
        TypeData::Vector { shape, scalable, element } if shape.len() == 1 && length > 0 => {
            let shape: Box<[i64]> = Box::new([i64::try_from(length).ok()?]);
            Some(context.ty(TypeData::Vector { shape, scalable: scalable.clone(), element: *element }))
        }
        _ => None,
    }
}

fn print_linkage(printer: &mut OpPrinter<'_, '_>, _: DirectiveArguments<'_>) -> Printed {
    let linkage: Linkage = case(printer, LINKAGE)?.ok_or(NotCustom::UseGeneric)?;
    printer.text(linkage.name());
    Ok(())
}

/// A linkage, if one is next.
fn parse_linkage<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, _: &mut DirectiveState<'_, 'a>) -> Result<()> {
    keyword(parser, op, LINKAGE, Linkage::External);
    Ok(())
}

/// `[%a, 1]`: the numbers of indices, and values for those that are not known.
fn print_indices(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let numbers = arguments.integers(printer, 1)?.ok_or(NotCustom::UseGeneric)?;
    // None at all is nothing that text can say.
    if numbers.is_empty() || numbers.iter().filter(|&&number| number == DYNAMIC_INDEX).count() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    let mut values = values.into_iter();
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        if number == DYNAMIC_INDEX {
            printer.value(values.next().ok_or(NotCustom::UseGeneric)?);
        } else {
            printer.number(number);
        }
    }
    Ok(())
}

fn parse_indices<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let (mut values, mut numbers) = (Vec::new(), Vec::new());
    loop {
        let start = parser.text().here();
        if parser.text().is_at(b'%') {
            values.push(parser.operand_name()?);
            numbers.push(DYNAMIC_INDEX as i32);
        } else {
            match parser.text().signed().and_then(|number| i32::try_from(number).ok()) {
                // The lowest stands for a value.
                Some(number) if i64::from(number) != DYNAMIC_INDEX => numbers.push(number),
                _ => return Err(parser.text().error_at(start, "expected a value or a number of 32 bits")),
            }
        }
        if !parser.text().eat(b',') {
            break;
        }
    }
    state.set_operands(parser, 0, values)?;
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let element = parser.context().integer_type(32);
    let numbers = parser.context().attribute(AttributeData::DenseArray { element, data: data.into() });
    state.set_attribute(parser, op, 1, numbers)
}

/// The type of the value that an argument of a directive stands for.
fn only_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>, position: usize) -> Printed<Type> {
    let value = arguments.value(printer, position)?;
    printer.type_of(value)
}

/// The only type of the operand that an argument stands for.
fn type_of<'a>(parser: &mut OpParser<'a>, state: &mut DirectiveState<'_, 'a>, position: usize) -> Result<Type> {
    match state.types(parser, position)? {
        Some(&[one]) => parser.resolved(one),
        _ => Err(parser.text().error("the type that another follows from is not known")),
    }
}

/// The integers of an attribute that has been parsed.
fn integers(parser: &mut OpParser<'_>, op: &OpState<'_>, name: &str) -> Result<Vec<i64>> {
    let found = op.find(parser.context(), name);
    let found = found.and_then(|found| mlirbc_ir::text::integers(parser.context(), found));
    found.ok_or_else(|| parser.text().expected("a list of numbers"))
}

/// Nothing, where the type of an element is the one at its position.
fn print_element_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let element = only_type(printer, arguments, 0)?;
    let container = only_type(printer, arguments, 1)?;
    let position = arguments.integers(printer, 2)?.ok_or(NotCustom::UseGeneric)?;
    let context = printer.context();
    let found = element_at(context, container, &position);
    if found == Some(element) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

fn parse_element_type<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let container = type_of(parser, state, 1)?;
    let position = integers(parser, op, "position")?;
    let context = parser.context();
    let Some(element) = element_at(context, container, &position) else {
        return Err(parser.text().error("nothing in this type has that position"));
    };
    state.set_types(parser, 0, vec![element.into()])
}

/// Nothing, where the type of a shuffle is the one that its mask gives.
fn print_shuffle_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let vector = only_type(printer, arguments, 0)?;
    let result = only_type(printer, arguments, 1)?;
    let mask = arguments.integers(printer, 2)?.ok_or(NotCustom::UseGeneric)?;
    if shuffled(printer.context(), vector, mask.len()) == Some(result) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

fn parse_shuffle_type<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let vector = type_of(parser, state, 0)?;
    let mask = integers(parser, op, "mask")?;
    match shuffled(parser.context(), vector, mask.len()) {
        Some(ty) => state.set_types(parser, 1, vec![ty.into()]),
        None => Err(parser.text().error("expected a vector type and a mask")),
    }
}

fn print_bundles_of(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    let tags = arguments.attribute(printer, 2)?;
    bundles(printer, &values, tags)
}

fn parse_bundles_of<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let bundles = Bundles::parse(parser)?;
    if let Some(tags) = bundles.tags(parser) {
        state.set_attribute(parser, op, 2, tags)?;
    }
    for size in bundles.sizes {
        state.add_group(parser, 0, size)?;
    }
    state.set_operands(parser, 0, bundles.names)?;
    state.set_types(parser, 0, bundles.types)
}

/// `label: ^block(%a : type)` or `^block(%a : type)`, any number of them between brackets: the labels.
fn blocks<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
    position: usize,
    labelled: bool,
) -> Result<Vec<i64>> {
    let (mut labels, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
    parser.text().expect(b'[')?;
    parser.list(b']', |parser| {
        if labelled {
            labels.push(case_label(parser)?);
            parser.text().expect(b':')?;
        }
        let (more, more_types) = parser.successor(op)?;
        state.add_group(parser, position, more.len())?;
        names.extend(more);
        types.extend(more_types);
        Ok(())
    })?;
    state.set_operands(parser, position, names)?;
    state.set_types(parser, position, types)?;
    Ok(labels)
}

/// The cases of a switch, a line each, with signed labels.
fn print_switch_cases(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let cases = arguments.attribute(printer, 1)?;
    let values = arguments.values(printer, 3)?;
    let groups = printer.groups(&values, "case_operand_segments")?;
    if groups.len() + 1 != printer.successors().len() {
        return Err(NotCustom::UseGeneric);
    }
    let labels = match cases {
        Some(cases) => case_labels(printer, cases, groups.len())?,
        None => Vec::new(),
    };
    if labels.len() != groups.len() || cases.is_some() && labels.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("[");
    for (at, (label, group)) in labels.iter().zip(groups).enumerate() {
        if at > 0 {
            printer.text(",");
        }
        printer.new_line();
        printer.text("  ");
        printer.number(label.to_i64().ok_or(NotCustom::UseGeneric)?);
        printer.text(": ");
        printer.successor_with(at + 1, group)?;
    }
    printer.new_line();
    printer.text("]");
    Ok(())
}

fn parse_switch_cases<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let labels = blocks(parser, op, state, 3, true)?;
    if labels.is_empty() {
        return Ok(());
    }
    let flag = type_of(parser, state, 0)?;
    let value = case_values(parser, flag, &labels)?;
    state.set_attribute(parser, op, 1, value)
}

/// The blocks that an indirect branch can go to, a line each.
fn print_successors(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 2)?;
    let groups = printer.groups(&values, "indbr_operand_segments")?;
    if groups.len() != printer.successors().len() {
        return Err(NotCustom::UseGeneric);
    }
    let any = !groups.is_empty();
    printer.text("[");
    for (at, group) in groups.into_iter().enumerate() {
        if at > 0 {
            printer.text(",");
        }
        printer.new_line();
        printer.successor_with(at, group)?;
    }
    if any {
        printer.new_line();
    }
    printer.text("]");
    Ok(())
}

fn parse_successors<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    blocks(parser, op, state, 2, false).map(drop)
}
