//! Casts.

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode, ToInteger};
use mlirbc_ir::{Numbers, Result, Value};
use mlirbc_rewrite::{Fold, Folded, is_poison};

use super::super::FastMathFlags;
use super::super::members::{element, fast_math_flags, float_kind, rounding_mode, width};
use super::single;

pub(super) fn extui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    extend(fold, "arith.extui", ApInt::zext)
}

pub(super) fn extsi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    extend(fold, "arith.extsi", ApInt::sext)
}

fn extend(fold: &mut Fold<'_, '_>, name: &str, compute: fn(&ApInt, u32) -> ApInt) -> Result<Folded> {
    match single(fold, name) {
        Some(value) => in_place(fold, value),
        None => resize(fold, compute),
    }
}

pub(super) fn trunci(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = single(fold, "arith.extui").or_else(|| single(fold, "arith.extsi")) {
        let context = fold.context();
        let (from, to) = (fold.type_of(value)?, fold.result_type()?);
        if width(context, from) > width(context, to) {
            return in_place(fold, value);
        }
        if element(context, from) == element(context, to) {
            return Ok(Folded::value(value));
        }
    }
    match single(fold, "arith.trunci") {
        Some(value) => in_place(fold, value),
        None => resize(fold, ApInt::trunc),
    }
}

pub(super) fn index_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    resize(fold, ApInt::sext)
}

pub(super) fn index_castui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    resize(fold, ApInt::zext)
}

pub(super) fn extf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(truncated) = fold.defined_by(fold.operand(0), "arith.truncf")
        && let Some(&value) = truncated.operands().first()
        && fold.type_of(value)? == fold.result_type()?
        && fast_math_flags(truncated)?.contains(FastMathFlags::CONTRACT)
        && fast_math_flags(fold.op())?.contains(FastMathFlags::CONTRACT)
    {
        return Ok(Folded::value(value));
    }
    convert(fold, RoundingMode::default())
}

pub(super) fn truncf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = single(fold, "arith.extf") {
        let context = fold.context();
        let (from, to) = (fold.type_of(value)?, fold.result_type()?);
        let between = fold.type_of(fold.operand(0))?;
        if let (Some(of), Some(between)) = (float_kind(context, from), float_kind(context, between))
            && between.holds(of)
        {
            if width(context, from) > width(context, to) {
                return in_place(fold, value);
            }
            if element(context, from) == element(context, to) {
                return Ok(Folded::value(value));
            }
        }
    }
    if fold.constant(0).is_none() {
        return Ok(Folded::No);
    }
    let mode = rounding_mode(fold.op())?.unwrap_or_default();
    convert(fold, mode)
}

pub(super) fn uitofp(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    to_float(fold, ApFloat::from_unsigned)
}

pub(super) fn sitofp(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    to_float(fold, ApFloat::from_signed)
}

pub(super) fn fptoui(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    to_integer(fold, ApFloat::to_unsigned)
}

pub(super) fn fptosi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    to_integer(fold, ApFloat::to_signed)
}

pub(super) fn bitcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let (context, ty) = (fold.context(), fold.result_type()?);
    if fold.type_of(fold.operand(0))? == ty {
        return Ok(Folded::value(fold.operand(0)));
    }
    let Some(constant) = fold.constant(0) else { return Ok(Folded::No) };
    if is_poison(context, constant) && context[ty].element().is_none() {
        return Ok(Folded::attribute(constant));
    }
    let Some(numbers) = Numbers::of(context, constant) else { return Ok(Folded::No) };
    let count = if numbers.is_splat() { 1 } else { numbers.count };
    let bits: Vec<ApInt> = (0..count).map(|at| numbers.get(at)).collect();
    Ok(Folded::maybe(context.numbers(ty, &bits).ok()))
}

/// The cast of another value.
fn in_place(fold: &mut Fold<'_, '_>, value: Value) -> Result<Folded> {
    fold.set_operand(0, value)?;
    Ok(Folded::InPlace)
}

/// Integers of another width.
fn resize(fold: &Fold<'_, '_>, compute: fn(&ApInt, u32) -> ApInt) -> Result<Folded> {
    if fold.constant(0).is_none() {
        return Ok(Folded::No);
    }
    let Some(width) = width(fold.context(), fold.result_type()?) else { return Ok(Folded::No) };
    fold.integers(|[value]| Some(compute(value, width)))
}

/// Floats of another format, where they are in that what they were.
fn convert(fold: &Fold<'_, '_>, mode: RoundingMode) -> Result<Folded> {
    if fold.constant(0).is_none() {
        return Ok(Folded::No);
    }
    let Some(kind) = float_kind(fold.context(), fold.result_type()?) else { return Ok(Folded::No) };
    fold.floats(|[value]| value.convert(kind, mode).exact())
}

fn to_float(fold: &Fold<'_, '_>, compute: fn(FloatKind, &ApInt, RoundingMode) -> ApFloat) -> Result<Folded> {
    if fold.constant(0).is_none() {
        return Ok(Folded::No);
    }
    let Some(kind) = float_kind(fold.context(), fold.result_type()?) else { return Ok(Folded::No) };
    fold.integers(|[value]| Some(compute(kind, value, RoundingMode::default()).to_bits()))
}

/// Floats that are out of range do not fold.
fn to_integer(fold: &Fold<'_, '_>, compute: fn(ApFloat, u32, RoundingMode) -> ToInteger) -> Result<Folded> {
    if fold.constant(0).is_none() {
        return Ok(Folded::No);
    }
    let Some(width) = width(fold.context(), fold.result_type()?) else { return Ok(Folded::No) };
    fold.floats_to_bits(|[value]| compute(value, width, RoundingMode::TowardZero).in_range())
}
