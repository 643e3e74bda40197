//! Casts of casts.

use mlirbc_ir::{OpId, Rewriter};
use mlirbc_rewrite::{Match, Outcome};

use super::super::members::{overflow_attribute, overflow_flags, rounding_mode, width};
use super::{check, constant, defined, locate, make, operands, result_type, type_of};

/// An index, cast and cast back. What was narrower in between has lost bits.
pub(super) fn index_there_and_back(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [cast] = operands(rw, op)?;
    let name = rw.op(op).name();
    let (_, [value]) = defined(rw, cast, &name)?;
    let (from, between) = (type_of(rw, value)?, type_of(rw, cast)?);
    check(from == result_type(rw, op)?, "it is not cast back")?;
    check(width(rw.context(), between) >= width(rw.context(), from), "it was narrower in between")?;
    Ok(rw.replace(op, [value])?)
}

/// An index of a sign-extended integer.
pub(super) fn index_of_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    skip(rw, op, "arith.extsi", "arith.index_cast")
}

/// An index of a zero-extended integer.
pub(super) fn index_of_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    skip(rw, op, "arith.extui", "arith.index_castui")
}

/// The bits of something's bits.
pub(super) fn bits_of_bits(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    skip(rw, op, "arith.bitcast", "arith.bitcast")
}

/// A zero-extended integer, sign-extended.
pub(super) fn signed_of_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    skip(rw, op, "arith.extui", "arith.extui")
}

/// A sign-extended integer without some of its new bits.
pub(super) fn truncated_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    truncated(rw, op, "arith.extsi")
}

/// A zero-extended integer without some of its new bits.
pub(super) fn truncated_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    truncated(rw, op, "arith.extui")
}

fn truncated(rw: &mut Rewriter<'_>, op: OpId, extension: &str) -> Outcome {
    let [extended] = operands(rw, op)?;
    let (_, [value]) = defined(rw, extended, extension)?;
    let (from, to) = (type_of(rw, value)?, result_type(rw, op)?);
    check(width(rw.context(), to) > width(rw.context(), from), "more than the new bits is cut off")?;
    skip(rw, op, extension, extension)
}

/// Where all bits that an arithmetic shift makes are cut off, it may be a logical one.
pub(super) fn truncated_shift(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [shifted] = operands(rw, op)?;
    let (shift, [value, amount]) = defined(rw, shifted, "arith.shrsi")?;
    let Some(by) = rw.constant_int(amount) else { return rw.no_match("the amount is not known") };
    let (wide, ty) = (type_of(rw, value)?, result_type(rw, op)?);
    let (from, to) = (width(rw.context(), wide), width(rw.context(), ty));
    let cut = from.zip(to).and_then(|(from, to)| from.checked_sub(to));
    check(cut.is_some_and(|cut| by.to_u64() == Some(cut.into())), "the shift makes other bits")?;
    let Some(amount) = rw.constant(amount) else { return rw.no_match("the amount is not known") };
    let flags = overflow_flags(rw.op(op))?;

    locate(rw, &[op, shift])?;
    let amount = constant(rw, amount, wide)?;
    let shifted = make(rw, "arith.shrui", [value, amount], &[], wide)?;
    let flags = overflow_attribute(rw.context(), flags);
    let by = make(rw, "arith.trunci", [shifted], &[("overflowFlags", flags)], ty)?;
    Ok(rw.replace(op, [by])?)
}

/// A float of a signed integer, in a narrower format.
pub(super) fn truncated_of_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    check(rounding_mode(rw.op(op))?.is_none(), "it is rounded in another way")?;
    skip(rw, op, "arith.sitofp", "arith.sitofp")
}

/// A float of an unsigned integer, in a narrower format.
pub(super) fn truncated_of_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    check(rounding_mode(rw.op(op))?.is_none(), "it is rounded in another way")?;
    skip(rw, op, "arith.uitofp", "arith.uitofp")
}

/// Casts by `name`, in the place of a cast of the cast `inner`, what that is of.
fn skip(rw: &mut Rewriter<'_>, op: OpId, inner: &str, name: &str) -> Outcome {
    let [cast] = operands(rw, op)?;
    let (inner, [value]) = defined(rw, cast, inner)?;
    locate(rw, &[op, inner])?;
    let ty = result_type(rw, op)?;
    let by = make(rw, name, [value], &[], ty)?;
    Ok(rw.replace(op, [by])?)
}
