//! Arithmetic of floats. Constants are computed with one rounding, to the nearest.

use mlirbc_ir::Result;
use mlirbc_ir::number::{ApFloat, RoundingMode};
use mlirbc_rewrite::{Fold, Folded};

use super::super::FastMathFlags;
use super::super::members::fast_math_flags;
use super::single;

const MODE: RoundingMode = RoundingMode::ToNearestEven;

pub(super) fn addf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.float(1).is_some_and(|b| b.is_zero() && b.is_negative()) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.floats(|[a, b]| Some(a.add(b, MODE)))
}

pub(super) fn subf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.float(1).is_some_and(|b| b.is_zero() && !b.is_negative()) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.floats(|[a, b]| Some(a.sub(b, MODE)))
}

pub(super) fn mulf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(factor) = fold.float(1) {
        if is_one(factor) {
            return Ok(Folded::value(fold.operand(0)));
        }
        let flags = FastMathFlags::NNAN | FastMathFlags::NSZ;
        if factor.is_zero() && fast_math_flags(fold.op())?.contains(flags) {
            return Ok(Folded::value(fold.operand(1)));
        }
    }
    fold.floats(|[a, b]| Some(a.mul(b, MODE)))
}

pub(super) fn divf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.float(1).is_some_and(is_one) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.floats(|[a, b]| a.div(b, MODE))
}

pub(super) fn remf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    fold.floats(|[a, b]| a.fmod(b))
}

pub(super) fn negf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match single(fold, "arith.negf") {
        Some(value) => Ok(Folded::value(value)),
        None => fold.floats(|[a]| Some(a.negated())),
    }
}

fn is_one(value: ApFloat) -> bool {
    value == ApFloat::one(value.kind())
}
