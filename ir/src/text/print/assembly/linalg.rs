//! The operations of `linalg` that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::Value;
use crate::text::assembly::linalg::{body, default_maps};
use crate::text::assembly::split_symbol;
use crate::types::Type;

pub(in crate::text) fn give(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.op.operands();
    if !operands.is_empty() {
        printer.text(" ");
        printer.values(operands);
    }
    printer.dictionary(&[])?;
    if !operands.is_empty() {
        printer.text(" : ");
        printer.value_types(operands)?;
    }
    Ok(())
}

/// ` ins(%a : type) outs(%b : type)`
fn operands(printer: &mut OpPrinter<'_, '_>) -> Printed {
    for (at, word) in [" ins(", " outs("].into_iter().enumerate() {
        let values = printer.operands(at)?;
        if !values.is_empty() {
            printer.text(word);
            printer.values(values);
            printer.text(" : ");
            printer.value_types(values)?;
            printer.text(")");
        }
    }
    Ok(())
}

fn results(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results: Vec<Value> = printer.op.results().collect();
    printer.optional_arrow(&results)
}

/// An array of iterator types as the array of their names.
pub(super) fn iterator_names(printer: &OpPrinter<'_, '_>, array: Attribute) -> Printed<Attribute> {
    let context = printer.context();
    let name = |&item: &Attribute| match &context[item] {
        AttributeData::Text { text, .. } => {
            let (.., rest) = split_symbol(text).ok_or(Stop::Unfit)?;
            let rest = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(Stop::Unfit)?;
            Ok(context.string(rest))
        }
        _ => Err(Stop::Unfit),
    };
    let names: Vec<Attribute> = printer.array(array)?.iter().map(name).collect::<Printed<_>>()?;
    Ok(context.attribute(AttributeData::Array(names.into())))
}

pub(in crate::text) fn generic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    const SHOWN: [&[u8]; 4] = [b"doc", b"indexing_maps", b"iterator_types", b"library_call"];
    let context = printer.context();
    let all = printer.all_attributes();
    let mut shown: Vec<NamedAttribute> = Vec::new();
    for &(name, value) in &all {
        match context.bytes(name) {
            b"iterator_types" => shown.push((name, iterator_names(printer, value)?)),
            bytes if SHOWN.contains(&bytes) => shown.push((name, value)),
            _ => {}
        }
    }
    printer.text(" ");
    if !shown.is_empty() {
        let dictionary = context.dictionary(shown)?;
        printer.attribute(dictionary)?;
    }
    operands(printer)?;
    let left_out = |name: &[u8]| SHOWN.contains(&name) || name == b"operandSegmentSizes";
    if all.iter().any(|entry| !left_out(context.bytes(entry.0))) {
        printer.text(" attrs = ");
        printer.dictionary_of(&all, &left_out, false)?;
    }
    if !printer.is_empty_region(0)? {
        printer.text(" ");
        printer.region(0, true, true);
    }
    results(printer)
}

/// Whether the region is the one that the operation's name stands for: it is not printed.
fn has_own_body(printer: &OpPrinter<'_, '_>, name: &str) -> Printed<bool> {
    let (id, block_body, regions) = printer.op.region_tree()?;
    let Some(&region) = regions.first() else { return Ok(false) };
    let Some(block) = block_body.first_block(region).filter(|&block| block_body.next_block(block).is_none()) else {
        return Ok(false);
    };
    let mut values: Vec<Value> = block_body.arguments(block).to_vec();
    let types = values.iter().map(|&value| printer.to.module.ty(block_body.ty(value)));
    let types: Vec<Type> = types.collect::<crate::Result<_>>()?;
    let Some((ops, yielded)) = body(printer.context(), name, &types) else { return Ok(false) };
    let mut next = block_body.first_operation(block);
    for op in ops {
        let Some(found) = next else { return Ok(false) };
        let operands: Vec<Value> = op.operands.iter().map(|&at| values[at]).collect();
        let found_op = crate::operation::OpRef::new(printer.to.module, id, block_body, found);
        let Some(result) = block_body.result(found, 0) else { return Ok(false) };
        let same = found_op.name() == op.name
            && block_body.operands(found) == operands
            && block_body.result_count(found) == 1
            && printer.to.module.ty(block_body.ty(result))? == op.ty;
        if !same {
            return Ok(false);
        }
        values.push(result);
        next = block_body.next_operation(found);
    }
    let Some(last) = next else { return Ok(false) };
    let last_op = crate::operation::OpRef::new(printer.to.module, id, block_body, last);
    Ok(last_op.name() == "linalg.yield"
        && block_body.operands(last) == [values[yielded]]
        && block_body.next_operation(last).is_none())
}

fn structured(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let name = printer.definition()?.name.strip_prefix("linalg.").ok_or(Stop::Unfit)?;
    if !has_own_body(printer, name)? {
        return Err(Stop::Unfit);
    }
    printer.dictionary(elided)?;
    operands(printer)?;
    results(printer)
}

pub(in crate::text) fn named(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let names: Vec<&str> = definition.operands().iter().map(|operand| operand.name.as_str()).collect();
    if names != ["inputs", "outputs"] {
        return Err(Stop::Unfit);
    }
    structured(printer, &["linalg.memoized_indexing_maps"])
}

fn maps(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(maps) = printer.get("indexing_maps") {
        printer.text(" indexing_maps = [");
        let maps = printer.array(maps)?;
        for (at, &map) in maps.iter().enumerate() {
            if at > 0 {
                printer.text(", ");
            }
            printer.attribute(map)?;
        }
        printer.text("]");
    }
    Ok(())
}

pub(in crate::text) fn matmul(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.definition()?.name.as_str();
    if printer.get("indexing_maps") != default_maps(printer.context(), name) {
        maps(printer)?;
    }
    structured(printer, &["linalg.memoized_indexing_maps", "indexing_maps"])
}

pub(in crate::text) fn contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    maps(printer)?;
    structured(printer, &["indexing_maps"])
}

fn numbers(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    printer.text(" ");
    printer.text(name);
    printer.text(" = ");
    let numbers = printer.need(name)?;
    let numbers = super::op::integers(printer.context(), numbers).ok_or(Stop::Unfit)?;
    super::directives::index_list_in(printer, &numbers, &[], b"[]")?;
    printer.text(" ");
    printer.dictionary(&[name])
}

pub(in crate::text) fn transpose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    operands(printer)?;
    numbers(printer, "permutation")
}

pub(in crate::text) fn broadcast(printer: &mut OpPrinter<'_, '_>) -> Printed {
    operands(printer)?;
    numbers(printer, "dimensions")
}
