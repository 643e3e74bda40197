//! The operations of `vector` that have printers of their own.

use super::linalg::iterator_names;
use super::op::{OpPrinter, Printed, Stop, integers};
use crate::affine::{AffineExpression, AffineMap};
use crate::attribute::{AttributeData, NamedAttribute};
use crate::body::Value;
use crate::operation::OpRef;

/// Whether the map gives the last dimensions as they are.
pub(in crate::text) fn is_minor_identity(map: &AffineMap) -> bool {
    let Some(first) = map.dimensions.checked_sub(map.results.len() as u32) else { return false };
    map.symbols == 0
        && map.results.iter().enumerate().all(|(at, result)| *result == AffineExpression::Dimension(first + at as u32))
}

fn transfer_dictionary(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut elided = Vec::new();
    let map = printer.need("permutation_map")?;
    if matches!(&printer.context()[map], AttributeData::AffineMap(map) if is_minor_identity(map)) {
        elided.push("permutation_map");
    }
    let bounds = printer.need("in_bounds")?;
    if integers(printer.context(), bounds).ok_or(Stop::Unfit)?.iter().all(|&inside| inside == 0) {
        elided.push("in_bounds");
    }
    printer.dictionary(&elided)
}

pub(in crate::text) fn transfer_read(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (base, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    printer.value(base);
    printer.text("[");
    let indices = printer.operands(1)?;
    printer.values(indices);
    printer.text("], ");
    let rest = &printer.op.operands()[1 + indices.len()..];
    printer.values(rest);
    transfer_dictionary(printer)?;
    printer.text(" : ");
    printer.value_type(base)?;
    printer.text(", ");
    printer.value_type(result)
}

pub(in crate::text) fn transfer_write(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (vector, base) = (printer.at(0)?, printer.at(1)?);
    printer.text(" ");
    printer.value(vector);
    printer.text(", ");
    printer.value(base);
    printer.text("[");
    let indices = printer.operands(2)?;
    printer.values(indices);
    printer.text("]");
    if let Some(&mask) = printer.operands(3)?.first() {
        printer.text(", ");
        printer.value(mask);
    }
    transfer_dictionary(printer)?;
    printer.text(" : ");
    printer.value_type(vector)?;
    printer.text(", ");
    printer.value_type(base)
}

pub(in crate::text) fn contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let context = printer.context();
    let mut shown: Vec<NamedAttribute> = Vec::new();
    for (name, value) in printer.all_attributes() {
        match context.bytes(name) {
            b"iterator_types" => shown.push((name, iterator_names(printer, value)?)),
            b"indexing_maps" | b"kind" => shown.push((name, value)),
            _ => {}
        }
    }
    printer.text(" ");
    let dictionary = context.dictionary(shown)?;
    printer.attribute(dictionary)?;
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&["indexing_maps", "iterator_types", "kind"])?;
    printer.text(" : ");
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    printer.value_types(&[left, right])?;
    printer.text(" into ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

pub(in crate::text) fn mask(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (id, body, regions) = printer.op.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(Stop::Unfit)?;
    let first = body.first_operation(block).ok_or(Stop::Unfit)?;
    let last = body.last_operation(block).ok_or(Stop::Unfit)?;
    let inner: Vec<Value> = body.results(first).collect();
    // One operation and a yield of its results, which text leaves out.
    let simple = match last == first {
        true => body.result_count(first) == 0,
        false => body.next_operation(first) == Some(last) && body.operands(last) == inner,
    };
    if !simple || body.region_number(first) > 0 || printer.to.collector.is_some() && last == first {
        return Err(Stop::Unfit);
    }
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.text(" { ");
    if last != first {
        let inner = OpRef::new(printer.to.module, id, body, first);
        printer.inline(inner)?;
    }
    printer.text(" }");
    printer.dictionary(&[])?;
    printer.text(" : ");
    let mask = printer.at(0)?;
    printer.value_type(mask)?;
    let results: Vec<Value> = printer.op.results().collect();
    if !results.is_empty() {
        printer.text(" -> ");
        printer.value_types(&results)?;
    }
    Ok(())
}

pub(in crate::text) fn outerproduct(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    printer.value_types(&[left, right])
}
