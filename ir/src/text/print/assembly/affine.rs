//! The operations of `affine` that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;

pub(super) fn find(name: &str) -> Option<super::Hand> {
    Some(match name {
        "apply" | "min" | "max" => apply,
        _ => return None,
    })
}

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

fn apply(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let map = printer.need("map")?;
    printer.attribute(map)?;
    let values = printer.op.operands();
    arguments(printer, map, values, true)?;
    printer.dictionary(&["map"])
}
