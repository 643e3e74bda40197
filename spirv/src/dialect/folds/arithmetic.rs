//! Arithmetic of integers.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Dialect, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::{result_splat, undone};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .fold("IAdd", i_add)
        .fold("ISub", i_sub)
        .fold("IMul", i_mul)
        .fold("SDiv", |fold| divide(fold, ApInt::div_signed))
        .fold("UDiv", |fold| divide(fold, ApInt::div_unsigned))
        .fold("SRem", |fold| remainder(fold, remainder_of_first))
        .fold("SMod", |fold| remainder(fold, remainder_of_second))
        .fold("UMod", |fold| remainder(fold, ApInt::rem_unsigned))
        .fold("SNegate", s_negate)
}

fn i_add(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.integers(|[a, b]| Some(a.add(b)))
}

fn i_sub(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.operand(0) == fold.operand(1) {
        return result_splat(fold, 0);
    }
    fold.integers(|[a, b]| Some(a.sub(b)))
}

fn i_mul(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(1)));
    }
    if fold.is_integer(1, 1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.integers(|[a, b]| Some(a.mul(b)))
}

/// `compute` gives nothing where the quotient is undefined.
fn divide(fold: &Fold<'_, '_>, compute: fn(&ApInt, &ApInt) -> Option<ApInt>) -> Result<Folded> {
    if fold.is_integer(1, 1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.integers(|[a, b]| compute(a, b))
}

/// `compute` gives nothing where the remainder is undefined.
fn remainder(fold: &Fold<'_, '_>, compute: fn(&ApInt, &ApInt) -> Option<ApInt>) -> Result<Folded> {
    if fold.is_integer(1, 1) {
        return result_splat(fold, 0);
    }
    fold.integers(|[a, b]| compute(a, b))
}

/// The remainder that has the sign of what is divided, where the quotient is defined.
fn remainder_of_first(a: &ApInt, b: &ApInt) -> Option<ApInt> {
    a.div_signed(b)?;
    a.rem_signed(b)
}

/// The remainder that has the sign of what it is divided by, where the quotient is defined.
fn remainder_of_second(a: &ApInt, b: &ApInt) -> Option<ApInt> {
    let rest = remainder_of_first(a, b)?;
    Some(if rest.is_zero() || rest.is_negative() == b.is_negative() { rest } else { rest.add(b) })
}

fn s_negate(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = undone(fold, "spirv.SNegate") {
        return Ok(Folded::value(value));
    }
    fold.integers(|[a]| Some(a.negated()))
}
