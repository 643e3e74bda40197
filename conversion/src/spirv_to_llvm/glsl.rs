//! Operations of GLSL's extended instruction set that are several of LLVM. Those that are one are in the table of `direct.rs`.

use mlirbc_ir::number::ApFloat;
use mlirbc_ir::{OpId, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Rw, element};

pub(super) fn add_to(set: Set) -> Set {
    set.on("spirv.GL.InverseSqrt", inverse_sqrt)
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
