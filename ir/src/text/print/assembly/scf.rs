//! The operations of `scf` that have printers of their own.

use super::op::{NotCustom, OpPrinter, Printed, integers};
use crate::body::Value;
use crate::ods::Traits;
use crate::types::TypeData;

/// `(%arg = %initial, ...)`, from that argument of the region on.
pub(super) fn initial(printer: &mut OpPrinter<'_, '_>, prefix: &str, first: usize, values: &[Value]) -> Printed {
    if values.is_empty() {
        return Ok(());
    }
    // The arguments have the types of the values.
    let arguments = printer.region_argument_types(0)?;
    printer.expect_types(values, arguments.get(first..first + values.len()).ok_or(NotCustom::UseGeneric)?)?;
    printer.text(prefix);
    printer.text("(");
    for (at, &value) in values.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, first + at)?;
        printer.text(" = ");
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

pub(in crate::text) fn for_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let initials = printer.operands(3)?;
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != initials.len() + 1 {
        return Err(NotCustom::UseGeneric);
    }
    let results: Vec<Value> = printer.op.results().collect();
    let bounds: Vec<Value> = (0..3).map(|at| printer.at(at)).collect::<Printed<_>>()?;
    printer.expect_types(&bounds, &[arguments[0]; 3])?;
    printer.expect_types(&results, &arguments[1..])?;
    let unsigned = printer.get("unsignedCmp").is_some();
    printer.text(if unsigned { " unsigned " } else { " " });
    printer.region_argument_name(0, 0)?;
    for (at, word) in [" = ", " to ", " step "].into_iter().enumerate() {
        printer.text(word);
        let value = printer.at(at)?;
        printer.value(value);
    }
    initial(printer, " iter_args", 1, initials)?;
    if !initials.is_empty() {
        printer.text(" -> (");
        printer.value_types(initials)?;
        printer.text(")");
    }
    printer.text(" ");
    let ty = printer.to.module.ty(arguments[0])?;
    if printer.context()[ty] != TypeData::Index {
        printer.text(" : ");
        printer.ty(ty)?;
        printer.text(" ");
    }
    printer.body(0, false, !initials.is_empty())?;
    printer.dictionary(&["unsignedCmp"])
}

pub(in crate::text) fn if_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results: Vec<Value> = printer.op.results().collect();
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    if !results.is_empty() {
        printer.text(" -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.body(1, false, !results.is_empty())?;
    }
    printer.dictionary(&[])
}

pub(in crate::text) fn while_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.op.operands();
    let results: Vec<Value> = printer.op.results().collect();
    initial(printer, " ", 0, operands)?;
    printer.text(" : ");
    printer.functional(operands, &results)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.text(" do ");
    printer.region(1, true, true);
    printer.dictionary_with_keyword(&[])
}

/// The names of so many arguments of the region.
pub(super) fn region_arguments(printer: &mut OpPrinter<'_, '_>, count: usize) -> Printed {
    for at in 0..count {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, at)?;
    }
    Ok(())
}

pub(in crate::text) fn parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let lower = printer.operands(0)?;
    let arguments = printer.region_argument_types(0)?;
    let count = arguments.len();
    printer.expect_types(lower, &arguments)?;
    printer.expect_index(&arguments)?;
    printer.text(" (");
    region_arguments(printer, count)?;
    for (at, word) in [") = (", ") to (", ") step ("].into_iter().enumerate() {
        printer.text(word);
        let values = printer.operands(at)?;
        printer.values(values);
    }
    printer.text(")");
    let initials = printer.operands(3)?;
    if !initials.is_empty() {
        printer.text(" init (");
        printer.values(initials);
        printer.text(")");
    }
    let results: Vec<Value> = printer.op.results().collect();
    printer.expect_same_types(initials, &results)?;
    printer.optional_arrow(&results)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&[])
}

pub(in crate::text) fn forall(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let outputs = printer.operands(3)?;
    let arguments = printer.region_argument_types(0)?;
    let variables = arguments.len().checked_sub(outputs.len()).ok_or(NotCustom::UseGeneric)?;
    printer.expect_index(&arguments[..variables])?;
    let results: Vec<Value> = printer.op.results().collect();
    printer.expect_same_types(outputs, &results)?;
    let numbers = |printer: &OpPrinter<'_, '_>, name: &str| {
        integers(printer.context(), printer.need(name)?).ok_or(NotCustom::UseGeneric)
    };
    let (lower, upper, step) =
        (numbers(printer, "staticLowerBound")?, numbers(printer, "staticUpperBound")?, numbers(printer, "staticStep")?);
    let parts = [(lower.clone(), 0), (upper, 1), (step.clone(), 2)];
    printer.text(" (");
    region_arguments(printer, variables)?;
    let plain = lower.iter().all(|&bound| bound == 0) && step.iter().all(|&step| step == 1);
    if plain {
        printer.text(") in ");
        let values = printer.operands(1)?;
        printer.index_list(&parts[1].0, values, b"()")?;
    } else {
        for ((numbers, at), word) in parts.iter().zip([") = ", " to ", " step "]) {
            printer.text(word);
            let values = printer.operands(*at)?;
            printer.index_list(numbers, values, b"()")?;
        }
    }
    initial(printer, " shared_outs", variables, outputs)?;
    printer.text(" ");
    if !outputs.is_empty() {
        printer.text("-> (");
        printer.value_types(&results)?;
        printer.text(") ");
    }
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&["staticLowerBound", "staticUpperBound", "staticStep"])
}

pub(in crate::text) fn in_parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // A parser puts no terminator back.
    if printer.terminator(0)?.is_some_and(|last| last.has_trait(Traits::TERMINATOR)) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region(0, false, false);
    printer.dictionary(&[])
}

pub(in crate::text) fn execute_region(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results: Vec<Value> = printer.op.results().collect();
    printer.optional_arrow(&results)?;
    printer.text(" ");
    if printer.get("no_inline").is_some() {
        printer.text("no_inline ");
    }
    printer.region(0, false, true);
    printer.dictionary(&["no_inline"])
}
