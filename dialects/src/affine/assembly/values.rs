//! Values in place of the dimensions and symbols of affine maps.

use std::collections::{HashMap, HashSet};

use crate::common::memrefs::add_indices;
use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::body::Value;
use mlirbc_ir::text::{AffineValues, push_affine};
use mlirbc_ir::{AttributeData, Result, Type};
use mlirbc_text::{NotCustom, OpParser, OpPrinter, OpState, Printed, ValueName};

/// The affine map of that attribute.
pub(super) fn map_of<'m>(printer: &OpPrinter<'_, 'm>, name: &str) -> Printed<&'m AffineMap> {
    match &printer.context()[printer.need(name)?] {
        AttributeData::AffineMap(map) => Ok(map),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `(%dimensions)[%symbols]`, of which there are so many.
pub(super) fn print_arguments(
    printer: &mut OpPrinter<'_, '_>,
    dimensions: u32,
    symbols: u32,
    values: &[Value],
) -> Printed {
    let (dimensions, symbols) = (dimensions as usize, symbols as usize);
    if dimensions.checked_add(symbols) != Some(values.len()) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("(");
    printer.values(&values[..dimensions]);
    printer.text(")");
    if symbols > 0 {
        printer.text("[");
        printer.values(&values[dimensions..]);
        printer.text("]");
    }
    Ok(())
}

/// `(%dimensions)[%symbols]`: how many there are.
pub(super) fn parse_arguments<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<usize> {
    let mut names = parser.operand_list_in(b'(', b')')?;
    if parser.text().is_at(b'[') {
        names.extend(parser.operand_list_in(b'[', b']')?);
    }
    let count = names.len();
    add_indices(parser, op, names);
    Ok(count)
}

/// The results of a map, with values in place of dimensions and symbols.
///
/// A parser numbers values as they come, so a map that numbers them in another way cannot be written so. In a group of
/// results, of which `group` tells the number, a value is a dimension or a symbol and not both.
pub(super) fn expressions(
    printer: &OpPrinter<'_, '_>,
    name: &str,
    values: &[Value],
    group: impl Fn(usize) -> usize,
) -> Printed<Vec<Vec<u8>>> {
    let data = map_of(printer, name)?;
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
    let (mut all, mut next) = (Vec::new(), [0, 0]);
    for (result, expression) in data.results.iter().enumerate() {
        let mut out = Vec::new();
        push_affine(&mut out, expression, |leaf, out| {
            let (kind, number, of) = match *leaf {
                AffineExpression::Dimension(at) => (0, at as usize, dimensions),
                AffineExpression::Symbol(at) => (1, at as usize, symbols),
                _ => return Err(NotCustom::UseGeneric),
            };
            if number > next[kind] {
                return Err(NotCustom::UseGeneric);
            }
            next[kind] = next[kind].max(number + 1);
            let value = *of.get(number).ok_or(NotCustom::UseGeneric)?;
            if *kinds.entry((group(result), value)).or_insert(kind) != kind {
                return Err(NotCustom::UseGeneric);
            }
            out.extend_from_slice(if kind == 0 { b"" } else { b"symbol(" });
            printer.push_value(value, out);
            out.extend_from_slice(if kind == 0 { b"" } else { b")" });
            Ok(())
        })?;
        all.push(out);
    }
    if next != [dimensions.len(), symbols.len()] {
        return Err(NotCustom::UseGeneric);
    }
    Ok(all)
}

/// `%memref[%i + 1, symbol(%n)]`: the shape and the element type of the memref.
pub(super) fn print_subscripts<'m>(
    printer: &mut OpPrinter<'_, 'm>,
    memref: Value,
    indices: &[Value],
) -> Printed<(&'m [i64], Type)> {
    let all = expressions(printer, "map", indices, |_| 0)?;
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

/// `[%i + 1, symbol(%n)]`: sets the map, and gives the values in it.
pub(super) fn parse_subscripts<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<Vec<ValueName<'a>>> {
    parser.text().expect(b'[')?;
    let mut values = AffineValues::default();
    let results = parser.text().affine_expressions_of(&mut values, b']')?;
    let (map, names) = parser.affine_map_of(&values, results)?;
    let map = parser.context().attribute(AttributeData::AffineMap(map));
    parser.set(op, "map", map);
    Ok(names)
}
