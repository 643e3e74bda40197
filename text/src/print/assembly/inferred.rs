//! Whether types that the format of a definition leaves out are those that a parser would give.

use std::ops::Range;

use super::format::{is_any_present, is_present};
use super::op::{OpPrinter, Printed};
use crate::format::program::{Program, Step};
use mlirbc_ir::ods::Element;
use mlirbc_ir::verify::{OpTypes, infer_types};

/// Whether a parser would find the types that the operation has.
pub(super) fn types_follow(printer: &mut OpPrinter<'_, '_>, program: &Program) -> Printed<bool> {
    if !program.hides_types {
        return Ok(true);
    }
    let mut actual =
        OpTypes { counts: Vec::new(), operands: Vec::new(), results: Vec::new(), named: 0, attributes: Vec::new() };
    for at in 0..program.details.operands.len() {
        let values = printer.operands(at)?;
        actual.counts.push(values.len());
        actual.operands.push(Some(values.iter().map(|&value| printer.type_of(value)).collect::<Printed<_>>()?));
    }
    for at in 0..program.details.results.len() {
        let values = printer.results(at)?;
        actual.results.push(Some(values.iter().map(|&value| printer.type_of(value)).collect::<Printed<_>>()?));
    }
    let mut known = OpTypes {
        counts: actual.counts.clone(),
        operands: vec![None; actual.operands.len()],
        results: vec![None; actual.results.len()],
        named: printer.all_results().len(),
        attributes: Vec::new(),
    };
    shown(printer, program, 0..program.steps.len(), &actual, &mut known)?;
    infer_types(&printer.to.checker, &program.definition, program.infer, &mut known, &|name| printer.get(name));
    Ok(known.operands == actual.operands && known.results == actual.results)
}

/// Copies the types that these steps show.
fn shown(
    printer: &mut OpPrinter<'_, '_>,
    program: &Program,
    range: Range<usize>,
    actual: &OpTypes,
    known: &mut OpTypes,
) -> Printed {
    let mut at = range.start;
    while at < range.end {
        match &program.steps[at] {
            Step::Element(element, _) => say(element, actual, known),
            Step::Optional { anchor, inverted, middle, end, .. } => {
                let is_taken = is_present(printer, program, anchor)? != *inverted;
                let taken = if is_taken { at + 1..*middle - 1 } else { *middle..*end };
                shown(printer, program, taken, actual, known)?;
                at = *end;
                continue;
            }
            Step::Clauses { clauses, end } => {
                for clause in clauses {
                    if is_any_present(printer, program, &clause.holds)? {
                        shown(printer, program, clause.start..clause.end, actual, known)?;
                    }
                }
                at = *end;
                continue;
            }
            Step::Literal(..) | Step::Space | Step::Newline | Step::Dictionary { .. } | Step::Jump(_) => {}
        }
        at += 1;
    }
    Ok(())
}

/// Copies the types that an element shows. A directive shows or knows all types that it is given.
fn say(element: &Element, actual: &OpTypes, known: &mut OpTypes) {
    match element {
        Element::Type(of) => copy(of, actual, known),
        Element::FunctionalType(inputs, results) => {
            copy(inputs, actual, known);
            copy(results, actual, known);
        }
        Element::Qualified(of) => say(of, actual, known),
        Element::Custom { arguments, .. } => arguments.iter().for_each(|argument| say(argument, actual, known)),
        _ => {}
    }
}

fn copy(of: &Element, actual: &OpTypes, known: &mut OpTypes) {
    match of {
        Element::Operand(at) => known.operands[*at as usize].clone_from(&actual.operands[*at as usize]),
        Element::Result(at) => known.results[*at as usize].clone_from(&actual.results[*at as usize]),
        Element::Operands => known.operands.clone_from(&actual.operands),
        Element::Results => known.results.clone_from(&actual.results),
        Element::Qualified(of) | Element::Type(of) => copy(of, actual, known),
        _ => {}
    }
}
