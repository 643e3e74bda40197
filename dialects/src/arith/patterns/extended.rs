//! Sums and products of which one half is enough.

use mlirbc_ir::{OpId, Rewriter, Value};
use mlirbc_rewrite::{Match, Outcome};

use super::super::members::{overflow_attribute, zero};
use super::super::{CmpIPredicate, IntegerOverflowFlags};
use super::{Found, check, constant, locate, make, operands, result_type};

/// A sum whose overflow is not used.
pub(super) fn add_alone(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    low_alone(rw, op, "arith.addi")
}

/// A product whose high half is not used.
pub(super) fn mul_alone(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    low_alone(rw, op, "arith.muli")
}

fn low_alone(rw: &mut Rewriter<'_>, op: OpId, name: &str) -> Outcome {
    let [x, y] = operands(rw, op)?;
    let high = high_of(rw, op)?;
    rw.build_uses();
    check(!rw.body().is_used(high), "the second result is used")?;

    locate(rw, &[op])?;
    let ty = result_type(rw, op)?;
    let flags = overflow_attribute(rw.context(), IntegerOverflowFlags::NONE);
    let low = make(rw, name, [x, y], &[("overflowFlags", flags)], ty)?;
    Ok(rw.replace(op, [low, x])?)
}

/// The high half of x * 1 is the sign of x.
pub(super) fn mul_by_one(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [x, factor] = operands(rw, op)?;
    // One bit holds -1, but not 1.
    let is_one = rw.constant_int(factor).is_some_and(|factor| factor.is_one() && !factor.is_negative());
    check(is_one, "the factor is not 1")?;
    let ty = result_type(rw, op)?;
    let Some(zero) = zero(rw.context(), ty) else { return rw.no_match("there is no constant of the type") };

    locate(rw, &[op])?;
    let zero = constant(rw, zero, ty)?;
    let less = rw.context().integer(64, CmpIPredicate::Slt.value());
    let negative = rw.build("arith.cmpi").operands([x, zero]).attribute("predicate", less).create()?;
    let negative = rw.result(negative, 0)?;
    let high = make(rw, "arith.extsi", [negative], &[], ty)?;
    Ok(rw.replace(op, [x, high])?)
}

fn high_of(rw: &Rewriter<'_>, op: OpId) -> Found<Value> {
    Ok(rw.result(op, 1)?)
}
