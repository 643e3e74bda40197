//! The directives and operations of `transform` that stand for code.

use super::directives::{attribute, index_list_in, new_line};
use super::format::values;
use super::op::{NotCustom, OpPrinter, Printed, integers};
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::text::assembly::{DEEPEST_OPTION, param_operand};
use crate::types::{DYNAMIC, Type, TypeData};

/// Says that none of these is a function, whose type has parentheses of its own.
fn no_functions(printer: &OpPrinter<'_, '_>, values: &[Value]) -> Printed {
    for &value in values {
        if matches!(printer.type_data(value)?, TypeData::Function { .. }) {
            return Err(NotCustom::UseGeneric);
        }
    }
    Ok(())
}

/// `type`, or `(type) -> type`, or `(type) -> (type, type)`
pub(super) fn semi_function_type(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let &[input] = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?.as_slice() else {
        return Err(NotCustom::UseGeneric);
    };
    let results = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    no_functions(printer, &[input])?;
    no_functions(printer, &results)?;
    if results.is_empty() {
        return printer.value_type(input);
    }
    printer.text("(");
    printer.value_type(input)?;
    printer.text(") -> ");
    if results.len() > 1 {
        printer.text("(");
    }
    printer.value_types(&results)?;
    if results.len() > 1 {
        printer.text(")");
    }
    Ok(())
}

/// `all`, or `1, 2`, or `except(1, 2)`
pub(super) fn match_dims(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let [list, inverted, all] = arguments else { return Err(NotCustom::UseGeneric) };
    let numbers = attribute(printer, program, list)?.and_then(|list| integers(printer.context(), list));
    let numbers = numbers.ok_or(NotCustom::UseGeneric)?;
    let inverted = attribute(printer, program, inverted)?.is_some();
    if attribute(printer, program, all)?.is_some() {
        if inverted || !numbers.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
        printer.text("all");
        return Ok(());
    }
    if numbers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    if inverted {
        printer.text("except(");
    }
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.number(number);
    }
    if inverted {
        printer.text(")");
    }
    Ok(())
}

/// `@matcher -> @action`, a line each.
pub(super) fn match_symbols(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let symbols = |printer: &OpPrinter<'_, '_>, argument: Option<&Element>| {
        let array =
            attribute(printer, program, argument.ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
        let array = printer.array(array)?.to_vec();
        let flat = |item: &Attribute| matches!(&printer.context()[*item], AttributeData::SymbolRef { nested, .. } if nested.is_empty());
        if array.iter().all(flat) { Ok(array) } else { Err(NotCustom::UseGeneric) }
    };
    let matchers = symbols(printer, arguments.first())?;
    let actions = symbols(printer, arguments.get(1))?;
    if matchers.len() != actions.len() || matchers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    for (at, (&matcher, &action)) in matchers.iter().zip(&actions).enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        new_line(printer);
        printer.text("    ");
        printer.attribute(matcher)?;
        printer.text(" -> ");
        printer.attribute(action)?;
    }
    Ok(())
}

/// `%root, %more : (type, type)`
pub(super) fn sequence_operands(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let [root, _, extra, _] = arguments else { return Err(NotCustom::UseGeneric) };
    let (root, extra) = (values(printer, root)?, values(printer, extra)?);
    let all = [root.as_slice(), &extra].concat();
    if root.is_empty() {
        return if extra.is_empty() { Ok(()) } else { Err(NotCustom::UseGeneric) };
    }
    no_functions(printer, &all)?;
    printer.values(&all);
    printer.text(" : ");
    if !extra.is_empty() {
        printer.text("(");
    }
    printer.value_types(&all)?;
    if !extra.is_empty() {
        printer.text(")");
    }
    Ok(())
}

/// `(type) -> type`, where all results have the same type.
pub(super) fn one_result_type(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let input = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let results: Vec<Value> = printer.op.results().collect();
    let types: Vec<Type> = results.iter().map(|&result| printer.type_of(result)).collect::<Printed<_>>()?;
    if input.len() != 1 || types.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(NotCustom::UseGeneric);
    }
    printer.functional(&input, results.get(..1).ok_or(NotCustom::UseGeneric)?)
}

/// `*(%handle)`, or `[1, %a]`
pub(super) fn packed_or_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let [packed, list, numbers] = arguments else { return Err(NotCustom::UseGeneric) };
    let (packed, list) = (values(printer, packed)?, values(printer, list)?);
    let numbers = match attribute(printer, program, numbers)? {
        Some(numbers) => integers(printer.context(), numbers).ok_or(NotCustom::UseGeneric)?,
        None => Vec::new(),
    };
    let Some(&packed) = packed.first() else { return index_list_in(printer, &numbers, &list, b"[]") };
    if !list.is_empty() || !numbers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("*(");
    printer.value(packed);
    printer.text(")");
    Ok(())
}

/// `2`, or `%parameter`
pub(super) fn selected_region(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let [number, parameter] = arguments else { return Err(NotCustom::UseGeneric) };
    let number = attribute(printer, program, number)?.map(|number| &printer.context()[number]);
    match (number, values(printer, parameter)?.as_slice()) {
        (Some(AttributeData::Integer { ty, value }), []) if printer.context()[*ty] == TypeData::Index => {
            printer.number(value.to_i64().filter(|&number| number >= 0).ok_or(NotCustom::UseGeneric)?);
            Ok(())
        }
        (None, &[parameter]) => {
            printer.value(parameter);
            Ok(())
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `{"name" = value, "name" = %parameter}`
pub(super) fn pass_options(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let [options, parameters] = arguments else { return Err(NotCustom::UseGeneric) };
    let options = attribute(printer, program, options)?.ok_or(NotCustom::UseGeneric)?;
    let parameters = values(printer, parameters)?;
    let AttributeData::Dictionary(options) = &printer.context()[options] else { return Err(NotCustom::UseGeneric) };
    let mut used = 0;
    for (at, &(name, value)) in options.iter().enumerate() {
        printer.text(if at == 0 { "{" } else { ", " });
        let name = printer.context().bytes(name);
        printer.quoted(name);
        printer.text(" = ");
        pass_option(printer, value, &parameters, &mut used, DEEPEST_OPTION)?;
    }
    if used != parameters.len() || options.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("}");
    Ok(())
}

fn pass_option(
    printer: &mut OpPrinter<'_, '_>,
    value: Attribute,
    parameters: &[Value],
    used: &mut usize,
    depth: usize,
) -> Printed {
    if depth == 0 {
        return printer.attribute(value);
    }
    if let Some(number) = param_operand(printer.context(), value) {
        // Text says nothing but the order of parameters.
        let parameter = *parameters.get(number).filter(|_| number == *used).ok_or(NotCustom::UseGeneric)?;
        *used += 1;
        printer.value(parameter);
        return Ok(());
    }
    let AttributeData::Array(items) = &printer.context()[value] else { return printer.attribute(value) };
    printer.text("[");
    for (at, &item) in items.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        pass_option(printer, item, parameters, used, depth - 1)?;
    }
    printer.text("]");
    Ok(())
}

pub(in crate::text) fn split(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let target = printer.at(0)?;
    let dynamic = printer.operands(1)?.first().copied();
    let size = printer.need("static_chunk_sizes")?;
    let AttributeData::Integer { value, .. } = &printer.context()[size] else { return Err(NotCustom::UseGeneric) };
    let size = value.to_i64().ok_or(NotCustom::UseGeneric)?;
    if dynamic.is_some() != (size == DYNAMIC) {
        return Err(NotCustom::UseGeneric);
    }
    let result = printer.result(0)?;
    if printer.type_of(target)? != printer.type_of(result)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.value(target);
    printer.text(" after ");
    match dynamic {
        Some(value) => printer.value(value),
        None => printer.number(size),
    }
    printer.text(" ");
    printer.dictionary(&["static_chunk_sizes"])?;
    printer.text(" : ");
    printer.value_type(target)?;
    if let Some(value) = dynamic {
        printer.text(", ");
        printer.value_type(value)?;
    }
    Ok(())
}
