//! The operations of `affine` that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::affine::AffineExpression;
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;

/// `(%dimensions)[%symbols]`
fn arguments(printer: &mut OpPrinter<'_, '_>, map: Attribute, values: &[Value], always: bool) -> Printed {
    let AttributeData::AffineMap(map) = &printer.context()[map] else { return Err(Stop::Unfit) };
    let (dimensions, symbols) = (map.dimensions as usize, map.symbols as usize);
    if dimensions.checked_add(symbols) != Some(values.len()) {
        return Err(Stop::Unfit);
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
    let AttributeData::AffineMap(map) = &printer.context()[attribute] else { return Err(Stop::Unfit) };
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

pub(in crate::text) fn repeat(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (lower, upper, initials) = (printer.operands(0)?, printer.operands(1)?, printer.operands(2)?);
    if printer.region_argument_types(0)?.len() != initials.len() + 1 {
        return Err(Stop::Unfit);
    }
    printer.text(" ");
    printer.region_argument(0, 0, &[], true)?;
    printer.text(" = ");
    bound(printer, "lowerBoundMap", "max", lower)?;
    printer.text(" to ");
    bound(printer, "upperBoundMap", "min", upper)?;
    let step = printer.need("step")?;
    let AttributeData::Integer { value, .. } = &printer.context()[step] else { return Err(Stop::Unfit) };
    let step = value.to_i64().ok_or(Stop::Unfit)?;
    if step != 1 {
        printer.text(" step ");
        printer.number(step);
    }
    if !initials.is_empty() {
        super::scf::initial(printer, " iter_args", 1, initials)?;
        printer.text(" -> (");
        let results: Vec<Value> = printer.op.results().collect();
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.region(0, false, !initials.is_empty());
    printer.dictionary(&["lowerBoundMap", "upperBoundMap", "step"])
}

pub(in crate::text) fn branch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let condition = printer.need("condition")?;
    let AttributeData::IntegerSet(set) = &printer.context()[condition] else { return Err(Stop::Unfit) };
    printer.attribute(condition)?;
    let values = printer.op.operands();
    let dimensions = set.dimensions as usize;
    if dimensions.checked_add(set.symbols as usize) != Some(values.len()) {
        return Err(Stop::Unfit);
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
    printer.region(0, false, !results.is_empty());
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.region(1, false, !results.is_empty());
    }
    printer.dictionary(&["condition"])
}
