//! How operations of `vector` fold (`VectorOps.cpp` of MLIR).

mod extract;
mod insert;
mod masks;
mod shapes;
mod slices;
mod transfers;

use mlirbc_ir::text::integers;
use mlirbc_ir::{Context, Dialect, Numbers, OpRef, Result, Type, TypeData, Value};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded, is_poison};

use crate::common::mixed::{Mixed, i64_array, mixed, only_numbers};
use crate::common::{constants, dense};
use crate::memref::folds::skip_casts;

/// The number that stands for a place that nothing good can come from.
const POISON: i64 = -1;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .materialize(constants::materialize)
        .fold("bitcast", shapes::bitcast)
        .fold("broadcast", shapes::broadcast)
        .fold("constant_mask", masks::constant_mask)
        .fold("extract", extract::extract)
        .fold("extract_strided_slice", slices::extract_strided_slice)
        .fold("from_elements", from_elements)
        .fold("insert", insert::insert)
        .fold("insert_strided_slice", |fold| {
            let value = fold.operand(0);
            Ok(if fold.type_of(value)? == fold.result_type()? { Folded::value(value) } else { Folded::No })
        })
        .fold("load", |fold| skip_casts(fold, None))
        .fold("mask", masks::mask)
        .fold("maskedload", |fold| skip_casts(fold, None))
        .fold("maskedstore", |fold| skip_casts(fold, None))
        .fold("multi_reduction", multi_reduction)
        .fold("shape_cast", shapes::shape_cast)
        .fold("shuffle", shapes::shuffle)
        .fold("store", |fold| skip_casts(fold, None))
        .fold("to_elements", to_elements)
        .fold("transfer_read", transfers::read)
        .fold("transfer_write", transfers::write)
        .fold("transpose", shapes::transpose)
}

/// The sizes of a vector. `None` where it is none.
fn vector_shape(context: &Context, ty: Type) -> Option<&[i64]> {
    match &context[ty] {
        TypeData::Vector { shape, .. } => Some(shape),
        _ => None,
    }
}

/// The sizes of a vector, none for all else.
fn shape_or_none(context: &Context, ty: Type) -> &[i64] {
    vector_shape(context, ty).unwrap_or_default()
}

fn is_scalable(context: &Context, ty: Type) -> bool {
    matches!(&context[ty], TypeData::Vector { scalable, .. } if scalable.contains(&true))
}

/// Where an operation takes something out of a vector, or puts something in.
fn position(op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
    mixed(op, "static_position", "dynamic_position")
}

/// The same, where all of it is numbers.
fn static_position(op: OpRef<'_>) -> Result<Option<Vec<i64>>> {
    Ok(position(op)?.and_then(|position| only_numbers(&position)))
}

/// Sets where an operation takes something out of a vector, or puts something in, to numbers alone.
fn set_position(fold: &mut Fold<'_, '_>, operands: &[Value], position: &[i64]) -> Result<Folded> {
    let position = i64_array(fold.context(), position);
    fold.set_operands(operands)?;
    fold.set_attribute("static_position", position)?;
    Ok(Folded::InPlace)
}

/// The integers of an attribute.
fn numbers_of(op: OpRef<'_>, name: &str) -> Result<Option<Vec<i64>>> {
    Ok(op.attribute(name)?.and_then(|numbers| integers(op.module().context(), numbers)))
}

/// Which element of a vector stands at a place: what is missing at the end is 0. `None` where the vector has no such element.
fn linear(shape: &[i64], position: &[i64]) -> Option<u64> {
    if position.len() > shape.len() {
        return None;
    }
    let mut at = 0u64;
    for (number, &size) in shape.iter().enumerate() {
        let place = position.get(number).copied().unwrap_or(0);
        if place < 0 || place >= size {
            return None;
        }
        at = at.checked_mul(u64::try_from(size).ok()?)?.checked_add(u64::try_from(place).ok()?)?;
    }
    Some(at)
}

/// Numbers that stand one after the other in a constant, as a constant of that type. `None` where there are not so many.
fn taken(fold: &Fold<'_, '_>, numbers: &Numbers<'_>, start: u64, ty: Type) -> Option<Folded> {
    let context = fold.context();
    let Some(count) = context[ty].element_count() else {
        return dense::element(context, numbers, start).map(Folded::attribute);
    };
    if start.checked_add(count)? > numbers.count || !fold.may_make(count) {
        return None;
    }
    let values: Vec<_> = (start..start + count).map(|at| numbers.get(at)).collect();
    context.numbers(ty, &values).ok().map(Folded::attribute)
}

fn poisoned(fold: &Fold<'_, '_>, number: usize) -> Option<Folded> {
    let constant = fold.constant(number)?;
    is_poison(fold.context(), constant).then(|| Folded::attribute(constant))
}

fn multi_reduction(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let source = fold.operand(0);
    let Some(reduced) = numbers_of(fold.op(), "reduction_dims")? else { return Ok(Folded::No) };
    let rank = shape_or_none(fold.context(), fold.type_of(source)?).len();
    Ok(if rank == 1 && !reduced.contains(&0) { Folded::value(source) } else { Folded::No })
}

fn to_elements(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let Some(made) = fold.defined_by(fold.operand(0), "vector.from_elements") else { return Ok(Folded::No) };
    if made.operands().len() != fold.op().results().len() {
        return Ok(Folded::No);
    }
    let elements = made.operands().iter().map(|&element| mlirbc_rewrite::FoldResult::Value(element));
    Ok(Folded::Results(elements.collect()))
}

fn from_elements(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let ty = fold.result_type()?;
    if let Some(taken) = fold.operands().first().and_then(|&first| fold.defined_by(first, "vector.to_elements"))
        && taken.results().eq(fold.operands().iter().copied())
        && let Some(&source) = taken.operands().first()
        && fold.type_of(source)? == ty
    {
        return Ok(Folded::value(source));
    }
    Ok(Folded::maybe(dense::of_operands(fold, ty)))
}
