//! Floating-point numbers of one format.

use std::cmp::Ordering;
use std::fmt::Write as _;

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_testing::Numbers;

use super::{Column, Fold, binary, compare, mlir_opt_is_here, pairs, pattern, unary};

const NEAREST: RoundingMode = RoundingMode::ToNearestEven;

/// An operation, and what it makes of two numbers; `None` where the format has nothing for it.
type Binary = (&'static str, fn(ApFloat, ApFloat) -> Option<ApFloat>);

const BINARY: &[Binary] = &[
    ("arith.addf", |a, b| Some(a.add(b, NEAREST))),
    ("arith.subf", |a, b| (a.kind().is_signed() || not_below(a, b)).then(|| a.sub(b, NEAREST))),
    ("arith.mulf", |a, b| Some(a.mul(b, NEAREST))),
    ("arith.divf", |a, b| a.div(b, NEAREST)),
    ("arith.remf", ApFloat::fmod),
    ("arith.minimumf", |a, b| Some(a.minimum(b))),
    ("arith.maximumf", |a, b| Some(a.maximum(b))),
    ("arith.minnumf", |a, b| Some(a.minnum(b))),
    ("arith.maxnumf", |a, b| Some(a.maxnum(b))),
    ("math.copysign", |a, b| Some(a.copy_sign(b))),
];

/// Where numbers have no sign, MLIR makes of a negative difference whatever comes: only others are compared.
fn not_below(a: ApFloat, b: ApFloat) -> bool {
    a.is_nan() || b.is_nan() || a.compare(b) != Some(Ordering::Less)
}

type Unary = (&'static str, fn(ApFloat) -> Option<ApFloat>);

const UNARY: &[Unary] = &[
    // MLIR sets a bit for the sign where it is one of the exponent.
    ("arith.negf", |a| a.kind().is_signed().then(|| a.negated())),
    ("math.absf", |a| Some(a.abs())),
    ("math.floor", |a| to_integer(a, RoundingMode::Downward)),
    ("math.ceil", |a| to_integer(a, RoundingMode::Upward)),
    ("math.roundeven", |a| to_integer(a, NEAREST)),
];

/// What MLIR asks the processor, and folds for its formats alone.
const UNARY_OF_PROCESSORS: &[Unary] = &[
    ("math.trunc", |a| Some(a.round_to_integer(RoundingMode::TowardZero))),
    ("math.round", |a| Some(a.round_to_integer(RoundingMode::ToNearestAway))),
];

fn of_processors(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::F32 | FloatKind::F64)
}

/// MLIR rounds to whole numbers by adding `2^(precision - 1)` and taking it off. Where that is out of range or has no bits for
/// fractions above it, nothing of the number is left: only others are compared.
fn to_integer(a: ApFloat, mode: RoundingMode) -> Option<ApFloat> {
    let kind = a.kind();
    let works = kind.precision() as i32 - 1 <= kind.max_exponent() && kind.precision() > 1;
    (works || a.is_nan()).then(|| a.round_to_integer(mode))
}

/// All folds of two numbers of one format.
fn folds(kind: FloatKind, pairs: &[(ApInt, ApInt)], values: &[ApInt]) -> Vec<Fold> {
    let ty = kind.keyword();
    let of = |bits: &ApInt| ApFloat::from_bits(kind, bits);
    let result = |result: Option<ApFloat>| Some(result?.to_bits());
    let mut all: Vec<Fold> = Vec::new();
    for (name, make) in BINARY {
        all.push(binary(name, ty, [ty], pairs, |a, b| Some([result(make(of(a), of(b)))?])));
    }
    for (name, make) in UNARY {
        all.push(unary(name, (ty, ty), values, |value| result(make(of(value)))));
    }
    for (name, make) in UNARY_OF_PROCESSORS {
        if of_processors(kind) {
            all.push(unary(name, (ty, ty), values, |value| result(make(of(value)))));
        } else {
            let inputs = vec![Column::new(ty, vec![ApFloat::one(kind).to_bits()])];
            let operation = format!("{name} %0 : {}", inputs[0].tensor());
            all.push(Fold { before: String::new(), inputs, operation, results: None });
        }
    }
    all.retain(|fold| !fold.inputs[0].values.is_empty());
    all
}

/// Numbers whose exponents are near each other, special ones, and any.
pub(super) fn number(kind: FloatKind, numbers: &mut Numbers) -> ApFloat {
    let bits = |pattern: ApInt| ApFloat::from_bits(kind, &pattern);
    let any = bits(pattern(kind.width(), numbers));
    match numbers.below(10) {
        0 => {
            let special = [ApFloat::zero(kind), ApFloat::largest(kind), ApFloat::smallest(kind), ApFloat::one(kind)];
            special[numbers.below(4)].copy_sign(any)
        }
        1 => ApFloat::infinity(kind).or(ApFloat::nan(kind)).unwrap_or(any).copy_sign(any),
        2 | 3 => any,
        _ => {
            // The fraction of any number, by a small power of two.
            let scale = ApFloat::from_f64(kind, 2f64.powi(numbers.below(40) as i32 - 20));
            let fraction = ApFloat::one(kind).pattern() | any.pattern() & ((1 << (kind.precision() - 1)) - 1);
            ApFloat::from_pattern(kind, fraction).mul(scale, NEAREST).copy_sign(any)
        }
    }
}

#[test]
fn all_pairs_of_narrow_numbers_fold_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let (mut compared, mut all) = (0, 0);
    for &kind in FloatKind::ALL.iter().filter(|kind| kind.width() <= 8) {
        let pairs = pairs(kind.width(), &mut Numbers(0));
        let values: Vec<ApInt> = (0..1 << kind.width()).map(|value| ApInt::from_u64(kind.width(), value)).collect();
        let folds = folds(kind, &pairs, &values);
        let count = compare(&folds);
        println!("{count} {}", kind.keyword());
        compared += count;
        all += BINARY.len() * pairs.len() + UNARY.len() * values.len();
    }
    // What has exceptions: differences of one format, quotients by 0 of three.
    assert!(compared > all / 100 * 98 && compared < all, "{compared} of {all}");
}

#[test]
fn wide_numbers_fold_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(4);
    let mut all = Vec::new();
    let mut expected = 0;
    for &kind in FloatKind::ALL.iter().filter(|kind| kind.width() > 8) {
        let count = super::wide_count();
        let pairs: Vec<(ApInt, ApInt)> =
            (0..count).map(|_| (number(kind, numbers).to_bits(), number(kind, numbers).to_bits())).collect();
        let values: Vec<ApInt> = pairs.iter().map(|(a, _)| a.clone()).collect();
        all.extend(folds(kind, &pairs, &values));
        let of_processors = if of_processors(kind) { count } else { 1 };
        expected += count * (BINARY.len() + UNARY.len()) + of_processors * UNARY_OF_PROCESSORS.len();
    }
    assert_eq!(compare(&all), expected);
}

const PREDICATES: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"];

/// Whether a predicate of `arith.cmpf` holds.
fn holds(predicate: &str, order: Option<Ordering>) -> bool {
    match (predicate, order) {
        ("false", _) => false,
        ("true", _) => true,
        ("ord", order) => order.is_some(),
        ("uno", order) => order.is_none(),
        (_, None) => predicate.starts_with('u'),
        (_, Some(order)) => match &predicate[1..] {
            "eq" => order.is_eq(),
            "gt" => order.is_gt(),
            "ge" => order.is_ge(),
            "lt" => order.is_lt(),
            "le" => order.is_le(),
            _ => order.is_ne(),
        },
    }
}

/// Comparisons fold of single numbers alone.
#[test]
fn comparisons_fold_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(5);
    let (mut all, mut pairs_of_all) = (Vec::new(), 0);
    for &kind in FloatKind::ALL {
        let ty = kind.keyword();
        let (mut text, mut results, mut names) = (String::new(), Vec::new(), Vec::new());
        // Every pair of the narrowest.
        let count = if kind.width() == 4 { 256 } else { 100 };
        for at in 0..count {
            let (a, b) = match kind.width() {
                4 => (ApFloat::from_pattern(kind, at / 16), ApFloat::from_pattern(kind, at % 16)),
                _ => (number(kind, numbers), number(kind, numbers)),
            };
            let _ = writeln!(
                text,
                "  %a{at} = arith.constant {:#x} : {ty}\n  %b{at} = arith.constant {:#x} : {ty}",
                a.pattern(),
                b.pattern()
            );
            for predicate in PREDICATES {
                let _ = writeln!(text, "  %{predicate}{at} = arith.cmpf {predicate}, %a{at}, %b{at} : {ty}");
                names.push(format!("%{predicate}{at}"));
                results.push(ApInt::from_u64(1, holds(predicate, a.compare(b)).into()));
            }
        }
        pairs_of_all += count as usize;
        let result = Column::new("i1", results);
        // The operations stand before the one that the fold is named by.
        let operation = format!("tensor.from_elements {} : {}", names.join(", "), result.tensor());
        all.push(Fold { before: text, ..Fold::new(Vec::new(), operation, vec![result]) });
    }
    assert_eq!(compare(&all), pairs_of_all * PREDICATES.len());
}
