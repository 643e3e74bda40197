//! What works on the bits of integers.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Result, Value};
use mlirbc_rewrite::{Fold, Folded};

use super::{pair, pair_of, poison, same, zero};

pub(super) fn andi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match fold.integer(1) {
        Some(mask) if mask.is_zero() => return Ok(Folded::value(fold.operand(1))),
        Some(mask) if mask.is_all_ones() => return Ok(Folded::value(fold.operand(0))),
        _ => {}
    }
    if complement(fold).is_some() {
        return zero(fold);
    }
    // a & (a & b)
    for (inner, other) in [(0, 1), (1, 0)] {
        let other = fold.operand(other);
        if pair(fold, inner, "arith.andi").is_some_and(|of| of.contains(&other)) {
            return Ok(Folded::value(fold.operand(inner)));
        }
    }
    fold.integers(|[a, b]| Some(a.and(b)))
}

pub(super) fn ori(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match fold.integer(1) {
        Some(bits) if bits.is_zero() => return Ok(Folded::value(fold.operand(0))),
        Some(bits) if bits.is_all_ones() => return Ok(Folded::maybe(fold.constant(1))),
        _ => {}
    }
    match complement(fold) {
        Some(ones) => Ok(Folded::value(ones)),
        None => fold.integers(|[a, b]| Some(a.or(b))),
    }
}

pub(super) fn xori(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if same(fold) {
        return zero(fold);
    }
    // (x ^ a) ^ a, with all operands either way
    let (left, right) = (fold.operand(0), fold.operand(1));
    for (inner, other) in [(left, right), (right, left)] {
        match pair_of(fold, inner, "arith.xori") {
            Some([a, b]) if b == other => return Ok(Folded::value(a)),
            Some([a, b]) if a == other => return Ok(Folded::value(b)),
            _ => {}
        }
    }
    fold.integers(|[a, b]| Some(a.xor(b)))
}

pub(super) fn shli(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    shift(fold, ApInt::shl)
}

pub(super) fn shrui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    shift(fold, ApInt::lshr)
}

pub(super) fn shrsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    shift(fold, ApInt::ashr)
}

fn shift(fold: &mut Fold<'_, '_>, compute: fn(&ApInt, u32) -> ApInt) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if poison(fold) {
        return Ok(Folded::No);
    }
    fold.integers(|[value, amount]| Some(compute(value, amount.shift_amount()?)))
}

/// Where one operand is the complement of the other: all ones, as a value.
fn complement(fold: &Fold<'_, '_>) -> Option<Value> {
    [(1, 0), (0, 1)].into_iter().find_map(|(not, of)| {
        let not = fold.defined_by(fold.operand(not), "arith.xori")?;
        let &[value, ones] = not.operands() else { return None };
        let is_all_ones = || {
            let constant = mlirbc_ir::constant_value(not.defining_operation(ones)?).ok()??;
            Some(fold.context().integer_of(constant)?.is_all_ones())
        };
        (value == fold.operand(of) && is_all_ones() == Some(true)).then_some(ones)
    })
}
