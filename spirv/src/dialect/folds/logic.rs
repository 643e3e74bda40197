//! Truth values: logic, comparisons and choices.

use std::cmp::Ordering;

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Dialect, Numbers, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::{result_splat, undone};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    use Ordering::{Equal, Greater, Less};
    dialect
        .fold("LogicalAnd", |fold| Ok(logical(fold, false)))
        .fold("LogicalOr", |fold| Ok(logical(fold, true)))
        .fold("LogicalNot", logical_not)
        .fold("LogicalEqual", |fold| compare(fold, ApInt::cmp_unsigned, &[Equal]))
        .fold("LogicalNotEqual", logical_not_equal)
        .fold("IEqual", |fold| compare(fold, ApInt::cmp_unsigned, &[Equal]))
        .fold("INotEqual", |fold| compare(fold, ApInt::cmp_unsigned, &[Less, Greater]))
        .fold("SGreaterThan", |fold| compare(fold, ApInt::cmp_signed, &[Greater]))
        .fold("SGreaterThanEqual", |fold| compare(fold, ApInt::cmp_signed, &[Greater, Equal]))
        .fold("SLessThan", |fold| compare(fold, ApInt::cmp_signed, &[Less]))
        .fold("SLessThanEqual", |fold| compare(fold, ApInt::cmp_signed, &[Less, Equal]))
        .fold("UGreaterThan", |fold| compare(fold, ApInt::cmp_unsigned, &[Greater]))
        .fold("UGreaterThanEqual", |fold| compare(fold, ApInt::cmp_unsigned, &[Greater, Equal]))
        .fold("ULessThan", |fold| compare(fold, ApInt::cmp_unsigned, &[Less]))
        .fold("ULessThanEqual", |fold| compare(fold, ApInt::cmp_unsigned, &[Less, Equal]))
        .fold("Select", select)
}

/// The truth value that the operand is, or all its elements are.
fn truth(fold: &Fold<'_, '_>, number: usize) -> Option<bool> {
    fold.integer(number).filter(|value| value.width() == 1).map(|value| !value.is_zero())
}

/// One truth value of the right operand decides, the other leaves the left one.
fn logical(fold: &Fold<'_, '_>, decides: bool) -> Folded {
    match truth(fold, 1) {
        Some(right) => Folded::value(fold.operand(usize::from(right == decides))),
        None => Folded::No,
    }
}

fn logical_not(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = undone(fold, "spirv.LogicalNot") {
        return Ok(Folded::value(value));
    }
    fold.integers(|[a]| Some(a.not()))
}

fn logical_not_equal(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if truth(fold, 1) == Some(false) {
        return Ok(Folded::value(fold.operand(0)));
    }
    compare(fold, ApInt::cmp_unsigned, &[Ordering::Less, Ordering::Greater])
}

/// Whether the operands are in one of the orders, of which a value and itself are equal.
fn compare(fold: &Fold<'_, '_>, order: fn(&ApInt, &ApInt) -> Ordering, holds: &[Ordering]) -> Result<Folded> {
    if fold.operand(0) == fold.operand(1) {
        return result_splat(fold, u64::from(holds.contains(&Ordering::Equal)));
    }
    fold.integers(|[a, b]| Some(ApInt::from_u64(1, u64::from(holds.contains(&order(a, b))))))
}

fn select(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.operand(1) == fold.operand(2) {
        return Ok(Folded::value(fold.operand(1)));
    }
    if let Some(condition) = truth(fold, 0) {
        return Ok(Folded::value(fold.operand(if condition { 1 } else { 2 })));
    }
    let &[Some(conditions), Some(first), Some(second)] = fold.constants() else { return Ok(Folded::No) };
    let numbers = |attribute| Numbers::of(fold.context(), attribute);
    let (Some(conditions), Some(first), Some(second)) = (numbers(conditions), numbers(first), numbers(second)) else {
        return Ok(Folded::No);
    };
    if first.ty != second.ty || first.count != conditions.count {
        return Ok(Folded::No);
    }
    let chosen =
        (0..conditions.count).map(|at| if conditions.get(at).is_zero() { second.get(at) } else { first.get(at) });
    Ok(Folded::maybe(fold.context().numbers(first.ty, &chosen.collect::<Vec<_>>()).ok()))
}
