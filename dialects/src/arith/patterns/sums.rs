//! Sums, differences and products of what is one already.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{OpId, Rewriter};
use mlirbc_rewrite::{Match, Outcome};

use super::super::IntegerOverflowFlags;
use super::super::members::{overflow_attribute, overflow_flags, zero};
use super::{Found, check, constant, defined, locate, make, operands, result_type, scalar, type_of};

/// An operation of a constant `d` and another operation, which is of a constant `c` and any value.
struct Nested {
    /// Which operand the inner operation is. The other one is `d`.
    inner_at: usize,
    /// Its name.
    inner: &'static str,
    /// Which of its operands `c` is.
    constant_at: usize,
    /// The constant that is left of `c` and `d`.
    compute: fn(&ApInt, &ApInt) -> ApInt,
    /// The operation that is left.
    outer: &'static str,
    /// Whether its constant is the first operand.
    constant_first: bool,
    /// Whether flags that both had stay.
    keeps_flags: bool,
}

/// (x + c) + d
pub(super) fn add_of_add(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &OF_ADD)
}

/// (x - c) + d
pub(super) fn add_of_sub(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &Nested { compute: |c, d| d.sub(c), outer: "arith.addi", ..OF_SUB })
}

/// (c - x) + d
pub(super) fn add_of_sub_from(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &OF_SUB_FROM)
}

/// (x + c) - d
pub(super) fn sub_of_add(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &Nested { compute: ApInt::sub, keeps_flags: false, ..OF_ADD })
}

/// d - (x + c)
pub(super) fn sub_from_of_add(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let shape = Nested { inner_at: 1, compute: |c, d| d.sub(c), outer: "arith.subi", constant_first: true, ..OF_ADD };
    rewrite(rw, op, &shape)
}

/// (x - c) - d
pub(super) fn sub_of_sub(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &OF_SUB)
}

/// (c - x) - d
pub(super) fn sub_of_sub_from(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &Nested { compute: ApInt::sub, ..OF_SUB_FROM })
}

/// d - (x - c)
pub(super) fn sub_from_of_sub(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &Nested { inner_at: 1, constant_first: true, ..OF_SUB })
}

/// d - (c - x)
pub(super) fn sub_from_of_sub_from(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let shape =
        Nested { inner_at: 1, compute: |c, d| d.sub(c), outer: "arith.addi", constant_first: false, ..OF_SUB_FROM };
    rewrite(rw, op, &shape)
}

/// (x * c) * d
pub(super) fn mul_of_mul(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    rewrite(rw, op, &Nested { inner: "arith.muli", compute: ApInt::mul, outer: "arith.muli", ..OF_ADD })
}

const OF_ADD: Nested = Nested {
    inner_at: 0,
    inner: "arith.addi",
    constant_at: 1,
    compute: ApInt::add,
    outer: "arith.addi",
    constant_first: false,
    keeps_flags: true,
};

const OF_SUB: Nested = Nested { inner: "arith.subi", outer: "arith.subi", ..OF_ADD };

const OF_SUB_FROM: Nested = Nested { constant_at: 0, constant_first: true, ..OF_SUB };

fn rewrite(rw: &mut Rewriter<'_>, op: OpId, shape: &Nested) -> Outcome {
    let outer: [_; 2] = operands(rw, op)?;
    let d = scalar(rw, outer[1 - shape.inner_at])?;
    let (inner, of): (_, [_; 2]) = defined(rw, outer[shape.inner_at], shape.inner)?;
    let c = scalar(rw, of[shape.constant_at])?;
    check(d.width() <= ApInt::QUICK_WIDTH, "it would take long")?;
    let flags = if shape.keeps_flags { common_flags(rw, [op, inner])? } else { IntegerOverflowFlags::NONE };

    locate(rw, &[op, inner])?;
    let ty = result_type(rw, op)?;
    let value = rw.context().numbers(ty, &[(shape.compute)(&c, &d)])?;
    let left = constant(rw, value, ty)?;
    let x = of[1 - shape.constant_at];
    let operands = if shape.constant_first { [left, x] } else { [x, left] };
    let flags = overflow_attribute(rw.context(), flags);
    let by = make(rw, shape.outer, operands, &[("overflowFlags", flags)], ty)?;
    Ok(rw.replace(op, [by])?)
}

fn common_flags(rw: &Rewriter<'_>, ops: [OpId; 2]) -> Found<IntegerOverflowFlags> {
    let [one, other] = ops.map(|op| overflow_flags(rw.op(op)));
    Ok(IntegerOverflowFlags::from_value(one?.value() & other?.value()).unwrap_or(IntegerOverflowFlags::NONE))
}

/// x + y * -1
pub(super) fn add_of_negated(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    add_negated(rw, op, 1)
}

/// x * -1 + y
pub(super) fn add_to_negated(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    add_negated(rw, op, 0)
}

fn add_negated(rw: &mut Rewriter<'_>, op: OpId, negated_at: usize) -> Outcome {
    let outer: [_; 2] = operands(rw, op)?;
    let (inner, [value, factor]) = defined(rw, outer[negated_at], "arith.muli")?;
    check(rw.constant_int(factor).is_some_and(|factor| factor.is_all_ones()), "the factor is not -1")?;

    locate(rw, &[op, inner])?;
    let ty = result_type(rw, op)?;
    let flags = overflow_attribute(rw.context(), IntegerOverflowFlags::NONE);
    let by = make(rw, "arith.subi", [outer[1 - negated_at], value], &[("overflowFlags", flags)], ty)?;
    Ok(rw.replace(op, [by])?)
}

/// (x - y) - x
pub(super) fn sub_of_own_difference(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [difference, taken] = operands(rw, op)?;
    let (inner, [x, y]) = defined(rw, difference, "arith.subi")?;
    check(x == taken, "it takes away something else")?;
    let flags = common_flags(rw, [op, inner])?;
    let ty = type_of(rw, y)?;
    let Some(zero) = zero(rw.context(), ty) else { return rw.no_match("there is no constant of the type") };

    locate(rw, &[op, inner])?;
    let zero = constant(rw, zero, ty)?;
    let flags = overflow_attribute(rw.context(), flags);
    let by = make(rw, "arith.subi", [zero, y], &[("overflowFlags", flags)], ty)?;
    Ok(rw.replace(op, [by])?)
}
