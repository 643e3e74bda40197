//! Operations on integers that were extended alike, and comparisons that are negated.

use mlirbc_ir::{OpId, Rewriter};
use mlirbc_rewrite::{Match, Outcome};

use super::super::CmpIPredicate;
use super::super::members::integer_predicate;
use super::{check, defined, locate, make, operands, result_type, scalar, type_of};

/// Bits of two zero-extended integers.
pub(super) fn of_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    bits(rw, op, "arith.extui")
}

/// Bits of two sign-extended integers.
pub(super) fn of_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    bits(rw, op, "arith.extsi")
}

fn bits(rw: &mut Rewriter<'_>, op: OpId, extension: &str) -> Outcome {
    let [left, right] = operands(rw, op)?;
    let (one, [x]) = defined(rw, left, extension)?;
    let (other, [y]) = defined(rw, right, extension)?;
    let narrow = type_of(rw, x)?;
    check(narrow == type_of(rw, y)?, "they were of different types")?;

    locate(rw, &[op, one, other])?;
    let ty = result_type(rw, op)?;
    let name = rw.body().name(op);
    let inner = rw.build_named(name).operands([x, y]).result_type(narrow).create()?;
    let inner = rw.result(inner, 0)?;
    let by = make(rw, extension, [inner], &[], ty)?;
    Ok(rw.replace(op, [by])?)
}

/// Whether two sign-extended integers are equal.
pub(super) fn comparison_of_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    comparison(rw, op, "arith.extsi")
}

/// Whether two zero-extended integers are equal.
pub(super) fn comparison_of_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    comparison(rw, op, "arith.extui")
}

fn comparison(rw: &mut Rewriter<'_>, op: OpId, extension: &str) -> Outcome {
    let [left, right] = operands(rw, op)?;
    let (one, [x]) = defined(rw, left, extension)?;
    let (other, [y]) = defined(rw, right, extension)?;
    check(type_of(rw, x)? == type_of(rw, y)?, "they were of different types")?;
    let predicate = integer_predicate(rw.op(op))?.filter(|it| matches!(it, CmpIPredicate::Eq | CmpIPredicate::Ne));
    let Some(predicate) = predicate else { return rw.no_match("it depends on the order") };

    locate(rw, &[op, one, other])?;
    let ty = result_type(rw, op)?;
    let predicate = rw.context().integer(64, predicate.value());
    let by = make(rw, "arith.cmpi", [x, y], &[("predicate", predicate)], ty)?;
    Ok(rw.replace(op, [by])?)
}

/// The complement of a comparison is that of the opposite predicate.
pub(super) fn not_of_comparison(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [comparison, ones] = operands(rw, op)?;
    let (comparison, [a, b]) = defined(rw, comparison, "arith.cmpi")?;
    let one = scalar(rw, ones)?;
    check(one.width() == 1 && one.is_one(), "it is no complement of a bit")?;
    let Some(predicate) = integer_predicate(rw.op(comparison))? else { return rw.no_match("there is no predicate") };

    locate(rw, &[op, comparison])?;
    let ty = result_type(rw, op)?;
    let predicate = rw.context().integer(64, predicate.inverted().value());
    let by = make(rw, "arith.cmpi", [a, b], &[("predicate", predicate)], ty)?;
    Ok(rw.replace(op, [by])?)
}
