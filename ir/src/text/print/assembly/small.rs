//! Directives of dialects that have one or two of them.

use super::directives::{attribute, index_list_in};
use super::format::values;
use super::op::{NotCustom, OpPrinter, Printed, integers};
use crate::attribute::AttributeData;
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::text::assembly::{initializer_type, is_bare_keyword, variadicities};
use crate::types::DYNAMIC;

fn numbers(printer: &OpPrinter<'_, '_>, program: &Program, argument: Option<&Element>) -> Printed<Option<Vec<i64>>> {
    match attribute(printer, program, argument.ok_or(NotCustom::UseGeneric)?)? {
        Some(numbers) => integers(printer.context(), numbers).map(Some).ok_or(NotCustom::UseGeneric),
        None => Ok(None),
    }
}

/// `2x?x4`
pub(super) fn dimension_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let numbers = numbers(printer, program, arguments.first())?.ok_or(NotCustom::UseGeneric)?;
    sizes(printer, &numbers)
}

fn sizes(printer: &mut OpPrinter<'_, '_>, numbers: &[i64]) -> Printed {
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            printer.text("x");
        }
        match number {
            DYNAMIC => printer.text("?"),
            0.. => printer.number(number),
            _ => return Err(NotCustom::UseGeneric),
        }
    }
    Ok(())
}

/// `16x16x4`, where each size is an attribute of its own.
pub(super) fn mnk(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let mut numbers = Vec::new();
    for argument in arguments {
        let size = attribute(printer, program, argument)?.ok_or(NotCustom::UseGeneric)?;
        let AttributeData::Integer { value, .. } = &printer.context()[size] else { return Err(NotCustom::UseGeneric) };
        numbers.push(value.to_i64().filter(|&size| size >= 0).ok_or(NotCustom::UseGeneric)?);
    }
    sizes(printer, &numbers)
}

/// `[1, %a]`, or nothing.
pub(super) fn optional_index_list(
    printer: &mut OpPrinter<'_, '_>,
    program: &Program,
    arguments: &[Element],
) -> Printed {
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    match numbers(printer, program, arguments.get(1))? {
        Some(numbers) if !numbers.is_empty() => index_list_in(printer, &numbers, &values, b"[]"),
        None if values.is_empty() => Ok(()),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// ` ordering(%a, %b -> type)`
pub(super) fn token_ordering(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let consumed = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let produced = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    if consumed.is_empty() && produced.is_empty() {
        return Ok(());
    }
    printer.text(" ordering(");
    if consumed.is_empty() {
        printer.text("()");
    } else {
        printer.values(&consumed);
    }
    if !produced.is_empty() {
        printer.text(" -> ");
        printer.value_types(&produced)?;
    }
    printer.text(")");
    Ok(())
}

/// `-> type` of one result by its number; that of all is known.
pub(super) fn results_type(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let results = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    let &[result] = results.as_slice() else { return Err(NotCustom::UseGeneric) };
    if attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.is_some() {
        printer.text(" -> ");
        return printer.value_type(result);
    }
    let ty = printer.type_of(result)?;
    let text = crate::text::print_type(printer.context(), ty)?;
    if text == "!pdl.range<value>" { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// `type = value`
pub(super) fn emitc_value(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let ty =
        attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    let ty = printer.type_in(ty)?;
    printer.ty(ty)?;
    let Some(value) = attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)? else {
        return Ok(());
    };
    let wanted = initializer_type(printer.context(), ty).ok_or(NotCustom::UseGeneric)?;
    match &printer.context()[value] {
        AttributeData::Integer { ty, .. }
        | AttributeData::Float { ty, .. }
        | AttributeData::DenseElements { ty, .. } => {
            if *ty != wanted {
                return Err(NotCustom::UseGeneric);
            }
        }
        AttributeData::Text { .. } | AttributeData::Dialect(_) => {}
        _ => return Err(NotCustom::UseGeneric),
    }
    printer.text(" = ");
    printer.bare(value)
}

/// `(name: %a, name: optional %b)`
pub(super) fn named_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let list = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let names =
        attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    let names = printer.array(names)?;
    let kinds = match arguments.get(2) {
        Some(kinds) => {
            let kinds = attribute(printer, program, kinds)?.ok_or(NotCustom::UseGeneric)?;
            variadicities(printer.context(), kinds).ok_or(NotCustom::UseGeneric)?
        }
        None => vec!["single"; names.len()],
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
        if kind != "single" {
            printer.text(kind);
            printer.text(" ");
        }
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

/// `{"name" = %a}`
pub(super) fn named_attributes(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let list = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let names =
        attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
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
