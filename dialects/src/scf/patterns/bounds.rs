//! How often loops are executed.

use std::cmp::Ordering;

use mlirbc_ir::number::ApInt;

use super::*;
use crate::arith::IntegerOverflowFlags;
use crate::common::cases::case_of;

/// A lower or upper bound, or a step: a value, or a number of 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Value(Value),
    Static(i64),
}

impl Bound {
    pub(super) fn constant(&self, rw: &Rewriter<'_>) -> Option<ApInt> {
        match self {
            Bound::Value(value) => rw.constant_int(*value),
            Bound::Static(number) => Some(ApInt::from_i64(64, *number)),
        }
    }
}

/// How often a loop is executed, where that is known. A step that is not positive leads nowhere: then it is not executed at all, as in
/// MLIR.
pub(super) fn trip_count(
    rw: &Rewriter<'_>,
    lower: &Bound,
    upper: &Bound,
    step: &Bound,
    signed: bool,
) -> Result<Option<ApInt>> {
    // MLIR takes static bounds and values for bounds of different types.
    if let (Bound::Static(_), Bound::Value(_)) | (Bound::Value(_), Bound::Static(_)) = (lower, upper) {
        return Ok(None);
    }
    let step = step.constant(rw);
    let none = |like: &ApInt| Ok(Some(ApInt::zero(like.width())));
    if lower == upper {
        return Ok(Some(ApInt::zero(64)));
    }
    if let Some(step) = &step
        && (step.is_zero() || signed && step.is_negative())
    {
        return none(step);
    }
    let distance = match (lower.constant(rw), upper.constant(rw)) {
        (Some(lower), Some(upper)) if lower.width() == upper.width() => {
            let order = if signed { lower.cmp_signed(&upper) } else { lower.cmp_unsigned(&upper) };
            if order != Ordering::Less {
                return none(&lower);
            }
            upper.sub(&lower)
        }
        (None, None) => match added(rw, lower, upper, signed)? {
            Some(distance) if signed && distance.is_negative() => return none(&distance),
            Some(distance) => distance,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(step.filter(|step| step.width() == distance.width()).and_then(|step| distance.ceil_div_unsigned(&step)))
}

/// The constant that is added to the lower bound, without overflow, to make the upper one.
fn added(rw: &Rewriter<'_>, lower: &Bound, upper: &Bound, signed: bool) -> Result<Option<ApInt>> {
    let (Bound::Value(lower), Bound::Value(upper)) = (lower, upper) else { return Ok(None) };
    let Ok(add) = rw.defined_by(*upper, "arith.addi") else { return Ok(None) };
    let [of, distance] = *add.operands() else { return Ok(None) };
    if of != *lower {
        return Ok(None);
    }
    let flags = add.attribute("overflowFlags")?;
    let flags = flags.and_then(|flags| case_of(rw.context(), flags, "arith", "overflow"));
    let wanted = if signed { IntegerOverflowFlags::NSW } else { IntegerOverflowFlags::NUW };
    let holds = flags.is_some_and(|flags: IntegerOverflowFlags| flags.contains(wanted));
    Ok(if holds { rw.constant_int(distance) } else { None })
}
