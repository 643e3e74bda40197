//! Arithmetic with results of two words: a struct of the low one and of the high one, or of the carry.
//!
//! No constant is a struct: constants give one that is put together.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, Dialect, Error, NumberKind, Numbers, OpId, Result, Rewriter, Type, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

use super::super::folds::splat;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("IAddCarry", AnyPattern::new("IAddCarryFold", add_carry))
        .canonicalize("SMulExtended", AnyPattern::new("SMulExtendedOpFold", multiply_signed))
        .canonicalize("UMulExtended", AnyPattern::new("UMulExtendedOpFold", multiply_unsigned))
        .canonicalize("UMulExtended", AnyPattern::new("UMulExtendedOpXOne", multiply_by_one))
}

/// Of zero: what is added, and no carry.
fn add_carry(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [left, right] = operands(rw, op)?;
    if is(rw, right, 0) {
        return construct(rw, op, [left, right]);
    }
    put_together(rw, op, |a, b| {
        let (sum, carry) = a.add_unsigned(b);
        let carry = ApInt::from_u64(sum.width(), u64::from(carry));
        (sum, carry)
    })
}

fn multiply_signed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    multiply(rw, op, ApInt::mul_high_signed)
}

fn multiply_unsigned(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    multiply(rw, op, ApInt::mul_high_unsigned)
}

/// By zero: zero.
fn multiply(rw: &mut Rewriter<'_>, op: OpId, high: fn(&ApInt, &ApInt) -> ApInt) -> Outcome {
    let [left, right] = operands(rw, op)?;
    if is(rw, right, 0) {
        let zero = zero_like(rw, left)?;
        return construct(rw, op, [zero, zero]);
    }
    put_together(rw, op, |a, b| (a.mul(b), high(a, b)))
}

/// By one: what is multiplied, and a zero.
fn multiply_by_one(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [left, right] = operands(rw, op)?;
    if !is(rw, right, 1) {
        return rw.no_match("it is not multiplied by one");
    }
    let zero = zero_like(rw, left)?;
    construct(rw, op, [left, zero])
}

fn operands(rw: &Rewriter<'_>, op: OpId) -> Result<[Value; 2]> {
    let operands = <[Value; 2]>::try_from(rw.body().operands(op));
    operands.map_err(|_| Error::misuse("the operation has not two operands"))
}

fn is(rw: &Rewriter<'_>, value: Value, number: u64) -> bool {
    rw.constant_int(value).is_some_and(|constant| constant.to_u64() == Some(number))
}

/// A constant of that value.
fn constant(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Value> {
    let constant = rw.build("spirv.Constant").attribute("value", value).result_type(ty).create()?;
    rw.result(constant, 0)
}

/// Zero, of the type of that value.
fn zero_like(rw: &mut Rewriter<'_>, value: Value) -> Result<Value> {
    let ty = rw.module().ty(rw.body().ty(value))?;
    let zero = splat(rw.context(), ty, 0).ok_or_else(|| Error::misuse("a type of integers has a zero"))?;
    constant(rw, zero, ty)
}

/// The struct of these two, instead of the operation.
fn construct(rw: &mut Rewriter<'_>, op: OpId, members: [Value; 2]) -> Outcome {
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let made = rw.build("spirv.CompositeConstruct").operands(members).result_type(ty).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// The struct of what `compute` makes of each number of two constants, instead of the operation.
fn put_together(rw: &mut Rewriter<'_>, op: OpId, compute: impl Fn(&ApInt, &ApInt) -> (ApInt, ApInt)) -> Outcome {
    let context = rw.context();
    let integers = |value| {
        let numbers = Numbers::of(context, rw.constant(value)?)?;
        matches!(numbers.number, NumberKind::Integer { .. }).then_some(numbers)
    };
    let [left, right] = operands(rw, op)?.map(integers);
    let (Some(left), Some(right)) = (left, right) else { return rw.no_match("an operand is no constant") };
    if left.ty != right.ty {
        return rw.no_match("the constants are of two types");
    }
    let count = if left.is_splat() && right.is_splat() { left.count.min(1) } else { left.count };
    let (low, high): (Vec<_>, Vec<_>) = (0..count).map(|at| compute(&left.get(at), &right.get(at))).unzip();
    let ty = left.ty;
    let (low, high) = (context.numbers(ty, &low)?, context.numbers(ty, &high)?);
    let (low, high) = (constant(rw, low, ty)?, constant(rw, high, ty)?);
    let result = rw.result(op, 0)?;
    let of = rw.module().ty(rw.body().ty(result))?;
    let mut made = rw.build("spirv.Undef").result_type(of).create()?;
    for (place, member) in [(0, low), (1, high)] {
        let into = rw.result(made, 0)?;
        let place = context.attribute(mlirbc_ir::AttributeData::Array([context.integer(32, place)].into()));
        let insert = rw.build("spirv.CompositeInsert").operands([member, into]).attribute("indices", place);
        made = insert.result_type(of).create()?;
    }
    Ok(rw.replace_with(op, made)?)
}
