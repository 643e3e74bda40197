//! Of operations that compute numbers of numbers: what their shapes and elements are.

use mlirbc_ir::{DYNAMIC, Result, Type, TypeData};

use super::shaped::{Shaped, are_dimensions, must, shapes_fit, size, sizes_fit};
use super::windows::precisions;
use crate::stablehlo::{FftType, Transpose};

/// The type of the parts of complex numbers; of others their own.
fn part_of(op: &Shaped<'_>, element: Type) -> Type {
    match op.context[element] {
        TypeData::Complex(part) => part,
        _ => element,
    }
}

/// The result has the shape of that operand.
fn keeps_shape(op: &Shaped<'_>, operand: usize) -> Result<()> {
    must(shapes_fit(op.operand(operand), op.result()), "its result has another shape than its operand")
}

/// Of `abs`, `real` and `imag`.
pub(super) fn part(op: &Shaped<'_>) -> Result<()> {
    keeps_shape(op, 0)?;
    op.element(0).map_or(Ok(()), |element| op.gives_elements(0, part_of(op, element)))
}

pub(super) fn complex(op: &Shaped<'_>) -> Result<()> {
    if let &[left, right] = &*op.operands {
        must(op.fits(left, right), "its parts are of different types")?;
    }
    keeps_shape(op, 0)?;
    op.element(0).map_or(Ok(()), |element| op.gives_elements(0, op.context.ty(TypeData::Complex(element))))
}

/// The result has the shape of the operand, and elements that its definition says.
pub(super) fn same_shape(op: &Shaped<'_>) -> Result<()> {
    keeps_shape(op, 0)
}

pub(super) fn clamp(op: &Shaped<'_>) -> Result<()> {
    let bound = |at| op.operand(at).is_none_or(|shape| shape.is_empty() || shapes_fit(Some(shape), op.operand(1)));
    must(bound(0) && bound(2), "a bound is neither a scalar nor of the shape of what is between them")?;
    op.keeps_elements(&[0, 2])?;
    op.gives_what_it_is_given(1)
}

pub(super) fn bitcast_convert(op: &Shaped<'_>) -> Result<()> {
    let (Some(from), Some(&result)) = (op.element(0), op.results.first()) else { return Ok(()) };
    let Some(to) = op.context[result].element() else { return Ok(()) };
    if op.is_other(from) || op.is_other(to) {
        return Ok(());
    }
    let is_complex = |ty: Type| matches!(op.context[ty], TypeData::Complex(_));
    must(is_complex(from) == is_complex(to), "one of its types has complex numbers, and the other has none")?;
    let (Some(from_width), Some(to_width)) = (width(op, from), width(op, to)) else { return Ok(()) };
    let (Some(operand), Some(result)) = (op.operand(0), op.result()) else { return Ok(()) };
    let ((narrow, narrow_width), (wide, wide_width)) = match from_width < to_width {
        true => ((operand, from_width), (result, to_width)),
        false => ((result, to_width), (operand, from_width)),
    };
    let outer = match narrow.split_last() {
        // Of types of other numbers of dimensions only those are compared that both have.
        _ if narrow_width == wide_width => narrow,
        Some((&last, outer)) if outer.len() == wide.len() => {
            let bits = i128::from(last) * i128::from(narrow_width);
            must(last == DYNAMIC || bits == i128::from(wide_width), "so many small elements are no larger one")?;
            outer
        }
        _ => return must(false, "small elements have no dimension that makes larger ones of them"),
    };
    must(
        outer.iter().zip(wide).all(|(&left, &right)| sizes_fit(left, right)),
        "its result has another shape than what it computes",
    )
}

/// The bits of a number.
fn width(op: &Shaped<'_>, element: Type) -> Option<u32> {
    match op.context[element] {
        TypeData::Integer { width, .. } => Some(width),
        TypeData::Float(kind) => Some(kind.width()),
        TypeData::Complex(part) => match op.context[part] {
            TypeData::Float(kind) => Some(2 * kind.width()),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn broadcast(op: &Shaped<'_>) -> Result<()> {
    let (Some(mut shape), Some(operand)) = (op.numbers("broadcast_sizes")?, op.operand(0)) else { return Ok(()) };
    must(shape.iter().all(|&size| size >= 0), "a size is negative")?;
    shape.extend(operand);
    op.gives(&shape)?;
    op.keeps_elements(&[0])
}

pub(super) fn dot(op: &Shaped<'_>) -> Result<()> {
    precisions(op)?;
    let (Some(left), Some(right)) = (op.operand(0), op.operand(1)) else { return Ok(()) };
    let shape: Option<Vec<i64>> = match (left, right) {
        (&[summed], &[other]) => sizes_fit(summed, other).then(Vec::new),
        (&[rows, summed], &[other]) => sizes_fit(summed, other).then(|| vec![rows]),
        (&[summed], &[other, columns]) => sizes_fit(summed, other).then(|| vec![columns]),
        (&[rows, summed], &[other, columns]) => sizes_fit(summed, other).then(|| vec![rows, columns]),
        _ => None,
    };
    let Some(shape) = shape else { return must(false, "its operands are no vectors and matrices that fit") };
    op.gives(&shape)
}

pub(super) fn fft(op: &Shaped<'_>) -> Result<()> {
    let kind = op.op.attribute("fft_type")?.and_then(|kind| FftType::of(op.context, kind));
    let (Some(kind), Some(lengths)) = (kind, op.numbers("fft_length")?) else { return Ok(()) };
    let Some((&last, rest)) = lengths.split_last().filter(|_| lengths.len() <= 3) else {
        return must(false, "its `fft_length` has not one, two or three numbers");
    };
    let Some(element) = op.element(0) else { return Ok(()) };
    let part = part_of(op, element);
    let is_complex = part != element;
    let of_result = match kind {
        FftType::Rfft => op.context.ty(TypeData::Complex(element)),
        FftType::Irfft => part,
        _ => element,
    };
    must(is_complex != (kind == FftType::Rfft), "its operand has other elements than its `fft_type` takes")?;
    op.gives_elements(0, of_result)?;
    let Some(operand) = op.operand(0) else { return Ok(()) };
    let Some(outer) = operand.len().checked_sub(lengths.len()) else {
        return must(false, "its `fft_length` has more numbers than its operand has dimensions");
    };
    let (mut shape, inner) = (operand.to_vec(), &operand[outer..]);
    let (Some(in_result), Some((&in_operand, inner))) = (shape.last_mut(), inner.split_last()) else { return Ok(()) };
    let halved = last / 2 + 1;
    let fits = match kind {
        FftType::Rfft => sizes_fit(in_operand, last),
        FftType::Irfft => sizes_fit(in_operand, halved) || last == 0 && in_operand == 0,
        _ => true,
    };
    let is_real = matches!(kind, FftType::Rfft | FftType::Irfft);
    let inner_fits = !is_real || inner.iter().zip(rest).all(|(&size, &length)| sizes_fit(size, length));
    must(fits && inner_fits, "its operand has other sizes than its `fft_length`")?;
    match kind {
        FftType::Rfft if last != 0 => *in_result = halved,
        FftType::Irfft => *in_result = last,
        _ => {}
    }
    op.gives(&shape)
}

pub(super) fn cholesky(op: &Shaped<'_>) -> Result<()> {
    if let Some(shape) = op.operand(0) {
        must(matches!(shape, [.., rows, columns] if sizes_fit(*rows, *columns)), "its operand is no square matrix")?;
    }
    op.gives_what_it_is_given(0)
}

pub(super) fn triangular_solve(op: &Shaped<'_>) -> Result<()> {
    op.gives_what_it_is_given(1)?;
    if let (Some(&a), Some(&b)) = (op.operands.first(), op.operands.get(1)) {
        must(op.elements_fit(a, b), "its operands have different elements")?;
    }
    let transpose = op.op.attribute("transpose_a")?.and_then(|how| Transpose::of(op.context, how));
    must(transpose != Some(Transpose::Invalid), "its `transpose_a` is invalid")?;
    let Some(a) = op.operand(0) else { return Ok(()) };
    let [batches @ .., rows, columns] = a else { return must(false, "its first operand is no square matrix") };
    must(sizes_fit(*rows, *columns), "its first operand is no square matrix")?;
    let Some(b) = op.operand(1) else { return Ok(()) };
    let [other_batches @ .., other_rows, other_columns] = b else {
        return must(false, "its operands have different numbers of dimensions");
    };
    let shared = if op.flag("left_side")? { other_rows } else { other_columns };
    must(
        sizes_fit(*columns, *shared) && shapes_fit(Some(batches), Some(other_batches)),
        "its second operand has another shape than its first takes",
    )
}

/// Of `batch_norm_training`, `batch_norm_inference` and `batch_norm_grad`: so many of the operands are not of one dimension, and there is a
/// result for each feature where there are three.
pub(super) fn batch_norm(op: &Shaped<'_>) -> Result<()> {
    let Some(feature) = op.number("feature_index")? else { return Ok(()) };
    let Some(operand) = op.operand(0) else { return Ok(()) };
    must(are_dimensions(&[feature], operand.len()), "its `feature_index` is no dimension of its operand")?;
    let features = [size(operand, feature)];
    // What is handed back by a gradient is of the shape of the operand.
    let is_gradient = op.results.len() == 3 && op.operands.len() == 5;
    for at in 1..op.operands.len() {
        let expected = if is_gradient && at == 4 { operand } else { &features };
        must(shapes_fit(op.operand(at), Some(expected)), "an operand has another shape than the features")?;
        must(
            shapes_fit(op.operand(at), op.operand(if expected.len() == 1 && at < 4 { 1 } else { at })),
            "operands have different shapes",
        )?;
    }
    op.gives_what_it_is_given(0)?;
    for &result in op.results.iter().skip(1) {
        must(shapes_fit(op.shape(Some(&result)), Some(&features)), "a result has another shape than the features")?;
        must(op.elements_fit(result, op.operands[0]), "a result has other elements than its operand")?;
    }
    Ok(())
}

pub(super) fn reduce_precision(op: &Shaped<'_>) -> Result<()> {
    let exponent = op.number("exponent_bits")?;
    let mantissa = op.number("mantissa_bits")?;
    must(exponent.is_none_or(|bits| bits >= 1), "its `exponent_bits` are not positive")?;
    must(mantissa.is_none_or(|bits| bits >= 0), "its `mantissa_bits` are negative")?;
    op.gives_what_it_is_given(0)
}

pub(super) fn rng_bit_generator(op: &Shaped<'_>) -> Result<()> {
    must(shapes_fit(op.operand(0), op.result()), "its state has another shape than it had")
}

/// The result has no dimensions.
pub(super) fn gives_a_scalar(op: &Shaped<'_>) -> Result<()> {
    op.gives(&[])
}
