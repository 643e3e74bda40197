//! Conversions between formats, and between integers and floating-point numbers.

use std::fmt::Write as _;

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_testing::Numbers;

use super::floats::number;
use super::{Column, Fold, compare, mlir_opt_is_here, pattern, unary, wide_count};

const MODES: [(RoundingMode, &str); 5] = [
    (RoundingMode::ToNearestEven, "to_nearest_even"),
    (RoundingMode::Downward, "downward"),
    (RoundingMode::Upward, "upward"),
    (RoundingMode::TowardZero, "toward_zero"),
    (RoundingMode::ToNearestAway, "to_nearest_away"),
];

/// All numbers of a narrow format; some of a wide one.
fn values(kind: FloatKind, numbers: &mut Numbers) -> Vec<ApInt> {
    if kind.width() <= 8 {
        return (0..1 << kind.width()).map(|value| ApInt::from_u64(kind.width(), value)).collect();
    }
    (0..wide_count()).map(|_| number(kind, numbers).to_bits()).collect()
}

/// Whether MLIR makes of a number what it is not.
fn goes_wrong(value: ApFloat, to: FloatKind) -> bool {
    // The NaN of a format of exponents alone becomes infinity.
    let nan = value.is_nan() && value.kind().precision() == 1;
    // Where there is neither infinity nor NaN, they become 0.
    nan || !value.is_finite() && !to.has_nan()
}

#[test]
fn formats_convert_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(6);
    let (mut all, mut lossy) = (Vec::new(), 0);
    for &from in FloatKind::ALL {
        let values = values(from, numbers);
        for &to in FloatKind::ALL {
            let types = (from.keyword(), to.keyword());
            let of = |bits: &ApInt, mode| {
                let value = ApFloat::from_bits(from, bits);
                let exact = value.convert(to, mode).exact()?;
                (!goes_wrong(value, to)).then(|| exact.to_bits())
            };
            if to.width() > from.width() {
                all.push(unary("arith.extf %0", types, &values, |bits| of(bits, RoundingMode::default())));
            }
            if to.width() >= from.width() {
                continue;
            }
            // What converts exactly does so in every mode.
            for (mode, name) in MODES {
                all.push(unary(&format!("arith.truncf %0 {name}"), types, &values, |bits| of(bits, mode)));
            }
            // What loses something does not fold.
            let losing = values.iter().filter(|bits| {
                let value = ApFloat::from_bits(from, bits);
                let negative = value.is_negative() && !to.is_signed();
                !negative && !goes_wrong(value, to) && of(bits, RoundingMode::default()).is_none()
            });
            for bits in losing.take(4) {
                let operation = format!("arith.truncf %0 : tensor<1x{}> to tensor<1x{}>", types.0, types.1);
                let inputs = vec![Column::new(types.0, vec![bits.clone()])];
                all.push(Fold { before: String::new(), inputs, operation, results: None });
                lossy += 1;
            }
        }
    }
    all.retain(|fold| !fold.inputs[0].values.is_empty());
    let compared = compare(&all);
    println!("{compared} conversions, {lossy} that lose something");
    assert!(compared > 20_000 && lossy > 200, "{compared} {lossy}");
}

#[test]
fn integers_become_numbers_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(7);
    let (mut all, mut expected) = (Vec::new(), 0);
    let widths = [1, 4, 8, 9, 16, 32, 64, 65, 128, 300];
    for width in widths {
        let values: Vec<ApInt> = match width {
            ..=8 => (0..1 << width).map(|value| ApInt::from_u64(width, value)).collect(),
            _ => (0..wide_count()).map(|_| pattern(width, numbers)).collect(),
        };
        let ty = &format!("i{width}");
        for &kind in FloatKind::ALL {
            let mode = RoundingMode::default();
            // Without signs MLIR sets a bit of the exponent.
            let signed = |bits: &ApInt| kind.is_signed() || !bits.is_negative();
            let folds = [
                unary("arith.sitofp %0", (ty, kind.keyword()), &values, |bits| {
                    signed(bits).then(|| ApFloat::from_signed(kind, bits, mode).to_bits())
                }),
                unary("arith.uitofp %0", (ty, kind.keyword()), &values, |bits| {
                    Some(ApFloat::from_unsigned(kind, bits, mode).to_bits())
                }),
            ];
            expected += folds.iter().map(|fold| fold.inputs[0].values.len()).sum::<usize>();
            all.extend(folds);
        }
    }
    assert_eq!(compare(&all), expected);
    assert!(expected > 50_000, "{expected}");
}

#[test]
fn numbers_become_integers_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(8);
    let (mut all, mut outside) = (Vec::new(), 0);
    for &kind in FloatKind::ALL {
        let values = values(kind, numbers);
        for width in [1, 2, 8, 16, 32, 33, 64, 65, 128, 300] {
            let ty = &format!("i{width}");
            for (name, signed) in [("arith.fptosi %0", true), ("arith.fptoui %0", false)] {
                let of = |bits: &ApInt| {
                    let (value, mode) = (ApFloat::from_bits(kind, bits), RoundingMode::TowardZero);
                    let made = if signed { value.to_signed(width, mode) } else { value.to_unsigned(width, mode) };
                    made.in_range()
                };
                all.push(unary(name, (kind.keyword(), ty), &values, of));
                for bits in values.iter().filter(|bits| of(bits).is_none()).take(4) {
                    let operation = format!("{name} : tensor<1x{}> to tensor<1x{ty}>", kind.keyword());
                    let inputs = vec![Column::new(kind.keyword(), vec![bits.clone()])];
                    all.push(Fold { before: String::new(), inputs, operation, results: None });
                    outside += 1;
                }
            }
        }
    }
    all.retain(|fold| !fold.inputs[0].values.is_empty());
    let compared = compare(&all);
    println!("{compared} numbers became integers, {outside} are out of range");
    assert!(compared > 20_000 && outside > 500, "{compared} {outside}");
}

/// Text is read as doubles, which are then rounded to the format.
#[test]
fn doubles_are_rounded_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(9);
    let mut all = Vec::new();
    for &kind in FloatKind::ALL {
        let (mut text, mut results) = (String::new(), Vec::new());
        for at in 0..wide_count() {
            // Most about as large as numbers of the format are, and half way between two of them.
            let double = match numbers.below(3) {
                0 => f64::from_bits(pattern(64, numbers).words()[0]),
                _ => {
                    let (a, b) = (number(kind, numbers), number(kind, numbers));
                    let next = ApFloat::from_pattern(kind, a.pattern() ^ 1).to_f64();
                    if numbers.below(2) == 0 { a.to_f64() / 2.0 + next / 2.0 } else { a.to_f64() + b.to_f64() / 64.0 }
                }
            };
            let double = if double.is_finite() { double } else { 1.0 };
            let double = if kind.is_signed() { double } else { double.abs() };
            let _ = write!(text, "{}{double:.20e}", if at == 0 { "" } else { ", " });
            results.push(ApFloat::from_f64(kind, double).to_bits());
        }
        let result = Column::new(kind.keyword(), results);
        let operation = format!("arith.constant dense<[{text}]> : {}", result.tensor());
        all.push(Fold::new(Vec::new(), operation, vec![result]));
    }
    assert_eq!(compare(&all), FloatKind::ALL.len() * wide_count());
}
