//! The operations of `transform` that have printers of their own.

use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::AttributeData;
use crate::types::DYNAMIC;

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
