//! The operations of `memref` that have printers of their own.

use super::op::{NotCustom, OpPrinter, Printed};
use crate::body::Value;
use crate::text::print_attribute;
use crate::upstream::common::memrefs::print_prefetch_hints;

/// `%memref[%i, %j]`: the operands from that one on that are a memref and its indices.
fn subscripts(printer: &mut OpPrinter<'_, '_>, first: usize) -> Printed<usize> {
    let memref = printer.at(first)?;
    let rank = printer.memref(memref)?.0.len();
    let end = first + 1 + rank;
    let indices = printer.op.operands().get(first + 1..end).ok_or(NotCustom::UseGeneric)?;
    printer.value(memref);
    printer.text("[");
    printer.values(indices);
    printer.text("]");
    Ok(end)
}

pub(in crate::text) fn atomic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    let end = subscripts(printer, 0)?;
    if end != printer.op.operands().len() || printer.memref(memref)?.1 != printer.type_of(result)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" : ");
    printer.value_type(memref)?;
    printer.text(" ");
    printer.region(0, true, true);
    printer.dictionary(&[])
}

pub(in crate::text) fn transpose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (source, result) = (printer.at(0)?, printer.result(0)?);
    let permutation = printer.need("permutation")?;
    let text = print_attribute(printer.context(), permutation)?;
    let map = text.strip_prefix("affine_map<").and_then(|text| text.strip_suffix('>')).ok_or(NotCustom::UseGeneric)?;
    printer.text(" ");
    printer.value(source);
    printer.text(" ");
    printer.text(map);
    printer.dictionary(&["permutation"])?;
    printer.text(" : ");
    printer.value_type(source)?;
    printer.text(" to ");
    printer.value_type(result)
}

/// Where a parser takes no dictionary, there must be nothing else to say.
fn nothing_but(printer: &OpPrinter<'_, '_>, shown: &[&str]) -> Printed {
    let context = printer.context();
    let all = printer.all_attributes();
    let known = |name: &[u8]| shown.iter().any(|shown| shown.as_bytes() == name);
    if all.iter().all(|entry| known(context.bytes(entry.0))) { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

pub(in crate::text) fn prefetch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["isWrite", "localityHint", "isDataCache"])?;
    let memref = printer.at(0)?;
    printer.text(" ");
    if subscripts(printer, 0)? != printer.op.operands().len() {
        return Err(NotCustom::UseGeneric);
    }
    print_prefetch_hints(printer)?;
    printer.text(" : ");
    printer.value_type(memref)
}

pub(in crate::text) fn dma_start(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &[])?;
    printer.text(" ");
    let to = subscripts(printer, 0)?;
    printer.text(", ");
    let count = subscripts(printer, to)?;
    printer.text(", ");
    let value = printer.at(count)?;
    printer.value(value);
    printer.text(", ");
    let strides = subscripts(printer, count + 1)?;
    let rest: &[Value] = printer.op.operands().get(strides..).ok_or(NotCustom::UseGeneric)?;
    if !matches!(rest.len(), 0 | 2) {
        return Err(NotCustom::UseGeneric);
    }
    for &value in rest {
        printer.text(", ");
        printer.value(value);
    }
    let index = crate::types::TypeData::Index;
    let memrefs = [0, to, count + 1];
    for (at, &value) in printer.op.operands().iter().enumerate() {
        if !memrefs.contains(&at) && *printer.type_data(value)? != index {
            return Err(NotCustom::UseGeneric);
        }
    }
    printer.text(" : ");
    let memrefs = [printer.at(0)?, printer.at(to)?, printer.at(count + 1)?];
    printer.value_types(&memrefs)
}
