//! Of operations whose shapes are operands.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{DYNAMIC, OpRef, Result, TypeData};

use super::shaped::{Shaped, are_dimensions, must, shapes_fit, size, sizes_fit};
use crate::stablehlo::RngDistribution;

/// The result is of the shape that the operand of that number holds, where a constant says it.
fn gives_shape_of(op: &Shaped<'_>, operand: usize) -> Result<()> {
    let Some(shape) = op.held(operand)? else { return Ok(()) };
    must(shapes_fit(Some(&shape), op.result()), "its result has another shape than it is told")
}

/// The result has as many dimensions as the operand of that number has elements.
fn gives_rank_of(op: &Shaped<'_>, operand: usize) -> Result<()> {
    let (Some(&[count]), Some(result)) = (op.operand(operand), op.result()) else { return Ok(()) };
    must(sizes_fit(count, result.len() as i64), "its result has another number of dimensions than it is told")
}

/// How many elements a shape has, where it says that.
fn elements(shape: Option<&[i64]>) -> Option<i128> {
    let shape = shape.filter(|shape| !shape.contains(&DYNAMIC))?;
    shape.iter().try_fold(1i128, |count, &size| count.checked_mul(size.into()))
}

pub(super) fn dynamic_reshape(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    gives_rank_of(op, 1)?;
    gives_shape_of(op, 1)?;
    let told = op.held(1)?;
    if let (Some(from), Some(to)) = (elements(op.operand(0)), elements(told.as_deref().or(op.result()))) {
        must(from == to, "its result has another number of elements than its operand")?;
    }
    op.keeps_elements(&[0])
}

pub(super) fn dynamic_iota(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    gives_shape_of(op, 0)?;
    let (Some(dimension), Some(result)) = (op.number("iota_dimension")?, op.result()) else { return Ok(()) };
    must(are_dimensions(&[dimension], result.len()), "its `iota_dimension` is none of the result")
}

pub(super) fn dynamic_broadcast_in_dim(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    let Some(dimensions) = op.numbers("broadcast_dimensions")? else { return Ok(()) };
    let (Some(operand), Some(result)) = (op.operand(0), op.result()) else { return Ok(()) };
    must(
        dimensions.len() == operand.len() && operand.len() <= result.len(),
        "it has another number of `broadcast_dimensions` than its operand has dimensions",
    )?;
    let is_one = |&dimension: &i64| are_dimensions(&[dimension], result.len());
    must(dimensions.iter().all(is_one), "its `broadcast_dimensions` are no dimensions of the result")?;
    let fits = |(&dimension, &from): (&i64, &i64)| from == 1 || sizes_fit(from, size(result, dimension));
    must(dimensions.iter().zip(operand).all(fits), "a size of its operand is neither 1 nor that of the result")?;
    let known = [op.numbers("known_expanding_dimensions")?, op.numbers("known_nonexpanding_dimensions")?];
    let known: Vec<i64> = known.into_iter().flatten().flatten().collect();
    must(
        are_dimensions(&known, operand.len()),
        "what is known of dimensions is of none of its operand, or of one twice",
    )?;
    gives_shape_of(op, 1)?;
    op.keeps_elements(&[0])
}

/// Operands have a number for each dimension of the first.
fn number_each(op: &Shaped<'_>, operands: std::ops::Range<usize>) -> Result<()> {
    let Some(operand) = op.operand(0) else { return Ok(()) };
    for at in operands {
        let count = match op.operand(at) {
            Some(&[count]) => count,
            _ => continue,
        };
        must(count == operand.len() as i64 || count == DYNAMIC, "an operand has not a number for each dimension")?;
    }
    Ok(())
}

pub(super) fn dynamic_pad(op: &Shaped<'_>) -> Result<()> {
    must(shapes_fit(op.operand(1), Some(&[])), "what it pads with is no scalar")?;
    number_each(op, 2..5)?;
    let (Some(operand), Some(result)) = (op.operand(0), op.result()) else { return Ok(()) };
    must(operand.len() == result.len(), "its result has another number of dimensions than its operand")?;
    op.keeps_elements(&[0, 1])
}

pub(super) fn real_dynamic_slice(op: &Shaped<'_>) -> Result<()> {
    number_each(op, 1..4)?;
    op.keeps_elements(&[0])
}

pub(super) fn get_dimension_size(op: &Shaped<'_>) -> Result<()> {
    op.gives(&[])?;
    names_a_dimension(op)
}

fn names_a_dimension(op: &Shaped<'_>) -> Result<()> {
    let (Some(dimension), Some(operand)) = (op.number("dimension")?, op.operand(0)) else { return Ok(()) };
    must(are_dimensions(&[dimension], operand.len()), "its `dimension` is none of its operand")
}

pub(super) fn set_dimension_size(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    names_a_dimension(op)?;
    must(shapes_fit(op.operand(1), Some(&[])), "a size is no scalar")?;
    let (Some(dimension), Some(operand)) = (op.number("dimension")?, op.operand(0)) else { return Ok(()) };
    let mut shape = operand.to_vec();
    let most = std::mem::replace(&mut shape[dimension as usize], DYNAMIC);
    if op.held(1)?.as_deref() == Some(&[most]) {
        shape[dimension as usize] = most;
    }
    op.gives(&shape)?;
    let found = op.result().map_or(DYNAMIC, |result| size(result, dimension));
    must(most == DYNAMIC || found == DYNAMIC || found <= most, "its result is larger than its operand")?;
    op.keeps_elements(&[0])
}

pub(super) fn rng(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let op = &Shaped::of(op)?;
    let distribution = op.op.attribute("rng_distribution")?;
    let distribution = distribution.and_then(|distribution| RngDistribution::of(op.context, distribution));
    if distribution == Some(RngDistribution::Normal) {
        let is_float = |at| op.element(at).is_none_or(|ty| matches!(op.context[ty], TypeData::Float(_)));
        must(is_float(0) && is_float(1), "a normal distribution is of floating-point numbers")?;
    }
    gives_rank_of(op, 2)?;
    gives_shape_of(op, 2)?;
    op.keeps_elements(&[0, 1])
}
