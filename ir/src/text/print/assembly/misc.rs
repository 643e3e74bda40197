//! Operations of several dialects that have printers of their own.

use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::AttributeData;
use crate::body::Value;
use crate::text::assembly::{async_value, is_bare_keyword, split_symbol};
use crate::text::print::attribute::push_integer;
use crate::text::{print_attribute, print_type};
use crate::types::{Signedness, TypeData};
use crate::upstream::common::regions::print_initial_values;

pub(in crate::text) fn select(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    let condition = printer.at(0)?;
    if !matches!(printer.type_data(condition)?, TypeData::Integer { .. }) {
        printer.value_type(condition)?;
        printer.text(", ");
    }
    let result = printer.result(0)?;
    printer.value_type(result)
}

pub(in crate::text) fn alloc_tensor(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text("(");
    let sizes = printer.operands(0)?;
    printer.values(sizes);
    printer.text(")");
    if let Some(&copy) = printer.operands(1)?.first() {
        printer.expect_same_types(&[copy], &[printer.result(0)?])?;
        printer.text(" copy(");
        printer.value(copy);
        printer.text(")");
    }
    if let Some(&hint) = printer.operands(2)?.first() {
        printer.text(" size_hint=");
        printer.value(hint);
    }
    printer.dictionary(&[])?;
    printer.text(" : ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

pub(in crate::text) fn const_shape(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let shape = printer.need("shape")?;
    let context = printer.context();
    // A list of sizes, as a parser makes it.
    let is_list = match &context[shape] {
        AttributeData::DenseElements { ty, .. } => match &context[*ty] {
            TypeData::RankedTensor { shape, element, encoding: None } => {
                shape.len() == 1 && context[*element] == TypeData::Index
            }
            _ => false,
        },
        _ => false,
    };
    if !is_list {
        return Err(NotCustom::UseGeneric);
    }
    let text = print_attribute(context, shape)?;
    let inner = text.strip_prefix("dense<").and_then(|text| text.split_once('>')).ok_or(NotCustom::UseGeneric)?.0;
    let result = printer.result(0)?;
    let count = match printer.type_data(result)? {
        TypeData::RankedTensor { shape, .. } => shape.first().copied(),
        _ => None,
    };
    printer.dictionary(&["shape"])?;
    printer.text(" [");
    match (inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')), count) {
        (Some(list), _) => printer.text(list),
        // A splat stands for all.
        (None, Some(count)) if (0..4096).contains(&count) => printer.text(vec![inner; count as usize].join(", ")),
        _ => return Err(NotCustom::UseGeneric),
    }
    printer.text("] : ");
    printer.value_type(result)
}

/// Operands, a dictionary in which enums are bare words and the usual treatment of NaN is left out, and a type.
pub(in crate::text) fn tosa(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    let context = printer.context();
    let mut first = true;
    for (name, value) in printer.all_attributes() {
        let text = match &context[value] {
            AttributeData::Text { .. } => Some(print_attribute(context, value)?),
            _ => None,
        };
        let symbol = text.as_ref().and_then(|text| split_symbol(text.as_bytes()));
        let name = context.bytes(name);
        if name == b"nan_mode" && matches!(symbol, Some((b"tosa", b"nan_mode", b"<PROPAGATE>"))) {
            continue;
        }
        // By the name of the attribute a parser knows which enum a bare word is of.
        let wanted: Option<&[u8]> = match name {
            b"mode" => Some(b"resize_mode"),
            b"nan_mode" | b"rounding_mode" | b"block_size" => Some(name),
            _ => None,
        };
        if !std::str::from_utf8(name).is_ok_and(is_bare_keyword) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(if std::mem::take(&mut first) { " {" } else { ", " });
        printer.text(name);
        printer.text(" = ");
        match (wanted, symbol) {
            (Some(wanted), found) => {
                let (b"tosa", mnemonic, case) = found.ok_or(NotCustom::UseGeneric)? else {
                    return Err(NotCustom::UseGeneric);
                };
                if mnemonic != wanted {
                    return Err(NotCustom::UseGeneric);
                }
                let case = case.strip_prefix(b"<").and_then(|case| case.strip_suffix(b">"));
                printer.text(case.filter(|case| crate::text::is_word(case)).ok_or(NotCustom::UseGeneric)?);
            }
            _ => printer.attribute(value)?,
        }
    }
    if !first {
        printer.text("}");
    }
    printer.text(" : ");
    let results: Vec<Value> = printer.op.results().collect();
    printer.functional(operands, &results)
}

pub(in crate::text) fn execute(printer: &mut OpPrinter<'_, '_>) -> Printed {
    crate::upstream::common::types::expect_result_type(printer, 0, "!async.token")?;
    let (dependencies, values) = (printer.operands(0)?, printer.operands(1)?);
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    if !dependencies.is_empty() {
        printer.text(" [");
        printer.values(dependencies);
        printer.text("]");
    }
    for (at, (&value, ty)) in values.iter().zip(arguments).enumerate() {
        // The argument is what is in the value.
        let (outer, inner) = (print_type(printer.context(), printer.type_of(value)?)?, printer.to.module.ty(ty)?);
        if async_value(&outer) != Some(&*print_type(printer.context(), inner)?) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(if at == 0 { " (" } else { ", " });
        printer.value(value);
        printer.text(" as ");
        printer.region_argument_name(0, at)?;
        printer.text(": ");
        printer.value_type(value)?;
    }
    if !values.is_empty() {
        printer.text(")");
    }
    let results = printer.results(1)?;
    printer.optional_arrow(&results)?;
    printer.dictionary_with_keyword(&[])?;
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

pub(in crate::text) fn assuming(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let witness = printer.at(0)?;
    let results: Vec<Value> = printer.op.results().collect();
    printer.text(" ");
    printer.value(witness);
    if !results.is_empty() {
        printer.text(" -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&[])
}

pub(in crate::text) fn shape_reduce(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.op.operands();
    let (shape, initial) = operands.split_first().ok_or(NotCustom::UseGeneric)?;
    let results: Vec<Value> = printer.op.results().collect();
    if initial.len() != results.len() {
        return Err(NotCustom::UseGeneric);
    }
    for (&initial, &result) in initial.iter().zip(&results) {
        if printer.type_of(initial)? != printer.type_of(result)? {
            return Err(NotCustom::UseGeneric);
        }
    }
    printer.text("(");
    printer.values(operands);
    printer.text(") : ");
    printer.value_type(*shape)?;
    printer.optional_arrow(&results)?;
    printer.text(" ");
    printer.region(0, true, true);
    printer.dictionary(&[])
}

pub(in crate::text) fn function_library(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    super::function::name(printer)?;
    let mapping = printer.need("mapping")?;
    printer.dictionary_with_keyword(&["sym_name", "mapping"])?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.text(" mapping ");
    printer.attribute(mapping)
}

/// Operands of one type.
pub(in crate::text) fn same_types(printer: &mut OpPrinter<'_, '_>) -> Printed {
    crate::upstream::common::types::expect_result_type(printer, 0, "!smt.bool")?;
    let operands = printer.op.operands();
    let &first = operands.first().ok_or(NotCustom::UseGeneric)?;
    let ty = printer.type_of(first)?;
    for &operand in operands {
        if printer.type_of(operand)? != ty {
            return Err(NotCustom::UseGeneric);
        }
    }
    printer.text(" ");
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    printer.ty(ty)
}

pub(in crate::text) fn cond_if(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (condition, inputs) = (printer.at(0)?, printer.operands(1)?);
    let results: Vec<Value> = printer.op.results().collect();
    printer.text(" ");
    printer.value(condition);
    print_initial_values(printer, " ", 0, inputs)?;
    printer.text(" : ");
    printer.value_type(condition)?;
    if inputs.is_empty() {
        printer.optional_arrow(&results)?;
    } else {
        printer.text(" ");
        printer.functional(inputs, &results)?;
    }
    printer.text(" ");
    printer.region(0, true, true);
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.region(1, true, true);
    }
    printer.dictionary(&[])
}

pub(in crate::text) fn smt_integer(printer: &mut OpPrinter<'_, '_>) -> Printed {
    crate::upstream::common::types::expect_result_type(printer, 0, "!smt.int")?;
    let attribute = printer.need("value")?;
    let AttributeData::Integer { value, .. } = &printer.context()[attribute] else { return Err(NotCustom::UseGeneric) };
    let mut text = Vec::new();
    push_integer(&mut text, value, Signedness::Signed);
    let text = String::from_utf8(text).map_err(|_| NotCustom::UseGeneric)?;
    let digits = text.strip_prefix('-');
    let read = crate::text::assembly::smt_integer(printer.context(), digits.unwrap_or(&text), digits.is_some());
    if read != Some(attribute) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.text(text);
    printer.dictionary(&["value"])
}

/// `#smt.bv<5> : !smt.bv<32>`: the type is that of the result.
pub(in crate::text) fn smt_bits(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (attribute, result) = (printer.need("value")?, printer.result(0)?);
    let context = printer.context();
    let (text, ty) = (print_attribute(context, attribute)?, print_type(context, printer.type_of(result)?)?);
    if text.split_once(" : ").is_none_or(|(_, shown)| shown != ty) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.attribute(attribute)?;
    printer.dictionary(&["value"])
}
/// `%item : type in %range {...} -> ^block`
pub(in crate::text) fn pdl_foreach(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let &[argument] = printer.region_argument_types(0)?.as_slice() else { return Err(NotCustom::UseGeneric) };
    let &[block] = printer.successors() else { return Err(NotCustom::UseGeneric) };
    let values = printer.at(0)?;
    let range = |ty: crate::types::Type| -> Printed<String> { Ok(crate::text::print_type(printer.context(), ty)?) };
    let wanted = crate::text::assembly::pdl_range(&range(printer.to.module.ty(argument)?)?);
    if range(printer.type_of(values)?)? != wanted {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region_argument_name(0, 0)?;
    printer.text(" : ");
    printer.to.ty(argument)?;
    printer.text(" in ");
    printer.value(values);
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&[])?;
    printer.text(" -> ");
    printer.block(block);
    Ok(())
}
