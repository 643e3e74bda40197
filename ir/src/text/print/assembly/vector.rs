//! The operations of `vector` that have printers of their own.

use super::linalg::iterator_names;
use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::{AttributeData, NamedAttribute};
use crate::body::Value;
use crate::operation::OpRef;
use crate::text::assembly::vector::{mask_type, outer_product, outside, usual_map};
use crate::types::TypeData;

/// The attributes of a transfer between these, and whether the mask, if there is one, has the type that a parser gives it.
fn transfer_dictionary(printer: &mut OpPrinter<'_, '_>, shaped: Value, vector: Value, mask: &[Value]) -> Printed {
    let context = printer.context();
    let (map, bounds) = (printer.need("permutation_map")?, printer.need("in_bounds")?);
    let (shaped, vector) = (printer.type_of(shaped)?, printer.type_of(vector)?);
    let AttributeData::AffineMap(data) = &context[map] else { return Err(NotCustom::UseGeneric) };
    for &mask in mask {
        printer.expect_type(mask, mask_type(context, vector, map).ok_or(NotCustom::UseGeneric)?)?;
    }
    let mut elided = Vec::new();
    if usual_map(context, shaped, vector) == Some(map) {
        elided.push("permutation_map");
    }
    if bounds == outside(context, data.results.len()) {
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
    let (&padding, mask) = rest.split_first().ok_or(NotCustom::UseGeneric)?;
    let shaped = printer.type_of(base)?;
    printer.expect_type(padding, printer.context()[shaped].element().ok_or(NotCustom::UseGeneric)?)?;
    printer.values(rest);
    transfer_dictionary(printer, base, result, mask)?;
    printer.text(" : ");
    printer.value_type(base)?;
    printer.text(", ");
    printer.value_type(result)
}

pub(in crate::text) fn transfer_write(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (vector, base) = (printer.at(0)?, printer.at(1)?);
    // Writing to a tensor gives another one.
    let results: Vec<Value> = printer.op.results().collect();
    let is_tensor = matches!(printer.type_data(base)?, TypeData::RankedTensor { .. });
    printer.expect_same_types(&results, &[base][..usize::from(is_tensor)])?;
    printer.text(" ");
    printer.value(vector);
    printer.text(", ");
    printer.value(base);
    printer.text("[");
    let indices = printer.operands(2)?;
    printer.values(indices);
    printer.text("]");
    let masks = printer.operands(3)?;
    if let Some(&mask) = masks.first() {
        printer.text(", ");
        printer.value(mask);
    }
    transfer_dictionary(printer, base, vector, masks)?;
    printer.text(" : ");
    printer.value_type(vector)?;
    printer.text(", ");
    printer.value_type(base)
}

pub(in crate::text) fn contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let context = printer.context();
    printer.expect_same_types(&[printer.at(2)?], &[printer.result(0)?])?;
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
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
    let first = body.first_operation(block).ok_or(NotCustom::UseGeneric)?;
    let last = body.last_operation(block).ok_or(NotCustom::UseGeneric)?;
    let inner: Vec<Value> = body.results(first).collect();
    // One operation and a yield of its results, which text leaves out.
    let simple = match last == first {
        true => body.result_count(first) == 0,
        false => body.next_operation(first) == Some(last) && body.operands(last) == inner,
    };
    let yielded = OpPrinter::new(printer.to, OpRef::new(printer.to.module, id, body, last))?;
    let says_nothing = yielded.op.name() == "vector.yield" && yielded.all_attributes().is_empty();
    let is_only = body.next_block(block).is_none() && body.arguments(block).is_empty();
    if !simple || !says_nothing || !is_only || body.region_number(first) > 0 {
        return Err(NotCustom::UseGeneric);
    }
    if printer.to.collector.is_some() && last == first {
        return Err(NotCustom::UseGeneric);
    }
    let results: Vec<Value> = printer.op.results().collect();
    if let Some(passed) = printer.op.operands().get(1) {
        printer.expect_same_types(&[*passed], results.get(..1).ok_or(NotCustom::UseGeneric)?)?;
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
    if !results.is_empty() {
        printer.text(" -> ");
        printer.value_types(&results)?;
    }
    Ok(())
}

pub(in crate::text) fn outerproduct(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (left, right) = (printer.type_of(printer.at(0)?)?, printer.type_of(printer.at(1)?)?);
    let product = outer_product(printer.context(), left, right);
    printer.expect_type(printer.result(0)?, product)?;
    printer.op.operands().iter().skip(2).try_for_each(|&added| printer.expect_type(added, product))?;
    printer.text(" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    printer.value_types(&[left, right])
}
