//! Sizes and ranks, what memory is made of, and shapes that are read from memory.

use mlirbc_dialects::llvm::{GEPNoWrapFlags, ICmpPredicate, StructType, is_compatible};
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{Context, DYNAMIC, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, CAST};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::allocated::pointer_type;
use super::casts::pointers;
use crate::common::{Look, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::declarations::pointer;
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::memory::parts;
use crate::to_llvm::patterns::To;
use crate::to_llvm::unranked::{self, InMemory, is_unranked};

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.dim", size)
        .on("memref.rank", rank)
        .on("memref.extract_aligned_pointer_as_index", number_of_pointer)
        .on("memref.extract_strided_metadata", metadata)
        .on("memref.reshape", reshaped)
}

/// The number of a dimension, where it is a constant of any dialect.
fn known_dimension(rw: &Rw<'_, '_>, op: OpId) -> Option<i64> {
    let &index = rw.body().operands(op).get(1)?;
    let constant = rw.body().defining_operation(index)?;
    let constant = rw.op(constant);
    let is_constant =
        constant.is("llvm.mlir.constant") || constant.is("arith.constant") || constant.is("index.constant");
    let value = constant.attribute("value").ok()?.filter(|_| is_constant)?;
    rw.context().integer_of(value)?.to_i64()
}

fn size(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (ty, memory, index) = (rw.operand_type(op, 0)?, operands.get(0)?, to.types.index(context));
    if is_unranked(context, ty) {
        let made = size_of_unranked(rw, ty, memory, operands.get(1)?, index)?;
        return Ok(rw.replace(op, [made])?);
    }
    let (shape, _) = parts(context, ty)?;
    let known = known_dimension(rw, op).and_then(|at| usize::try_from(at).ok());
    let of = Descriptor { value: memory };
    let made = match known.and_then(|at| Some((at, *shape.get(at)?))) {
        Some((at, DYNAMIC)) => of.size(rw, at)?,
        Some((_, known)) => rw.index_constant(index, known)?,
        None if shape.is_empty() => return Err(NoMatch::Reason("memory without dimensions has no sizes")),
        None => of.size_at(rw, index, operands.get(1)?)?,
    };
    Ok(rw.replace(op, [made])?)
}

fn size_of_unranked(rw: &mut Rw<'_, '_>, ty: Type, memory: Value, at: Value, index: Type) -> Result<Value, NoMatch> {
    let context = rw.context();
    let place = unranked::pointer(rw, memory)?;
    let result = pointer_type(context, ty)?;
    let usual = pointer(context);
    let whole: Type = StructType::literal(context, &[usual, usual, index], false)?.into();
    let indices = [Index::Known(0), Index::Known(2)];
    let offset = rw.element_pointer((place, whole), &indices, GEPNoWrapFlags::NONE, result)?;
    let one = rw.index_constant(index, 1)?;
    let by = rw.emit("llvm.add", &[one, at], index)?;
    let place = rw.element_pointer((offset, index), &[Index::Value(by)], GEPNoWrapFlags::NONE, result)?;
    Ok(rw.load(index, place)?)
}

fn rank(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.operand_type(op, 0)?;
    let made = match is_unranked(context, ty) {
        true => unranked::rank(rw, operands.get(0)?)?,
        false => {
            let rank = parts(context, ty)?.0.len();
            rw.index_constant(to.types.index(context), rank as i64)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn number_of_pointer(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (context, value, ty) = (rw.context(), operands.get(0)?, rw.operand_type(op, 0)?);
    let index = to.types.index(context);
    let aligned = match is_unranked(context, ty) {
        false => Descriptor { value }.aligned(rw)?,
        true => {
            let element_pointer = pointer_type(context, ty)?;
            InMemory { at: unranked::pointer(rw, value)?, element_pointer, index }.aligned(rw)?
        }
    };
    let made = rw.emit("llvm.ptrtoint", &[aligned], index)?;
    Ok(rw.replace(op, [made])?)
}

fn metadata(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let value = operands.get(0)?;
    if !is_compatible(context, rw.ty(value)?) {
        return Err(NoMatch::Reason("memory became no type of LLVM"));
    }
    let rank = parts(context, rw.operand_type(op, 0)?)?.0.len();
    let of = Descriptor { value };
    let both = (of.allocated(rw)?, of.aligned(rw)?);
    let ty = rw.result_type(op)?;
    let base = Descriptor::of_static(rw, ty, to.types.options(), both)?;
    let base = base.ok_or(NoMatch::Reason("memory of an unknown shape"))?;
    let mut results = vec![base.value, of.offset(rw)?];
    for at in 0..rank {
        results.push(of.size(rw, at)?);
    }
    for at in 0..rank {
        results.push(of.stride(rw, at)?);
    }
    Ok(rw.replace(op, results)?)
}

/// Whether a memref has a known size.
fn known_length(context: &Context, ty: Type) -> bool {
    matches!(&context[ty], TypeData::MemRef { shape, .. } if !shape.contains(&DYNAMIC))
}

fn reshaped(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    match known_length(context, rw.operand_type(op, 1)?) {
        true => of_known_rank(to, rw, op, operands),
        false => of_unknown_rank(to, rw, op, operands),
    }
}

fn of_known_rank(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let index = to.types.index(context);
    let (result, ty) = (rw.result_type(op)?, rw.converted_result(op)?);
    let (shape, _) = parts(context, result)?;
    let strides = Strides::of(context, result).ok_or(NoMatch::Reason("failed to get stride and offset exprs"))?;
    if strides.offset == DYNAMIC {
        return Err(NoMatch::Reason("dynamic offset is unsupported"));
    }
    let mut made = Descriptor::poison(rw, ty)?;
    let source = (rw.operand_type(op, 0)?, operands.get(0)?);
    let (both, _) = pointers(to, rw, source, false)?;
    made.set_pointers(rw, both)?;
    let offset = rw.index_constant(index, strides.offset)?;
    made.set_offset(rw, offset)?;
    let &[_, sizes] = rw.body().operands(op) else { return Err(NoMatch::Reason("a shape of other operands")) };
    let TypeData::MemRef { element, .. } = context[rw.operand_type(op, 1)?] else {
        return Err(NoMatch::Reason("a shape that is no memory"));
    };
    let mut stride: Option<Value> = None;
    for at in (0..shape.len()).rev() {
        let own = match (strides.strides[at], stride) {
            (DYNAMIC, Some(stride)) => stride,
            (DYNAMIC, None) => rw.index_constant(index, 1)?,
            (known, _) => rw.index_constant(index, known)?,
        };
        let size = match shape[at] {
            DYNAMIC => {
                let at = rw.index_constant(index, at as i64)?;
                let loaded = rw.emit("memref.load", &[sizes, at], element)?;
                if element == index { loaded } else { rw.emit(CAST, &[loaded], index)? }
            }
            known => rw.index_constant(index, known)?,
        };
        made.set_size(rw, at, size)?;
        made.set_stride(rw, at, own)?;
        stride = Some(rw.emit("llvm.mul", &[own, size], index)?);
    }
    Ok(rw.replace(op, [made.value])?)
}

/// The descriptor is put on the stack, and its sizes and strides in a loop.
fn of_unknown_rank(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let index = to.types.index(context);
    let (result, ty) = (rw.result_type(op)?, rw.converted_result(op)?);
    if !is_unranked(context, result) {
        return Err(NoMatch::Reason("memory of a known rank by a shape of another"));
    }
    let of_shape = Descriptor { value: operands.get(1)? };
    let TypeData::MemRef { element: shape_element, .. } = context[rw.operand_type(op, 1)?] else {
        return Err(NoMatch::Reason("a shape that is no memory"));
    };
    let shape_element = rw.convert_type(shape_element)?;
    let rank = of_shape.size(rw, 0)?;
    let made = rw.emit("llvm.mlir.poison", &[], ty)?;
    let made = rw.insert(made, rank, &[0])?;
    let size = unranked::size(rw, made, to.types.options())?;
    let place = rw.stack(context.integer_type(8), size, 0)?;
    let made = rw.insert(made, place, &[1])?;
    let source = (rw.operand_type(op, 0)?, operands.get(0)?);
    let (both, offset) = pointers(to, rw, source, true)?;
    let new = InMemory { at: place, element_pointer: pointer_type(context, result)?, index };
    new.set(rw, both)?;
    let offset = offset.ok_or(NoMatch::Reason("memory without an offset"))?;
    new.set_offset(rw, offset)?;
    let sizes = new.sizes_at(rw)?;
    let strides = new.number_at(rw, sizes, rank)?;
    let given = of_shape.aligned(rw)?;
    let one = rw.index_constant(index, 1)?;
    let last = rw.emit("llvm.sub", &[rank, one], index)?;
    let block = rw.body().block_of(op).ok_or(NoMatch::Reason("an operation in no block"))?;
    let region = rw.body().region_of(block).ok_or(NoMatch::Reason("an operation in no region"))?;
    let next = rw.body().next_operation(op).ok_or(NoMatch::Reason("a block without an end"))?;
    let rest = rw.split_block(next)?;
    let (test, repeated) =
        (rw.create_block(region, Some(rest), [index, index])?, rw.create_block(region, Some(rest), [])?);
    rw.set_insertion_point_to_end(block)?;
    rw.branch(test, &[last, one])?;
    rw.set_insertion_point_to_end(test)?;
    let &[at, stride] = rw.body().arguments(test) else { return Err(NoMatch::Reason("a block of other arguments")) };
    let zero = rw.index_constant(index, 0)?;
    let predicate = rw.named("predicate", context.integer(64, ICmpPredicate::Sge.value()));
    let more = rw.emit_with("llvm.icmp", &[at, zero], context.integer_type(1), vec![predicate])?;
    rw.branch_if(more, (repeated, &[]), (rest, &[]))?;
    rw.set_insertion_point_to_end(repeated)?;
    let flags = GEPNoWrapFlags::NONE;
    let from = rw.element_pointer((given, shape_element), &[Index::Value(at)], flags, pointer(context))?;
    let size = rw.load(index, from)?;
    let into = new.number_at(rw, sizes, at)?;
    rw.store(size, into)?;
    let into = new.number_at(rw, strides, at)?;
    rw.store(stride, into)?;
    let stride = rw.emit("llvm.mul", &[stride, size], index)?;
    let at = rw.emit("llvm.sub", &[at, one], index)?;
    rw.branch(test, &[at, stride])?;
    Ok(rw.replace(op, [made])?)
}
