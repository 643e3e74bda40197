//! The choice between two values.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Numbers, Result, Signedness, TypeData};
use mlirbc_rewrite::{Fold, Folded, is_poison};

use super::super::CmpIPredicate;
use super::super::members::integer_predicate;

pub(super) fn select(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let [condition, yes, no] = [fold.operand(0), fold.operand(1), fold.operand(2)];
    if yes == no {
        return Ok(Folded::value(yes));
    }
    match fold.integer(0) {
        Some(condition) if condition.is_one() => return Ok(Folded::value(yes)),
        Some(condition) if condition.is_zero() => return Ok(Folded::value(no)),
        _ => {}
    }
    let poison = |number| fold.constant(number).is_some_and(|constant| is_poison(fold.context(), constant));
    if poison(1) {
        return Ok(Folded::value(no));
    }
    if poison(2) {
        return Ok(Folded::value(yes));
    }
    if fold.is_integer(1, 1) && fold.is_integer(2, 0) {
        let ty = fold.result_type()?;
        if let TypeData::Integer { width: 1, signedness: Signedness::Signless } = fold.context()[ty] {
            return Ok(Folded::value(condition));
        }
    }
    // a == b ? a : b is b, and a != b ? a : b is a.
    if let Some(comparison) = fold.defined_by(condition, "arith.cmpi")
        && let &[a, b] = comparison.operands()
        && ([a, b] == [yes, no] || [a, b] == [no, yes])
    {
        match integer_predicate(comparison)? {
            Some(CmpIPredicate::Eq) => return Ok(Folded::value(no)),
            Some(CmpIPredicate::Ne) => return Ok(Folded::value(yes)),
            _ => {}
        }
    }
    lanes(fold)
}

/// Lane by lane, where all three are known.
fn lanes(fold: &Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let numbers = |number: usize| Numbers::of(context, fold.constant(number)?);
    let (Some(conditions), Some(yes), Some(no)) = (numbers(0), numbers(1), numbers(2)) else { return Ok(Folded::No) };
    if conditions.is_splat() || conditions.count != yes.count || yes.ty != no.ty {
        return Ok(Folded::No);
    }
    let choose = |at| if conditions.get(at).is_zero() { no.get(at) } else { yes.get(at) };
    let values: Vec<ApInt> = (0..conditions.count).map(choose).collect();
    Ok(Folded::maybe(context.numbers(yes.ty, &values).ok()))
}
