//! Divisions that round up or down, made of those that round towards zero (`mlir/lib/Dialect/Arith/Transforms/ExpandOps.cpp`).

use mlirbc_dialects::arith::CmpIPredicate;
use mlirbc_ir::{OpId, Result, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern, ConversionPatterns};
use mlirbc_rewrite::{NoMatch, Outcome};

use crate::common::{Look, Rw, resized, splat};
use crate::to_spirv::emit::Emit;

/// Adds these patterns, which stay within `arith`.
pub(crate) fn add_to(patterns: ConversionPatterns) -> ConversionPatterns {
    let pattern = |name, convert| ConversionPattern::new(name, convert);
    patterns
        .on("arith.ceildivsi", pattern("ceildivsi", up))
        .on("arith.ceildivui", pattern("ceildivui", up_unsigned))
        .on("arith.floordivsi", pattern("floordivsi", down))
}

fn constant(rw: &mut Rw<'_, '_>, ty: Type, value: i64) -> Result<Value> {
    let context = rw.context();
    let value = (context.static_identifier("value"), splat(context, ty, value)?);
    rw.emit_with("arith.constant", &[], ty, vec![value])
}

fn compare(rw: &mut Rw<'_, '_>, predicate: CmpIPredicate, a: Value, b: Value) -> Result<Value> {
    let context = rw.context();
    let predicate = (context.static_identifier("predicate"), context.integer(64, predicate.value()));
    let truth = resized(context, rw.ty(a)?, 1);
    rw.emit_with("arith.cmpi", &[a, b], truth, vec![predicate])
}

/// The operands as they were, and their type.
fn operands(rw: &Rw<'_, '_>, op: OpId) -> Result<(Value, Value, Type), NoMatch> {
    match *rw.body().operands(op) {
        [a, b] => Ok((a, b, rw.ty(a)?)),
        _ => Err(NoMatch::Reason("a division of other operands")),
    }
}

/// The quotient, and whether it is not exact.
fn quotient(rw: &mut Rw<'_, '_>, (a, b, ty): (Value, Value, Type)) -> Result<(Value, Value)> {
    let quotient = rw.emit("arith.divsi", &[a, b], ty)?;
    let product = rw.emit("arith.muli", &[quotient, b], ty)?;
    Ok((quotient, compare(rw, CmpIPredicate::Ne, a, product)?))
}

/// Whether both are negative, or whether one of them is.
fn signs(rw: &mut Rw<'_, '_>, (a, b): (Value, Value), zero: Value, predicate: CmpIPredicate) -> Result<Value> {
    let a = compare(rw, CmpIPredicate::Slt, a, zero)?;
    let b = compare(rw, CmpIPredicate::Slt, b, zero)?;
    compare(rw, predicate, a, b)
}

fn up(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = operands(rw, op)?;
    let zero = constant(rw, ty, 0)?;
    let one = constant(rw, ty, 1)?;
    let (quotient, is_rounded) = quotient(rw, (a, b, ty))?;
    let alike = signs(rw, (a, b), zero, CmpIPredicate::Eq)?;
    let truth = rw.ty(alike)?;
    let is_up = rw.emit("arith.andi", &[is_rounded, alike], truth)?;
    let more = rw.emit("arith.addi", &[quotient, one], ty)?;
    let made = rw.emit("arith.select", &[is_up, more, quotient], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn up_unsigned(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = operands(rw, op)?;
    let zero = constant(rw, ty, 0)?;
    let is_zero = compare(rw, CmpIPredicate::Eq, a, zero)?;
    let one = constant(rw, ty, 1)?;
    let less = rw.emit("arith.subi", &[a, one], ty)?;
    let quotient = rw.emit("arith.divui", &[less, b], ty)?;
    let more = rw.emit("arith.addi", &[quotient, one], ty)?;
    let made = rw.emit("arith.select", &[is_zero, zero, more], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn down(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (a, b, ty) = operands(rw, op)?;
    let (quotient, is_rounded) = quotient(rw, (a, b, ty))?;
    let zero = constant(rw, ty, 0)?;
    let differ = signs(rw, (a, b), zero, CmpIPredicate::Ne)?;
    let truth = rw.ty(differ)?;
    let is_down = rw.emit("arith.andi", &[is_rounded, differ], truth)?;
    let minus_one = constant(rw, ty, -1)?;
    let less = rw.emit("arith.addi", &[quotient, minus_one], ty)?;
    let made = rw.emit("arith.select", &[is_down, less, quotient], ty)?;
    Ok(rw.replace(op, [made])?)
}
