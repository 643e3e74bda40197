//! The same memory as another type.

use mlirbc_dialects::llvm::{GEPNoWrapFlags, is_compatible};
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{AttributeData, DYNAMIC, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::allocated::pointer_type;
use super::copies::on_stack;
use crate::common::{Look, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::descriptors::{Descriptor, pointer_of};
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::memory::{base, parts};
use crate::to_llvm::patterns::To;
use crate::to_llvm::unranked::{self, InMemory, is_unranked};

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.assume_alignment", aligned)
        .on("memref.cast", cast)
        .on("memref.distinct_objects", distinct)
        .on("memref.memory_space_cast", space_cast)
        .on("memref.reinterpret_cast", reinterpreted)
        .on("memref.transpose", transposed)
        .on("memref.view", viewed)
}

/// Takes something for granted, of which operands beside the condition say more.
fn assume(rw: &mut Rw<'_, '_>, condition: Value, tag: &str, of: &[Value]) -> Outcome {
    let context = rw.context();
    let tags = context.attribute(AttributeData::Array(Box::new([context.string(tag)])));
    let sizes = crate::common::dense_array(context, 32, [of.len() as i64]);
    let attributes = vec![rw.named("op_bundle_sizes", sizes), rw.named("op_bundle_tags", tags)];
    let operands: Vec<Value> = [condition].into_iter().chain(of.iter().copied()).collect();
    rw.emit_nothing("llvm.intr.assume", &operands, attributes)?;
    Ok(())
}

fn truth(rw: &mut Rw<'_, '_>) -> Result<Value, NoMatch> {
    let context = rw.context();
    Ok(rw.constant(context.integer_type(1), context.integer(1, 1))?)
}

fn aligned(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (context, memory) = (rw.context(), operands.get(0)?);
    let alignment = context.integer_of(rw.attribute(op, "alignment")?).and_then(|it| it.to_i64());
    let alignment = alignment.ok_or(NoMatch::Reason("an alignment that is no number"))?;
    let place = base(&to.types, rw, rw.operand_type(op, 0)?, memory)?;
    let condition = truth(rw)?;
    let alignment = rw.index_constant(to.types.index(context), alignment)?;
    assume(rw, condition, "align", &[place, alignment])?;
    Ok(rw.replace(op, [memory])?)
}

fn distinct(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let all = operands.all()?;
    if all.len() > 1 {
        let mut places = Vec::new();
        for (number, &memory) in all.iter().enumerate() {
            places.push(base(&to.types, rw, rw.operand_type(op, number)?, memory)?);
        }
        let condition = truth(rw)?;
        for (number, &a) in places.iter().enumerate() {
            for &b in &places[number + 1..] {
                assume(rw, condition, "separate_storage", &[a, b])?;
            }
        }
    }
    Ok(rw.replace(op, all)?)
}

fn cast(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (from, into) = (rw.operand_type(op, 0)?, rw.result_type(op)?);
    let (value, ty) = (operands.get(0)?, rw.convert_type(into)?);
    match (is_unranked(context, from), is_unranked(context, into)) {
        (false, false) if rw.ty(value)? == ty => Ok(rw.replace(op, [value])?),
        (false, true) => {
            let rank = parts(context, from)?.0.len();
            let place = on_stack(rw, value)?;
            let rank = rw.index_constant(to.types.index(context), rank as i64)?;
            let made = unranked::pack(rw, ty, &[rank, place])?;
            Ok(rw.replace(op, [made])?)
        }
        (true, false) => {
            let place = unranked::pointer(rw, value)?;
            let made = rw.load(ty, place)?;
            Ok(rw.replace(op, [made])?)
        }
        _ => Err(NoMatch::Reason("a cast between memory of different types")),
    }
}

fn space_cast(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (from, into) = (rw.operand_type(op, 0)?, rw.result_type(op)?);
    let (value, ty) = (operands.get(0)?, rw.convert_type(into)?);
    if let TypeData::MemRef { shape, .. } = &context[into] {
        let pointer = pointer_of(context, ty).ok_or(NoMatch::Reason("memory became no descriptor"))?;
        let mut parts = Descriptor { value }.unpack(rw, shape.len())?;
        for part in &mut parts[..2] {
            *part = rw.emit("llvm.addrspacecast", &[*part], pointer)?;
        }
        let made = Descriptor::pack(rw, ty, &parts)?.value;
        return Ok(rw.replace(op, [made])?);
    }
    let index = to.types.index(context);
    let (source, result) = (pointer_type(context, from)?, pointer_type(context, into)?);
    let rank = unranked::rank(rw, value)?;
    let at = unranked::pointer(rw, value)?;
    let made = rw.emit("llvm.mlir.poison", &[], ty)?;
    let made = rw.insert(made, rank, &[0])?;
    let size = unranked::size(rw, made, to.types.options())?;
    let place = rw.stack(context.integer_type(8), size, 0)?;
    let made = rw.insert(made, place, &[1])?;
    let old = InMemory { at, element_pointer: source, index };
    let new = InMemory { at: place, element_pointer: result, index };
    let (allocated, aligned) = (old.allocated(rw)?, old.aligned(rw)?);
    let allocated = rw.emit("llvm.addrspacecast", &[allocated], result)?;
    let aligned = rw.emit("llvm.addrspacecast", &[aligned], result)?;
    new.set(rw, (allocated, aligned))?;
    let (from, into) = (old.offset_at(rw)?, new.offset_at(rw)?);
    let pointers = rw.index_constant(index, 2 * to.types.options().pointer_bytes)?;
    let size = rw.emit("llvm.sub", &[size, pointers], index)?;
    rw.copy_bytes(into, from, size)?;
    Ok(rw.replace(op, [made])?)
}

/// The pointers of memory, of any rank, and its offset where that is asked for.
pub(super) fn pointers(
    to: &To,
    rw: &mut Rw<'_, '_>,
    (ty, value): (Type, Value),
    with_offset: bool,
) -> Result<((Value, Value), Option<Value>), NoMatch> {
    let context = rw.context();
    if !is_unranked(context, ty) {
        let of = Descriptor { value };
        let pointers = (of.allocated(rw)?, of.aligned(rw)?);
        let offset = if with_offset { Some(of.offset(rw)?) } else { None };
        return Ok((pointers, offset));
    }
    let (element_pointer, index) = (pointer_type(context, ty)?, to.types.index(context));
    let of = InMemory { at: unranked::pointer(rw, value)?, element_pointer, index };
    let pointers = (of.allocated(rw)?, of.aligned(rw)?);
    let offset = if with_offset { Some(of.offset(rw)?) } else { None };
    Ok((pointers, offset))
}

/// The numbers of a list of which some are operands.
fn mixed(rw: &mut Rw<'_, '_>, op: OpId, name: &str, dynamic: &[Value], index: Type) -> Result<Vec<Value>, NoMatch> {
    let AttributeData::DenseArray { data, .. } = &rw.context()[rw.attribute(op, name)?] else {
        return Err(NoMatch::Reason("a list of another form"));
    };
    let mut dynamic = dynamic.iter().copied();
    let mut values = Vec::new();
    for number in data.as_chunks::<8>().0 {
        values.push(match i64::from_le_bytes(*number) {
            DYNAMIC => dynamic.next().ok_or(NoMatch::Reason("an operand is missing"))?,
            number => rw.index_constant(index, number)?,
        });
    }
    Ok(values)
}

fn reinterpreted(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let index = to.types.index(context);
    let (from, value, ty) = (rw.operand_type(op, 0)?, operands.get(0)?, rw.converted_result(op)?);
    let groups = rw.op(op).operand_ranges()?;
    let all = operands.all()?;
    let groups: Option<Vec<&[Value]>> = groups.into_iter().map(|group| all.get(group)).collect();
    let groups = groups.unwrap_or_default();
    let &[_, offsets, sizes, strides] = &*groups else { return Err(NoMatch::Reason("a cast of other operands")) };
    let mut made = Descriptor::poison(rw, ty)?;
    let (both, _) = pointers(to, rw, (from, value), false)?;
    made.set_pointers(rw, both)?;
    let offset = mixed(rw, op, "static_offsets", offsets, index)?;
    let &[offset] = &*offset else { return Err(NoMatch::Reason("a cast of several offsets")) };
    made.set_offset(rw, offset)?;
    let list = |rw: &Rw<'_, '_>, name| match &context[rw.attribute(op, name)?] {
        AttributeData::DenseArray { data, .. } => {
            Ok(data.as_chunks::<8>().0.iter().map(|number| i64::from_le_bytes(*number)).collect::<Vec<i64>>())
        }
        _ => Err(NoMatch::Reason("a list of another form")),
    };
    let (known_sizes, known_strides) = (list(rw, "static_sizes")?, list(rw, "static_strides")?);
    let (mut sizes, mut strides) = (sizes.iter().copied(), strides.iter().copied());
    for (at, (&size, &stride)) in known_sizes.iter().zip(&known_strides).enumerate() {
        let missing = NoMatch::Reason("an operand is missing");
        let size = match size {
            DYNAMIC => sizes.next().ok_or(missing)?,
            known => rw.index_constant(index, known)?,
        };
        made.set_size(rw, at, size)?;
        let stride = match stride {
            DYNAMIC => strides.next().ok_or(NoMatch::Reason("an operand is missing"))?,
            known => rw.index_constant(index, known)?,
        };
        made.set_stride(rw, at, stride)?;
    }
    Ok(rw.replace(op, [made.value])?)
}

fn transposed(_: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let AttributeData::AffineMap(map) = &context[rw.attribute(op, "permutation")?] else {
        return Err(NoMatch::Reason("an order of another form"));
    };
    let value = operands.get(0)?;
    if map.is_identity() {
        return Ok(rw.replace(op, [value])?);
    }
    let places: Option<Vec<usize>> = map
        .results
        .iter()
        .map(|result| match result {
            mlirbc_ir::affine::AffineExpression::Dimension(number) => Some(*number as usize),
            _ => None,
        })
        .collect();
    let places = places.ok_or(NoMatch::Reason("an order of another form"))?;
    let ty = rw.convert_type(rw.operand_type(op, 0)?)?;
    let of = Descriptor { value };
    let mut made = Descriptor::poison(rw, ty)?;
    let allocated = of.allocated(rw)?;
    made.set_allocated(rw, allocated)?;
    let aligned = of.aligned(rw)?;
    made.set_aligned(rw, aligned)?;
    let offset = of.offset(rw)?;
    made.set_offset(rw, offset)?;
    for (at, from) in places.into_iter().enumerate() {
        let size = of.size(rw, from)?;
        made.set_size(rw, at, size)?;
        let stride = of.stride(rw, from)?;
        made.set_stride(rw, at, stride)?;
    }
    Ok(rw.replace(op, [made.value])?)
}

fn viewed(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (from, into, ty) = (rw.operand_type(op, 0)?, rw.result_type(op)?, rw.converted_result(op)?);
    let (shape, element) = parts(context, into)?;
    let strides = Strides::of(context, into).ok_or(NoMatch::Reason("cannot cast to non-strided shape"))?;
    if !is_compatible(context, rw.convert_type(element)?) || !is_compatible(context, ty) {
        return Err(NoMatch::Reason("Target descriptor type not converted to LLVM"));
    }
    if strides.strides.last().is_some_and(|&last| last != 1 && last != 0) {
        return Err(NoMatch::Reason("cannot cast to non-contiguous shape"));
    }
    let index = to.types.index(context);
    let of = Descriptor { value: operands.get(0)? };
    let mut made = Descriptor::poison(rw, ty)?;
    let allocated = of.allocated(rw)?;
    made.set_allocated(rw, allocated)?;
    let aligned = of.aligned(rw)?;
    let (pointer, byte) = (of.pointer_type(rw)?, rw.convert_type(parts(context, from)?.1)?);
    let by = Index::Value(operands.get(1)?);
    let aligned = rw.element_pointer((aligned, byte), &[by], GEPNoWrapFlags::NONE, pointer)?;
    made.set_aligned(rw, aligned)?;
    let offset = rw.index_constant(index, strides.offset)?;
    made.set_offset(rw, offset)?;
    let (mut stride, mut before): (Option<Value>, Option<Value>) = (None, None);
    for at in (0..shape.len()).rev() {
        let size = match shape[at] {
            DYNAMIC => operands.get(2 + shape[..at].iter().filter(|&&size| size == DYNAMIC).count())?,
            known => rw.index_constant(index, known)?,
        };
        made.set_size(rw, at, size)?;
        let own = match (strides.strides[at], before, stride) {
            (DYNAMIC, Some(before), Some(stride)) => rw.emit("llvm.mul", &[stride, before], index)?,
            (DYNAMIC, Some(before), None) => before,
            (DYNAMIC, None, _) => rw.index_constant(index, 1)?,
            (known, _, _) => rw.index_constant(index, known)?,
        };
        made.set_stride(rw, at, own)?;
        (stride, before) = (Some(own), Some(size));
    }
    Ok(rw.replace(op, [made.value])?)
}
