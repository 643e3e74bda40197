//! Quotients and remainders of integers.
//!
//! What has no quotient in one lane does not fold in any.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Result, Value};
use mlirbc_rewrite::{Fold, Folded};

use super::super::IntegerOverflowFlags;
use super::super::members::overflow_flags;
use super::zero;

pub(super) fn divui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    exact_or(fold, IntegerOverflowFlags::NUW, ApInt::div_unsigned)
}

pub(super) fn divsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    exact_or(fold, IntegerOverflowFlags::NSW, ApInt::div_signed)
}

pub(super) fn ceildivui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    by_one_or(fold, ApInt::ceil_div_unsigned)
}

/// The lowest number has no negative one: it is left alone, as MLIR does.
pub(super) fn ceildivsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    by_one_or(fold, |a, b| {
        let lowest = !a.is_zero() && (a.is_signed_min() || b.is_signed_min());
        if lowest { None } else { a.ceil_div_signed(b) }
    })
}

pub(super) fn floordivsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    by_one_or(fold, ApInt::floor_div_signed)
}

pub(super) fn remui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    remainder(fold, ApInt::rem_unsigned)
}

pub(super) fn remsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    remainder(fold, ApInt::rem_signed)
}

type Compute = fn(&ApInt, &ApInt) -> Option<ApInt>;

/// x / 1 is x.
fn by_one_or(fold: &mut Fold<'_, '_>, compute: Compute) -> Result<Folded> {
    if fold.is_integer(1, 1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    constants(fold, compute)
}

/// x / 1 is x, and (a * b) / b is a where the product does not overflow.
fn exact_or(fold: &mut Fold<'_, '_>, flags: IntegerOverflowFlags, compute: Compute) -> Result<Folded> {
    if fold.is_integer(1, 1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    match other_factor(fold, flags)? {
        Some(value) => Ok(Folded::value(value)),
        None => constants(fold, compute),
    }
}

/// What was multiplied with the divisor to make the dividend, where that has these flags.
fn other_factor(fold: &Fold<'_, '_>, flags: IntegerOverflowFlags) -> Result<Option<Value>> {
    let Some(product) = fold.defined_by(fold.operand(0), "arith.muli") else { return Ok(None) };
    let &[a, b] = product.operands() else { return Ok(None) };
    let divisor = fold.operand(1);
    if (divisor != a && divisor != b) || !overflow_flags(product)?.contains(flags) {
        return Ok(None);
    }
    Ok(Some(if divisor == a { b } else { a }))
}

/// x % 1 is 0.
fn remainder(fold: &mut Fold<'_, '_>, compute: Compute) -> Result<Folded> {
    match fold.is_integer(1, 1) {
        true => zero(fold),
        false => constants(fold, compute),
    }
}

fn constants(fold: &Fold<'_, '_>, compute: Compute) -> Result<Folded> {
    fold.integers(|[a, b]| compute(a, b))
}
