//! Vectors in other shapes, of other elements, or in another order.

use mlirbc_ir::number::{ApInt, FloatKind};
use mlirbc_ir::{AttributeData, Context, NumberKind, Numbers, OpRef, Result, Type, TypeData};
use mlirbc_rewrite::{Fold, Folded, is_poison};

use super::{POISON, is_scalable, numbers_of, poisoned, shape_or_none, vector_shape};
use crate::common::dense;

/// Whether elements stand in the same order after a transposition: dimensions of size 1 alone change places.
pub(super) fn keeps_order(transpose: OpRef<'_>) -> Result<bool> {
    let context = transpose.module().context();
    let (Some(&source), Some(permutation)) = (transpose.operands().first(), numbers_of(transpose, "permutation")?)
    else {
        return Ok(false);
    };
    let TypeData::Vector { shape, scalable, .. } = &context[transpose.type_of(source)?] else { return Ok(false) };
    let mut last = 0;
    for place in permutation {
        let Ok(at) = usize::try_from(place) else { return Ok(false) };
        if shape.get(at) == Some(&1) && !scalable.get(at).copied().unwrap_or(false) {
            continue;
        }
        if place < last {
            return Ok(false);
        }
        last = place;
    }
    Ok(true)
}

pub(super) fn transpose(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let ty = fold.result_type()?;
    if let Some(constant) = fold.constant(0) {
        if is_poison(context, constant) {
            return Ok(Folded::attribute(constant));
        }
        if let Some(splat) = dense::resized(context, constant, ty) {
            return Ok(Folded::attribute(splat));
        }
    }
    let source = fold.operand(0);
    let same = fold.type_of(source)? == ty && keeps_order(fold.op())?;
    Ok(if same { Folded::value(source) } else { Folded::No })
}

pub(super) fn shape_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    if fold.type_of(source)? == ty {
        return Ok(Folded::value(source));
    }
    if let Some(definer) = fold.op().defining_operation(source)
        && let Some(&before) = definer.operands().first()
        && before != source
    {
        let skips = match &*definer.name() {
            "vector.shape_cast" => true,
            "vector.transpose" => keeps_order(definer)?,
            "vector.broadcast" if fold.type_of(before)? == ty => return Ok(Folded::value(before)),
            _ => false,
        };
        if skips {
            fold.set_operand(0, before)?;
            return Ok(Folded::InPlace);
        }
        if definer.is("vector.transpose") {
            return Ok(Folded::No);
        }
    }
    if let Some(poison) = poisoned(fold, 0) {
        return Ok(poison);
    }
    Ok(Folded::maybe(fold.constant(0).and_then(|constant| dense::reshaped(context, constant, ty))))
}

/// Whether a vector or a number can be spread over a vector of that type.
pub(super) fn is_broadcastable(context: &Context, from: Type, to: Type) -> bool {
    let TypeData::Vector { shape, scalable, element } = &context[to] else { return false };
    if from == *element {
        return true;
    }
    let TypeData::Vector { shape: of, scalable: scalable_of, element: element_of } = &context[from] else {
        return false;
    };
    let Some(front) = shape.len().checked_sub(of.len()) else { return false };
    let flag = |flags: &[bool], at: usize| flags.get(at).copied().unwrap_or(false);
    element == element_of
        && (0..of.len()).all(|at| {
            let (from, to) = (of[at], shape[front + at]);
            let (from_scales, to_scales) = (flag(scalable_of, at), flag(scalable, front + at));
            let fits = from == 1 || from == to;
            let scales =
                !(from == 1 && from_scales && to != 1) && (from_scales == to_scales || from == 1 && !from_scales);
            fits && scales
        })
}

pub(super) fn broadcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let (from, ty) = (fold.type_of(source)?, fold.result_type()?);
    if from == ty {
        return Ok(Folded::value(source));
    }
    // Dimensions of size 1 in front are as good as none.
    if let Some(&before) = fold.defined_by(source, "vector.shape_cast").and_then(|cast| cast.operands().first())
        && is_broadcastable(context, fold.type_of(before)?, ty)
        && before != source
    {
        let (one, other) = (shape_or_none(context, fold.type_of(before)?), shape_or_none(context, from));
        let end = one.len().min(other.len());
        if one[one.len() - end..] == other[other.len() - end..] {
            fold.set_operand(0, before)?;
            return Ok(Folded::InPlace);
        }
    }
    let Some(constant) = fold.constant(0) else { return Ok(Folded::No) };
    if is_poison(context, constant) {
        return Ok(Folded::attribute(constant));
    }
    let number = match &context[constant] {
        AttributeData::Integer { ty: of, value: bits } | AttributeData::Float { ty: of, bits } => {
            Some(bits.clone()).filter(|_| context[ty].element() == Some(*of))
        }
        AttributeData::DenseElements { .. } => Numbers::of(context, constant).and_then(|of| of.splat().cloned()),
        _ => None,
    };
    Ok(Folded::maybe(number.and_then(|number| dense::splat(context, number, ty))))
}

/// Whether numbers go up one by one from there, so many.
fn counts_from(numbers: &[i64], first: i64, count: i64) -> bool {
    i64::try_from(numbers.len()) == Ok(count) && numbers.iter().zip(first..).all(|(&number, wanted)| number == wanted)
}

pub(super) fn shuffle(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (first, second) = (fold.operand(0), fold.operand(1));
    let Some(mask) = numbers_of(fold.op(), "mask")? else { return Ok(Folded::No) };
    let (one, other) = (fold.type_of(first)?, fold.type_of(second)?);
    if is_scalable(context, one) || is_scalable(context, other) {
        return Ok(Folded::No);
    }
    let (&[size, ..], &[size_of_other, ..]) = (shape_or_none(context, one), shape_or_none(context, other)) else {
        return Ok(Folded::No);
    };
    if counts_from(&mask, 0, size) {
        return Ok(Folded::value(first));
    }
    if counts_from(&mask, size, size_of_other) {
        return Ok(Folded::value(second));
    }
    let (Some(left), Some(right)) = (fold.constant(0), fold.constant(1)) else { return Ok(Folded::No) };
    if is_poison(context, left) && is_poison(context, right) {
        return Ok(Folded::attribute(left));
    }
    if shape_or_none(context, one).len() != 1 {
        return Ok(Folded::No);
    }
    let numbers = |constant| {
        if is_poison(context, constant) { Ok(None) } else { Numbers::of(context, constant).map(Some).ok_or(()) }
    };
    let (Ok(left), Ok(right)) = (numbers(left), numbers(right)) else { return Ok(Folded::No) };
    // A place that nothing good comes from has the first element of the first vector that is none.
    let Some(any) = left.as_ref().or(right.as_ref()).map(|numbers| numbers.get(0)) else { return Ok(Folded::No) };
    let ty = fold.result_type()?;
    if !fold.may_make(mask.len() as u64) {
        return Ok(Folded::No);
    }
    let mut values = Vec::with_capacity(mask.len());
    for place in mask {
        let (of, at) = if place < size { (&left, place) } else { (&right, place - size) };
        values.push(match (place, of) {
            (POISON, _) | (_, None) => any.clone(),
            (_, Some(numbers)) => match u64::try_from(at) {
                Ok(at) if at < numbers.count => numbers.get(at),
                _ => return Ok(Folded::No),
            },
        });
    }
    Ok(Folded::maybe(context.numbers(ty, &values).ok()))
}

pub(super) fn bitcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let (from, ty) = (fold.type_of(source)?, fold.result_type()?);
    if from == ty {
        return Ok(Folded::value(source));
    }
    if let Some(&before) = fold.defined_by(source, "vector.bitcast").and_then(|cast| cast.operands().first())
        && before != source
    {
        if fold.type_of(before)? == ty {
            return Ok(Folded::value(before));
        }
        fold.set_operand(0, before)?;
        return Ok(Folded::InPlace);
    }
    let number = |ty: Type| NumberKind::of(context, context[ty].element()?);
    let (Some(constant), Some(_), Some(to)) = (fold.constant(0), vector_shape(context, from), number(ty)) else {
        return Ok(Folded::No);
    };
    let Some(numbers) = Numbers::of(context, constant) else { return Ok(Folded::No) };
    let Some(splat) = numbers.splat() else { return Ok(Folded::No) };
    let is_wider = match (numbers.number, to) {
        (NumberKind::Float(FloatKind::F16), NumberKind::Float(FloatKind::F32)) => true,
        (NumberKind::Integer { .. }, NumberKind::Integer { .. }) => {
            // The width of an index does not matter here.
            let is_integer =
                |ty: Type| context[ty].element().is_some_and(|of| matches!(context[of], TypeData::Integer { .. }));
            is_integer(from) && is_integer(ty) && to.width() > splat.width() && to.width() % splat.width() == 0
        }
        _ => false,
    };
    if !is_wider || to.width() > ApInt::QUICK_WIDTH {
        return Ok(Folded::No);
    }
    let wide = repeated(splat, to.width());
    Ok(Folded::maybe(dense::splat(context, wide, ty)))
}

/// The bits over and over, up to that width, as MLIR repeats them: all that is there so far is moved up by the width of one.
fn repeated(bits: &ApInt, width: u32) -> ApInt {
    let mut wide = bits.zext(width);
    let step = bits.width();
    for _ in 1..width / step.max(1) {
        wide = wide.shl(step).or(&wide);
    }
    wide
}
