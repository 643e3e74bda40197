//! Of operations that change shapes.

use mlirbc_ir::{DYNAMIC, Result, TypeData};

use super::shaped::{Shaped, are_dimensions, must, shapes_fit, size, sizes_fit, without, wrong};
use crate::stablehlo::{DotDimensionNumbers, GatherDimensionNumbers, ScatterDimensionNumbers};

pub(super) fn elementwise(op: &Shaped<'_>) -> Result<()> {
    let Some(&result) = op.results.first() else { return Ok(()) };
    must(op.operands.iter().all(|&ty| op.fits(ty, result)), "its operands and its result are of different types")
}

/// What a constant holds is of the shape of its result; its elements are others where they stand for something.
pub(super) fn constant(op: &Shaped<'_>) -> Result<()> {
    let held = op.op.attribute("value")?.and_then(|value| op.context[value].ty());
    let (Some(held), Some(&result)) = (held, op.results.first()) else { return Ok(()) };
    must(op.fits(held, result), "its result is of another type than its value")
}

pub(super) fn reverse(op: &Shaped<'_>) -> Result<()> {
    elementwise(op)?;
    let (Some(dimensions), Some(operand)) = (op.numbers("dimensions")?, op.operand(0)) else { return Ok(()) };
    must(are_dimensions(&dimensions, operand.len()), "its `dimensions` are none of its operand, each once")
}

pub(super) fn convert(op: &Shaped<'_>) -> Result<()> {
    must(shapes_fit(op.operand(0), op.result()), "its operand and its result have different shapes")
}

pub(super) fn compare(op: &Shaped<'_>) -> Result<()> {
    if let [left, right] = *op.operands {
        must(op.fits(left, right), "its operands are of different types")?;
    }
    must((0..2).all(|at| shapes_fit(op.operand(at), op.result())), "its result has another shape than its operands")
}

pub(super) fn select(op: &Shaped<'_>) -> Result<()> {
    let (&[_, on_true, on_false], &[result]) = (&*op.operands, &*op.results) else { return Ok(()) };
    must(op.fits(on_true, on_false), "what it chooses from are different types")?;
    must(
        op.fits(on_true, result) && op.fits(on_false, result),
        "its result is of another type than what it chooses from",
    )?;
    let is_scalar = op.operand(0).is_some_and(<[i64]>::is_empty);
    must(
        is_scalar || shapes_fit(op.operand(0), op.operand(1)),
        "it chooses by another shape than that of what it chooses from",
    )
}

pub(super) fn broadcast_in_dim(op: &Shaped<'_>) -> Result<()> {
    let Some(dimensions) = op.numbers("broadcast_dimensions")? else { return Ok(()) };
    let (Some(operand), Some(result)) = (op.operand(0), op.result()) else { return Ok(()) };
    must(
        dimensions.len() == operand.len(),
        "it has another number of `broadcast_dimensions` than its operand has dimensions",
    )?;
    must(
        are_dimensions(&dimensions, result.len()),
        "its `broadcast_dimensions` are no dimensions of the result, each once",
    )?;
    let fits = |(&dimension, &from): (&i64, &i64)| from == 1 || sizes_fit(from, size(result, dimension));
    must(dimensions.iter().zip(operand).all(fits), "a size of its operand is neither 1 nor that of the result")?;
    op.keeps_elements(&[0])
}

pub(super) fn concatenate(op: &Shaped<'_>) -> Result<()> {
    let Some(dimension) = op.number("dimension")? else { return Ok(()) };
    let shapes: Vec<&[i64]> = (0..op.operands.len()).filter_map(|at| op.operand(at)).collect();
    let Some(first) = shapes.first() else { return Ok(()) };
    must(are_dimensions(&[dimension], first.len()), "its `dimension` is none of its operands")?;
    must(shapes.iter().all(|shape| shape.len() == first.len()), "its operands have different numbers of dimensions")?;
    let (at, mut whole) = (dimension as usize, first.to_vec());
    for shape in &shapes[1..] {
        for (other, &size) in shape.iter().enumerate() {
            let sum = &mut whole[other];
            if other == at {
                let known = *sum != DYNAMIC && size != DYNAMIC;
                *sum = if known { sum.saturating_add(size) } else { DYNAMIC };
            } else {
                must(sizes_fit(*sum, size), "its operands have different sizes beside `dimension`")?;
                *sum = if *sum == DYNAMIC { size } else { *sum };
            }
        }
    }
    if shapes.len() < op.operands.len() {
        whole[at] = DYNAMIC;
    }
    op.gives(&whole)?;
    op.keeps_elements(&(0..op.operands.len()).collect::<Vec<_>>())
}

pub(super) fn transpose(op: &Shaped<'_>) -> Result<()> {
    let (Some(permutation), Some(operand)) = (op.numbers("permutation")?, op.operand(0)) else { return Ok(()) };
    let is_one = permutation.len() == operand.len() && are_dimensions(&permutation, operand.len());
    must(is_one, "its `permutation` is none of the dimensions of its operand")?;
    op.gives(&permutation.iter().map(|&dimension| size(operand, dimension)).collect::<Vec<_>>())?;
    op.keeps_elements(&[0])
}

pub(super) fn reshape(op: &Shaped<'_>) -> Result<()> {
    let count = |shape: Option<&[i64]>| {
        let shape = shape.filter(|shape| !shape.contains(&DYNAMIC))?;
        shape.iter().try_fold(1i128, |count, &size| count.checked_mul(size.into()))
    };
    if let (Some(from), Some(to)) = (count(op.operand(0)), count(op.result())) {
        must(from == to, "its result has another number of elements than its operand")?;
    }
    op.keeps_elements(&[0])
}

pub(super) fn iota(op: &Shaped<'_>) -> Result<()> {
    let (Some(dimension), Some(result)) = (op.number("iota_dimension")?, op.result()) else { return Ok(()) };
    must(are_dimensions(&[dimension], result.len()), "its `iota_dimension` is none of the result")
}

pub(super) fn slice(op: &Shaped<'_>) -> Result<()> {
    let numbers = [op.numbers("start_indices")?, op.numbers("limit_indices")?, op.numbers("strides")?];
    let ([Some(starts), Some(limits), Some(strides)], Some(operand)) = (numbers, op.operand(0)) else { return Ok(()) };
    let rank = operand.len();
    let each = [&starts, &limits, &strides].iter().all(|numbers| numbers.len() == rank);
    must(each, "it has other numbers of starts, limits and strides than its operand has dimensions")?;
    let mut sizes = Vec::with_capacity(rank);
    for (((&start, &limit), &stride), &size) in starts.iter().zip(&limits).zip(&strides).zip(operand) {
        must(0 <= start && start <= limit, "a start is negative, or beyond its limit")?;
        must(size == DYNAMIC || limit <= size, "a limit is beyond the size of its operand")?;
        must(stride > 0, "a stride is not positive")?;
        let length = limit - start;
        sizes.push(length / stride + i64::from(length % stride != 0));
    }
    op.gives(&sizes)?;
    op.keeps_elements(&[0])
}

pub(super) fn pad(op: &Shaped<'_>) -> Result<()> {
    let name = ["edge_padding_low", "edge_padding_high", "interior_padding"];
    let numbers = [op.numbers(name[0])?, op.numbers(name[1])?, op.numbers(name[2])?];
    let ([Some(low), Some(high), Some(inner)], Some(operand)) = (numbers, op.operand(0)) else { return Ok(()) };
    let each = [&low, &high, &inner].iter().all(|numbers| numbers.len() == operand.len());
    must(each, "it pads another number of dimensions than its operand has")?;
    let mut sizes = Vec::with_capacity(operand.len());
    for (((&low, &high), &inner), &size) in low.iter().zip(&high).zip(&inner).zip(operand) {
        must(inner >= 0, "an `interior_padding` is negative")?;
        sizes.push(match size {
            DYNAMIC => DYNAMIC,
            size => {
                let padded = i128::from(size) + i128::from((size - 1).max(0)) * i128::from(inner);
                let padded = padded + i128::from(low) + i128::from(high);
                must(padded >= 0, "so much is taken off that a size is negative")?;
                i64::try_from(padded).unwrap_or(DYNAMIC)
            }
        });
    }
    op.gives(&sizes)?;
    op.keeps_elements(&[0, 1])
}

pub(super) fn dynamic_slice(op: &Shaped<'_>) -> Result<()> {
    let (Some(sizes), Some(operand)) = (op.numbers("slice_sizes")?, op.operand(0)) else { return Ok(()) };
    let rank = operand.len();
    must(
        sizes.len() == rank && op.operands.len() == rank + 1,
        "it has another number of starts or sizes than its operand has dimensions",
    )?;
    let fits = |(&taken, &size): (&i64, &i64)| taken >= 0 && (size == DYNAMIC || taken <= size);
    must(sizes.iter().zip(operand).all(fits), "a `slice_sizes` is negative or larger than its operand")?;
    op.gives(&sizes)?;
    op.keeps_elements(&[0])
}

pub(super) fn dynamic_update_slice(op: &Shaped<'_>) -> Result<()> {
    let (&[from, update, ..], &[result]) = (&*op.operands, &*op.results) else { return Ok(()) };
    must(op.fits(from, result), "its operand and its result are of different types")?;
    must(op.elements_fit(from, update), "its update has other elements than its operand")?;
    let (Some(operand), Some(update)) = (op.operand(0), op.operand(1)) else { return Ok(()) };
    let rank = operand.len();
    must(
        update.len() == rank && op.operands.len() == rank + 2,
        "its update or its starts are of another number of dimensions",
    )?;
    let fits = |(&taken, &size): (&i64, &i64)| taken == DYNAMIC || size == DYNAMIC || taken <= size;
    must(update.iter().zip(operand).all(fits), "its update is larger than its operand")
}

pub(super) fn dot_general(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("dot_dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| DotDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    let (left_batch, right_batch) = (of.lhs_batching_dimensions, of.rhs_batching_dimensions);
    let (left_sum, right_sum) = (of.lhs_contracting_dimensions, of.rhs_contracting_dimensions);
    let pairs = left_batch.len() == right_batch.len() && left_sum.len() == right_sum.len();
    must(pairs, "its operands have different numbers of batching or contracting dimensions")?;
    let (Some(left), Some(right)) = (op.operand(0), op.operand(1)) else { return Ok(()) };
    for (batch, sum, shape) in [(&left_batch, &left_sum, left), (&right_batch, &right_sum, right)] {
        let all: Vec<i64> = batch.iter().chain(sum).copied().collect();
        must(
            are_dimensions(&all, shape.len()),
            "its batching and contracting dimensions are no dimensions of an operand, each once",
        )?;
    }
    let fit = |lefts: &[i64], rights: &[i64]| {
        lefts.iter().zip(rights).all(|(&of_left, &of_right)| sizes_fit(size(left, of_left), size(right, of_right)))
    };
    must(fit(&left_batch, &right_batch), "its batching dimensions have different sizes")?;
    must(fit(&left_sum, &right_sum), "its contracting dimensions have different sizes")?;
    let mut whole: Vec<i64> = left_batch.iter().map(|&dimension| size(left, dimension)).collect();
    whole.extend(without(left, &[&left_batch, &left_sum]));
    whole.extend(without(right, &[&right_batch, &right_sum]));
    op.gives(&whole)
}

pub(super) fn gather(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| GatherDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    let Some(sizes) = op.numbers("slice_sizes")? else { return Ok(()) };
    gathers(op, &of, &sizes)
}

/// As [`gather`], of slices whose sizes are an operand: nothing is known of these but how many there are.
pub(super) fn dynamic_gather(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| GatherDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    let Some(&[count]) = op.operand(2) else { return Ok(()) };
    // What text says of the size of an operand is no room to make.
    let Some(operand) = op.operand(0) else { return Ok(()) };
    must(
        sizes_fit(count, operand.len() as i64),
        "it has another number of slice sizes than its operand has dimensions",
    )?;
    gathers(op, &of, &vec![DYNAMIC; operand.len()])
}

fn gathers(op: &Shaped<'_>, of: &GatherDimensionNumbers, sizes: &[i64]) -> Result<()> {
    must(
        [&of.offset_dims, &of.collapsed_slice_dims, &of.operand_batching_dims].iter().all(|all| all.is_sorted()),
        "its dimensions are not in order",
    )?;
    let left_out = [&*of.collapsed_slice_dims, &*of.operand_batching_dims];
    must(
        are_dimensions(&left_out.concat(), sizes.len()),
        "it leaves out dimensions that slices do not have, or one twice",
    )?;
    let kept = without(sizes, &left_out);
    must(kept.len() == of.offset_dims.len(), "it has another number of `offset_dims` than slices have dimensions")?;
    let out_of = without(sizes, &[&kept_dimensions(sizes.len(), &left_out)]);
    must(out_of.iter().all(|&size| size <= 1), "it leaves out a dimension of a slice that is larger than 1")?;
    if let Some(operand) = op.operand(0) {
        must(sizes.len() == operand.len(), "it has another number of `slice_sizes` than its operand has dimensions")?;
        let fits = |(&taken, &size): (&i64, &i64)| taken == DYNAMIC || size == DYNAMIC || (0..=size).contains(&taken);
        must(sizes.iter().zip(operand).all(fits), "a `slice_sizes` is negative or larger than its operand")?;
        must(
            are_dimensions(&of.start_index_map, operand.len()),
            "its `start_index_map` are no dimensions of its operand, each once",
        )?;
    }
    if let Some(indices) = op.operand(1) {
        Batching {
            operand: &of.operand_batching_dims,
            indices: &of.start_indices_batching_dims,
            indexed: &of.start_index_map,
        }
        .check(op.operand(0), indices)?;
        let batches = indexed(indices, of.index_vector_dim, of.start_index_map.len())?;
        if let Some(result) = op.result() {
            must(
                result.len() == kept.len() + batches.len(),
                "its result has another number of dimensions than what it gathers",
            )?;
            must(
                are_dimensions(&of.offset_dims, result.len()),
                "its `offset_dims` are no dimensions of its result, each once",
            )?;
            let slices = of.offset_dims.iter().zip(&kept).all(|(&at, &kept)| sizes_fit(size(result, at), kept));
            let rest = without(result, &[&of.offset_dims]);
            must(
                slices && shapes_fit(Some(&rest), Some(&batches)),
                "its result has another shape than what it gathers",
            )?;
        }
    }
    op.keeps_elements(&[0])
}

/// Dimensions that an operand and its indices have in common.
struct Batching<'d> {
    operand: &'d [i64],
    indices: &'d [i64],
    /// Dimensions of the operand that there are indices of.
    indexed: &'d [i64],
}

impl Batching<'_> {
    fn check(&self, operand: Option<&[i64]>, indices: &[i64]) -> Result<()> {
        must(
            self.operand.len() == self.indices.len(),
            "its operand and its indices have other numbers of batching dimensions",
        )?;
        must(
            are_dimensions(self.indices, indices.len()),
            "its batching dimensions are none of its indices, each once",
        )?;
        must(
            self.operand.iter().all(|dimension| !self.indexed.contains(dimension)),
            "there are indices of a batching dimension",
        )?;
        let Some(operand) = operand else { return Ok(()) };
        let mut pairs = self.operand.iter().zip(self.indices);
        must(
            pairs.all(|(&left, &right)| sizes_fit(size(operand, left), size(indices, right))),
            "its batching dimensions have different sizes",
        )
    }
}

/// The dimensions that are not left out.
pub(super) fn kept_dimensions(rank: usize, left_out: &[&[i64]]) -> Vec<i64> {
    (0..rank as i64).filter(|at| !left_out.iter().any(|out| out.contains(at))).collect()
}

/// The sizes of indices beside the dimension that holds a vector of so many.
pub(super) fn indexed(indices: &[i64], vector: i64, length: usize) -> Result<Vec<i64>> {
    must((0..=indices.len() as i64).contains(&vector), "its `index_vector_dim` is no dimension of its indices")?;
    let found = if vector == indices.len() as i64 { 1 } else { size(indices, vector) };
    must(sizes_fit(found, length as i64), "its indices are of another length than the dimensions that they are of")?;
    Ok(without(indices, &[&[vector]]))
}

pub(super) fn scatter(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("scatter_dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| ScatterDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    // Inputs, indices, and as many updates.
    let inputs = op.operands.len() / 2;
    must(
        op.operands.len() % 2 == 1 && op.results.len() == inputs,
        "it has other numbers of updates or results than inputs",
    )?;
    must(
        [&of.update_window_dims, &of.inserted_window_dims, &of.input_batching_dims].iter().all(|all| all.is_sorted()),
        "its dimensions are not in order",
    )?;
    let Some(indices) = op.operand(inputs) else { return Ok(()) };
    Batching {
        operand: &of.input_batching_dims,
        indices: &of.scatter_indices_batching_dims,
        indexed: &of.scatter_dims_to_operand_dims,
    }
    .check(op.operand(0), indices)?;
    let batches = indexed(indices, of.index_vector_dim, of.scatter_dims_to_operand_dims.len())?;
    for at in 0..inputs {
        let result = op.shape(op.results.get(at));
        must(shapes_fit(op.operand(at), result), "an input and its result have different shapes")?;
        let (Some(input), Some(update)) = (op.operand(at), op.operand(inputs + 1 + at)) else { continue };
        let left_out = [&*of.inserted_window_dims, &*of.input_batching_dims];
        must(
            are_dimensions(&left_out.concat(), input.len()),
            "it leaves out dimensions that an input does not have, or one twice",
        )?;
        let map = &of.scatter_dims_to_operand_dims;
        must(
            are_dimensions(map, input.len()),
            "its `scatter_dims_to_operand_dims` are no dimensions of an input, each once",
        )?;
        let windows = &of.update_window_dims;
        let ranks =
            input.len() == windows.len() + left_out.concat().len() && update.len() == windows.len() + batches.len();
        must(ranks, "an update has another number of dimensions than what it changes")?;
        must(
            are_dimensions(windows, update.len()),
            "its `update_window_dims` are no dimensions of an update, each once",
        )?;
        let room = without(input, &left_out);
        let fits = |(&at, &room): (&i64, &i64)| room == DYNAMIC || size(update, at) <= room;
        must(windows.iter().zip(&room).all(fits), "an update is larger than its input")?;
        let rest = without(update, &[windows]);
        must(shapes_fit(Some(&rest), Some(&batches)), "an update has another shape than its indices")?;
    }
    Ok(())
}

pub(super) fn get_tuple_element(op: &Shaped<'_>) -> Result<()> {
    let (Some(index), Some(&tuple)) = (op.number("index")?, op.operands.first()) else { return Ok(()) };
    let TypeData::Tuple(members) = &op.context[tuple] else { return Ok(()) };
    let member = usize::try_from(index).ok().and_then(|index| members.get(index));
    let Some(&member) = member else { return wrong("its tuple has no member of that `index`") };
    must(
        op.results.first().is_none_or(|&result| op.fits(member, result)),
        "its result is of another type than the member",
    )
}
