//! The operations of `llvm` that have printers of their own.

use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::AttributeData;
use crate::text::assembly::enum_text;

pub(super) fn find(name: &str) -> Option<super::Hand> {
    Some(match name {
        "icmp" | "fcmp" => compare,
        _ => return None,
    })
}

fn compare(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let predicate = printer.need("predicate")?;
    let enumeration = definition.attributes().first().and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| printer.to.checker.enumeration(&name)).ok_or(Stop::Unfit)?;
    let AttributeData::Integer { value, .. } = &printer.context()[predicate] else { return Err(Stop::Unfit) };
    let text = enum_text(&cases, value.to_i64().ok_or(Stop::Unfit)?).ok_or(Stop::Unfit)?;
    printer.text(" \"");
    printer.text(text);
    printer.text("\" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&["predicate"])?;
    printer.text(" : ");
    let left = printer.at(0)?;
    printer.value_type(left)
}
