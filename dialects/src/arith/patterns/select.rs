//! Choices that are simpler than they look.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{OpId, Rewriter, Signedness, TypeData, Value};
use mlirbc_rewrite::Outcome;

use super::{Found, check, constant, defined, locate, make, operands, result_type, scalar, type_of};

/// What is chosen if the condition does not hold is chosen by the same condition.
pub(super) fn same_condition_false(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [condition, yes, no] = operands(rw, op)?;
    let (inner, [same, _, no]) = defined(rw, no, "arith.select")?;
    check(same == condition, "the conditions differ")?;
    choose(rw, &[op, inner], [condition, yes, no])
}

/// What is chosen if the condition holds is chosen by the same condition.
pub(super) fn same_condition_true(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [condition, yes, no] = operands(rw, op)?;
    let (inner, [same, yes, _]) = defined(rw, yes, "arith.select")?;
    check(same == condition, "the conditions differ")?;
    choose(rw, &[op, inner], [condition, yes, no])
}

/// The condition is the complement of another one.
pub(super) fn of_complement(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [condition, yes, no] = operands(rw, op)?;
    let (inner, [condition, ones]) = defined(rw, condition, "arith.xori")?;
    check(scalar(rw, ones)?.is_all_ones(), "the condition is no complement")?;
    choose(rw, &[op, inner], [condition, no, yes])
}

/// In the place of the first of `ops`.
fn choose(rw: &mut Rewriter<'_>, ops: &[OpId], operands: [Value; 3]) -> Outcome {
    locate(rw, ops)?;
    let ty = result_type(rw, ops[0])?;
    let by = make(rw, "arith.select", operands, &[], ty)?;
    Ok(rw.replace(ops[0], [by])?)
}

/// The choice of false if the condition holds, and of true if not.
pub(super) fn to_complement(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [condition, yes, no] = operands(rw, op)?;
    let is_bit = |value: &ApInt| value.width() == 1;
    check(scalar(rw, yes).is_ok_and(|yes| is_bit(&yes) && yes.is_zero()), "it does not choose false")?;
    check(scalar(rw, no).is_ok_and(|no| is_bit(&no) && no.is_one()), "it does not choose true")?;

    locate(rw, &[op])?;
    let by = complement(rw, condition)?;
    Ok(rw.replace(op, [by])?)
}

/// The choice of 1 and 0 is the condition in another width, or its complement.
pub(super) fn to_extension(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [condition, yes, no] = operands(rw, op)?;
    let ty = result_type(rw, op)?;
    let is_wide = matches!(
        rw.context()[ty],
        TypeData::Integer { width, signedness } if width != 1 || signedness != Signedness::Signless
    );
    check(is_wide, "it is of no integer, or of a bit")?;
    let (yes, no) = (scalar(rw, yes)?, scalar(rw, no)?);
    let as_it_is = yes.is_one() && no.is_zero();
    check(as_it_is || yes.is_zero() && no.is_one(), "it chooses other numbers")?;

    locate(rw, &[op])?;
    let bit = if as_it_is { condition } else { complement(rw, condition)? };
    let by = make(rw, "arith.extui", [bit], &[], ty)?;
    Ok(rw.replace(op, [by])?)
}

fn complement(rw: &mut Rewriter<'_>, bit: Value) -> Found<Value> {
    let ty = type_of(rw, bit)?;
    let one = rw.context().numbers(ty, &[ApInt::one(1)])?;
    let one = constant(rw, one, ty)?;
    Ok(make(rw, "arith.xori", [bit, one], &[], ty)?)
}
