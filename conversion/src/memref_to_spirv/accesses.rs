//! Loads and stores.

use mlirbc_ir::{Attribute, Context, NumberKind, OpId, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::dialect::types::{SpirvType, view};
use rspirv::spirv::{Capability, MemorySemantics, Scope, StorageClass};

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::memory::{Element, access, class_of, pointee};
use crate::to_spirv::types::vector_of;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("memref.load", load).with("memref.load", 2, fetch).on("memref.store", store)
}

/// How wide a number is.
fn width(context: &Context, ty: Type) -> Result<u32, NoMatch> {
    NumberKind::of(context, ty).map(NumberKind::width).ok_or(NoMatch::Reason("no number"))
}

/// What an element of memory is.
enum Kept {
    /// As it is loaded.
    AsItIs,
    /// A truth value, as a number.
    Truth,
    /// An integer of so many bits in a wider one.
    In(u32),
}

fn kept(spirv: &SpirvTypeConverter, rw: &Rw<'_, '_>, memref: Type, stored: Type) -> Result<Kept, NoMatch> {
    let context = rw.context();
    let Some(element) = context[memref].element() else { return Err(NoMatch::Reason("no memory")) };
    let TypeData::Integer { width: own, signedness: Signedness::Signless } = context[element] else {
        return Ok(Kept::AsItIs);
    };
    let is_truth = own == 1;
    let bits = if is_truth { spirv.options().bool_num_bits } else { own };
    let has = width(context, stored)?;
    Ok(match (has == bits, is_truth) {
        (true, true) => Kept::Truth,
        (true, false) => Kept::AsItIs,
        // Nobody says how a part of what a pointer leads to is reached.
        (false, _) if spirv.has(Capability::Kernel) => {
            return Err(NoMatch::Reason("part of a number in memory of a kernel"));
        }
        (false, _) if bits == 0 || has % bits != 0 => {
            return Err(NoMatch::Reason("numbers that do not fit each other"));
        }
        (false, _) => Kept::In(bits),
    })
}

/// An operation of two integers, or what it folds to.
fn binary(rw: &mut Rw<'_, '_>, name: &str, a: Value, b: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(a)?;
    Ok(rw.build_or_fold(name, &[a, b], ty)?)
}

/// The wider number that an element of so many bits stands in.
fn around(rw: &mut Rw<'_, '_>, element: Element, bits: u32) -> Result<Element, NoMatch> {
    let place = element.place();
    let index = rw.ty(place)?;
    let each = width(rw.context(), element.ty)? / bits;
    let each = rw.integer(index, each.into())?;
    let outer = binary(rw, "spirv.SDiv", place, each)?;
    Ok(element.at(outer))
}

/// From which bit of the wider number on it stands.
fn first_bit(rw: &mut Rw<'_, '_>, place: Value, (bits, stored): (u32, Type)) -> Result<Value, NoMatch> {
    let index = rw.ty(place)?;
    let each = width(rw.context(), stored)? / bits;
    let each = rw.integer(index, each.into())?;
    let size = rw.integer(index, bits.into())?;
    let number = binary(rw, "spirv.UMod", place, each)?;
    binary(rw, "spirv.IMul", number, size)
}

/// An element of an image.
fn fetch(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memref = rw.operand_type(op, 0)?;
    if class_of(rw, memref)? != StorageClass::Image {
        return Err(NoMatch::Reason("no image"));
    }
    let all = operands.all()?;
    let (&base, indices) = all.split_first().ok_or(NoMatch::Reason("a load from nowhere"))?;
    let attributes = access(rw, op, base)?;
    let (sampled, _) = pointee(rw, rw.ty(base)?)?;
    let context = rw.context();
    let image = match view(context, sampled) {
        Some(SpirvType::SampledImage(image)) => image,
        _ => return Err(NoMatch::Reason("no image")),
    };
    let ty = rw.converted_result(op)?;
    let (four, places) = (vector_of(context, 4, ty), indices.len() as i64);
    let loaded = rw.emit_with("spirv.Load", &[base], sampled, attributes)?;
    let image = rw.emit("spirv.Image", &[loaded], image)?;
    let place = match *indices {
        [one] => one,
        [first, ..] => {
            let ty = vector_of(rw.context(), places, rw.ty(first)?);
            rw.emit("spirv.CompositeConstruct", indices, ty)?
        }
        [] => return Err(NoMatch::Reason("an image without a size")),
    };
    let fetched = rw.emit("spirv.ImageFetch", &[image, place], four)?;
    let made = rw.extract(fetched, &[0], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn lowest(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)
}

fn load(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memref = rw.operand_type(op, 0)?;
    let all = operands.all()?;
    let (&base, indices) = all.split_first().ok_or(NoMatch::Reason("a load from nowhere"))?;
    let element = Element::of(spirv, rw, memref, base, indices)?;
    let stored = element.ty;
    match kept(spirv, rw, memref, stored)? {
        Kept::In(bits) => {
            let place = element.place();
            let pointer = around(rw, element, bits)?.pointer(rw)?;
            let attributes = access(rw, op, pointer)?;
            let value = rw.emit_with("spirv.Load", &[pointer], stored, attributes)?;
            let first = first_bit(rw, place, (bits, stored))?;
            let value = binary(rw, "spirv.ShiftRightArithmetic", value, first)?;
            let mask = rw.integer(stored, lowest(bits))?;
            let value = binary(rw, "spirv.BitwiseAnd", value, mask)?;
            let unused = rw.integer(stored, u64::from(width(rw.context(), stored)? - bits))?;
            let value = binary(rw, "spirv.ShiftLeftLogical", value, unused)?;
            let value = binary(rw, "spirv.ShiftRightArithmetic", value, unused)?;
            // Who wants a truth value gets one made of it.
            Ok(rw.replace(op, [value])?)
        }
        kept => {
            let pointer = element.pointer(rw)?;
            let attributes = access(rw, op, pointer)?;
            let value = rw.emit_with("spirv.Load", &[pointer], stored, attributes)?;
            let value = match kept {
                Kept::Truth => truth_of(rw, value)?,
                _ => value,
            };
            Ok(rw.replace(op, [value])?)
        }
    }
}

/// Whether a number is not zero.
fn truth_of(rw: &mut Rw<'_, '_>, value: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(value)?;
    let zero = rw.zero(ty)?;
    let truth = rw.context().integer_type(1);
    Ok(rw.emit("spirv.INotEqual", &[value, zero], truth)?)
}

/// A truth value as a number.
fn number_of(rw: &mut Rw<'_, '_>, value: Value, ty: Type) -> Result<Value, NoMatch> {
    let zero = rw.zero(ty)?;
    let one = rw.one(ty)?;
    Ok(rw.build_or_fold("spirv.Select", &[value, one, zero], ty)?)
}

/// How far atomic operations on memory of that class are seen.
pub(super) fn scope(rw: &Rw<'_, '_>, memref: Type) -> Result<Attribute, NoMatch> {
    let scope = match class_of(rw, memref)? {
        StorageClass::StorageBuffer => Scope::Device,
        StorageClass::Workgroup => Scope::Workgroup,
        _ => return Err(NoMatch::Reason("memory without atomic operations")),
    };
    Ok(enumerant(rw.context(), EnumKind::Scope, scope as u32))
}

/// An atomic operation, seen before and after by all in that scope.
pub(super) fn atomic(
    rw: &mut Rw<'_, '_>,
    name: &str,
    operands: [Value; 2],
    (ty, scope): (Type, Attribute),
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let semantics = enumerant(context, EnumKind::MemorySemantics, MemorySemantics::ACQUIRE_RELEASE.bits());
    let attributes = [("memory_scope", scope), ("semantics", semantics)];
    let attributes = attributes.map(|(name, value)| (context.static_identifier(name), value));
    Ok(rw.emit_with(name, &operands, ty, attributes.to_vec())?)
}

fn store(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memref = rw.operand_type(op, 1)?;
    let all = operands.all()?;
    let [value, base, indices @ ..] = &*all else { return Err(NoMatch::Reason("a store to nowhere")) };
    let element = Element::of(spirv, rw, memref, *base, indices)?;
    let stored = element.ty;
    match kept(spirv, rw, memref, stored)? {
        Kept::In(bits) => {
            let place = element.place();
            let first = first_bit(rw, place, (bits, stored))?;
            let mask = rw.integer(stored, lowest(bits))?;
            let others = binary(rw, "spirv.ShiftLeftLogical", mask, first)?;
            let others = rw.build_or_fold("spirv.Not", &[others], stored)?;
            let own = width(rw.context(), rw.ty(*value)?)?;
            let value = if own == 1 {
                number_of(rw, *value, stored)?
            } else {
                let wide = match own < width(rw.context(), stored)? {
                    true => rw.emit("spirv.UConvert", &[*value], stored)?,
                    false => *value,
                };
                binary(rw, "spirv.BitwiseAnd", wide, mask)?
            };
            let value = binary(rw, "spirv.ShiftLeftLogical", value, first)?;
            let pointer = around(rw, element, bits)?.pointer(rw)?;
            let scope = scope(rw, memref)?;
            atomic(rw, "spirv.AtomicAnd", [pointer, others], (stored, scope))?;
            atomic(rw, "spirv.AtomicOr", [pointer, value], (stored, scope))?;
        }
        kept => {
            let pointer = element.pointer(rw)?;
            let attributes = access(rw, op, pointer)?;
            let value = match kept {
                Kept::Truth => number_of(rw, *value, stored)?,
                _ => *value,
            };
            rw.emit_nothing("spirv.Store", &[pointer, value], attributes)?;
        }
    }
    Ok(rw.erase(op)?)
}
