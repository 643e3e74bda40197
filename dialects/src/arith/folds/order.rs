//! The lower and the higher of two numbers.

use mlirbc_ir::Result;
use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_rewrite::{Fold, Folded};

use super::same;

pub(super) fn maxsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    integers(fold, ApInt::is_signed_max, ApInt::is_signed_min, ApInt::max_signed)
}

pub(super) fn maxui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    integers(fold, ApInt::is_all_ones, ApInt::is_zero, ApInt::max_unsigned)
}

pub(super) fn minsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    integers(fold, ApInt::is_signed_min, ApInt::is_signed_max, ApInt::min_signed)
}

pub(super) fn minui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    integers(fold, ApInt::is_zero, ApInt::is_all_ones, ApInt::min_unsigned)
}

pub(super) fn maximumf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    floats(fold, |b| b.is_infinite() && b.is_negative(), ApFloat::maximum)
}

pub(super) fn maxnumf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    floats(fold, ApFloat::is_nan, ApFloat::maxnum)
}

pub(super) fn minimumf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    floats(fold, |b| b.is_infinite() && !b.is_negative(), ApFloat::minimum)
}

pub(super) fn minnumf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    floats(fold, ApFloat::is_nan, ApFloat::minnum)
}

type Is = fn(&ApInt) -> bool;

/// `wins` is said of what is chosen beside anything, `loses` of what never is.
fn integers(fold: &mut Fold<'_, '_>, wins: Is, loses: Is, compute: fn(&ApInt, &ApInt) -> ApInt) -> Result<Folded> {
    if same(fold) {
        return Ok(Folded::value(fold.operand(1)));
    }
    match fold.integer(1) {
        Some(bound) if wins(&bound) => Ok(Folded::value(fold.operand(1))),
        Some(bound) if loses(&bound) => Ok(Folded::value(fold.operand(0))),
        _ => fold.integers(|[a, b]| Some(compute(a, b))),
    }
}

/// `loses` is said of what is never chosen.
fn floats(
    fold: &mut Fold<'_, '_>,
    loses: fn(ApFloat) -> bool,
    compute: fn(ApFloat, ApFloat) -> ApFloat,
) -> Result<Folded> {
    if same(fold) {
        return Ok(Folded::value(fold.operand(1)));
    }
    if fold.float(1).is_some_and(loses) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.floats(|[a, b]| Some(compute(a, b)))
}
