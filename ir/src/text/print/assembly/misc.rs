//! Operations of several dialects that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::body::Value;
use crate::text::assembly::split_symbol;
use crate::text::print_attribute;
use crate::types::TypeData;

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

pub(in crate::text) fn alloca_scope(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results: Vec<Value> = printer.op.results().collect();
    printer.text(" ");
    if !results.is_empty() {
        printer.text(" -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.region(0, false, !results.is_empty());
    printer.dictionary(&[])
}

pub(in crate::text) fn const_shape(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let shape = printer.need("shape")?;
    let text = print_attribute(printer.context(), shape)?;
    let inner = text.strip_prefix("dense<").and_then(|text| text.split_once('>')).ok_or(Stop::Unfit)?.0;
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
        _ => return Err(Stop::Unfit),
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
            crate::attribute::AttributeData::Text { .. } => Some(print_attribute(context, value)?),
            _ => None,
        };
        let symbol = text.as_ref().and_then(|text| split_symbol(text.as_bytes()));
        if matches!(symbol, Some((b"tosa", b"nan_mode", b"<PROPAGATE>"))) {
            continue;
        }
        printer.text(if std::mem::take(&mut first) { " {" } else { ", " });
        printer.text(context.bytes(name));
        printer.text(" = ");
        match symbol {
            Some((b"tosa", b"nan_mode" | b"rounding_mode" | b"resize_mode", case)) => {
                let case = case.strip_prefix(b"<").and_then(|case| case.strip_suffix(b">"));
                printer.text(case.ok_or(Stop::Unfit)?);
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

/// `%item : type in %range {...} -> ^block`
pub(in crate::text) fn pdl_foreach(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let &[argument] = printer.region_argument_types(0)?.as_slice() else { return Err(Stop::Unfit) };
    let &[block] = printer.successors() else { return Err(Stop::Unfit) };
    let values = printer.at(0)?;
    let range = |ty: crate::types::Type| -> Printed<String> { Ok(crate::text::print_type(printer.context(), ty)?) };
    let wanted = crate::text::assembly::pdl_range(&range(printer.to.module.ty(argument)?)?);
    if range(printer.type_of(values)?)? != wanted {
        return Err(Stop::Unfit);
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
