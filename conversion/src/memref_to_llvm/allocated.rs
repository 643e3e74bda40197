//! Memory of the heap and the stack.

use mlirbc_ir::{Context, Error, Identifier, OpId, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use crate::common::{Look, Rw};
use crate::to_llvm::declarations::{FREE, MALLOC, pointer, void};
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::layouts::space_of;
use crate::to_llvm::memory::{self, is_identity, parts};
use crate::to_llvm::patterns::To;
use crate::to_llvm::unranked::{self, InMemory, is_unranked};
use crate::to_llvm::{LlvmOptions, LlvmPatterns};

/// What `aligned_alloc` is asked for at least.
const LEAST_ALIGNMENT: u64 = 16;

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.alloca", on_stack)
        .on("memref.alloca_scope", scope)
        .on("memref.alloc", on_heap)
        .on("memref.dealloc", freed)
}

/// The type of memory that can be allocated.
pub(super) fn plain_type(rw: &Rw<'_, '_>, ty: Type) -> Result<Type, NoMatch> {
    let context = rw.context();
    rw.convert_type(parts(context, ty)?.1)?;
    match is_identity(context, ty) {
        true => Ok(ty),
        false => Err(NoMatch::Reason("incompatible memref type")),
    }
}

fn alignment(rw: &Rw<'_, '_>, op: OpId) -> Result<Option<i64>, NoMatch> {
    let given = rw.op(op).attribute("alignment")?;
    Ok(given.and_then(|given| rw.context().integer_of(given)?.to_i64()))
}

fn on_heap(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = plain_type(rw, rw.result_type(op)?)?;
    let (context, options) = (rw.context(), to.types.options());
    let index = to.types.index(context);
    let name = match (options.aligned_alloc, options.generic_functions) {
        (false, false) => MALLOC,
        (false, true) => "_mlir_memref_to_llvm_alloc",
        (true, false) => "aligned_alloc",
        (true, true) => "_mlir_memref_to_llvm_aligned_alloc",
    };
    let inputs: &[Type] = if options.aligned_alloc { &[index, index] } else { &[index] };
    let function = to.declarations.function(rw, name, (inputs, pointer(context)), false)?;
    let sizes = memory::sizes(&to.types, rw, ty, &operands.all()?, true)?;
    let pointers = match options.aligned_alloc {
        true => {
            let made = aligned(rw, op, ty, (function, sizes.whole), options)?;
            (made, made)
        }
        false => unaligned(to, rw, op, ty, (function, sizes.whole))?,
    };
    let made = memory::allocated(&to.types, rw, ty, pointers, &sizes)?;
    Ok(rw.replace(op, [made])?)
}

/// Memory from a function, as a pointer into the address space of the type.
fn call(rw: &mut Rw<'_, '_>, ty: Type, function: Identifier, arguments: &[Value]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let called = rw.call(function, arguments, Some(pointer(context)))?;
    let made = rw.result(called, 0)?;
    let wanted = pointer_type(context, ty)?;
    match wanted == pointer(context) {
        true => Ok(made),
        false => Ok(rw.emit("llvm.addrspacecast", &[made], wanted)?),
    }
}

/// The type of pointers to memory.
pub(super) fn pointer_type(context: &Context, ty: Type) -> Result<Type, NoMatch> {
    let space = space_of(context, ty).ok_or(NoMatch::Reason("a memory space that is no address space"))?;
    Ok(mlirbc_dialects::llvm::PointerType::new(context, space).into())
}

/// What was allocated, and the first place in it that is aligned.
fn unaligned(
    to: &To,
    rw: &mut Rw<'_, '_>,
    op: OpId,
    ty: Type,
    (function, mut size): (Identifier, Value),
) -> Result<(Value, Value), NoMatch> {
    let context = rw.context();
    let index = to.types.index(context);
    let (_, element) = parts(context, ty)?;
    let is_number = match context[element] {
        TypeData::Integer { signedness, .. } => signedness == Signedness::Signless,
        TypeData::Index | TypeData::Float(_) => true,
        _ => false,
    };
    let alignment = match alignment(rw, op)? {
        Some(alignment) => Some(rw.index_constant(index, alignment)?),
        None if is_number => None,
        None => {
            let element = rw.convert_type(element)?;
            Some(memory::size_of(rw, (element, Index::Known(1)), index)?)
        }
    };
    if let Some(alignment) = alignment {
        size = rw.emit("llvm.add", &[size, alignment], index)?;
    }
    let allocated = call(rw, ty, function, &[size])?;
    let Some(alignment) = alignment else { return Ok((allocated, allocated)) };
    let number = rw.emit("llvm.ptrtoint", &[allocated], index)?;
    let number = round_up(rw, (number, alignment), index)?;
    let ty = pointer_type(context, ty)?;
    Ok((allocated, rw.emit("llvm.inttoptr", &[number], ty)?))
}

/// The next multiple of a number.
fn round_up(rw: &mut Rw<'_, '_>, (number, to): (Value, Value), index: Type) -> Result<Value, NoMatch> {
    let one = rw.index_constant(index, 1)?;
    let less = rw.emit("llvm.sub", &[to, one], index)?;
    let more = rw.emit("llvm.add", &[number, less], index)?;
    let left = rw.emit("llvm.urem", &[more, to], index)?;
    Ok(rw.emit("llvm.sub", &[more, left], index)?)
}

fn aligned(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    ty: Type,
    (function, mut size): (Identifier, Value),
    options: LlvmOptions,
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let index = context.integer_type(options.index_bits);
    let (shape, element) = parts(context, ty)?;
    let bytes = bytes_of(context, element, options).ok_or(NoMatch::Reason("an element of an unknown size"))?;
    let alignment = match alignment(rw, op)? {
        Some(alignment) => alignment as u64,
        None => bytes.checked_next_power_of_two().unwrap_or(bytes).max(LEAST_ALIGNMENT),
    };
    let known = shape.iter().filter(|&&size| size != mlirbc_ir::DYNAMIC);
    let known = known.fold(bytes, |all, &size| all.wrapping_mul(size as u64));
    let alignment_value = rw.index_constant(index, alignment as i64)?;
    if known.checked_rem(alignment).is_none_or(|left| left != 0) {
        size = round_up(rw, (size, alignment_value), index)?;
    }
    call(rw, ty, function, &[alignment_value, size])
}

/// How many bytes a value takes, where no layout says something else.
fn bytes_of(context: &Context, ty: Type, options: LlvmOptions) -> Option<u64> {
    let index = u64::from(options.index_bits.div_ceil(8));
    match &context[ty] {
        TypeData::Integer { width, .. } => Some(u64::from(width.div_ceil(8))),
        TypeData::Float(kind) => Some(u64::from(kind.width().div_ceil(8))),
        TypeData::Index => Some(8),
        TypeData::Complex(of) => {
            let part = bytes_of(context, *of, options)?;
            part.next_multiple_of(part.checked_next_power_of_two()?.max(1)).checked_add(part)
        }
        TypeData::Vector { shape, element, .. } => {
            let (last, outer) = shape.split_last().unwrap_or((&1, &[]));
            let last = u64::try_from(*last).ok()?.checked_next_power_of_two()?;
            let count = outer.iter().try_fold(last, |all, &size| all.checked_mul(u64::try_from(size).ok()?))?;
            count.checked_mul(bytes_of(context, *element, options)?)
        }
        TypeData::MemRef { shape, .. } => Some(2 * options.pointer_bytes as u64 + (1 + 2 * shape.len() as u64) * index),
        TypeData::UnrankedMemRef { .. } => Some(index + options.pointer_bytes as u64),
        _ => None,
    }
}

fn on_stack(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = plain_type(rw, rw.result_type(op)?)?;
    let context = rw.context();
    let sizes = memory::sizes(&to.types, rw, ty, &operands.all()?, false)?;
    let element = rw.convert_type(parts(context, ty)?.1)?;
    let pointer = pointer_type(context, ty)?;
    let element = context.attribute(mlirbc_ir::AttributeData::Type(element));
    let mut attributes = vec![rw.named("elem_type", element)];
    if let Some(alignment) = alignment(rw, op)?.filter(|&alignment| alignment != 0) {
        attributes.push(rw.named("alignment", context.integer(64, alignment)));
    }
    let place = rw.emit_with("llvm.alloca", &[sizes.whole], pointer, attributes)?;
    let made = memory::allocated(&to.types, rw, ty, (place, place), &sizes)?;
    Ok(rw.replace(op, [made])?)
}

/// What is in it stands before what follows it, and the stack is what it was behind it.
fn scope(_: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let inner = rw.region(op, 0)?;
    let blocks: Vec<_> = rw.body().blocks(inner).collect();
    let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else {
        return Err(NoMatch::Reason("a scope of nothing"));
    };
    let block = rw.body().block_of(op).ok_or(NoMatch::Reason("a scope in no block"))?;
    let region = rw.body().region_of(block).ok_or(NoMatch::Reason("a scope in no region"))?;
    let results: Vec<Type> = rw.body().results(op).map(|result| rw.ty(result)).collect::<mlirbc_ir::Result<_>>()?;
    let rest = rw.split_block(op)?;
    let next = match results.is_empty() {
        true => rest,
        false => {
            let next = rw.create_block(region, Some(rest), results)?;
            rw.set_insertion_point_to_end(next)?;
            rw.branch(rest, &[])?;
            next
        }
    };
    rw.inline_region(inner, region, Some(next))?;
    rw.set_insertion_point_to_end(block)?;
    let stack = rw.emit("llvm.intr.stacksave", &[], pointer(context))?;
    rw.branch(first, &[])?;
    let ending = rw.body().last_operation(last).ok_or(NoMatch::Reason("a scope without an end"))?;
    let values = rw.body().operands(ending).to_vec();
    rw.set_insertion_point_before(ending)?;
    rw.emit_nothing("llvm.intr.stackrestore", &[stack], Vec::new())?;
    rw.branch(next, &values)?;
    rw.replace(ending, [])?;
    let arguments = match next == rest {
        true => Vec::new(),
        false => rw.body().arguments(next).to_vec(),
    };
    Ok(rw.replace(op, arguments)?)
}

fn freed(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (context, memory, ty) = (rw.context(), operands.get(0)?, rw.operand_type(op, 0)?);
    let name = if to.types.options().generic_functions { "_mlir_memref_to_llvm_free" } else { FREE };
    let function = to.declarations.function(rw, name, (&[pointer(context)], void(context)), false)?;
    let allocated = match is_unranked(context, ty) {
        true => {
            let at = unranked::pointer(rw, memory)?;
            let element_pointer = pointer_type(context, ty)?;
            InMemory { at, element_pointer, index: to.types.index(context) }.allocated(rw)?
        }
        false => Descriptor { value: memory }.allocated(rw)?,
    };
    if rw.ty(allocated)? != pointer(context) {
        let error = "memory of another address space than the usual one cannot be handed to a function that frees it";
        return Err(NoMatch::Error(Error::verification(error)));
    }
    rw.call(function, &[allocated], None)?;
    Ok(rw.replace(op, [])?)
}
