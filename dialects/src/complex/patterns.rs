//! Canonicalisation patterns of `complex` (`ComplexOps.cpp` of MLIR).

use mlirbc_ir::{Dialect, OpId, Parameter, Rewriter, TypeData, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("bitcast", AnyPattern::new("MergeComplexBitcast", merge_bitcasts))
        .canonicalize("re", AnyPattern::new("FoldComponentNeg", |rw, op| negate_part(rw, op, 0)))
        .canonicalize("im", AnyPattern::new("FoldComponentNeg", |rw, op| negate_part(rw, op, 1)))
}

/// A cast of a cast is one: of `arith` where no complex number is left.
fn merge_bitcasts(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &[middle] = rw.body().operands(op) else { return rw.no_match("it has one operand") };
    let input = |name: &str| Some(*rw.defined_by(middle, name).ok()?.operands().first()?);
    let (input, of_complex) = match (input("complex.bitcast"), input("arith.bitcast")) {
        (Some(input), _) => (input, true),
        (_, Some(input)) => (input, false),
        _ => return rw.no_match("it casts what is no cast"),
    };
    let result = rw.result(op, 0)?;
    if input == result {
        return rw.no_match("it casts itself");
    }
    let (from, to) = (rw.body().ty(input), rw.body().ty(result));
    let mut is_complex = !of_complex;
    for ty in [from, to] {
        let ty = rw.module().ty(ty)?;
        is_complex |= matches!(rw.context()[ty], TypeData::Complex(_));
    }
    let name = if is_complex { "complex.bitcast" } else { "arith.bitcast" };
    let cast = rw.build(name).operands([input]).result_type(to).create()?;
    Ok(rw.replace_with(op, cast)?)
}

/// A cast of `arith` of a cast of a complex number is one of the number. It belongs to `arith.bitcast`.
pub(crate) fn merge_cast_of_number(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &[middle] = rw.body().operands(op) else { return rw.no_match("it has one operand") };
    let &[number] = rw.defined_by(middle, "complex.bitcast")?.operands() else {
        return rw.no_match("it has one operand");
    };
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let cast = rw.build("complex.bitcast").operands([number]).result_type(ty).create()?;
    Ok(rw.replace_with(op, cast)?)
}

/// A part of what is made of two and negated is that part, negated.
fn negate_part(rw: &mut Rewriter<'_>, op: OpId, part: usize) -> Outcome {
    let operand = |of: &[Value]| of.first().copied();
    let Some(negated) = operand(rw.body().operands(op)) else { return rw.no_match("it has no operand") };
    let Some(made) = operand(rw.defined_by(negated, "complex.neg")?.operands()) else {
        return rw.no_match("it has no operand");
    };
    let Some(&value) = rw.defined_by(made, "complex.create")?.operands().get(part) else {
        return rw.no_match("it has no such part");
    };
    let ty = rw.body().ty(value);
    let none = rw.context().dialect_attribute("arith", "fastmath", [Parameter::Unsigned(0)]);
    let negated = rw.build("arith.negf").operands([value]).attribute("fastmath", none).result_type(ty).create()?;
    Ok(rw.replace_with(op, negated)?)
}
