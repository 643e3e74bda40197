//! Bits and shifts.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Dialect, NumberKind, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::{FARTHEST, result_splat, undone};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .fold("BitwiseAnd", bitwise_and)
        .fold("BitwiseOr", bitwise_or)
        .fold("BitwiseXor", bitwise_xor)
        .fold("Not", not)
        .fold("ShiftLeftLogical", |fold| shift(fold, ApInt::shl))
        .fold("ShiftRightArithmetic", |fold| shift(fold, ApInt::ashr))
        .fold("ShiftRightLogical", |fold| shift(fold, ApInt::lshr))
        .fold("Bitcast", bitcast)
}

fn bitwise_and(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.operand(0) == fold.operand(1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if let Some(mask) = fold.integer(1) {
        if mask.is_zero() {
            return Ok(Folded::value(fold.operand(1)));
        }
        if mask.is_all_ones() || keeps_converted(fold, &mask)? {
            return Ok(Folded::value(fold.operand(0)));
        }
    }
    fold.integers(|[a, b]| Some(a.and(b)))
}

/// Whether the first operand was made wider by zeros, and the mask has all of the bits that it had before.
fn keeps_converted(fold: &Fold<'_, '_>, mask: &ApInt) -> Result<bool> {
    let Some(convert) = fold.defined_by(fold.operand(0), "spirv.UConvert") else { return Ok(false) };
    let Some(&narrow) = convert.operands().first() else { return Ok(false) };
    let (context, ty) = (fold.context(), fold.type_of(narrow)?);
    let Some(narrow) = NumberKind::of(context, context[ty].element().unwrap_or(ty)) else { return Ok(false) };
    Ok(mask.trailing_ones() >= narrow.width())
}

fn bitwise_or(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.operand(0) == fold.operand(1) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if let Some(mask) = fold.integer(1) {
        if mask.is_zero() {
            return Ok(Folded::value(fold.operand(0)));
        }
        if mask.is_all_ones() {
            return Ok(Folded::value(fold.operand(1)));
        }
    }
    fold.integers(|[a, b]| Some(a.or(b)))
}

fn bitwise_xor(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    if fold.operand(0) == fold.operand(1) {
        return result_splat(fold, 0);
    }
    fold.integers(|[a, b]| Some(a.xor(b)))
}

fn not(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = undone(fold, "spirv.Not") {
        return Ok(Folded::value(value));
    }
    fold.integers(|[a]| Some(a.not()))
}

/// A shift by as many bits as there are, or more, is undefined.
fn shift(fold: &Fold<'_, '_>, compute: fn(&ApInt, u32) -> ApInt) -> Result<Folded> {
    if fold.is_integer(1, 0) {
        return Ok(Folded::value(fold.operand(0)));
    }
    fold.integers(|[a, b]| {
        let amount = b.to_u64().and_then(|amount| u32::try_from(amount).ok())?;
        (amount < a.width()).then(|| compute(a, amount))
    })
}

/// A cast of a cast is one cast, or none where it is back at its type.
fn bitcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let (ty, given) = (fold.result_type()?, fold.operand(0));
    let mut input = given;
    for _ in 0..FARTHEST {
        if fold.type_of(input)? == ty {
            return Ok(Folded::value(input));
        }
        match fold.defined_by(input, "spirv.Bitcast").and_then(|cast| cast.operands().first().copied()) {
            Some(before) => input = before,
            None if input == given => return Ok(Folded::No),
            None => {
                fold.set_operand(0, input)?;
                return Ok(Folded::InPlace);
            }
        }
    }
    Ok(Folded::No)
}
