//! Comparisons.

use std::cmp::Ordering;

use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_ir::{Attribute, AttributeData, Context, Result, Type, TypeData};
use mlirbc_rewrite::{Fold, Folded};

use super::super::CmpIPredicate;
use super::super::members::{element, float_predicate, integer_predicate, width};
use super::{boolean, poison, same, single};

pub(super) fn cmpi(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let is_same = same(fold);
    let known = (fold.constant(0).is_some(), fold.constant(1).is_some());
    if !is_same && known == (false, false) {
        return Ok(Folded::No);
    }
    let Some(predicate) = integer_predicate(fold.op())? else { return Ok(Folded::No) };
    if is_same {
        return boolean(fold, predicate.holds(Ordering::Equal, Ordering::Equal));
    }
    match fold.integer(1) {
        // Of i1 and what was one, `!= 0` is the value itself, and so is `== 1`.
        Some(of) if of.is_zero() && predicate == CmpIPredicate::Ne => {
            let context = fold.context();
            if let Some(value) = single(fold, "arith.extsi").or_else(|| single(fold, "arith.extui"))
                && is_scalar_or_vector_of_bits(context, fold.type_of(value)?)
            {
                return Ok(Folded::value(value));
            }
            if is_bits(context, fold.type_of(fold.operand(0))?) {
                return Ok(Folded::value(fold.operand(0)));
            }
        }
        Some(of)
            if of.is_one()
                && predicate == CmpIPredicate::Eq
                && is_bits(fold.context(), fold.type_of(fold.operand(0))?) =>
        {
            return Ok(Folded::value(fold.operand(0)));
        }
        _ => {}
    }
    match known {
        (true, false) => {
            let swapped = fold.context().integer(64, predicate.swapped().value());
            let [left, right] = [fold.operand(0), fold.operand(1)];
            fold.set_attribute("predicate", swapped)?;
            fold.set_operands(&[right, left])?;
            Ok(Folded::InPlace)
        }
        _ if poison(fold) => Ok(Folded::No),
        _ => fold.integers(|[a, b]| {
            let holds = predicate.holds(a.cmp_signed(b), a.cmp_unsigned(b));
            Some(ApInt::from_u64(1, u64::from(holds)))
        }),
    }
}

/// Scalars alone fold. One NaN is enough to know.
pub(super) fn cmpf(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let scalar = |number: usize| scalar(context, fold.constant(number)?);
    let (left, right) = match (scalar(0), scalar(1)) {
        (Some(left), Some(right)) => (left, right),
        (Some(nan), None) | (None, Some(nan)) if nan.is_nan() => (nan, nan),
        _ => return Ok(Folded::No),
    };
    match float_predicate(fold.op())? {
        Some(predicate) => boolean(fold, predicate.holds(left.compare(right))),
        None => Ok(Folded::No),
    }
}

fn scalar(context: &Context, constant: Attribute) -> Option<ApFloat> {
    match context[constant] {
        AttributeData::Float { .. } => context.float_of(constant),
        _ => None,
    }
}

/// Whether the numbers of the type are of one bit.
fn is_bits(context: &Context, ty: Type) -> bool {
    width(context, ty) == Some(1) && matches!(context[element(context, ty)], TypeData::Integer { .. })
}

fn is_scalar_or_vector_of_bits(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::Integer { .. } | TypeData::Vector { .. }) && is_bits(context, ty)
}
