//! Operations of GLSL's extended instruction set that are several of LLVM. Those that are one are in the table of `direct.rs`.

use mlirbc_ir::number::ApFloat;
use mlirbc_ir::{OpId, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Rw, element};

pub(super) fn add_to(set: Set) -> Set {
    // MLIR has no conversion of the others.
    set.on("spirv.GL.InverseSqrt", inverse_sqrt)
        .on("spirv.GL.Fract", fraction)
        .on("spirv.GL.FClamp", |rw, op, operands| clamped(rw, op, operands, ["llvm.intr.maxnum", "llvm.intr.minnum"]))
        .on("spirv.GL.NClamp", |rw, op, operands| clamped(rw, op, operands, ["llvm.intr.maxnum", "llvm.intr.minnum"]))
        .on("spirv.GL.SClamp", |rw, op, operands| clamped(rw, op, operands, ["llvm.intr.smax", "llvm.intr.smin"]))
        .on("spirv.GL.UClamp", |rw, op, operands| clamped(rw, op, operands, ["llvm.intr.umax", "llvm.intr.umin"]))
}

/// What is left of a number without the next lower integer.
fn fraction(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    let floor = rw.emit("llvm.intr.floor", &[value], ty)?;
    let made = rw.emit("llvm.fsub", &[value, floor], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A number between two others.
fn clamped(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, [most, least]: [&str; 2]) -> Outcome {
    let ty = rw.converted_result(op)?;
    let above = rw.emit(most, &[operands.get(0)?, operands.get(1)?], ty)?;
    let made = rw.emit(least, &[above, operands.get(2)?], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn inverse_sqrt(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let TypeData::Float(kind) = context[element(context, ty)] else {
        return Err(NoMatch::Reason("the operand is no float"));
    };
    let one = context.numbers(ty, &[ApFloat::one(kind).to_bits()])?;
    let one = rw.constant(ty, one)?;
    let root = rw.emit("llvm.intr.sqrt", &[operands.get(0)?], ty)?;
    let made = rw.emit("llvm.fdiv", &[one, root], ty)?;
    Ok(rw.replace(op, [made])?)
}
