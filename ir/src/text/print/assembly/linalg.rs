//! The operations of `linalg` that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::affine::{AffineExpression, AffineMap};
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::Value;
use crate::text::assembly::split_symbol;

pub(super) fn find(name: &str) -> Option<super::Hand> {
    Some(match name {
        "yield" => give,
        "generic" => generic,
        "matmul" | "batch_matmul" | "batch_reduce_matmul" => matmul,
        "contract" => contract,
        "transpose" => transpose,
        "broadcast" => broadcast,
        "map" | "reduce" | "elementwise" | "softmax" | "winograd_filter_transform" | "winograd_input_transform"
        | "winograd_output_transform" | "index" | "pack" | "unpack" => return None,
        _ => named,
    })
}

fn give(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

fn generic(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

fn structured(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    printer.dictionary(elided)?;
    operands(printer)?;
    results(printer)
}

fn named(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let names: Vec<&str> = definition.operands().iter().map(|operand| operand.name.as_str()).collect();
    if names != ["inputs", "outputs"] {
        return Err(Stop::Unfit);
    }
    structured(printer, &["linalg.memoized_indexing_maps"])
}

/// The maps of a matrix product of so many leading dimensions; the last two of each side are those of a matrix.
fn default_maps(name: &str) -> Option<[Vec<u32>; 3]> {
    Some(match name {
        "linalg.matmul" => [vec![0, 2], vec![2, 1], vec![0, 1]],
        "linalg.batch_matmul" => [vec![0, 1, 3], vec![0, 3, 2], vec![0, 1, 2]],
        "linalg.batch_reduce_matmul" => [vec![0, 1, 3], vec![0, 3, 2], vec![1, 2]],
        _ => return None,
    })
}

/// The maps that a product has where text shows none.
pub(in crate::text) fn default_indexing_maps(context: &crate::Context, name: &str) -> Option<Attribute> {
    let maps = default_maps(name)?;
    let dimensions = maps.iter().flatten().max().map_or(0, |&most| most + 1);
    let map = |results: &Vec<u32>| {
        let results = results.iter().map(|&at| AffineExpression::Dimension(at)).collect();
        context.attribute(AttributeData::AffineMap(AffineMap { dimensions, symbols: 0, results }))
    };
    Some(context.attribute(AttributeData::Array(maps.iter().map(map).collect())))
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

fn matmul(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.definition()?.name.as_str();
    if printer.get("indexing_maps") != default_indexing_maps(printer.context(), name) {
        maps(printer)?;
    }
    structured(printer, &["linalg.memoized_indexing_maps", "indexing_maps"])
}

fn contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

fn transpose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    operands(printer)?;
    numbers(printer, "permutation")
}

fn broadcast(printer: &mut OpPrinter<'_, '_>) -> Printed {
    operands(printer)?;
    numbers(printer, "dimensions")
}
