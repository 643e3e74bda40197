//! Vectors made of elements of one or two others.

use mlirbc_ir::{OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::elements::construct;
use super::{count, is_single};
use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::{Emit, indices};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("vector.extract_strided_slice", extract_slice)
        .on("vector.insert_strided_slice", insert_slice)
        .on("vector.shuffle", shuffle)
        .on("vector.interleave", interleave)
        .on("vector.deinterleave", deinterleave)
}

/// The elements of these places, of both vectors counted one behind the other.
fn shuffled(rw: &mut Rw<'_, '_>, of: [Value; 2], places: &[i32], ty: Type) -> Result<Value, NoMatch> {
    let components = (rw.context().static_identifier("components"), indices(rw.context(), places).1);
    Ok(rw.emit_with("spirv.VectorShuffle", &of, ty, vec![components])?)
}

/// The first of the integers in an attribute, which has one for each dimension.
fn first(rw: &Rw<'_, '_>, op: OpId, name: &str) -> Result<i32, NoMatch> {
    let all = crate::common::integers(rw.context(), rw.attribute(op, name)?)?;
    let first = all.first().and_then(|&number| i32::try_from(number).ok());
    first.ok_or(NoMatch::Reason("a slice of nothing"))
}

fn places_of(count: u64) -> Result<i32, NoMatch> {
    i32::try_from(count).map_err(|_| NoMatch::Reason("too many elements"))
}

/// Where a slice begins that has all elements from there on.
fn offset(rw: &Rw<'_, '_>, op: OpId) -> Result<i32, NoMatch> {
    match first(rw, op, "strides")? {
        1 => first(rw, op, "offsets"),
        _ => Err(NoMatch::Reason("a slice that leaves elements out")),
    }
}

fn extract_slice(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (vector, start) = (operands.get(0)?, offset(rw, op)?);
    let made = match is_single(rw, ty) {
        true => {
            let ty = element(rw.context(), rw.ty(vector)?);
            rw.extract(vector, &[start], ty)?
        }
        false => {
            let size = places_of(count(rw.context(), ty)?)?;
            let end = start.checked_add(size).ok_or(NoMatch::Reason("too many elements"))?;
            shuffled(rw, [vector; 2], &(start..end).collect::<Vec<_>>(), ty)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn insert_slice(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (slice, vector) = (operands.get(0)?, operands.get(1)?);
    let start = offset(rw, op)?;
    let (from, ty) = (rw.ty(slice)?, rw.ty(vector)?);
    let made = match is_single(rw, from) {
        true => {
            let places = indices(rw.context(), &[start]);
            rw.emit_with("spirv.CompositeInsert", &[slice, vector], ty, vec![places])?
        }
        false => {
            let (all, some) = (places_of(count(rw.context(), ty)?)?, places_of(count(rw.context(), from)?)?);
            let end = start.checked_add(some).ok_or(NoMatch::Reason("too many elements"))?;
            let place = |place| if (start..end).contains(&place) { all + place - start } else { place };
            shuffled(rw, [vector, slice], &(0..all).map(place).collect::<Vec<_>>(), ty)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn shuffle(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let mask = mlirbc_ir::text::integers(rw.context(), rw.attribute(op, "mask")?);
    let mask =
        mask.and_then(|mask| mask.into_iter().map(|place| i32::try_from(place).ok()).collect::<Option<Vec<_>>>());
    let mask = mask.ok_or(NoMatch::Reason("a mask of something else than places"))?;
    let of = [operands.get(0)?, operands.get(1)?];
    let counts = [0, 1].map(|number| count(rw.context(), rw.operand_type(op, number)?));
    let [first, second] = counts;
    let (first, second) = (first?, second?);
    if first > 1 && second > 1 && mask.len() > 1 {
        let made = shuffled(rw, of, &mask, ty)?;
        return Ok(rw.replace(op, [made])?);
    }
    // One of them is an element alone.
    let first = places_of(first)?;
    let mut elements = Vec::with_capacity(mask.len());
    for place in mask {
        let (vector, place) = if place < first { (of[0], place) } else { (of[1], place - first) };
        let ty = rw.ty(vector)?;
        elements.push(match is_single(rw, ty) {
            true => vector,
            false if place < 0 => return Err(NoMatch::Reason("no element")),
            false => rw.extract(vector, &[place], element(rw.context(), ty))?,
        });
    }
    let made = construct(rw, &elements, ty)?;
    Ok(rw.replace(op, [made])?)
}

fn interleave(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let both = [operands.get(0)?, operands.get(1)?];
    let made = match places_of(count(rw.context(), rw.operand_type(op, 0)?)?)? {
        1 => construct(rw, &both, ty)?,
        count => shuffled(rw, both, &(0..count).flat_map(|place| [place, count + place]).collect::<Vec<_>>(), ty)?,
    };
    Ok(rw.replace(op, [made])?)
}

fn deinterleave(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let vector = operands.get(0)?;
    let count = places_of(count(rw.context(), rw.operand_type(op, 0)?)?)?;
    let mut half = |start| match count {
        2 => Ok(rw.extract(vector, &[start], ty)?),
        _ => shuffled(rw, [vector; 2], &(start..count).step_by(2).collect::<Vec<_>>(), ty),
    };
    let halves = [half(0)?, half(1)?];
    Ok(rw.replace(op, halves)?)
}
