//! What operations of `arith` have, and the constants of its types.

use mlirbc_ir::number::{self, ApInt, FloatKind};
use mlirbc_ir::{Attribute, Context, NumberKind, OpRef, Result, Type};

use super::{CmpFPredicate, CmpIPredicate, FastMathFlags, IntegerOverflowFlags, RoundingMode};
use crate::common::cases::{attribute_of, case_of};

/// How an operation may overflow.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn overflow_flags(op: OpRef<'_>) -> Result<IntegerOverflowFlags> {
    let flags = op.attribute("overflowFlags")?;
    let flags = flags.and_then(|flags| case_of(op.module().context(), flags, "arith", "overflow"));
    Ok(flags.unwrap_or(IntegerOverflowFlags::NONE))
}

/// The attribute of these flags.
pub(super) fn overflow_attribute(context: &Context, flags: IntegerOverflowFlags) -> Attribute {
    attribute_of(context, "arith", "overflow", flags)
}

/// What an operation on floats may assume.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn fast_math_flags(op: OpRef<'_>) -> Result<FastMathFlags> {
    let flags = op.attribute("fastmath")?;
    let flags = flags.and_then(|flags| case_of(op.module().context(), flags, "arith", "fastmath"));
    Ok(flags.unwrap_or(FastMathFlags::NONE))
}

/// How an operation rounds, where it says so.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn rounding_mode(op: OpRef<'_>) -> Result<Option<number::RoundingMode>> {
    let mode = number_of(op, "roundingmode")?.and_then(RoundingMode::from_value);
    Ok(mode.map(|mode| match mode {
        RoundingMode::ToNearestEven => number::RoundingMode::ToNearestEven,
        RoundingMode::Downward => number::RoundingMode::Downward,
        RoundingMode::Upward => number::RoundingMode::Upward,
        RoundingMode::TowardZero => number::RoundingMode::TowardZero,
        RoundingMode::ToNearestAway => number::RoundingMode::ToNearestAway,
    }))
}

/// The predicate of an `arith.cmpi`; `None` where it has none.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn integer_predicate(op: OpRef<'_>) -> Result<Option<CmpIPredicate>> {
    Ok(number_of(op, "predicate")?.and_then(CmpIPredicate::from_value))
}

/// The predicate of an `arith.cmpf`; `None` where it has none.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn float_predicate(op: OpRef<'_>) -> Result<Option<CmpFPredicate>> {
    Ok(number_of(op, "predicate")?.and_then(CmpFPredicate::from_value))
}

fn number_of(op: OpRef<'_>, name: &str) -> Result<Option<i64>> {
    let value = op.attribute(name)?;
    Ok(value.and_then(|value| op.module().context().integer_of(value)?.to_i64()))
}

/// What the type is made of: the type of its elements, or itself where it has none.
pub(super) fn element(context: &Context, ty: Type) -> Type {
    context[ty].element().unwrap_or(ty)
}

/// Bits of a number of the type, or of each of its elements. `None` where these are no numbers.
pub(super) fn width(context: &Context, ty: Type) -> Option<u32> {
    Some(NumberKind::of(context, element(context, ty))?.width())
}

/// What floats the type is made of. `None` where it is made of something else.
pub(super) fn float_kind(context: &Context, ty: Type) -> Option<FloatKind> {
    match NumberKind::of(context, element(context, ty))? {
        NumberKind::Float(kind) => Some(kind),
        NumberKind::Integer { .. } => None,
    }
}

/// The constant of the type that is this number in all elements, where there is one.
pub(super) fn splat(context: &Context, ty: Type, value: ApInt) -> Option<Attribute> {
    let is_static = context[ty].element().is_none() || context[ty].element_count().is_some();
    if is_static { context.numbers(ty, &[value]).ok() } else { None }
}

/// The constant of the type that is 0 in all elements, where there is one.
pub(super) fn zero(context: &Context, ty: Type) -> Option<Attribute> {
    splat(context, ty, ApInt::zero(width(context, ty)?))
}
