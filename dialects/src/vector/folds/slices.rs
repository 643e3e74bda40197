//! `vector.extract_strided_slice`

use mlirbc_ir::{AttributeData, Numbers, Result};
use mlirbc_rewrite::{Fold, Folded};

use super::{linear, numbers_of, shape_or_none};
use crate::common::dense;

/// The attribute `[1, 2]` of integers of 64 bits.
fn array(fold: &Fold<'_, '_>, numbers: &[i64]) -> mlirbc_ir::Attribute {
    let context = fold.context();
    let items = numbers.iter().map(|&number| context.integer(64, number)).collect();
    context.attribute(AttributeData::Array(items))
}

pub(super) fn extract_strided_slice(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let (from, ty) = (fold.type_of(source)?, fold.result_type()?);
    if from == ty {
        return Ok(Folded::value(source));
    }
    let op = fold.op();
    let (Some(offsets), Some(sizes), Some(strides)) =
        (numbers_of(op, "offsets")?, numbers_of(op, "sizes")?, numbers_of(op, "strides")?)
    else {
        return Ok(Folded::No);
    };
    let inserted = of_inserts(fold, &offsets, &sizes, &strides)?;
    if !inserted.is_no() {
        return Ok(inserted);
    }
    let Some(constant) = fold.constant(0) else { return Ok(Folded::No) };
    if strides.iter().any(|&stride| stride != 1) {
        return Ok(Folded::No);
    }
    if let Some(splat) = dense::resized(context, constant, ty) {
        return Ok(Folded::attribute(splat));
    }
    let Some(numbers) = Numbers::of(context, constant).filter(|numbers| numbers.ty == from) else {
        return Ok(Folded::No);
    };
    let (shape, part) = (shape_or_none(context, from), shape_or_none(context, ty));
    let Some(count) = context[ty].element_count() else { return Ok(Folded::No) };
    if part.len() != shape.len() || count > numbers.count || !fold.may_make(count) {
        return Ok(Folded::No);
    }
    let start: Vec<i64> = (0..shape.len()).map(|at| offsets.get(at).copied().unwrap_or(0)).collect();
    let mut at = start.clone();
    let mut values = Vec::new();
    for _ in 0..count {
        let Some(place) = linear(shape, &at) else { return Ok(Folded::No) };
        values.push(numbers.get(place));
        for ((at, &start), &size) in at.iter_mut().zip(&start).zip(part).rev() {
            *at += 1;
            if *at - start < size {
                break;
            }
            *at = start;
        }
    }
    Ok(Folded::maybe(context.numbers(ty, &values).ok()))
}

/// A bound on how far chains are followed: what is not reachable may lead in circles.
const MOST_STEPS: usize = 1 << 12;

/// From what was put into a vector by slices.
fn of_inserts(fold: &mut Fold<'_, '_>, offsets: &[i64], sizes: &[i64], strides: &[i64]) -> Result<Folded> {
    let context = fold.context();
    let rank = shape_or_none(context, fold.type_of(fold.operand(0))?).len();
    let mut from = fold.operand(0);
    for _ in 0..MOST_STEPS {
        let Some(insert) = fold.defined_by(from, "vector.insert_strided_slice") else { break };
        let (Some(put), Some(steps), &[value, into]) =
            (numbers_of(insert, "offsets")?, numbers_of(insert, "strides")?, insert.operands())
        else {
            break;
        };
        let part = shape_or_none(context, fold.type_of(value)?);
        if part.len() != rank || offsets.len() > put.len() {
            break;
        }
        let (mut apart, mut partial, mut inner) = (false, false, Vec::new());
        for (dimension, &offset) in offsets.iter().enumerate() {
            let (Some(&start), Some(&size), Some(&wanted)) =
                (put.get(dimension), part.get(dimension), sizes.get(dimension))
            else {
                return Ok(Folded::No);
            };
            if strides.get(dimension) != steps.get(dimension) {
                return Ok(Folded::No);
            }
            if offset < start || offset - start >= size {
                apart = true;
                break;
            }
            partial |= offset - start > size - wanted;
            inner.push(offset - start);
        }
        if apart {
            from = into;
            continue;
        }
        // Dimensions that are taken whole have to be put whole, too.
        let all = shape_or_none(context, fold.type_of(into)?);
        if partial || part.get(offsets.len()..) != all.get(offsets.len()..) {
            break;
        }
        let inner = array(fold, &inner);
        fold.set_operand(0, value)?;
        fold.set_attribute("offsets", inner)?;
        return Ok(Folded::InPlace);
    }
    Ok(Folded::No)
}
