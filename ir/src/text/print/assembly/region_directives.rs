//! The directives of assembly formats that stand for code and show regions.

use super::directives::{attribute, new_line};
use super::format::regions_of;
use super::op::{NotCustom, OpPrinter, Printed, integers};
use crate::ods::Element;
use crate::text::assembly::program::Program;

/// The regions that an argument stands for.
fn regions(
    printer: &OpPrinter<'_, '_>,
    program: &Program,
    argument: Option<&Element>,
) -> Printed<std::ops::Range<usize>> {
    match argument {
        Some(Element::Region(at)) => Ok(regions_of(printer, program, *at as usize)),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `case 1 {...}`, a line each.
pub(super) fn switch_cases(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let cases =
        attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    let cases = integers(printer.context(), cases).ok_or(NotCustom::UseGeneric)?;
    let regions = regions(printer, program, arguments.get(1))?;
    if regions.len() != cases.len() {
        return Err(NotCustom::UseGeneric);
    }
    for (case, number) in cases.into_iter().zip(regions) {
        new_line(printer);
        printer.text("case ");
        printer.number(case);
        printer.text(" ");
        printer.region(number, false, true);
    }
    Ok(())
}

/// `{...}`, where its one block has operations.
pub(super) fn single_block(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    for number in regions(printer, program, arguments.first())? {
        let (_, body, all) = printer.op.region_tree()?;
        let block = all.get(number).and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
        if body.next_block(block).is_some() {
            return Err(NotCustom::UseGeneric);
        }
        if printer.terminator(number)?.is_some() {
            printer.region(number, true, true);
        } else if !printer.region_argument_types(number)?.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
    }
    Ok(())
}
