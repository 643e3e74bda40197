//! `vector.insert`

use mlirbc_ir::{AttributeData, Numbers, Result};
use mlirbc_rewrite::{Fold, Folded};

use super::extract::constant_indices;
use super::{POISON, is_scalable, linear, position, shape_or_none};
use crate::common::mixed::{Mixed, only_numbers};

/// A constant of more elements is made only for one user.
const MOST_ELEMENTS: u64 = 256;

pub(super) fn insert(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let value = fold.operand(0);
    let ty = fold.result_type()?;
    let Some(at) = position(fold.op())? else { return Ok(Folded::No) };
    if at.is_empty() && fold.type_of(value)? == ty {
        return Ok(Folded::value(value));
    }
    let was_poisoned = at.contains(&Mixed::Number(POISON));
    let (at, in_place) = constant_indices(fold, &at, 2, ty)?;
    // What is put to the same place before is not there any more.
    let into = fold.operand(1);
    if let Some(before) = fold.defined_by(into, "vector.insert")
        && position(before)?.is_some_and(|before| before == at)
        && let Some(&first) = before.operands().get(1)
        && first != into
    {
        fold.set_operand(1, first)?;
        return Ok(Folded::InPlace);
    }
    if was_poisoned {
        return Ok(Folded::maybe(crate::ub::poison_value(context)));
    }
    if at.contains(&Mixed::Number(POISON)) {
        return Ok(in_place);
    }
    Ok(into_constant(fold, &at)?.unwrap_or(in_place))
}

fn into_constant(fold: &Fold<'_, '_>, at: &[Mixed]) -> Result<Option<Folded>> {
    let context = fold.context();
    let ty = fold.result_type()?;
    let (Some(value), Some(into)) = (fold.constant(0), fold.constant(1)) else { return Ok(None) };
    if !matches!(context[into], AttributeData::DenseElements { .. }) || is_scalable(context, ty) {
        return Ok(None);
    }
    let (Some(value), Some(into)) = (Numbers::of(context, value), Numbers::of(context, into)) else { return Ok(None) };
    let Some(start) = only_numbers(at).and_then(|at| linear(shape_or_none(context, ty), &at)) else { return Ok(None) };
    let end = start.saturating_add(value.count);
    if into.ty != ty || value.number != into.number || end > into.count {
        return Ok(None);
    }
    if into.count > MOST_ELEMENTS {
        let result = fold.op().results().next();
        let uses = result.map_or(0, |result| fold.rewriter().body().uses_of(result).take(2).count());
        if uses != 1 {
            return Ok(None);
        }
    }
    if !fold.may_make(into.count) {
        return Ok(None);
    }
    let number = |at: u64| if (start..end).contains(&at) { value.get(at - start) } else { into.get(at) };
    let values: Vec<_> = (0..into.count).map(number).collect();
    Ok(context.numbers(ty, &values).ok().map(Folded::attribute))
}
