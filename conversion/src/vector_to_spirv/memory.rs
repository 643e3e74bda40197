//! Vectors in memory: several elements are accessed as one vector.

use mlirbc_ir::{NamedAttribute, OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::dialect::types::pointer;
use rspirv::spirv::MemoryAccess;

use super::count;
use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::memory::{Element, class_of};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("vector.load", load).on("vector.store", store)
}

fn load(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let was = rw.result_type(op)?;
    let (class, place) = place(spirv, rw, op, operands, 0)?;
    let ty = rw.convert_type(was)?;
    let alignment = alignment(rw, op)?;
    let place = of_vector(rw, place, was, pointer(rw.context(), ty, class))?;
    let made = rw.emit_with("spirv.Load", &[place], ty, alignment)?;
    Ok(rw.replace(op, [made])?)
}

fn store(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let was = rw.operand_type(op, 0)?;
    let (class, place) = place(spirv, rw, op, operands, 1)?;
    let alignment = alignment(rw, op)?;
    let value = operands.get(0)?;
    let context = rw.context();
    // Not of the type that the vector's becomes: but for one of indices, a vector that is converted cannot be stored.
    let ty = if element(context, was) == context.index_type() { rw.ty(value)? } else { was };
    let place = of_vector(rw, place, was, pointer(context, ty, class))?;
    rw.emit_nothing("spirv.Store", &[place, value], alignment)?;
    Ok(rw.erase(op)?)
}

/// The class of the memory that is the operand of that number, with a pointer to the element that the operands behind it lead to.
fn place(
    spirv: &SpirvTypeConverter,
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    base: usize,
) -> Result<(u32, Value), NoMatch> {
    let memref = rw.operand_type(op, base)?;
    let class = class_of(rw, memref)?;
    let indices = (base + 1..operands.len()).map(|number| operands.get(number)).collect::<Result<Vec<_>, _>>()?;
    let element = Element::of(spirv, rw, memref, operands.get(base)?, &indices)?;
    Ok((class as u32, element.pointer(rw)?))
}

/// A pointer to an element as one to a vector that begins there; one of a single element is that.
fn of_vector(rw: &mut Rw<'_, '_>, place: Value, vector: Type, ty: Type) -> Result<Value, NoMatch> {
    match count(rw.context(), vector)? {
        1 => Ok(place),
        _ => Ok(rw.emit("spirv.Bitcast", &[place], ty)?),
    }
}

/// What an operation says of its alignment.
fn alignment(rw: &Rw<'_, '_>, op: OpId) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    let Some(alignment) = rw.op(op).attribute("alignment")? else { return Ok(Vec::new()) };
    let bytes = context.integer_of(alignment).and_then(|bytes| u32::try_from(bytes.to_u64()?).ok());
    let bytes = bytes.ok_or(NoMatch::Reason("an alignment of more than 32 bits"))?;
    let access = enumerant(context, EnumKind::MemoryAccess, MemoryAccess::ALIGNED.bits());
    Ok(vec![
        (context.static_identifier("memory_access"), access),
        (context.static_identifier("alignment"), context.integer(32, (bytes as i32).into())),
    ])
}
