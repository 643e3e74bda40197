//! Sums and products with what does not fit in their width.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, Result, Type};
use mlirbc_rewrite::{Fold, FoldResult, Folded};

use super::super::members::zero;

pub(super) fn addui_extended(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let overflow = second_type(fold)?;
    if fold.is_integer(1, 0) {
        let none = overflow.and_then(|ty| zero(fold.context(), ty));
        return Ok(none.map_or(Folded::No, |none| both(FoldResult::Value(fold.operand(0)), none)));
    }
    let sum = fold.integers(|[a, b]| Some(a.add(b)))?;
    let Some(overflow) = overflow else { return Ok(Folded::No) };
    let carry = fold.integers_as(overflow, |[a, b]| Some(ApInt::from_u64(1, u64::from(a.add_unsigned(b).1))))?;
    Ok(of_two(sum, carry))
}

pub(super) fn mulsi_extended(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match fold.constant(1).filter(|_| fold.is_integer(1, 0)) {
        Some(none) => Ok(both(FoldResult::Attribute(none), none)),
        None => product(fold, ApInt::mul_high_signed),
    }
}

pub(super) fn mului_extended(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let (Some(constant), Some(factor)) = (fold.constant(1), fold.integer(1)) {
        if factor.is_zero() {
            return Ok(both(FoldResult::Attribute(constant), constant));
        }
        if factor.is_one() {
            let none = zero(fold.context(), fold.result_type()?);
            return Ok(none.map_or(Folded::No, |none| both(FoldResult::Value(fold.operand(0)), none)));
        }
    }
    product(fold, ApInt::mul_high_unsigned)
}

fn product(fold: &Fold<'_, '_>, high: fn(&ApInt, &ApInt) -> ApInt) -> Result<Folded> {
    let low = fold.integers(|[a, b]| Some(a.mul(b)))?;
    if low.is_no() {
        return Ok(low);
    }
    Ok(of_two(low, fold.integers(|[a, b]| Some(high(a, b)))?))
}

/// The type of the second result.
fn second_type(fold: &Fold<'_, '_>) -> Result<Option<Type>> {
    fold.op().results().nth(1).map(|result| fold.type_of(result)).transpose()
}

fn both(first: FoldResult, second: Attribute) -> Folded {
    Folded::Results(vec![first, FoldResult::Attribute(second)])
}

/// Both results, where there are both.
fn of_two(first: Folded, second: Folded) -> Folded {
    match (first, second) {
        (Folded::Result(first), Folded::Result(second)) => Folded::Results(vec![first, second]),
        _ => Folded::No,
    }
}
