//! Divisions that round up or down, as others.

use mlirbc_dialects::arith::CmpIPredicate;
use mlirbc_ir::{OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::{number, truth_like};
use crate::common::{Look, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::emit::Emit;

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.untyped("arith.ceildivsi", up).untyped("arith.ceildivui", up_unsigned).untyped("arith.floordivsi", down)
}

/// The operands as they were, and their type.
fn sides(rw: &Rw<'_, '_>, op: OpId) -> Result<(Value, Value, Type), NoMatch> {
    match rw.body().operands(op) {
        &[a, b] => Ok((a, b, rw.ty(a)?)),
        _ => Err(NoMatch::Reason("a division of other operands")),
    }
}

fn constant(rw: &mut Rw<'_, '_>, ty: Type, value: i64) -> Result<Value, NoMatch> {
    let value = rw.named("value", number(rw.context(), ty, value)?);
    Ok(rw.emit_with("arith.constant", &[], ty, vec![value])?)
}

fn compare(rw: &mut Rw<'_, '_>, predicate: CmpIPredicate, a: Value, b: Value) -> Result<Value, NoMatch> {
    let context = rw.context();
    let truth = truth_like(context, rw.ty(a)?);
    let predicate = rw.named("predicate", context.integer(64, predicate.value()));
    Ok(rw.emit_with("arith.cmpi", &[a, b], truth, vec![predicate])?)
}

/// One more than the quotient, where something is left and both sides have the same sign.
fn up(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = sides(rw, op)?;
    let (zero, one) = (constant(rw, ty, 0)?, constant(rw, ty, 1)?);
    let quotient = rw.emit("arith.divsi", &[a, b], ty)?;
    let product = rw.emit("arith.muli", &[quotient, b], ty)?;
    let is_inexact = compare(rw, CmpIPredicate::Ne, a, product)?;
    let a_negative = compare(rw, CmpIPredicate::Slt, a, zero)?;
    let b_negative = compare(rw, CmpIPredicate::Slt, b, zero)?;
    let same = compare(rw, CmpIPredicate::Eq, a_negative, b_negative)?;
    let truth = rw.ty(same)?;
    let condition = rw.emit("arith.andi", &[is_inexact, same], truth)?;
    let more = rw.emit("arith.addi", &[quotient, one], ty)?;
    let made = rw.emit("arith.select", &[condition, more, quotient], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn up_unsigned(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = sides(rw, op)?;
    let zero = constant(rw, ty, 0)?;
    let is_zero = compare(rw, CmpIPredicate::Eq, a, zero)?;
    let one = constant(rw, ty, 1)?;
    let less = rw.emit("arith.subi", &[a, one], ty)?;
    let quotient = rw.emit("arith.divui", &[less, b], ty)?;
    let more = rw.emit("arith.addi", &[quotient, one], ty)?;
    let made = rw.emit("arith.select", &[is_zero, zero, more], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// One less than the quotient, where something is left and the sides have different signs.
fn down(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = sides(rw, op)?;
    let quotient = rw.emit("arith.divsi", &[a, b], ty)?;
    let product = rw.emit("arith.muli", &[quotient, b], ty)?;
    let is_inexact = compare(rw, CmpIPredicate::Ne, a, product)?;
    let zero = constant(rw, ty, 0)?;
    let a_negative = compare(rw, CmpIPredicate::Slt, a, zero)?;
    let b_negative = compare(rw, CmpIPredicate::Slt, b, zero)?;
    let differ = compare(rw, CmpIPredicate::Ne, a_negative, b_negative)?;
    let truth = rw.ty(differ)?;
    let condition = rw.emit("arith.andi", &[is_inexact, differ], truth)?;
    let minus_one = constant(rw, ty, -1)?;
    let less = rw.emit("arith.addi", &[quotient, minus_one], ty)?;
    let made = rw.emit("arith.select", &[condition, less, quotient], ty)?;
    Ok(rw.replace(op, [made])?)
}
