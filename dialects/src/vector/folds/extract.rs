//! `vector.extract`

use mlirbc_ir::{Context, Numbers, OpRef, Result, Type, Value};
use mlirbc_rewrite::{Fold, Folded};

use super::{
    POISON, is_scalable, linear, numbers_of, poisoned, position, set_position, shape_or_none, static_position, taken,
    vector_shape,
};
use crate::common::dense;
use crate::common::mixed::{Mixed, apart, only_numbers};

pub(super) fn extract(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let (from, ty) = (fold.type_of(source)?, fold.result_type()?);
    let Some(at) = position(fold.op())? else { return Ok(Folded::No) };
    if at.is_empty() && from == ty {
        return Ok(Folded::value(source));
    }
    if let Some(poison) = poisoned(fold, 0) {
        return Ok(poison);
    }
    let was_poisoned = at.contains(&Mixed::Number(POISON));
    let (at, in_place) = constant_indices(fold, &at, 1, from)?;
    if was_poisoned {
        return Ok(Folded::maybe(crate::ub::poison_value(context)));
    }
    if at.contains(&Mixed::Number(POISON)) {
        return Ok(in_place);
    }
    if let Some(folded) = of_constant(fold, &at, from, ty) {
        return Ok(folded);
    }
    let folds: [fn(&mut Fold<'_, '_>) -> Result<Folded>; 7] =
        [of_extract, of_inserts, of_broadcast, of_shuffle, of_shape_cast, of_slice, of_inserted_slices];
    for of in folds {
        let folded = of(fold)?;
        if !folded.is_no() {
            return Ok(folded);
        }
    }
    match of_elements(fold, ty)? {
        Some(element) => Ok(Folded::value(element)),
        None => Ok(in_place),
    }
}

/// Places that are constants become numbers, where a vector of that type has them. What the operation says of its place then, and
/// whether it was changed. It has `others` operands before those that are places.
pub(super) fn constant_indices(
    fold: &mut Fold<'_, '_>,
    at: &[Mixed],
    others: usize,
    vector: Type,
) -> Result<(Vec<Mixed>, Folded)> {
    let context = fold.context();
    let shape = shape_or_none(context, vector);
    let mut number = others;
    let mut new = at.to_vec();
    for (place, &size) in new.iter_mut().zip(shape) {
        if let Mixed::Value(_) = place {
            if let Some(value) = crate::memref::folds::index_of(fold, number)
                && (POISON..size).contains(&value)
            {
                *place = Mixed::Number(value);
            }
            number += 1;
        }
    }
    if new == at {
        return Ok((new, Folded::No));
    }
    let (numbers, values) = apart(context, &new);
    let operands: Vec<Value> = fold.operands().iter().take(others).copied().chain(values).collect();
    fold.set_operands(&operands)?;
    fold.set_attribute("static_position", numbers)?;
    Ok((new, Folded::InPlace))
}

fn of_constant(fold: &Fold<'_, '_>, at: &[Mixed], from: Type, ty: Type) -> Option<Folded> {
    let context = fold.context();
    let numbers = Numbers::of(context, fold.constant(0)?)?;
    if numbers.ty != from {
        return None;
    }
    if let Some(number) = numbers.splat() {
        let folded = match vector_shape(context, ty) {
            Some(_) => dense::splat(context, number.clone(), ty),
            None => dense::element(context, &numbers, 0),
        };
        return folded.map(Folded::attribute);
    }
    if is_scalable(context, from) {
        return None;
    }
    taken(fold, &numbers, linear(shape_or_none(context, from), &only_numbers(at)?)?, ty)
}

/// From something taken out of a vector, out of several.
fn of_extract(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let Some(mut at) = static_position(fold.op())? else { return Ok(Folded::No) };
    let source = fold.operand(0);
    let mut from = source;
    while let Some(inner) = fold.defined_by(from, "vector.extract") {
        let (Some(mut before), Some(&next)) = (static_position(inner)?, inner.operands().first()) else {
            return Ok(Folded::No);
        };
        if next == source || before.len() + at.len() > MOST_DIMENSIONS {
            return Ok(Folded::No);
        }
        before.append(&mut at);
        at = before;
        from = next;
    }
    if from == source { Ok(Folded::No) } else { set_position(fold, &[from], &at) }
}

/// A bound on dimensions: what is not reachable may lead in circles.
const MOST_DIMENSIONS: usize = 1 << 10;

/// A bound on how far chains are followed, for the same reason.
const MOST_STEPS: usize = 1 << 12;

/// From what was put into a vector, which may be turned around before and after.
fn of_inserts(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let Some(at) = static_position(fold.op())? else { return Ok(Folded::No) };
    let context = fold.context();
    let source = fold.operand(0);
    let rank = shape_or_none(context, fold.type_of(source)?).len();
    let Some(left) = rank.checked_sub(at.len()) else { return Ok(Folded::No) };
    // What is left of the vector, by numbers that no place has.
    let rest: Vec<i64> = (1..=left as i64).map(|number| -number).collect();
    let mut taken = at.len();
    let mut at: Vec<i64> = at.into_iter().chain(rest.iter().copied()).collect();
    let mut from = source;
    let straight = |at: &[i64], taken: usize| at.get(taken..) == Some(&rest[..]);
    let instead = 'found: {
        for _ in 0..MOST_STEPS {
            let Some(definer) = fold.op().defining_operation(from) else { break };
            if definer.is("vector.transpose") {
                let (Some(turn), Some(&next)) = (numbers_of(definer, "permutation")?, definer.operands().first())
                else {
                    return Ok(Folded::No);
                };
                let Some(turned) = untransposed(&turn, &at) else { return Ok(Folded::No) };
                (at, from) = (turned, next);
                continue;
            }
            if !definer.is("vector.insert") {
                break;
            }
            let (Some(put), &[value, into]) = (static_position(definer)?, definer.operands()) else {
                return Ok(Folded::No);
            };
            if at.get(..taken) == Some(&put[..]) && straight(&at, taken) {
                return Ok(Folded::value(value));
            }
            if at.starts_with(&put) {
                at.drain(..put.len());
                let Some(now) = at.len().checked_sub(rest.len()) else { return Ok(Folded::No) };
                taken = now;
                break 'found value;
            }
            if put.starts_with(&at) || put.iter().zip(&at).all(|(&put, &at)| put < 0 || at < 0 || put == at) {
                return Ok(Folded::No);
            }
            from = into;
        }
        from
    };
    if instead == source || !straight(&at, taken) || vector_shape(context, fold.type_of(instead)?).is_none() {
        return Ok(Folded::No);
    }
    at.truncate(taken);
    set_position(fold, &[instead], &at)
}

/// A place in what is turned around, as one in what it was before.
fn untransposed(permutation: &[i64], at: &[i64]) -> Option<Vec<i64>> {
    if permutation.len() != at.len() {
        return None;
    }
    let mut before = vec![None; at.len()];
    for (&place, &at) in permutation.iter().zip(at) {
        *before.get_mut(usize::try_from(place).ok()?)? = Some(at);
    }
    before.into_iter().collect()
}

/// What is spread over several dimensions, in front of those that it has.
fn spread<'f>(fold: &'f Fold<'_, '_>, context: &Context) -> Result<Option<OpRef<'f>>> {
    let source = fold.operand(0);
    if let Some(broadcast) = fold.defined_by(source, "vector.broadcast") {
        return Ok(Some(broadcast));
    }
    let Some(cast) = fold.defined_by(source, "vector.shape_cast") else { return Ok(None) };
    let Some(&before) = cast.operands().first() else { return Ok(None) };
    let (from, to) = (fold.type_of(before)?, fold.type_of(source)?);
    Ok(shape_or_none(context, to).ends_with(shape_or_none(context, from)).then_some(cast))
}

fn of_broadcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(input) = spread(fold, context)?.and_then(|spread| spread.operands().first().copied()) else {
        return Ok(Folded::No);
    };
    let (from, ty) = (fold.type_of(input)?, fold.result_type()?);
    if from == ty {
        return Ok(Folded::value(input));
    }
    let (shape, result) = (shape_or_none(context, from), shape_or_none(context, ty));
    let rank = shape_or_none(context, fold.type_of(fold.operand(0))?).len();
    if result.len() > shape.len() || !shape.ends_with(result) || vector_shape(context, from).is_none() {
        return Ok(Folded::No);
    }
    let (Some(at), Some(front)) = (position(fold.op())?, rank.checked_sub(shape.len())) else { return Ok(Folded::No) };
    let mut new = Vec::new();
    for (number, &size) in shape.iter().take(shape.len() - result.len()).enumerate() {
        match at.get(number + front) {
            _ if size == 1 => new.push(Mixed::Number(0)),
            Some(&place) => new.push(place),
            None => return Ok(Folded::No),
        }
    }
    let (numbers, values) = apart(context, &new);
    let operands: Vec<Value> = std::iter::once(input).chain(values).collect();
    fold.set_operands(&operands)?;
    fold.set_attribute("static_position", numbers)?;
    Ok(Folded::InPlace)
}

fn of_shuffle(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (Some(at), Some(shuffle)) = (static_position(fold.op())?, fold.defined_by(fold.operand(0), "vector.shuffle"))
    else {
        return Ok(Folded::No);
    };
    let (Some(mask), &[first, second], &[at]) = (numbers_of(shuffle, "mask")?, shuffle.operands(), &at[..]) else {
        return Ok(Folded::No);
    };
    let rank = shape_or_none(context, fold.type_of(fold.operand(0))?).len();
    let &[size] = shape_or_none(context, fold.type_of(first)?) else { return Ok(Folded::No) };
    let Some(&place) = usize::try_from(at).ok().and_then(|at| mask.get(at)).filter(|_| rank == 1) else {
        return Ok(Folded::No);
    };
    match place {
        POISON => Ok(Folded::No),
        place if place < size => set_position(fold, &[first], &[place]),
        place => set_position(fold, &[second], &[place - size]),
    }
}

fn of_shape_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (Some(at), Some(cast)) = (static_position(fold.op())?, fold.defined_by(fold.operand(0), "vector.shape_cast"))
    else {
        return Ok(Folded::No);
    };
    let Some(&before) = cast.operands().first() else { return Ok(Folded::No) };
    let (from, between) = (fold.type_of(before)?, fold.type_of(fold.operand(0))?);
    if is_scalable(context, from) || is_scalable(context, between) {
        return Ok(Folded::No);
    }
    let (shape, result) = (shape_or_none(context, from), shape_or_none(context, fold.result_type()?));
    if !shape.ends_with(result) {
        return Ok(Folded::No);
    }
    let between = shape_or_none(context, between);
    let Some(front) = between.len().checked_sub(result.len()).and_then(|count| between.get(..count)) else {
        return Ok(Folded::No);
    };
    let (Some(mut place), true) = (linear(front, &at), front.len() == at.len()) else { return Ok(Folded::No) };
    let mut new = Vec::new();
    for &size in shape[..shape.len() - result.len()].iter().rev() {
        let Some(size) = u64::try_from(size).ok().filter(|&size| size > 0) else { return Ok(Folded::No) };
        new.push((place % size) as i64);
        place /= size;
    }
    if place != 0 {
        return Ok(Folded::No);
    }
    new.reverse();
    set_position(fold, &[before], &new)
}

fn of_slice(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let (Some(mut at), Some(slice)) =
        (static_position(fold.op())?, fold.defined_by(fold.operand(0), "vector.extract_strided_slice"))
    else {
        return Ok(Folded::No);
    };
    let (Some(mut offsets), Some(strides), Some(&source)) =
        (numbers_of(slice, "offsets")?, numbers_of(slice, "strides")?, slice.operands().first())
    else {
        return Ok(Folded::No);
    };
    let shape = shape_or_none(context, fold.type_of(source)?);
    let part = shape_or_none(context, fold.type_of(fold.operand(0))?);
    if strides.iter().any(|&stride| stride != 1) || shape.is_empty() {
        return Ok(Folded::No);
    }
    while let Some(&0) = offsets.last()
        && let last = offsets.len() - 1
        && part.get(last) == shape.get(last)
    {
        offsets.pop();
    }
    let left = shape_or_none(context, fold.result_type()?).len();
    if left + offsets.len() > shape.len() || offsets.len() > at.len() {
        return Ok(Folded::No);
    }
    for (at, offset) in at.iter_mut().zip(offsets) {
        *at = at.saturating_add(offset);
    }
    set_position(fold, &[source], &at)
}

/// From what was put into a vector by slices.
fn of_inserted_slices(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(at) = static_position(fold.op())? else { return Ok(Folded::No) };
    let result = shape_or_none(context, fold.result_type()?);
    let mut from = fold.operand(0);
    for _ in 0..MOST_STEPS {
        let Some(insert) = fold.defined_by(from, "vector.insert_strided_slice") else { break };
        let (Some(offsets), Some(strides), &[value, into]) =
            (numbers_of(insert, "offsets")?, numbers_of(insert, "strides")?, insert.operands())
        else {
            break;
        };
        let (part, all) = (shape_or_none(context, fold.type_of(value)?), shape_or_none(context, fold.type_of(into)?));
        let Some(front) = all.len().checked_sub(part.len()) else { break };
        if part.is_empty() || result.len() > part.len() || strides.iter().any(|&stride| stride != 1) {
            break;
        }
        let mut inner = Vec::new();
        let mut apart = false;
        for (dimension, &place) in at.iter().enumerate() {
            let Some(&start) = offsets.get(dimension) else { return Ok(Folded::No) };
            let size = match dimension.checked_sub(front) {
                None => 1,
                Some(number) => match part.get(number) {
                    Some(&size) => size,
                    None => return Ok(Folded::No),
                },
            };
            if place < start || place - start >= size {
                apart = true;
                break;
            }
            if dimension >= front {
                inner.push(place - start);
            }
        }
        if apart {
            from = into;
            continue;
        }
        // Only a part of what is taken was put there, if anything is left out.
        if !part.ends_with(result) || !all.ends_with(&part[part.len() - result.len()..]) {
            break;
        }
        if inner.len() + result.len() != part.len() {
            break;
        }
        return set_position(fold, &[value], &inner);
    }
    Ok(Folded::No)
}

/// The element of that place, where a vector is made of elements.
fn of_elements(fold: &Fold<'_, '_>, ty: Type) -> Result<Option<Value>> {
    let context = fold.context();
    let source = fold.operand(0);
    let from = fold.type_of(source)?;
    let (Some(at), Some(made)) = (static_position(fold.op())?, fold.defined_by(source, "vector.from_elements")) else {
        return Ok(None);
    };
    let shape = shape_or_none(context, from);
    if is_scalable(context, from) || context[from].element() != Some(ty) || at.len() != shape.len() {
        return Ok(None);
    }
    let element = linear(shape, &at).and_then(|at| made.operands().get(usize::try_from(at).ok()?));
    Ok(element.copied())
}
