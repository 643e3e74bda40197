//! Sums, differences and products of integers.

use mlirbc_ir::Result;
use mlirbc_rewrite::{Fold, Folded};

use super::{pair, same, zero};

pub(super) fn addi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    // (a - b) + b, and b + (a - b)
    for (difference, other) in [(0, 1), (1, 0)] {
        if let Some([a, b]) = pair(fold, difference, "arith.subi")
            && b == fold.operand(other)
        {
            return Ok(Folded::value(a));
        }
    }
    fold.integers(|[a, b]| Some(a.add(b)))
}

pub(super) fn subi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if same(fold) {
        let zero = zero(fold)?;
        if !zero.is_no() {
            return Ok(zero);
        }
    }
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if let Some([a, b]) = pair(fold, 0, "arith.addi") {
        let taken = fold.operand(1);
        if taken == b {
            return Ok(Folded::value(a));
        }
        if taken == a {
            return Ok(Folded::value(b));
        }
    }
    fold.integers(|[a, b]| Some(a.sub(b)))
}

pub(super) fn muli(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match fold.integer(1) {
        Some(factor) if factor.is_zero() => Ok(Folded::value(fold.operand(1))),
        Some(factor) if factor.is_one() => Ok(Folded::value(fold.operand(0))),
        _ => fold.integers(|[a, b]| Some(a.mul(b))),
    }
}
