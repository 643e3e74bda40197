//! How large memory is, and where its elements stand.

use mlirbc_dialects::llvm::GEPNoWrapFlags;
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{AttributeData, Context, DYNAMIC, Result, Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;

use super::LlvmTypeConverter;
use super::declarations::pointer;
use super::descriptors::Descriptor;
use super::emit::{Emit, Index};
use crate::common::Rw;

/// Memory that is allocated: its sizes and strides, and how large all of it is.
pub(crate) struct Sizes {
    pub(crate) sizes: Vec<Value>,
    pub(crate) strides: Vec<Value>,
    /// In bytes or in elements.
    pub(crate) whole: Value,
}

/// What a memref is of: its sizes and the type of its elements.
pub(crate) fn parts(context: &Context, ty: Type) -> Result<(&[i64], Type), NoMatch> {
    match &context[ty] {
        TypeData::MemRef { shape, element, .. } => Ok((shape, *element)),
        _ => Err(NoMatch::Reason("an operand is no memory of a known rank")),
    }
}

/// Whether the layout of a memref is the usual one.
pub(crate) fn is_identity(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::MemRef { layout, .. } => match &context[*layout] {
            AttributeData::AffineMap(map) => map.is_identity(),
            AttributeData::StridedLayout { strides, offset } => **strides == [1] && *offset == 0,
            _ => false,
        },
        _ => false,
    }
}

/// The sizes and strides of memory that is to be, of which values say those that are not known.
pub(crate) fn sizes(
    types: &LlvmTypeConverter,
    rw: &mut Rw<'_, '_>,
    ty: Type,
    dynamic: &[Value],
    in_bytes: bool,
) -> Result<Sizes, NoMatch> {
    let context = rw.context();
    let (shape, element) = parts(context, ty)?;
    let index = types.index(context);
    let mut dynamic = dynamic.iter().copied();
    let mut sizes = Vec::new();
    for &size in shape {
        sizes.push(match size {
            DYNAMIC => dynamic.next().ok_or(NoMatch::Reason("memory of too few sizes"))?,
            size => rw.index_constant(index, size)?,
        });
    }
    let (mut stride, mut known) = (rw.index_constant(index, 1)?, Some(1i64));
    let mut strides = Vec::new();
    for (&size, &value) in shape.iter().zip(&sizes).rev() {
        strides.push(stride);
        let is_first = known == Some(1);
        known = known.filter(|_| size != DYNAMIC).map(|known| known.wrapping_mul(size));
        stride = match known {
            _ if is_first => value,
            None => rw.emit("llvm.mul", &[stride, value], index)?,
            Some(known) => rw.index_constant(index, known)?,
        };
    }
    strides.reverse();
    let whole = match in_bytes {
        false => stride,
        true => {
            let element = types.convert(context, element).ok_or(NoMatch::Reason("an element cannot be converted"))?;
            size_of(rw, (element, Index::Value(stride)), index)?
        }
    };
    Ok(Sizes { sizes, strides, whole })
}

/// How many bytes so many of a type take.
pub(crate) fn size_of(rw: &mut dyn Emit<'_>, (ty, count): (Type, Index), index: Type) -> Result<Value> {
    let pointer = pointer(rw.look().context());
    let nowhere = rw.emit("llvm.mlir.zero", &[], pointer)?;
    let end = rw.element_pointer((nowhere, ty), &[count], GEPNoWrapFlags::NONE, pointer)?;
    rw.emit("llvm.ptrtoint", &[end], index)
}

/// The descriptor of memory that was allocated.
pub(crate) fn allocated(
    types: &LlvmTypeConverter,
    rw: &mut Rw<'_, '_>,
    ty: Type,
    pointers: (Value, Value),
    sizes: &Sizes,
) -> Result<Value, NoMatch> {
    let converted = rw.convert_type(ty)?;
    let mut made = Descriptor::poison(rw, converted)?;
    made.set_pointers(rw, pointers)?;
    let zero = rw.index_constant(types.index(rw.context()), 0)?;
    made.set_offset(rw, zero)?;
    for (at, &size) in sizes.sizes.iter().enumerate() {
        made.set_size(rw, at, size)?;
    }
    for (at, &stride) in sizes.strides.iter().enumerate() {
        made.set_stride(rw, at, stride)?;
    }
    Ok(made.value)
}

/// Where the first element of memory stands.
pub(crate) fn base(types: &LlvmTypeConverter, rw: &mut Rw<'_, '_>, ty: Type, memory: Value) -> Result<Value, NoMatch> {
    let context = rw.context();
    let (_, element) = parts(context, ty)?;
    let of = Descriptor { value: memory };
    let aligned = of.aligned(rw)?;
    let strides = Strides::of(context, ty).ok_or(NoMatch::Reason("memory without strides"))?;
    let index = types.index(context);
    let offset = match strides.offset {
        0 => return Ok(aligned),
        DYNAMIC => of.offset(rw)?,
        known => rw.index_constant(index, known)?,
    };
    let (element, pointer) = (rw.convert_type(element)?, of.pointer_type(rw)?);
    Ok(rw.element_pointer((aligned, element), &[Index::Value(offset)], GEPNoWrapFlags::NONE, pointer)?)
}

/// Where the element of these indices stands.
pub(crate) fn element_at(
    types: &LlvmTypeConverter,
    rw: &mut Rw<'_, '_>,
    (ty, memory): (Type, Value),
    indices: &[Value],
    flags: GEPNoWrapFlags,
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let strides = Strides::of(context, ty).ok_or(NoMatch::Reason("memory without strides"))?;
    let (_, element) = parts(context, ty)?;
    let base = base(types, rw, ty, memory)?;
    let index = types.index(context);
    let overflow = overflow_of(rw, flags);
    let of = Descriptor { value: memory };
    let mut place = None;
    for (at, (&by, &stride)) in indices.iter().zip(&strides.strides).enumerate() {
        let mut by = by;
        if stride != 1 {
            let stride = match stride {
                DYNAMIC => of.stride(rw, at)?,
                known => rw.index_constant(index, known)?,
            };
            by = rw.emit_with("llvm.mul", &[by, stride], index, overflow.clone())?;
        }
        place = Some(match place {
            None => by,
            Some(sum) => rw.emit_with("llvm.add", &[sum, by], index, overflow.clone())?,
        });
    }
    let Some(place) = place else { return Ok(base) };
    let (element, pointer) = (rw.convert_type(element)?, of.pointer_type(rw)?);
    Ok(rw.element_pointer((base, element), &[Index::Value(place)], flags, pointer)?)
}

/// What sums and products of places may be taken to do.
fn overflow_of(rw: &Rw<'_, '_>, flags: GEPNoWrapFlags) -> Vec<mlirbc_ir::NamedAttribute> {
    use mlirbc_dialects::llvm::IntegerOverflowFlags;
    let mut overflow = IntegerOverflowFlags::NONE;
    if flags.contains(GEPNoWrapFlags::NUSW) {
        overflow = overflow | IntegerOverflowFlags::NSW;
    }
    if flags.contains(GEPNoWrapFlags::NUW) {
        overflow = overflow | IntegerOverflowFlags::NUW;
    }
    match overflow == IntegerOverflowFlags::NONE {
        true => Vec::new(),
        false => vec![rw.named("overflowFlags", rw.context().integer(32, overflow.value()))],
    }
}
