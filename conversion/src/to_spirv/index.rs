//! Places of elements in what has several dimensions.

use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{Context, DYNAMIC, Result, Type, Value};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::types::{SpirvType, part, pointer, view};
use rspirv::spirv::Capability;

use super::SpirvTypeConverter;
use super::emit::Emit;
use crate::common::{Look, Rw};

/// Where an element stands: `offset`, and the sum of `indices` times `strides`, of that type. What folds is folded; constants that were
/// folded away stay (`linearizeIndex` of MLIR).
pub(crate) fn linearize(
    rw: &mut Rw<'_, '_>,
    indices: &[Value],
    strides: &[i64],
    offset: i64,
    ty: Type,
) -> Result<Value> {
    let mut place = rw.integer(ty, offset as u64)?;
    for (&index, &stride) in indices.iter().zip(strides) {
        let stride = rw.integer(ty, stride as u64)?;
        let part = rw.build_or_fold("spirv.IMul", &[index, stride], ty)?;
        place = rw.build_or_fold("spirv.IAdd", &[part, place], ty)?;
    }
    Ok(place)
}

/// A pointer to an element of a memref of type `memref` that became the pointer `base` (`getElementPtr` of MLIR).
///
/// # Errors
/// No match where strides or the offset are not known, or `base` does not point to memory of that sort.
pub(crate) fn element_pointer(
    spirv: &SpirvTypeConverter,
    rw: &mut Rw<'_, '_>,
    (memref, base): (Type, Value),
    indices: &[Value],
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let layout = Strides::of(context, memref).filter(|of| of.offset != DYNAMIC && !of.strides.contains(&DYNAMIC));
    let Strides { strides, offset } = layout.ok_or(NoMatch::Reason("strides that are not known"))?;
    let ty = spirv.index_type(context);
    let is_kernel = spirv.has(Capability::Kernel);
    // A shader has a struct around the elements.
    let mut places = Vec::new();
    if !is_kernel {
        places.push(rw.zero(ty)?);
    }
    match (strides.is_empty(), places.first()) {
        (true, Some(&zero)) => places.push(zero),
        (true, None) => places.push(rw.zero(ty)?),
        (false, _) => places.push(linearize(rw, indices, &strides, offset, ty)?),
    }
    let base_type = rw.ty(base)?;
    let to_array =
        matches!(pointee(context, base_type).and_then(|to| view(context, to)), Some(SpirvType::Array { .. }));
    match is_kernel && !to_array {
        true => access(rw, base, "spirv.PtrAccessChain", &places),
        false => access(rw, base, "spirv.AccessChain", &places),
    }
}

/// What a pointer points to; `None` for other types.
pub(crate) fn pointee(context: &Context, ty: Type) -> Option<Type> {
    match view(context, ty)? {
        SpirvType::Pointer { pointee, .. } => Some(pointee),
        _ => None,
    }
}

/// A pointer to a part of what `base` points to, or for `spirv.PtrAccessChain` of what stands so many of these behind it. Members of structs
/// are given by constants.
///
/// # Errors
/// No match where there is no such part.
pub(crate) fn access(rw: &mut Rw<'_, '_>, base: Value, name: &str, places: &[Value]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let none = || NoMatch::Reason("a pointer to something else than elements");
    let Some(SpirvType::Pointer { mut pointee, class }) = view(context, rw.ty(base)?) else { return Err(none()) };
    let inside = if name == "spirv.PtrAccessChain" { places.get(1..).unwrap_or_default() } else { places };
    for &place in inside {
        let constant =
            rw.body().defining_operation(place).map(|op| mlirbc_ir::constant_value(rw.op(op))).transpose()?;
        let number = constant.flatten().and_then(|value| u32::try_from(context.integer_of(value)?.to_u64()?).ok());
        let index = match view(context, pointee) {
            Some(SpirvType::Struct(_)) => number,
            // Any of them, as it is not looked whether there are as many.
            _ => Some(0),
        };
        pointee = index.and_then(|index| part(context, pointee, index)).ok_or_else(none)?;
    }
    let ty = pointer(context, pointee, class);
    let operands: Vec<Value> = [base].into_iter().chain(places.iter().copied()).collect();
    Ok(rw.emit(name, &operands, ty)?)
}
