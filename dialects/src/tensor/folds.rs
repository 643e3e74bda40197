//! How operations of `tensor` fold (`TensorOps.cpp` of MLIR).

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{
    Attribute, AttributeData, Context, DYNAMIC, Dialect, Numbers, OpId, OpRef, Result, Rewriter, Type, TypeData, Value,
};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::casts::skip_tensor_casts;
use crate::common::dense;
use crate::common::layouts::{dynamic_place, is_static, size};
use crate::common::mixed::{Mixed, Slice, constant_index};
use crate::common::reshapes::reshape;
use crate::memref::folds::{index_of, rank, same_type};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .materialize(materialize)
        .fold("bitcast", |fold| same_type(fold, Folded::No))
        .fold("cast", |fold| same_type(fold, Folded::No))
        .fold("collapse_shape", |fold| reshape(fold, "tensor.expand_shape"))
        .fold("concat", concat)
        .fold("dim", dim)
        .fold("expand_shape", |fold| reshape(fold, "tensor.collapse_shape"))
        .fold("extract", extract)
        .fold("extract_slice", extract_slice)
        .fold("from_elements", |fold| Ok(Folded::maybe(dense::of_operands(fold, fold.result_type()?))))
        .fold("gather", |fold| Ok(Folded::maybe(resized(fold, 0)?)))
        .fold("insert", insert)
        .fold("insert_slice", insert_slice)
        .fold("pad", pad)
        .fold("rank", rank)
        .fold("reshape", reshaped)
        .fold("splat", splat)
}

/// As `arith` and `complex` make constants.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    crate::complex::folds::materialize(rw, value, ty)
}

/// The operand, where it is one number over and over, in the type of the result.
fn resized(fold: &Fold<'_, '_>, number: usize) -> Result<Option<Attribute>> {
    let ty = fold.result_type()?;
    Ok(fold.constant(number).and_then(|constant| dense::resized(fold.context(), constant, ty)))
}

fn concat(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    match *fold.operands() {
        [input] if fold.type_of(input)? == fold.result_type()? => Ok(Folded::value(input)),
        _ => Ok(Folded::No),
    }
}

fn dim(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(index) = index_of(fold, 1) else { return Ok(Folded::No) };
    let source = fold.operand(0);
    let ty = fold.type_of(source)?;
    let TypeData::RankedTensor { shape, .. } = &context[ty] else { return Ok(Folded::No) };
    let Some(size) = size(context, ty, index) else { return Ok(Folded::No) };
    if size != DYNAMIC {
        return Ok(Folded::maybe(dense::index(context, size)));
    }
    let index = index as usize;
    if let Some(definer) = fold.op().defining_operation(source) {
        if definer.is("tensor.generate") {
            let size = definer.operands().get(dynamic_place(shape, index));
            return Ok(size.map_or(Folded::No, |&size| Folded::value(size)));
        }
        if definer.is("tensor.extract_slice")
            && let Some(slice) = Slice::of(definer)?
            && slice.sizes.len() == shape.len()
            && let Some(&Mixed::Value(size)) = slice.sizes.get(index)
        {
            return Ok(Folded::value(size));
        }
    }
    skip_tensor_casts(fold)
}

fn extract(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let ty = fold.type_of(source)?;
    let numbers = fold.constant(0).and_then(|constant| Numbers::of(context, constant));
    if let Some(numbers) = &numbers
        && numbers.is_splat()
    {
        return Ok(Folded::maybe(dense::element(context, numbers, 0)));
    }
    if let Some(put) = put_there(fold, source)? {
        return Ok(Folded::value(put));
    }
    let Some(shape) = context[ty].shape() else { return Ok(Folded::No) };
    let indices: Option<Vec<i64>> = (1..fold.operands().len()).map(|number| index_of(fold, number)).collect();
    let Some(at) = indices.and_then(|indices| place(shape, &indices)) else { return Ok(Folded::No) };
    if let Some(made) = fold.defined_by(source, "tensor.from_elements") {
        let element = usize::try_from(at).ok().and_then(|at| made.operands().get(at));
        return Ok(element.map_or(Folded::No, |&element| Folded::value(element)));
    }
    Ok(Folded::maybe(numbers.and_then(|numbers| dense::element(context, &numbers, at))))
}

/// What was put to the place that is taken, where both are known.
fn put_there(fold: &Fold<'_, '_>, source: Value) -> Result<Option<Value>> {
    let Some(insert) = fold.defined_by(source, "tensor.insert") else { return Ok(None) };
    let &[scalar, _, ref indices @ ..] = insert.operands() else { return Ok(None) };
    let place = fold.operands().get(1..).unwrap_or_default();
    let same = |(&one, &other): (&Value, &Value)| {
        let number = |value| constant_index(fold.op(), value);
        number(one).is_some() && number(one) == number(other)
    };
    let same = indices.len() == place.len() && indices.iter().zip(place).all(same);
    Ok((same && fold.type_of(scalar)? == fold.result_type()?).then_some(scalar))
}

/// Which element stands at these indices. `None` where none does.
fn place(shape: &[i64], indices: &[i64]) -> Option<u64> {
    if shape.len() != indices.len() {
        return None;
    }
    shape.iter().zip(indices).try_fold(0u64, |at, (&size, &index)| {
        let (size, index) = (u64::try_from(size).ok()?, u64::try_from(index).ok()?);
        if index < size { at.checked_mul(size)?.checked_add(index) } else { None }
    })
}

fn extract_slice(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if let Some(constant) = resized(fold, 0)? {
        return Ok(Folded::attribute(constant));
    }
    let context = fold.context();
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    let op = fold.op();
    let Some(slice) = Slice::of(op)? else { return Ok(Folded::No) };
    if fold.type_of(source)? == ty && slice.is_all_of(op, context[ty].shape().unwrap_or_default()) {
        return Ok(Folded::value(source));
    }
    // What was put there.
    if let Some(insert) = fold.defined_by(source, "tensor.insert_slice")
        && let Some(&put) = insert.operands().first()
        && fold.type_of(put)? == ty
        && Slice::of(insert)?.as_ref() == Some(&slice)
    {
        return Ok(Folded::value(put));
    }
    Ok(Folded::No)
}

fn insert(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (Some(scalar), Some(into)) = (fold.constant(0), fold.constant(1)) else { return Ok(Folded::No) };
    let splat = Numbers::of(context, into).filter(Numbers::is_splat);
    let same = splat.and_then(|splat| dense::element(context, &splat, 0)) == Some(scalar);
    Ok(if same { Folded::attribute(into) } else { Folded::No })
}

fn insert_slice(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (source, into) = (fold.operand(0), fold.operand(1));
    let (from, ty) = (fold.type_of(source)?, fold.result_type()?);
    let op = fold.op();
    let Some(slice) = Slice::of(op)? else { return Ok(Folded::No) };
    let shape = context[ty].shape().unwrap_or_default();
    if is_static(context, ty) && from == ty && slice.is_all_of(op, shape) {
        return Ok(Folded::value(source));
    }
    let is_same = |other: OpRef<'_>| Ok::<_, mlirbc_ir::Error>(Slice::of(other)?.as_ref() == Some(&slice));
    // What was put there before is not there any more.
    if let Some(before) = fold.defined_by(into, "tensor.insert_slice")
        && let &[put, first, ..] = before.operands()
        && first != into
        && fold.type_of(put)? == from
        && is_same(before)?
    {
        fold.set_operand(1, first)?;
        return Ok(Folded::InPlace);
    }
    // What was taken out is put back.
    if let Some(taken) = fold.defined_by(source, "tensor.extract_slice")
        && taken.operands().first() == Some(&into)
        && is_same(taken)?
    {
        return Ok(Folded::value(into));
    }
    let nothing = slice.sizes.iter().any(|size| size.is(fold.op(), 0));
    Ok(if nothing && fold.type_of(into)? == ty { Folded::value(into) } else { Folded::No })
}

fn pad(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    let same = is_static(fold.context(), ty) && fold.type_of(source)? == ty && fold.attribute("nofold")?.is_none();
    Ok(if same { Folded::value(source) } else { Folded::No })
}

fn reshaped(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    if let Some(constant) = resized(fold, 0)? {
        return Ok(Folded::attribute(constant));
    }
    let source = fold.operand(0);
    if let Some(&before) = fold.defined_by(source, "tensor.reshape").and_then(|before| before.operands().first())
        && before != source
    {
        fold.set_operand(0, before)?;
        return Ok(Folded::InPlace);
    }
    let ty = fold.result_type()?;
    let Some(shape) = context[ty].shape().filter(|_| matches!(context[ty], TypeData::RankedTensor { .. })) else {
        return Ok(Folded::No);
    };
    if fold.type_of(source)? != ty {
        return Ok(Folded::No);
    }
    if shape.len() == 1 || asks_for_its_own(fold, source, shape)? {
        return Ok(Folded::value(source));
    }
    Ok(Folded::No)
}

/// Whether the shape that is asked for is made of the sizes that the tensor has.
fn asks_for_its_own(fold: &Fold<'_, '_>, source: Value, shape: &[i64]) -> Result<bool> {
    let Some(made) = fold.defined_by(fold.operand(1), "tensor.from_elements") else { return Ok(false) };
    if made.operands().len() != shape.len() {
        return Ok(false);
    }
    for (number, (&size, &of)) in made.operands().iter().zip(shape).enumerate() {
        if let Some(size) = constant_index(fold.op(), size) {
            if size != of {
                return Ok(false);
            }
            continue;
        }
        let Some(dim) = fold.defined_by(size, "tensor.dim") else { return Ok(false) };
        let &[tensor, index] = dim.operands() else { return Ok(false) };
        if tensor != source || constant_index(fold.op(), index) != i64::try_from(number).ok() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn splat(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let ty = fold.result_type()?;
    let number = |constant| number(context, constant, context[ty].element()?);
    Ok(Folded::maybe(fold.constant(0).and_then(number).and_then(|number| dense::splat(context, number, ty))))
}

/// The number of that type that a constant is.
fn number(context: &Context, constant: Attribute, of: Type) -> Option<ApInt> {
    match &context[constant] {
        AttributeData::Integer { ty, value: bits } | AttributeData::Float { ty, bits } if *ty == of => {
            Some(bits.clone())
        }
        _ => None,
    }
}
