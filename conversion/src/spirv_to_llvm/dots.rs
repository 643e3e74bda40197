//! Dot products of integers, which MLIR does not convert.

use mlirbc_ir::{OpId, Result, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Look, Rw, lanes, resized, width};

const SIGNED: &str = "llvm.sext";
const UNSIGNED: &str = "llvm.zext";

/// Operations, with how the elements of both vectors become wider.
const OPERATIONS: &[(&str, [&str; 2])] = &[
    ("spirv.SDot", [SIGNED, SIGNED]),
    ("spirv.UDot", [UNSIGNED, UNSIGNED]),
    ("spirv.SUDot", [SIGNED, UNSIGNED]),
    ("spirv.SDotAccSat", [SIGNED, SIGNED]),
    ("spirv.UDotAccSat", [UNSIGNED, UNSIGNED]),
    ("spirv.SUDotAccSat", [SIGNED, UNSIGNED]),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, extend) in OPERATIONS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| dot(rw, op, operands, extend);
        set = set.pattern(from, ConversionPattern::of("dot", convert));
    }
    set
}

/// A vector whose elements are as wide as the result: an integer is four elements of eight bits.
fn extended(rw: &mut Rw<'_, '_>, mut vector: Value, ty: Type, extend: &str) -> Result<Value, NoMatch> {
    let context = rw.context();
    if lanes(context, rw.ty(vector)?).is_none() {
        let packed = TypeData::Vector { shape: [4].into(), scalable: [].into(), element: context.integer_type(8) };
        vector = rw.emit("llvm.bitcast", &[vector], context.ty(packed))?;
    }
    let of = rw.ty(vector)?;
    let wide = resized(context, of, width(context, ty).ok_or(NoMatch::Reason("the result is no number"))?);
    if of == wide { Ok(vector) } else { Ok(rw.emit(extend, &[vector], wide)?) }
}

/// The sum of the products; with a third operand, to which it is added as far as the type goes.
fn dot(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, extend: [&str; 2]) -> Outcome {
    let ty = rw.converted_result(op)?;
    let left = extended(rw, operands.get(0)?, ty, extend[0])?;
    let right = extended(rw, operands.get(1)?, ty, extend[1])?;
    let of = rw.ty(left)?;
    let products = rw.emit("llvm.mul", &[left, right], of)?;
    let mut made = rw.emit("llvm.intr.vector.reduce.add", &[products], ty)?;
    if operands.len() > 2 {
        let add = if extend[0] == SIGNED { "llvm.intr.sadd.sat" } else { "llvm.intr.uadd.sat" };
        made = rw.emit(add, &[made, operands.get(2)?], ty)?;
    }
    Ok(rw.replace(op, [made])?)
}
