//! What operations have to hold beside their definitions, which libStablehlo checks in code: how shapes fit, dimensions that there
//! are, and what regions take and give.
//!
//! What a type does not say (a rank, a size, what a quantised number stands for) is taken to be right.

use mlirbc_ir::text::integers;
use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Context, DYNAMIC, Dialect, Error, LooksAt, OpRef, RegionId, Result, Type, TypeData, Value};

use super::{DotDimensionNumbers, GatherDimensionNumbers, ScatterDimensionNumbers};

/// Operations whose operands and results are all of one type, but for sizes that one says and another does not.
const ELEMENTWISE: &str = "add and atan2 cbrt ceil cosine count_leading_zeros divide exponential exponential_minus_one floor log \
     log_plus_one logistic maximum minimum multiply negate not or popcnt power remainder round_nearest_afz \
     round_nearest_even rsqrt shift_left shift_right_arithmetic shift_right_logical sign sine sqrt subtract \
     tan tanh xor";

type Check = fn(&Shaped<'_>) -> Result<()>;

/// Attaches the checks to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    macro_rules! checks {
        ($dialect:expr, $($name:literal => $check:path,)*) => {
            $dialect$(.verify_op_by($name, LooksAt::TypesAndAttributes, |checker, op| run(checker, op, $check)))*
        };
    }
    let dialect = ELEMENTWISE.split(' ').fold(dialect, |dialect, name| {
        dialect.verify_op_by(name, LooksAt::TypesAndAttributes, |checker, op| run(checker, op, elementwise))
    });
    checks! { dialect,
        "broadcast_in_dim" => broadcast_in_dim,
        "compare" => compare,
        "concatenate" => concatenate,
        "constant" => constant,
        "convert" => convert,
        "dot_general" => dot_general,
        "dynamic_slice" => dynamic_slice,
        "dynamic_update_slice" => dynamic_update_slice,
        "gather" => gather,
        "get_tuple_element" => get_tuple_element,
        "iota" => iota,
        "pad" => pad,
        "reshape" => reshape,
        "reverse" => reverse,
        "scatter" => scatter,
        "select" => select,
        "slice" => slice,
        "transpose" => transpose,
    }
    .verify_op("case", branches)
    .verify_op("if", branches)
    .verify_op("reduce", reduce)
    .verify_op("while", r#while)
}

fn run(_: &Checker<'_>, op: OpRef<'_>, check: Check) -> Result<()> {
    check(&Shaped::of(op)?)
}

fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::verification(message))
}

/// Fails with that message where something does not hold.
fn must(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { wrong(message) }
}

/// An operation with the types of its operands and results.
struct Shaped<'m> {
    op: OpRef<'m>,
    context: &'m Context,
    operands: Vec<Type>,
    results: Vec<Type>,
}

impl<'m> Shaped<'m> {
    fn of(op: OpRef<'m>) -> Result<Self> {
        let types = |values: &mut dyn Iterator<Item = _>| values.map(|value| op.type_of(value)).collect::<Result<_>>();
        Ok(Shaped {
            op,
            context: op.module().context(),
            operands: types(&mut op.operands().iter().copied())?,
            results: types(&mut op.results())?,
        })
    }

    /// The shape of a type, where it says one.
    fn shape(&self, ty: Option<&Type>) -> Option<&'m [i64]> {
        match &self.context[*ty?] {
            TypeData::RankedTensor { shape, .. } => Some(shape),
            _ => None,
        }
    }

    fn operand(&self, number: usize) -> Option<&'m [i64]> {
        self.shape(self.operands.get(number))
    }

    fn result(&self) -> Option<&'m [i64]> {
        self.shape(self.results.first())
    }

    /// Numbers that the operation has under that name.
    fn numbers(&self, name: &str) -> Result<Option<Vec<i64>>> {
        let attribute = self.op.attribute(name)?;
        Ok(attribute.and_then(|attribute| integers(self.context, attribute)))
    }

    /// One number.
    fn number(&self, name: &str) -> Result<Option<i64>> {
        let attribute = self.op.attribute(name)?;
        Ok(attribute.and_then(|attribute| self.context.integer_of(attribute)?.to_i64()))
    }

    /// Whether types are the same, but for sizes that one says and the other does not.
    fn fits(&self, left: Type, right: Type) -> bool {
        left == right || self.elements_fit(left, right) && shapes_fit(self.shape(Some(&left)), self.shape(Some(&right)))
    }

    /// Whether two tensors have elements of one type. What is quantised stands for what is not.
    fn elements_fit(&self, left: Type, right: Type) -> bool {
        match (self.context[left].element(), self.context[right].element()) {
            (Some(left), Some(right)) => {
                let is_other = |ty: Type| matches!(self.context[ty], TypeData::Dialect(_) | TypeData::Text { .. });
                left == right || is_other(left) || is_other(right)
            }
            (None, None) => self.others_fit(left, right),
            _ => false,
        }
    }

    /// The same of what is no tensor.
    fn others_fit(&self, left: Type, right: Type) -> bool {
        match (&self.context[left], &self.context[right]) {
            (TypeData::Tuple(left), TypeData::Tuple(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| self.fits(left, right))
            }
            _ => left == right,
        }
    }

    /// The result has that shape.
    fn gives(&self, shape: &[i64]) -> Result<()> {
        must(shapes_fit(self.result(), Some(shape)), "its result has another shape than what it computes")
    }

    /// Those operands and the result have elements of one type.
    fn keeps_elements(&self, operands: &[usize]) -> Result<()> {
        let Some(&result) = self.results.first() else { return Ok(()) };
        let mut all = operands.iter().filter_map(|&at| self.operands.get(at));
        must(all.all(|&ty| self.elements_fit(ty, result)), "its result has other elements than what it is given")
    }
}

/// Whether two sizes may be the same.
fn sizes_fit(left: i64, right: i64) -> bool {
    left == right || left == DYNAMIC || right == DYNAMIC
}

fn shapes_fit(left: Option<&[i64]>, right: Option<&[i64]>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return true };
    left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| sizes_fit(left, right))
}

/// Whether all are dimensions of so many, none of them twice.
fn are_dimensions(dimensions: &[i64], rank: usize) -> bool {
    let mut seen = vec![false; rank];
    let first = |&dimension: &i64| {
        let place = usize::try_from(dimension).ok().and_then(|at| seen.get_mut(at));
        place.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    dimensions.iter().all(first)
}

/// The sizes of the dimensions that are not among these.
fn without(shape: &[i64], dimensions: &[&[i64]]) -> Vec<i64> {
    let is_named = |at: usize| dimensions.iter().any(|dimensions| dimensions.contains(&(at as i64)));
    shape.iter().enumerate().filter(|&(at, _)| !is_named(at)).map(|(_, &size)| size).collect()
}

/// The size of a dimension that there is.
fn size(shape: &[i64], dimension: i64) -> i64 {
    usize::try_from(dimension).ok().and_then(|at| shape.get(at)).copied().unwrap_or(DYNAMIC)
}

fn elementwise(op: &Shaped<'_>) -> Result<()> {
    let Some(&result) = op.results.first() else { return Ok(()) };
    must(op.operands.iter().all(|&ty| op.fits(ty, result)), "its operands and its result are of different types")
}

/// What a constant holds is of the shape of its result; its elements are others where they stand for something.
fn constant(op: &Shaped<'_>) -> Result<()> {
    let held = op.op.attribute("value")?.and_then(|value| op.context[value].ty());
    let (Some(held), Some(&result)) = (held, op.results.first()) else { return Ok(()) };
    must(op.fits(held, result), "its result is of another type than its value")
}

fn reverse(op: &Shaped<'_>) -> Result<()> {
    elementwise(op)?;
    let (Some(dimensions), Some(operand)) = (op.numbers("dimensions")?, op.operand(0)) else { return Ok(()) };
    must(are_dimensions(&dimensions, operand.len()), "its `dimensions` are none of its operand, each once")
}

fn convert(op: &Shaped<'_>) -> Result<()> {
    must(shapes_fit(op.operand(0), op.result()), "its operand and its result have different shapes")
}

fn compare(op: &Shaped<'_>) -> Result<()> {
    if let [left, right] = *op.operands {
        must(op.fits(left, right), "its operands are of different types")?;
    }
    must((0..2).all(|at| shapes_fit(op.operand(at), op.result())), "its result has another shape than its operands")
}

fn select(op: &Shaped<'_>) -> Result<()> {
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

fn broadcast_in_dim(op: &Shaped<'_>) -> Result<()> {
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

fn concatenate(op: &Shaped<'_>) -> Result<()> {
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

fn transpose(op: &Shaped<'_>) -> Result<()> {
    let (Some(permutation), Some(operand)) = (op.numbers("permutation")?, op.operand(0)) else { return Ok(()) };
    let is_one = permutation.len() == operand.len() && are_dimensions(&permutation, operand.len());
    must(is_one, "its `permutation` is none of the dimensions of its operand")?;
    op.gives(&permutation.iter().map(|&dimension| size(operand, dimension)).collect::<Vec<_>>())?;
    op.keeps_elements(&[0])
}

fn reshape(op: &Shaped<'_>) -> Result<()> {
    let count = |shape: Option<&[i64]>| {
        let shape = shape.filter(|shape| !shape.contains(&DYNAMIC))?;
        shape.iter().try_fold(1i128, |count, &size| count.checked_mul(size.into()))
    };
    if let (Some(from), Some(to)) = (count(op.operand(0)), count(op.result())) {
        must(from == to, "its result has another number of elements than its operand")?;
    }
    op.keeps_elements(&[0])
}

fn iota(op: &Shaped<'_>) -> Result<()> {
    let (Some(dimension), Some(result)) = (op.number("iota_dimension")?, op.result()) else { return Ok(()) };
    must(are_dimensions(&[dimension], result.len()), "its `iota_dimension` is none of the result")
}

fn slice(op: &Shaped<'_>) -> Result<()> {
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

fn pad(op: &Shaped<'_>) -> Result<()> {
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

fn dynamic_slice(op: &Shaped<'_>) -> Result<()> {
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

fn dynamic_update_slice(op: &Shaped<'_>) -> Result<()> {
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

fn dot_general(op: &Shaped<'_>) -> Result<()> {
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

fn gather(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| GatherDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    let Some(sizes) = op.numbers("slice_sizes")? else { return Ok(()) };
    let left_out = [&*of.collapsed_slice_dims, &*of.operand_batching_dims];
    must(
        are_dimensions(&left_out.concat(), sizes.len()),
        "it leaves out dimensions that slices do not have, or one twice",
    )?;
    let kept = without(&sizes, &left_out);
    must(kept.len() == of.offset_dims.len(), "it has another number of `offset_dims` than slices have dimensions")?;
    let out_of = without(&sizes, &[&kept_dimensions(sizes.len(), &left_out)]);
    must(out_of.iter().all(|&size| size <= 1), "it leaves out a dimension of a slice that is larger than 1")?;
    if let Some(operand) = op.operand(0) {
        must(sizes.len() == operand.len(), "it has another number of `slice_sizes` than its operand has dimensions")?;
        let fits = |(&taken, &size): (&i64, &i64)| taken >= 0 && (size == DYNAMIC || taken <= size);
        must(sizes.iter().zip(operand).all(fits), "a `slice_sizes` is negative or larger than its operand")?;
        must(
            are_dimensions(&of.start_index_map, operand.len()),
            "its `start_index_map` are no dimensions of its operand, each once",
        )?;
    }
    if let Some(indices) = op.operand(1) {
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

/// The dimensions that are not left out.
fn kept_dimensions(rank: usize, left_out: &[&[i64]]) -> Vec<i64> {
    (0..rank as i64).filter(|at| !left_out.iter().any(|out| out.contains(at))).collect()
}

/// The sizes of indices beside the dimension that holds a vector of so many.
fn indexed(indices: &[i64], vector: i64, length: usize) -> Result<Vec<i64>> {
    must((0..=indices.len() as i64).contains(&vector), "its `index_vector_dim` is no dimension of its indices")?;
    let found = if vector == indices.len() as i64 { 1 } else { size(indices, vector) };
    must(sizes_fit(found, length as i64), "its indices are of another length than the dimensions that they are of")?;
    Ok(without(indices, &[&[vector]]))
}

fn scatter(op: &Shaped<'_>) -> Result<()> {
    let numbers = op.op.attribute("scatter_dimension_numbers")?;
    let Some(of) = numbers.and_then(|numbers| ScatterDimensionNumbers::of(op.context, numbers)) else { return Ok(()) };
    // Inputs, indices, and as many updates.
    let inputs = op.operands.len() / 2;
    must(
        op.operands.len() % 2 == 1 && op.results.len() == inputs,
        "it has other numbers of updates or results than inputs",
    )?;
    let Some(indices) = op.operand(inputs) else { return Ok(()) };
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

fn get_tuple_element(op: &Shaped<'_>) -> Result<()> {
    let (Some(index), Some(&tuple)) = (op.number("index")?, op.operands.first()) else { return Ok(()) };
    let TypeData::Tuple(members) = &op.context[tuple] else { return Ok(()) };
    let member = usize::try_from(index).ok().and_then(|index| members.get(index));
    let Some(&member) = member else { return wrong("its tuple has no member of that `index`") };
    must(
        op.results.first().is_none_or(|&result| op.fits(member, result)),
        "its result is of another type than the member",
    )
}

/// The first block of a region.
struct First {
    /// The types of its arguments.
    arguments: Vec<Type>,
    /// The types of what its last operation is given, where there is one.
    given: Option<Vec<Type>>,
}

/// The first block of a region, where there is one.
fn first_block(op: OpRef<'_>, region: RegionId) -> Result<Option<First>> {
    let (_, body, _) = op.region_tree()?;
    let Some(block) = body.first_block(region) else { return Ok(None) };
    let types = |values: &[Value]| values.iter().map(|&value| op.module().ty(body.ty(value))).collect::<Result<_>>();
    let given = body.last_operation(block).map(|last| types(body.operands(last))).transpose()?;
    Ok(Some(First { arguments: types(body.arguments(block))?, given }))
}

fn all_fit(op: &Shaped<'_>, left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| op.fits(left, right))
}

/// Of `if` and `case`.
fn branches(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    must(shapes_fit(shaped.operand(0), Some(&[])), "what it decides by is no scalar")?;
    for region in op.region_tree()?.2 {
        let Some(First { arguments, given }) = first_block(op, region)? else { continue };
        must(arguments.is_empty(), "a branch has arguments")?;
        must(
            given.is_none_or(|given| all_fit(&shaped, &given, &shaped.results)),
            "a branch gives other types than the results",
        )?;
    }
    Ok(())
}

fn reduce(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let inputs = shaped.operands.len() / 2;
    must(shaped.operands.len() % 2 == 0, "it has another number of inputs than of initial values")?;
    must(shaped.results.len() == inputs, "it has another number of results than of inputs")?;
    let Some(dimensions) = shaped.numbers("dimensions")? else { return Ok(()) };
    for at in 0..inputs {
        must(shapes_fit(shaped.operand(at), shaped.operand(0)), "its inputs have different shapes")?;
        let Some(shape) = shaped.operand(at) else { continue };
        must(are_dimensions(&dimensions, shape.len()), "its `dimensions` are none of its inputs, each once")?;
        let kept = without(shape, &[&dimensions]);
        must(
            shapes_fit(shaped.shape(shaped.results.get(at)), Some(&kept)),
            "its result has another shape than what it computes",
        )?;
    }
    let body = op.region_tree()?.2.first().map(|&region| first_block(op, region));
    let Some(First { arguments, given }) = body.transpose()?.flatten() else { return Ok(()) };
    must(arguments.len() == 2 * inputs, "its region has another number of arguments than two for each input")?;
    must(
        given.is_none_or(|given| given.len() == inputs),
        "its region gives another number of values than there are inputs",
    )
}

fn r#while(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    must(all_fit(&shaped, &shaped.operands, &shaped.results), "its operands and its results are of different types")?;
    for (at, &region) in op.region_tree()?.2.iter().enumerate() {
        let Some(First { arguments, given }) = first_block(op, region)? else { continue };
        must(all_fit(&shaped, &arguments, &shaped.operands), "a region has other arguments than the operands")?;
        let Some(given) = given else { continue };
        match at {
            0 => must(
                given.len() == 1 && shapes_fit(shaped.shape(given.first()), Some(&[])),
                "its condition gives no scalar",
            )?,
            _ => must(all_fit(&shaped, &given, &shaped.operands), "its body gives other types than the operands")?,
        }
    }
    Ok(())
}
