//! The operations of `affine` that have printers of their own.

use std::collections::{HashMap, HashSet};

use super::op::{NotCustom, OpPrinter, Printed, dense_integers, integers};
use crate::affine::AffineExpression;
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::text::assembly::{REDUCTIONS, outer_parts};
use crate::text::print_attribute;
use crate::types::{Type, TypeData};
use crate::upstream::common::regions::{print_argument_names, print_initial_values};

/// `(%dimensions)[%symbols]`
fn arguments(printer: &mut OpPrinter<'_, '_>, map: Attribute, values: &[Value], always: bool) -> Printed {
    let AttributeData::AffineMap(map) = &printer.context()[map] else { return Err(NotCustom::UseGeneric) };
    let (dimensions, symbols) = (map.dimensions as usize, map.symbols as usize);
    if dimensions.checked_add(symbols) != Some(values.len()) {
        return Err(NotCustom::UseGeneric);
    }
    if always || dimensions > 0 || symbols > 0 {
        printer.text("(");
        printer.values(&values[..dimensions]);
        printer.text(")");
    }
    if symbols > 0 {
        printer.text("[");
        printer.values(&values[dimensions..]);
        printer.text("]");
    }
    Ok(())
}

pub(in crate::text) fn apply(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let map = printer.need("map")?;
    printer.attribute(map)?;
    let values = printer.op.operands();
    arguments(printer, map, values, true)?;
    printer.dictionary(&["map"])
}

/// A bound of a loop: a number, a symbol, or a map of which the greatest or least result counts.
fn bound(printer: &mut OpPrinter<'_, '_>, name: &str, prefix: &str, values: &[Value]) -> Printed {
    let attribute = printer.need(name)?;
    let AttributeData::AffineMap(map) = &printer.context()[attribute] else { return Err(NotCustom::UseGeneric) };
    match (&*map.results, map.dimensions, map.symbols) {
        ([AffineExpression::Constant(number)], 0, 0) if values.is_empty() => {
            printer.number(*number);
            return Ok(());
        }
        ([AffineExpression::Symbol(0)], 0, 1) if values.len() == 1 => {
            printer.value(values[0]);
            return Ok(());
        }
        ([_], ..) => {}
        _ => {
            printer.text(prefix);
            printer.text(" ");
        }
    }
    printer.attribute(attribute)?;
    arguments(printer, attribute, values, true)
}

pub(in crate::text) fn for_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (lower, upper, initials) = (printer.operands(0)?, printer.operands(1)?, printer.operands(2)?);
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != initials.len() + 1 {
        return Err(NotCustom::UseGeneric);
    }
    printer.expect_index(&arguments[..1])?;
    let results: Vec<Value> = printer.op.results().collect();
    printer.expect_same_types(initials, &results)?;
    printer.text(" ");
    printer.region_argument(0, 0, &[], true)?;
    printer.text(" = ");
    bound(printer, "lowerBoundMap", "max", lower)?;
    printer.text(" to ");
    bound(printer, "upperBoundMap", "min", upper)?;
    let step = printer.need("step")?;
    let AttributeData::Integer { value, .. } = &printer.context()[step] else { return Err(NotCustom::UseGeneric) };
    let step = value.to_i64().ok_or(NotCustom::UseGeneric)?;
    if step != 1 {
        printer.text(" step ");
        printer.number(step);
    }
    if !initials.is_empty() {
        print_initial_values(printer, " iter_args", 1, initials)?;
        printer.text(" -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, false, !initials.is_empty())?;
    printer.dictionary(&["lowerBoundMap", "upperBoundMap", "step"])
}

pub(in crate::text) fn if_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let condition = printer.need("condition")?;
    let AttributeData::IntegerSet(set) = &printer.context()[condition] else { return Err(NotCustom::UseGeneric) };
    printer.attribute(condition)?;
    let values = printer.op.operands();
    let dimensions = set.dimensions as usize;
    if dimensions.checked_add(set.symbols as usize) != Some(values.len()) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("(");
    printer.values(&values[..dimensions]);
    printer.text(")");
    if set.symbols > 0 {
        printer.text("[");
        printer.values(&values[dimensions..]);
        printer.text("]");
    }
    let results: Vec<Value> = printer.op.results().collect();
    printer.optional_arrow(&results)?;
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.body(1, false, !results.is_empty())?;
    }
    printer.dictionary(&["condition"])
}

/// The results of a map, with values in place of dimensions and symbols.
///
/// A parser numbers values as they come, so a map that numbers them in another way cannot be written so. In a group of
/// results, of which `group` tells the number, a value is a dimension or a symbol and not both.
fn expressions(
    printer: &mut OpPrinter<'_, '_>,
    map: Attribute,
    values: &[Value],
    group: impl Fn(usize) -> usize,
) -> Printed<Vec<Vec<u8>>> {
    let context = printer.context();
    let AttributeData::AffineMap(data) = &context[map] else { return Err(NotCustom::UseGeneric) };
    let dimensions = data.dimensions as usize;
    if dimensions.checked_add(data.symbols as usize) != Some(values.len()) {
        return Err(NotCustom::UseGeneric);
    }
    let (dimensions, symbols) = values.split_at(dimensions);
    for list in [dimensions, symbols] {
        let mut seen = HashSet::new();
        if !list.iter().all(|value| seen.insert(*value)) {
            return Err(NotCustom::UseGeneric);
        }
    }
    let mut kinds = HashMap::new();
    let text = print_attribute(context, map)?;
    let results = text.split_once("-> (").and_then(|(_, rest)| rest.strip_suffix(")>")).ok_or(NotCustom::UseGeneric)?;
    let (mut all, mut next) = (Vec::new(), [0, 0]);
    for (result, part) in outer_parts(results).into_iter().enumerate() {
        let mut out = Vec::new();
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end.max(first.len_utf8()));
            rest = behind;
            let number = word.get(1..).and_then(|digits| digits.parse::<usize>().ok());
            let (kind, of) = match (first, number) {
                ('d', Some(_)) => (0, dimensions),
                ('s', Some(_)) => (1, symbols),
                _ => {
                    out.extend_from_slice(word.as_bytes());
                    continue;
                }
            };
            let number = number.filter(|&number| number <= next[kind]).ok_or(NotCustom::UseGeneric)?;
            next[kind] = next[kind].max(number + 1);
            let value = *of.get(number).ok_or(NotCustom::UseGeneric)?;
            if *kinds.entry((group(result), value)).or_insert(kind) != kind {
                return Err(NotCustom::UseGeneric);
            }
            let (id, body) = (printer.op.body_id(), printer.op.body());
            out.extend_from_slice(if kind == 0 { b"" } else { b"symbol(" });
            printer.to.names.push_use(id, body, value, &mut out);
            out.extend_from_slice(if kind == 0 { b"" } else { b")" });
        }
        all.push(out);
    }
    if next != [dimensions.len(), symbols.len()] {
        return Err(NotCustom::UseGeneric);
    }
    if data.results.is_empty() {
        all.clear();
    }
    Ok(all)
}

/// `%memref[%i + 1, symbol(%n)]`: the shape and the element type of the memref.
fn subscripts<'m>(printer: &mut OpPrinter<'_, 'm>, memref: Value, indices: &[Value]) -> Printed<(&'m [i64], Type)> {
    let map = printer.need("map")?;
    let all = expressions(printer, map, indices, |_| 0)?;
    let (shape, element) = printer.memref(memref)?;
    if shape.len() != all.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.value(memref);
    printer.text("[");
    printer.text(all.join(&b", "[..]));
    printer.text("]");
    Ok((shape, element))
}

/// The operands from that one on.
fn from<'m>(printer: &OpPrinter<'_, 'm>, first: usize) -> Printed<&'m [Value]> {
    printer.op.operands().get(first..).ok_or(NotCustom::UseGeneric)
}

pub(in crate::text) fn load(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    let (_, element) = subscripts(printer, memref, from(printer, 1)?)?;
    if printer.type_of(result)? != element {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

pub(in crate::text) fn store(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (value, memref) = (printer.at(0)?, printer.at(1)?);
    printer.text(" ");
    printer.value(value);
    printer.text(", ");
    let (_, element) = subscripts(printer, memref, from(printer, 2)?)?;
    if printer.type_of(value)? != element {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

pub(in crate::text) fn vector_load(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    subscripts(printer, memref, from(printer, 1)?)?;
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_types(&[memref, result])
}

pub(in crate::text) fn vector_store(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (value, memref) = (printer.at(0)?, printer.at(1)?);
    printer.text(" ");
    printer.value(value);
    printer.text(", ");
    subscripts(printer, memref, from(printer, 2)?)?;
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_types(&[memref, value])
}

/// `, read, locality<3>, data`
pub(super) fn how_to_prefetch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(if printer.flag("isWrite")? { ", write" } else { ", read" });
    let (TypeData::Integer { width: 32, .. }, locality) = printer.integer("localityHint")? else {
        return Err(NotCustom::UseGeneric);
    };
    printer.text(", locality<");
    printer.number(locality);
    printer.text(if printer.flag("isDataCache")? { ">, data" } else { ">, instr" });
    Ok(())
}

pub(in crate::text) fn prefetch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let memref = printer.at(0)?;
    printer.text(" ");
    subscripts(printer, memref, from(printer, 1)?)?;
    how_to_prefetch(printer)?;
    printer.dictionary(&["map", "isWrite", "localityHint", "isDataCache"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

/// ` = (max(%a, %b), 3)`: bounds of which several may be one group.
fn bounds(printer: &mut OpPrinter<'_, '_>, names: [&str; 2], keyword: &str, values: &[Value], count: usize) -> Printed {
    let (map, groups) = (printer.need(names[0])?, printer.need(names[1])?);
    let groups =
        dense_integers(printer.context(), groups).filter(|all| all.len() == count).ok_or(NotCustom::UseGeneric)?;
    let mut ends = Vec::new();
    for &size in &groups {
        let size = usize::try_from(size).ok().filter(|&size| size > 0).ok_or(NotCustom::UseGeneric)?;
        ends.push(size.checked_add(ends.last().copied().unwrap_or(0)).ok_or(NotCustom::UseGeneric)?);
    }
    let all = expressions(printer, map, values, |result| ends.partition_point(|&end| end <= result))?;
    let mut from = 0;
    printer.text("(");
    for (at, end) in ends.into_iter().enumerate() {
        let group = all.get(from..end).ok_or(NotCustom::UseGeneric)?;
        from = end;
        printer.text(if at > 0 { ", " } else { "" });
        if group.len() > 1 {
            printer.text(keyword);
            printer.text("(");
        }
        printer.text(group.join(&b", "[..]));
        printer.text(if group.len() > 1 { ")" } else { "" });
    }
    printer.text(")");
    if from == all.len() { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// How many values a map takes.
fn inputs(printer: &OpPrinter<'_, '_>, name: &str) -> Printed<usize> {
    match &printer.context()[printer.need(name)?] {
        AttributeData::AffineMap(map) => {
            (map.dimensions as usize).checked_add(map.symbols as usize).ok_or(NotCustom::UseGeneric)
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

pub(in crate::text) fn parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let context = printer.context();
    let variables = printer.region_argument_types(0)?;
    for &ty in &variables {
        if context[printer.to.module.ty(ty)?] != TypeData::Index {
            return Err(NotCustom::UseGeneric);
        }
    }
    let count = variables.len();
    let operands = printer.op.operands();
    let lower = inputs(printer, "lowerBoundsMap")?;
    if lower > operands.len() {
        return Err(NotCustom::UseGeneric);
    }
    let (lower, upper) = operands.split_at(lower);
    let steps = printer.need("steps")?;
    let steps = integers(context, steps).filter(|steps| steps.len() == count).ok_or(NotCustom::UseGeneric)?;
    let reductions = integers(context, printer.need("reductions")?).ok_or(NotCustom::UseGeneric)?;
    let results: Vec<Value> = printer.op.results().collect();
    if reductions.len() != results.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" (");
    print_argument_names(printer, count)?;
    printer.text(") = ");
    bounds(printer, ["lowerBoundsMap", "lowerBoundsGroups"], "max", lower, count)?;
    printer.text(" to ");
    bounds(printer, ["upperBoundsMap", "upperBoundsGroups"], "min", upper, count)?;
    if steps.iter().any(|&step| step != 1) {
        for (at, step) in steps.into_iter().enumerate() {
            printer.text(if at == 0 { " step (" } else { ", " });
            printer.number(step);
        }
        printer.text(")");
    }
    if !results.is_empty() {
        let kinds = printer.to.checker.enumeration(REDUCTIONS).ok_or(NotCustom::UseGeneric)?;
        for (at, kind) in reductions.into_iter().enumerate() {
            printer.text(if at == 0 { " reduce (" } else { ", " });
            let kind = kinds.case_of(kind).ok_or(NotCustom::UseGeneric)?;
            printer.quoted(kind.text.as_bytes());
        }
        printer.text(") -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&[
        "reductions",
        "lowerBoundsMap",
        "lowerBoundsGroups",
        "upperBoundsMap",
        "upperBoundsGroups",
        "steps",
    ])
}
