//! Sums with a carry and products of twice the width, which MLIR does not convert.

use mlirbc_dialects::llvm::StructType;
use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Look, Rw, resized, splat, width};
use super::explicit::{extract, insert};

pub(super) fn add_to(set: Set) -> Set {
    set.on("spirv.IAddCarry", |rw, op, operands| carried(rw, op, operands, "llvm.intr.uadd.with.overflow"))
        .on("spirv.ISubBorrow", |rw, op, operands| carried(rw, op, operands, "llvm.intr.usub.with.overflow"))
        .on("spirv.UMulExtended", |rw, op, operands| product(rw, op, operands, "llvm.zext"))
        .on("spirv.SMulExtended", |rw, op, operands| product(rw, op, operands, "llvm.sext"))
}

/// The sum or difference, and whether it is too large or too small as a number.
fn carried(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let of = rw.ty(operands.get(0)?)?;
    let bit = resized(rw.context(), of, 1);
    let both = StructType::literal(rw.context(), &[of, bit], false)?.into();
    let made = rw.emit(name, &operands.all()?, both)?;
    let low = extract(rw, made, 0, of)?;
    let carry = extract(rw, made, 1, bit)?;
    let carry = rw.emit("llvm.zext", &[carry], of)?;
    let pair = rw.emit("llvm.mlir.poison", &[], ty)?;
    let pair = insert(rw, pair, low, 0)?;
    let pair = insert(rw, pair, carry, 1)?;
    Ok(rw.replace(op, [pair])?)
}

/// The lower half of the product and the upper one.
fn product(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, extend: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let of = rw.ty(operands.get(0)?)?;
    let bits = width(rw.context(), of).filter(|&bits| bits <= 64).ok_or(NoMatch::Reason("a factor is no number"))?;
    let wide = resized(rw.context(), of, 2 * bits);
    let first = rw.emit(extend, &[operands.get(0)?], wide)?;
    let second = rw.emit(extend, &[operands.get(1)?], wide)?;
    let product = rw.emit("llvm.mul", &[first, second], wide)?;
    let low = rw.emit("llvm.trunc", &[product], of)?;
    let shift = splat(rw.context(), wide, bits.into())?;
    let shift = rw.constant(wide, shift)?;
    let high = rw.emit("llvm.lshr", &[product, shift], wide)?;
    let high = rw.emit("llvm.trunc", &[high], of)?;
    let pair = rw.emit("llvm.mlir.poison", &[], ty)?;
    let pair = insert(rw, pair, low, 0)?;
    let pair = insert(rw, pair, high, 1)?;
    Ok(rw.replace(op, [pair])?)
}
