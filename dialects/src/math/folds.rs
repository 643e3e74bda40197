//! How operations of `math` fold (`MathOps.cpp` of MLIR).
//!
//! What has one right result folds for all floats: to the nearest integer, the sign, questions about the kind of number. Other
//! functions fold for `f32` and `f64` alone. They give what the mathematical library of this machine gives, as they do in MLIR. Those
//! that Rust's own library computes in another way fold where the result is exact, and stay otherwise: `acosh`, `asinh`, `atanh`,
//! `erf` and `erfc`.

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_ir::{Dialect, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use crate::common::constants;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = integers(dialect.materialize(constants::materialize));
    functions(exact(dialect))
}

fn integers(dialect: Dialect) -> Dialect {
    dialect
        .fold("absi", |fold| fold.integers(|[a]| Some(a.abs())))
        .fold("ctlz", |fold| counts(fold, ApInt::leading_zeros))
        .fold("cttz", |fold| counts(fold, ApInt::trailing_zeros))
        .fold("ctpop", |fold| counts(fold, ApInt::count_ones))
        .fold("ipowi", |fold| fold.integers(|[a, b]| a.pow(b)))
}

/// How many bits `count` finds, in as many bits.
fn counts(fold: &Fold<'_, '_>, count: fn(&ApInt) -> u32) -> Result<Folded> {
    fold.integers(|[a]| Some(ApInt::from_u64(a.width(), u64::from(count(a)))))
}

/// What has one right result for floats of all kinds.
fn exact(dialect: Dialect) -> Dialect {
    dialect
        .fold("absf", |fold| fold.floats(|[a]| Some(a.abs())))
        .fold("copysign", |fold| fold.floats(|[a, b]| Some(a.copy_sign(b))))
        .fold("ceil", |fold| fold.floats(|[a]| Some(a.round_to_integer(RoundingMode::Upward))))
        .fold("floor", |fold| fold.floats(|[a]| Some(a.round_to_integer(RoundingMode::Downward))))
        .fold("roundeven", |fold| fold.floats(|[a]| Some(a.round_to_integer(RoundingMode::ToNearestEven))))
        .fold("isfinite", |fold| asks(fold, ApFloat::is_finite))
        .fold("isinf", |fold| asks(fold, ApFloat::is_infinite))
        .fold("isnan", |fold| asks(fold, ApFloat::is_nan))
        .fold("isnormal", |fold| asks(fold, |a| a.is_finite() && !a.is_zero() && !a.is_denormal()))
}

/// As in MLIR, vectors of different numbers are not asked.
fn asks(fold: &Fold<'_, '_>, question: fn(ApFloat) -> bool) -> Result<Folded> {
    if fold.float(0).is_none() {
        return Ok(Folded::No);
    }
    fold.floats_to_bits(|[a]| Some(ApInt::from_u64(1, u64::from(question(a)))))
}

/// What MLIR folds for `f32` and `f64` alone.
fn functions(dialect: Dialect) -> Dialect {
    dialect
        .fold("acos", |fold| function(fold, f32::acos, f64::acos))
        .fold("acosh", |fold| known(fold, |a| (a == 1.0).then_some(0.0).or((a == f64::INFINITY).then_some(a))))
        .fold("asin", |fold| function(fold, f32::asin, f64::asin))
        .fold("asinh", |fold| known(fold, |a| (a == 0.0 || a.is_infinite()).then_some(a)))
        .fold("atan", |fold| function(fold, f32::atan, f64::atan))
        .fold("atanh", |fold| known(fold, atanh))
        .fold("cos", |fold| function(fold, f32::cos, f64::cos))
        .fold("cosh", |fold| function(fold, f32::cosh, f64::cosh))
        .fold("erf", |fold| known(fold, erf))
        .fold("erfc", |fold| known(fold, |a| erf(a).map(|erf| 1.0 - erf)))
        .fold("exp", |fold| function(fold, f32::exp, f64::exp))
        .fold("exp2", |fold| function(fold, f32::exp2, f64::exp2))
        .fold("expm1", |fold| function(fold, f32::exp_m1, f64::exp_m1))
        .fold("log", |fold| of_positive(fold, f32::ln, f64::ln))
        .fold("log10", |fold| of_positive(fold, f32::log10, f64::log10))
        .fold("log1p", log1p)
        .fold("log2", |fold| of_positive(fold, f32::log2, f64::log2))
        .fold("round", |fold| function(fold, f32::round, f64::round))
        .fold("sin", |fold| function(fold, f32::sin, f64::sin))
        .fold("sinh", |fold| function(fold, f32::sinh, f64::sinh))
        .fold("sqrt", |fold| of_positive(fold, f32::sqrt, f64::sqrt))
        .fold("tan", |fold| function(fold, f32::tan, f64::tan))
        .fold("tanh", |fold| function(fold, f32::tanh, f64::tanh))
        .fold("trunc", |fold| function(fold, f32::trunc, f64::trunc))
        .fold("atan2", atan2)
        .fold("powf", |fold| fold.floats(|[a, b]| binary(a, b, f32::powf, f64::powf)))
}

/// A function of one number.
fn function(fold: &Fold<'_, '_>, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Result<Folded> {
    fold.floats(|[a]| unary(a, single, double))
}

/// A function that is not folded of numbers with the sign `-`, zero and what is no number among them.
fn of_positive(fold: &Fold<'_, '_>, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Result<Folded> {
    fold.floats(|[a]| if a.is_negative() { None } else { unary(a, single, double) })
}

/// A function of which `exact` gives the results that have no other digits.
fn known(fold: &Fold<'_, '_>, exact: fn(f64) -> Option<f64>) -> Result<Folded> {
    fold.floats(|[a]| match a.kind() {
        FloatKind::F32 | FloatKind::F64 => exact(a.to_f64()).map(|value| ApFloat::from_f64(a.kind(), value)),
        _ => None,
    })
}

fn unary(a: ApFloat, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Option<ApFloat> {
    match a.kind() {
        FloatKind::F32 => Some(of_single(single(to_single(a)?))),
        FloatKind::F64 => Some(of_double(double(to_double(a)?))),
        _ => None,
    }
}

fn binary(a: ApFloat, b: ApFloat, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> Option<ApFloat> {
    match a.kind() {
        FloatKind::F32 => Some(of_single(single(to_single(a)?, to_single(b)?))),
        FloatKind::F64 => Some(of_double(double(to_double(a)?, to_double(b)?))),
        _ => None,
    }
}

fn to_single(a: ApFloat) -> Option<f32> {
    Some(f32::from_bits(u32::try_from(a.pattern()).ok()?))
}

fn to_double(a: ApFloat) -> Option<f64> {
    Some(f64::from_bits(u64::try_from(a.pattern()).ok()?))
}

/// What is no number is a quiet one, as all functions of C give it.
fn of_single(value: f32) -> ApFloat {
    let quiet = if value.is_nan() { 1 << (f32::MANTISSA_DIGITS - 2) } else { 0 };
    ApFloat::from_pattern(FloatKind::F32, u128::from(value.to_bits() | quiet))
}

/// As [`of_single`].
fn of_double(value: f64) -> ApFloat {
    let quiet = if value.is_nan() { 1 << (f64::MANTISSA_DIGITS - 2) } else { 0 };
    ApFloat::from_pattern(FloatKind::F64, u128::from(value.to_bits() | quiet))
}

fn atanh(a: f64) -> Option<f64> {
    match a {
        0.0 => Some(a),
        1.0 => Some(f64::INFINITY),
        -1.0 => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn erf(a: f64) -> Option<f64> {
    match a {
        0.0 => Some(a),
        f64::INFINITY => Some(1.0),
        f64::NEG_INFINITY => Some(-1.0),
        _ => None,
    }
}

/// Nothing is folded where what the logarithm is taken of has the sign `-`.
fn log1p(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    fold.floats(|[a]| {
        let of = a.add(ApFloat::one(a.kind()), RoundingMode::ToNearestEven);
        if of.is_negative() { None } else { unary(a, f32::ln_1p, f64::ln_1p) }
    })
}

/// Of two zeros, it is no number: as MLIR has it, and C has not.
fn atan2(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    fold.floats(|[a, b]| match a.is_zero() && b.is_zero() {
        true => ApFloat::nan(a.kind()),
        false => binary(a, b, f32::atan2, f64::atan2),
    })
}
