//! Constants, and what takes composites apart and puts them together.

use mlirbc_ir::{NamedAttribute, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::emit::{Emit, Look, Rw, dense_array, element, integers, lanes, number_or_vector, signless};
use super::types::inside;
use super::{Set, composed};

pub(super) fn add_to(set: Set) -> Set {
    set.on("spirv.Constant", constant)
        .on("spirv.CompositeExtract", extract)
        .on("spirv.CompositeInsert", insert)
        .on("spirv.VectorShuffle", shuffle)
}

/// A constant. Those of signless numbers keep the attributes that they have besides, as in MLIR; other composites are put together.
fn constant(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (context, ty) = (rw.context(), rw.result_type(op)?);
    let value = rw.attribute(op, "value")?;
    let made = if number_or_vector(context, ty) {
        let (converted, changed) = signless(rw, ty, value)?;
        match changed == value {
            true => {
                let attributes = rw.all_attributes(op)?;
                rw.emit_with("llvm.mlir.constant", &[], converted, attributes)?
            }
            false => rw.constant(converted, changed)?,
        }
    } else {
        composed::of_attribute(rw, ty, value)?
    };
    Ok(rw.replace(op, [made])?)
}

/// The indices of an operation, of which a vector has one alone.
fn indices(rw: &Rw<'_, '_>, op: OpId) -> Result<Vec<i64>, NoMatch> {
    let indices = integers(rw.context(), rw.attribute(op, "indices")?)?;
    if indices.is_empty() { Err(NoMatch::Reason("there is no index")) } else { Ok(indices) }
}

/// Where something stands in a struct or an array.
fn position(rw: &Rw<'_, '_>, indices: Vec<i64>) -> Vec<NamedAttribute> {
    let context = rw.context();
    vec![(context.static_identifier("position"), dense_array(context, 64, indices))]
}

/// The vector that the last of these indices leads into, behind at least one other, and how the others lead there: MLIR makes nothing
/// that LLVM takes of such.
fn vector_in(rw: &Rw<'_, '_>, ty: Type, indices: &[i64]) -> Result<Option<(Type, i64, Vec<i64>)>, NoMatch> {
    let context = rw.context();
    let Some((&last, before @ [_, ..])) = indices.split_last() else { return Ok(None) };
    let mut at = ty;
    for &index in before {
        let part = u32::try_from(index).ok().and_then(|index| inside(context, at, Some(index)));
        at = part.ok_or(NoMatch::Reason("an index leads nowhere"))?;
    }
    Ok(lanes(context, at).map(|_| (at, last, before.to_vec())))
}

fn extract(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (indices, from) = (indices(rw, op)?, operands.get(0)?);
    if let Some((vector, last, before)) = vector_in(rw, rw.ty(from)?, &indices)? {
        let position = position(rw, before);
        let vector = rw.emit_with("llvm.extractvalue", &[from], vector, position)?;
        let last = rw.index(last)?;
        let made = rw.emit("llvm.extractelement", &[vector, last], ty)?;
        return Ok(rw.replace(op, [made])?);
    }
    let made = match lanes(rw.context(), rw.operand_type(op, 0)?) {
        Some(_) => {
            let index = rw.index(indices[0])?;
            rw.emit("llvm.extractelement", &[from, index], ty)?
        }
        None => {
            let position = position(rw, indices);
            rw.emit_with("llvm.extractvalue", &[from], ty, position)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

fn insert(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (indices, object, into) = (indices(rw, op)?, operands.get(0)?, operands.get(1)?);
    if let Some((vector, last, before)) = vector_in(rw, rw.ty(into)?, &indices)? {
        let position = position(rw, before);
        let old = rw.emit_with("llvm.extractvalue", &[into], vector, position.clone())?;
        let last = rw.index(last)?;
        let new = rw.emit("llvm.insertelement", &[old, object, last], vector)?;
        let made = rw.emit_with("llvm.insertvalue", &[into, new], ty, position)?;
        return Ok(rw.replace(op, [made])?);
    }
    let made = match lanes(rw.context(), rw.operand_type(op, 1)?) {
        Some(_) => {
            let index = rw.index(indices[0])?;
            rw.emit("llvm.insertelement", &[into, object, index], ty)?
        }
        None => {
            let position = position(rw, indices);
            rw.emit_with("llvm.insertvalue", &[into, object], ty, position)?
        }
    };
    Ok(rw.replace(op, [made])?)
}

/// One operation where both vectors are as long, and else one lane after the other.
fn shuffle(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let vectors = [operands.get(0)?, operands.get(1)?];
    let lengths = lanes(context, rw.operand_type(op, 0)?).zip(lanes(context, rw.operand_type(op, 1)?));
    let (first, second) = lengths.ok_or(NoMatch::Reason("an operand is no vector"))?;
    let mask: Vec<i32> = integers(context, rw.attribute(op, "components")?)?.iter().map(|&lane| lane as i32).collect();
    if first == second {
        let mask = dense_array(context, 32, mask.into_iter().map(i64::from));
        let mask = vec![(context.static_identifier("mask"), mask)];
        let made = rw.emit_with("llvm.shufflevector", &vectors, ty, mask)?;
        return Ok(rw.replace(op, [made])?);
    }
    let scalar = element(context, ty);
    let mut made = rw.emit("llvm.mlir.poison", &[], ty)?;
    for (to, from) in (0..).zip(mask) {
        let from = match from {
            -1 => continue,
            from => i64::from(from),
        };
        let (vector, from) = match from.checked_sub_unsigned(first) {
            Some(from) if from >= 0 => (vectors[1], from),
            _ => (vectors[0], from),
        };
        let to = rw.index(to)?;
        let from = rw.index(from)?;
        let lane = rw.emit("llvm.extractelement", &[vector, from], scalar)?;
        made = rw.emit("llvm.insertelement", &[made, lane, to], ty)?;
    }
    Ok(rw.replace(op, [made])?)
}
