//! `vector.transfer_read` and `vector.transfer_write`

use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::text::integers;
use mlirbc_ir::{AttributeData, Context, DYNAMIC, OpRef, Result, Type, TypeData, Value};
use mlirbc_rewrite::{Fold, Folded};

use super::masks::all_of_mask;
use super::shape_or_none;
use crate::common::mixed::constant_index;
use crate::memref::folds::skip_casts;
use crate::tensor::casts::skip_tensor_casts;

/// A part of memory or of a tensor that is read into a vector, or that a vector is written to.
struct Transfer<'m> {
    op: OpRef<'m>,
    base: Value,
    indices: &'m [Value],
    mask: Option<Value>,
    map: &'m AffineMap,
    in_bounds: Vec<bool>,
    vector: Type,
}

impl<'m> Transfer<'m> {
    /// Those of an operation. `None` where it says other things of itself.
    fn of(op: OpRef<'m>) -> Result<Option<Self>> {
        let context = op.module().context();
        let is_write = op.is("vector.transfer_write");
        let (Some(base), indices, mask) = (op.operand("base")?, op.operands_named("indices")?, op.operand("mask")?)
        else {
            return Ok(None);
        };
        let vector = if is_write { op.operand("valueToStore")? } else { op.results().next() };
        let (Some(vector), Some(map), Some(bounds)) =
            (vector, op.attribute("permutation_map")?, op.attribute("in_bounds")?)
        else {
            return Ok(None);
        };
        let (AttributeData::AffineMap(map), Some(bounds)) = (&context[map], integers(context, bounds)) else {
            return Ok(None);
        };
        let in_bounds: Vec<bool> = bounds.into_iter().map(|of| of != 0).collect();
        let vector = op.type_of(vector)?;
        let rank = shape_or_none(context, vector).len();
        // Elements may be vectors, which are not transferred one by one.
        let fits = in_bounds.len() == map.results.len()
            && map.results.len() <= rank
            && map.dimensions as usize == indices.len()
            && context[op.type_of(base)?].shape().is_some_and(|shape| shape.len() == indices.len());
        Ok(fits.then_some(Transfer { op, base, indices, mask, map, in_bounds, vector }))
    }

    fn is_in_bounds(&self) -> bool {
        self.in_bounds.iter().all(|&of| of)
    }

    /// Whether the last dimensions go to those of the vector, one to one.
    fn is_minor_identity(&self) -> bool {
        let Some(front) = (self.map.dimensions as usize).checked_sub(self.map.results.len()) else { return false };
        let places = (front as u32..).map(AffineExpression::Dimension);
        self.map.symbols == 0 && self.map.results.iter().zip(places).all(|(of, place)| *of == place)
    }

    /// Whether two have the same place and type of vector.
    fn is_same_place(&self, other: &Self) -> bool {
        self.indices == other.indices && self.map == other.map && self.vector == other.vector
    }
}

fn is_tensor(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::RankedTensor { .. })
}

/// A bound on how far chains are followed: what is not reachable may lead in circles.
const MOST_STEPS: usize = 1 << 12;

pub(super) fn read(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = written_before(fold)? {
        return Ok(Folded::value(value));
    }
    for of in [bounds, full_mask, |fold: &mut Fold<'_, '_>| skip_casts(fold, None), skip_tensor_casts] {
        let folded = of(fold)?;
        if !folded.is_no() {
            return Ok(folded);
        }
    }
    Ok(Folded::No)
}

pub(super) fn write(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(value) = read_before(fold)? {
        return Ok(Folded::value(value));
    }
    for of in [bounds, full_mask, |fold: &mut Fold<'_, '_>| skip_casts(fold, None)] {
        let folded = of(fold)?;
        if !folded.is_no() {
            return Ok(folded);
        }
    }
    Ok(Folded::No)
}

/// The vector that was written to where one is read from.
fn written_before(fold: &Fold<'_, '_>) -> Result<Option<Value>> {
    let context = fold.context();
    let Some(read) = Transfer::of(fold.op())? else { return Ok(None) };
    if !is_tensor(context, fold.type_of(read.base)?) {
        return Ok(None);
    }
    let mut from = read.base;
    for _ in 0..MOST_STEPS {
        let Some(definer) = fold.defined_by(from, "vector.transfer_write") else { break };
        let Some(write) = Transfer::of(definer)? else { break };
        if write.is_in_bounds() && write.mask.is_none() && read.mask.is_none() && write.is_same_place(&read) {
            return definer.operand("valueToStore");
        }
        if !are_disjoint(context, &write, &read) {
            break;
        }
        from = write.base;
    }
    Ok(None)
}

/// Whether two transfers have nothing in common.
fn are_disjoint(context: &Context, one: &Transfer<'_>, other: &Transfer<'_>) -> bool {
    // Of other maps, MLIR takes sizes of dimensions for those of others.
    if one.vector != other.vector || !one.is_minor_identity() || !other.is_minor_identity() {
        return false;
    }
    let sizes = shape_or_none(context, one.vector);
    let Some(front) = one.indices.len().checked_sub(one.map.results.len()) else { return false };
    if one.map.results.len() != other.map.results.len() {
        return false;
    }
    one.indices.iter().zip(other.indices).enumerate().any(|(number, (&a, &b))| {
        let (Some(a), Some(b)) = (constant_index(one.op, a), constant_index(other.op, b)) else { return false };
        match number.checked_sub(front) {
            None => a != b,
            Some(number) => sizes.get(number).is_some_and(|&size| a.abs_diff(b) >= size.unsigned_abs()),
        }
    })
}

/// The tensor that is as it was after what was read from it is written back.
fn read_before(fold: &Fold<'_, '_>) -> Result<Option<Value>> {
    let context = fold.context();
    let Some(write) = Transfer::of(fold.op())? else { return Ok(None) };
    let ty = fold.type_of(write.base)?;
    let Some(value) = fold.op().operand("valueToStore")? else { return Ok(None) };
    let Some(definer) = fold.defined_by(value, "vector.transfer_read").filter(|_| is_tensor(context, ty)) else {
        return Ok(None);
    };
    let Some(read) = Transfer::of(definer)? else { return Ok(None) };
    let is_zero = |value: &Value| constant_index(fold.op(), *value) == Some(0);
    let is_all = !write.map.results.is_empty()
        && read.map.results.len() == write.map.results.len()
        && read.is_minor_identity()
        && write.is_minor_identity()
        && read.is_in_bounds()
        && write.is_in_bounds()
        && read.mask.is_none()
        && write.mask.is_none()
        && fold.type_of(read.base)? == ty
        && read.vector == write.vector
        && context[ty].shape() == Some(shape_or_none(context, read.vector))
        && read.indices.iter().chain(write.indices).all(is_zero);
    let is_same = read.base == write.base && read.is_same_place(&write) && read.mask.is_none() && write.mask.is_none();
    Ok((is_all || is_same).then_some(read.base))
}

/// Says of dimensions that they are in bounds, where that can be told.
fn bounds(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(transfer) = Transfer::of(fold.op())? else { return Ok(Folded::No) };
    let shape = context[fold.type_of(transfer.base)?].shape().unwrap_or_default();
    let sizes = shape_or_none(context, transfer.vector);
    let mut new = transfer.in_bounds.clone();
    let mut others = Vec::new();
    for (number, result) in transfer.map.results.iter().enumerate() {
        let AffineExpression::Dimension(at) = result else { continue };
        if new[number] {
            continue;
        }
        let at = *at as usize;
        let index = transfer.indices.get(at).and_then(|&index| constant_index(transfer.op, index));
        if let (Some(index), Some(&size), Some(&of)) = (index, shape.get(at), sizes.get(number)) {
            new[number] = size != DYNAMIC && index.checked_add(of).is_some_and(|end| end <= size);
        }
        others.push(number);
    }
    if others.iter().all(|&number| new[number]) {
        for (number, result) in transfer.map.results.iter().enumerate() {
            new[number] |= *result == AffineExpression::Constant(0);
        }
    }
    if new.is_empty() || new == transfer.in_bounds {
        return Ok(Folded::No);
    }
    let items = new.iter().map(|&of| context.integer(1, of.into())).collect();
    let bounds = context.attribute(AttributeData::Array(items));
    fold.set_attribute("in_bounds", bounds)?;
    Ok(Folded::InPlace)
}

/// A mask that is set everywhere is none.
fn full_mask(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let op = fold.op();
    let Some(mask) = op.operand("mask")? else { return Ok(Folded::No) };
    let Some(definer) = op.defining_operation(mask) else { return Ok(Folded::No) };
    if all_of_mask(definer)? != Some(true) {
        return Ok(Folded::No);
    }
    let ranges = op.operand_ranges()?;
    let (Some((last, front)), operands) = (ranges.split_last(), fold.operands()) else { return Ok(Folded::No) };
    if last.len() != 1 || last.end != operands.len() {
        return Ok(Folded::No);
    }
    let sizes = front.iter().map(|range| range.len() as i32).chain([0]);
    let data: Vec<u8> = sizes.flat_map(i32::to_le_bytes).collect();
    let operands = operands[..last.start].to_vec();
    let context = fold.context();
    let sizes = AttributeData::DenseArray { element: context.integer_type(32), data: data.into() };
    fold.set_operands(&operands)?;
    fold.set_attribute("operandSegmentSizes", context.attribute(sizes))?;
    Ok(Folded::InPlace)
}
