//! Copies: of all bytes where these stand one behind the other, and else by a function of MLIR's runtime.

use mlirbc_dialects::llvm::GEPNoWrapFlags;
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{Context, DYNAMIC, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use crate::common::{Look, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::declarations::{pointer, void};
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::memory::{is_identity, parts, size_of};
use crate::to_llvm::patterns::To;
use crate::to_llvm::unranked;

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.copy", copy)
}

/// Whether the elements of memory stand one behind the other, wherever the first does.
fn is_contiguous(context: &Context, ty: Type) -> bool {
    let TypeData::MemRef { shape, .. } = &context[ty] else { return false };
    if is_identity(context, ty) {
        return true;
    }
    let Some(strides) = Strides::of(context, ty) else { return false };
    if shape.iter().any(|&size| size == DYNAMIC || size == 0) {
        return false;
    }
    let mut next = 1i64;
    for (&size, &stride) in shape.iter().zip(&strides.strides).rev() {
        if stride != next && size != 1 {
            return false;
        }
        next = next.saturating_mul(size);
    }
    true
}

fn copy(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let types = [rw.operand_type(op, 0)?, rw.operand_type(op, 1)?];
    let values = [operands.get(0)?, operands.get(1)?];
    match types.iter().all(|&ty| is_contiguous(context, ty)) {
        true => bytes(to, rw, types[0], values)?,
        false => by_function(to, rw, types, values)?,
    }
    Ok(rw.replace(op, [])?)
}

fn bytes(to: &To, rw: &mut Rw<'_, '_>, ty: Type, [from, into]: [Value; 2]) -> Outcome {
    let context = rw.context();
    let index = to.types.index(context);
    let (shape, element) = parts(context, ty)?;
    let (rank, element) = (shape.len(), rw.convert_type(element)?);
    let mut count = rw.index_constant(index, 1)?;
    for at in 0..rank {
        let size = Descriptor { value: from }.size(rw, at)?;
        count = rw.emit("llvm.mul", &[count, size], index)?;
    }
    let size = size_of(rw, (element, Index::Known(1)), index)?;
    let size = rw.emit("llvm.mul", &[count, size], index)?;
    let mut first = |value| {
        let of = Descriptor { value };
        let (base, offset) = (of.aligned(rw)?, of.offset(rw)?);
        let ty = of.pointer_type(rw)?;
        rw.element_pointer((base, element), &[Index::Value(offset)], GEPNoWrapFlags::NONE, ty)
    };
    let (from, into) = (first(from)?, first(into)?);
    Ok(rw.copy_bytes(into, from, size)?)
}

fn by_function(to: &To, rw: &mut Rw<'_, '_>, types: [Type; 2], values: [Value; 2]) -> Outcome {
    let context = rw.context();
    let index = to.types.index(context);
    let element = match context[types[0]] {
        TypeData::MemRef { element, .. } | TypeData::UnrankedMemRef { element, .. } => rw.convert_type(element)?,
        _ => return Err(NoMatch::Reason("an operand is no memory")),
    };
    let stack = rw.emit("llvm.intr.stacksave", &[], pointer(context))?;
    let mut unranked_values = Vec::new();
    for (ty, value) in types.into_iter().zip(values) {
        unranked_values.push(match &context[ty] {
            TypeData::MemRef { shape, .. } => {
                let rank = rw.constant(index, context.integer(to.types.options().index_bits, shape.len() as i64))?;
                let place = on_stack(rw, value)?;
                let ty = unranked_type(to, rw, ty)?;
                unranked::pack(rw, ty, &[rank, place])?
            }
            _ => value,
        });
    }
    let one = rw.index_constant(index, 1)?;
    let mut places = Vec::new();
    for value in unranked_values {
        let ty = rw.ty(value)?;
        let place = rw.stack(ty, one, 0)?;
        rw.store(value, place)?;
        places.push(place);
    }
    let size = size_of(rw, (element, Index::Known(1)), index)?;
    let pointer = pointer(context);
    let inputs = [index, pointer, pointer];
    let function = to.declarations.function(rw, "memrefCopy", (&inputs, void(context)), true)?;
    rw.call(function, &[size, places[0], places[1]], None)?;
    rw.emit_nothing("llvm.intr.stackrestore", &[stack], Vec::new())?;
    Ok(())
}

/// What memory of the same elements becomes whose rank is not known.
fn unranked_type(to: &To, rw: &Rw<'_, '_>, ty: Type) -> Result<Type, NoMatch> {
    let context = rw.context();
    let TypeData::MemRef { element, space, .. } = context[ty] else {
        return Err(NoMatch::Reason("an operand is no memory of a known rank"));
    };
    let ty = to.types.convert(context, context.ty(TypeData::UnrankedMemRef { element, space }));
    ty.ok_or(NoMatch::Reason("a type cannot be converted"))
}

/// Puts a descriptor on the stack.
pub(super) fn on_stack(rw: &mut Rw<'_, '_>, value: Value) -> Result<Value, NoMatch> {
    let (i64, ty) = (rw.context().integer_type(64), rw.ty(value)?);
    let one = rw.index_constant(i64, 1)?;
    let place = rw.stack(ty, one, 0)?;
    rw.store(value, place)?;
    Ok(place)
}
