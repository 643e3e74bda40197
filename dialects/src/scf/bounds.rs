//! How often loops are executed.

use std::cmp::Ordering;

use mlirbc_ir::interfaces::{Mixed, constant_integer};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{OpRef, Result};

use crate::arith::IntegerOverflowFlags;
use crate::common::cases::case_of;

/// The integer that a bound is: of 64 bits where the operation holds it.
fn number(op: OpRef<'_>, bound: Mixed) -> Option<ApInt> {
    match bound {
        Mixed::Value(value) => constant_integer(op, value),
        Mixed::Number(number) => Some(ApInt::from_i64(64, number)),
    }
}

/// How often a loop is executed, where that is known. A step that is not positive leads nowhere: then it is not executed at all, as in
/// MLIR.
pub(super) fn trip_count(op: OpRef<'_>, [lower, upper, step]: [Mixed; 3], signed: bool) -> Result<Option<ApInt>> {
    use Mixed::{Number, Value};
    // MLIR takes static bounds and values for bounds of different types.
    if let (Number(_), Value(_)) | (Value(_), Number(_)) = (lower, upper) {
        return Ok(None);
    }
    let step = number(op, step);
    let none = |like: &ApInt| Ok(Some(ApInt::zero(like.width())));
    if lower == upper {
        return Ok(Some(ApInt::zero(64)));
    }
    if let Some(step) = &step
        && (step.is_zero() || signed && step.is_negative())
    {
        return none(step);
    }
    let distance = match (number(op, lower), number(op, upper)) {
        (Some(lower), Some(upper)) if lower.width() == upper.width() => {
            let order = if signed { lower.cmp_signed(&upper) } else { lower.cmp_unsigned(&upper) };
            if order != Ordering::Less {
                return none(&lower);
            }
            upper.sub(&lower)
        }
        (None, None) => match added(op, lower, upper, signed)? {
            Some(distance) if signed && distance.is_negative() => return none(&distance),
            Some(distance) => distance,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(step.filter(|step| step.width() == distance.width()).and_then(|step| distance.ceil_div_unsigned(&step)))
}

/// The constant that is added to the lower bound, without overflow, to make the upper one.
fn added(op: OpRef<'_>, lower: Mixed, upper: Mixed, signed: bool) -> Result<Option<ApInt>> {
    let (Mixed::Value(lower), Mixed::Value(upper)) = (lower, upper) else { return Ok(None) };
    let add = op.body().defining_operation(upper).map(|add| op.at(add));
    let Some(add) = add.filter(|add| add.is("arith.addi")) else { return Ok(None) };
    let [of, distance] = *add.operands() else { return Ok(None) };
    if of != lower {
        return Ok(None);
    }
    let flags = add.attribute("overflowFlags")?;
    let flags = flags.and_then(|flags| case_of(op.module().context(), flags, "arith", "overflow"));
    let wanted = if signed { IntegerOverflowFlags::NSW } else { IntegerOverflowFlags::NUW };
    let holds = flags.is_some_and(|flags: IntegerOverflowFlags| flags.contains(wanted));
    Ok(if holds { constant_integer(op, distance) } else { None })
}
