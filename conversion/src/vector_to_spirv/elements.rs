//! Elements put into vectors, and taken out.

use mlirbc_ir::interfaces::Mixed;
use mlirbc_ir::text::integers;
use mlirbc_ir::{DYNAMIC, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::{count, is_single};
use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::{Emit, indices};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("vector.broadcast", broadcast)
        .on("vector.extract", extract)
        .on("vector.insert", insert)
        .on("vector.from_elements", from_elements)
        .on("vector.to_elements", to_elements)
        .on("vector.step", step)
}

/// A vector of these elements, or the one element that it became.
pub(super) fn construct(rw: &mut Rw<'_, '_>, elements: &[Value], ty: Type) -> Result<Value, NoMatch> {
    match elements {
        &[single, ..] if is_single(rw, ty) => Ok(single),
        _ => Ok(rw.emit("spirv.CompositeConstruct", elements, ty)?),
    }
}

fn broadcast(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let count = count(rw.context(), rw.result_type(op)?)?;
    let count = usize::try_from(count).map_err(|_| NoMatch::Reason("too many elements"))?;
    let made = construct(rw, &vec![operands.get(0)?; count], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Where an operation takes something out of a vector, or puts something in, in its first dimension.
fn position(rw: &Rw<'_, '_>, op: OpId) -> Result<Mixed, NoMatch> {
    let none = || NoMatch::Reason("a vector without dimensions");
    let numbers = integers(rw.context(), rw.attribute(op, "static_position")?).ok_or_else(none)?;
    let of = rw.op(op);
    let position = match *numbers.first().ok_or_else(none)? {
        DYNAMIC => Mixed::Value(*of.operands_named("dynamic_position")?.first().ok_or_else(none)?),
        number => Mixed::Number(number),
    };
    match position.constant(of) {
        Some(-1) => Err(NoMatch::Reason("no element")),
        Some(number) => Ok(Mixed::Number(number)),
        None => Ok(position),
    }
}

fn place(number: i64) -> Result<i32, NoMatch> {
    i32::try_from(number).map_err(|_| NoMatch::Reason("a place that no vector has"))
}

/// One of a vector's places: itself, unless it is -1, which stands for no element. SPIR-V knows no such place.
fn sanitized(rw: &mut Rw<'_, '_>, index: Value, count: u64) -> Result<Value, NoMatch> {
    let ty = rw.ty(index)?;
    if count.is_power_of_two() {
        let mask = rw.integer(ty, count - 1)?;
        return Ok(rw.emit("spirv.BitwiseAnd", &[index, mask], ty)?);
    }
    let none = rw.integer(ty, u64::MAX)?;
    let truth = rw.context().integer_type(1);
    let is_none = rw.emit("spirv.IEqual", &[index, none], truth)?;
    let zero = rw.zero(ty)?;
    Ok(rw.emit("spirv.Select", &[is_none, zero, index], ty)?)
}

fn extract(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let vector = operands.get(0)?;
    if is_single(rw, rw.ty(vector)?) {
        return Ok(rw.replace(op, [vector])?);
    }
    let made = match position(rw, op)? {
        Mixed::Number(number) => rw.extract(vector, &[place(number)?], ty)?,
        Mixed::Value(_) => {
            let count = count(rw.context(), rw.operand_type(op, 0)?)?;
            let index = sanitized(rw, operands.get(1)?, count)?;
            rw.emit("spirv.VectorExtractDynamic", &[vector, index], ty)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn insert(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (was, into) = (rw.operand_type(op, 0)?, rw.operand_type(op, 1)?);
    let context = rw.context();
    if matches!(context[was], TypeData::Vector { .. }) {
        return Err(NoMatch::Reason("a vector that is put into another one"));
    }
    rw.convert_type(into)?;
    let (value, count) = (operands.get(0)?, count(context, into)?);
    if count == 1 && matches!(context[was], TypeData::Integer { .. } | TypeData::Float(_)) {
        return Ok(rw.replace(op, [value])?);
    }
    let made = match position(rw, op)? {
        Mixed::Number(number) => {
            let (vector, places) = (operands.get(1)?, indices(context, &[place(number)?]));
            let ty = rw.ty(vector)?;
            rw.emit_with("spirv.CompositeInsert", &[value, vector], ty, vec![places])?
        }
        Mixed::Value(_) => {
            let index = sanitized(rw, operands.get(2)?, count)?;
            // As it was: one of a type that is converted cannot be.
            let vector = rw.body().operands(op)[1];
            rw.emit("spirv.VectorInsertDynamic", &[vector, value, index], into)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn from_elements(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = construct(rw, &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Only those are taken out that are used.
fn to_elements(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let vector = operands.get(0)?;
    if is_single(rw, rw.ty(vector)?) {
        return Ok(rw.replace(op, [vector])?);
    }
    let ty = rw.converted_result(op)?;
    let results: Vec<Value> = rw.body().results(op).collect();
    let mut elements = Vec::with_capacity(results.len());
    for (result, number) in results.into_iter().zip(0..) {
        elements.push(match rw.body().is_used(result) {
            true => vec![rw.extract(vector, &[number], ty)?],
            false => Vec::new(),
        });
    }
    Ok(rw.replace_with_many(op, elements)?)
}

/// The numbers from zero on.
fn step(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let single = element(rw.context(), ty);
    let count = count(rw.context(), rw.result_type(op)?)?;
    let numbers = (0..count).map(|number| rw.integer(single, number)).collect::<Result<Vec<_>, _>>()?;
    let made = construct(rw, &numbers, ty)?;
    Ok(rw.replace(op, [made])?)
}
