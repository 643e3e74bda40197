//! Integers.

use std::cmp::Ordering;

use mlirbc_ir::number::ApInt;
use mlirbc_testing::Numbers;

use super::{Fold, binary, compare, mlir_opt_is_here, pairs, pattern, unary, unfolded, wide_count};

/// An operation, and what it makes of two integers; `None` where it does not fold.
type Binary = (&'static str, fn(&ApInt, &ApInt) -> Option<ApInt>);

const BINARY: &[Binary] = &[
    ("arith.addi", |a, b| Some(a.add(b))),
    ("arith.subi", |a, b| Some(a.sub(b))),
    ("arith.muli", |a, b| Some(a.mul(b))),
    ("arith.andi", |a, b| Some(a.and(b))),
    ("arith.ori", |a, b| Some(a.or(b))),
    ("arith.xori", |a, b| Some(a.xor(b))),
    ("arith.divui", ApInt::div_unsigned),
    ("arith.remui", ApInt::rem_unsigned),
    ("arith.ceildivui", ApInt::ceil_div_unsigned),
    ("arith.divsi", ApInt::div_signed),
    ("arith.remsi", ApInt::rem_signed),
    ("arith.floordivsi", ApInt::floor_div_signed),
    ("arith.ceildivsi", |a, b| a.ceil_div_signed(b).filter(|_| ceil_folds(a, b))),
    ("arith.shli", |a, b| Some(a.shl(b.shift_amount()?))),
    ("arith.shrui", |a, b| Some(a.lshr(b.shift_amount()?))),
    ("arith.shrsi", |a, b| Some(a.ashr(b.shift_amount()?))),
    ("arith.minsi", |a, b| Some(a.min_signed(b))),
    ("arith.minui", |a, b| Some(a.min_unsigned(b))),
    ("arith.maxsi", |a, b| Some(a.max_signed(b))),
    ("arith.maxui", |a, b| Some(a.max_unsigned(b))),
    ("math.ipowi", ApInt::pow),
];

/// MLIR divides magnitudes, and does not fold where the lowest number would have to be negated.
fn ceil_folds(a: &ApInt, b: &ApInt) -> bool {
    a.is_zero() || !a.is_signed_min() && !b.is_signed_min()
}

/// A predicate of `arith.cmpi`, and whether it holds.
type Predicate = (&'static str, fn(&ApInt, &ApInt) -> bool);

const PREDICATES: &[Predicate] = &[
    ("eq", |a, b| a.cmp_unsigned(b) == Ordering::Equal),
    ("ne", |a, b| a != b),
    ("slt", |a, b| a.cmp_signed(b).is_lt()),
    ("sle", |a, b| a.cmp_signed(b).is_le()),
    ("sgt", |a, b| a.cmp_signed(b).is_gt()),
    ("sge", |a, b| a.cmp_signed(b).is_ge()),
    ("ult", |a, b| a.cmp_unsigned(b).is_lt()),
    ("ule", |a, b| a.cmp_unsigned(b).is_le()),
    ("ugt", |a, b| a.cmp_unsigned(b).is_gt()),
    ("uge", |a, b| a.cmp_unsigned(b).is_ge()),
];

type Unary = (&'static str, fn(&ApInt) -> ApInt);

const UNARY: &[Unary] = &[
    ("math.absi", ApInt::abs),
    ("math.ctlz", |a| ApInt::from_u64(a.width(), a.leading_zeros().into())),
    ("math.cttz", |a| ApInt::from_u64(a.width(), a.trailing_zeros().into())),
    ("math.ctpop", |a| ApInt::from_u64(a.width(), a.count_ones().into())),
];

/// All folds of two integers of one width.
fn folds(width: u32, pairs: &[(ApInt, ApInt)], all: &mut Vec<Fold>) {
    let ty = &format!("i{width}");
    for (name, of) in BINARY {
        all.push(binary(name, ty, [ty], pairs, |a, b| Some([of(a, b)?])));
        // By 1 all is divided before anything is looked at.
        let by_one = |b: &ApInt| name.contains("div") && b.is_one();
        all.extend(unfolded(name, ty, pairs, 20, |a, b| of(a, b).is_some() || by_one(b)));
    }
    for (predicate, holds) in PREDICATES {
        let name = format!("arith.cmpi {predicate},");
        all.push(binary(&name, ty, ["i1"], pairs, |a, b| Some([ApInt::from_u64(1, holds(a, b).into())])));
    }
    let carry = |(sum, over): (ApInt, bool)| Some([sum, ApInt::from_u64(1, over.into())]);
    all.push(binary("arith.addui_extended", ty, [ty, "i1"], pairs, |a, b| carry(a.add_unsigned(b))));
    all.push(binary("arith.mulsi_extended", ty, [ty, ty], pairs, |a, b| Some([a.mul(b), a.mul_high_signed(b)])));
    all.push(binary("arith.mului_extended", ty, [ty, ty], pairs, |a, b| Some([a.mul(b), a.mul_high_unsigned(b)])));
}

#[test]
fn integers_of_narrow_widths_fold_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(1);
    let mut all = Vec::new();
    for width in 1..=8 {
        let pairs = pairs(width, numbers);
        assert_eq!(pairs.len(), 1 << (2 * width));
        folds(width, &pairs, &mut all);
        let values: Vec<ApInt> = (0..1 << width).map(|value| ApInt::from_u64(width, value)).collect();
        let ty = &format!("i{width}");
        all.extend(UNARY.iter().map(|(name, of)| unary(name, (ty, ty), &values, |value| Some(of(value)))));
    }
    // With single operations that do not fold: of a width of one bit, all shifts by one and divisions by 0.
    let unfolded = all.iter().filter(|fold| fold.results.is_none()).count();
    assert!(unfolded > 500, "{unfolded}");
    let compared = compare(&all);
    println!("{compared} integers of narrow widths, {unfolded} operations that do not fold");
    // Of 38 results in all, no more than ten have exceptions.
    let pairs: usize = (1..=8).map(|width| 1 << (2 * width)).sum();
    assert!((28 * pairs..38 * pairs).contains(&compared), "{compared} of {pairs} pairs");
}

#[test]
fn wide_integers_fold_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(2);
    let mut all = Vec::new();
    let widths = [9, 16, 24, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 192, 256, 1000];
    for width in widths {
        let pairs = pairs(width, numbers);
        folds(width, &pairs, &mut all);
        let values: Vec<ApInt> = pairs.into_iter().map(|(a, _)| a).collect();
        let ty = &format!("i{width}");
        all.extend(UNARY.iter().map(|(name, of)| unary(name, (ty, ty), &values, |value| Some(of(value)))));
    }
    let compared = compare(&all);
    println!("{compared} integers of wide widths");
    assert!(compared > widths.len() * wide_count() * 28, "{compared}");
}

#[test]
fn integers_are_cut_and_extended_alike() {
    if !mlir_opt_is_here() {
        return;
    }
    let numbers = &mut Numbers(3);
    let mut all = Vec::new();
    let widths = [1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200];
    for from in widths {
        let values: Vec<ApInt> = (0..100).map(|_| pattern(from, numbers)).collect();
        let ty = &format!("i{from}");
        for to in widths {
            let into = &format!("i{to}");
            if to > from {
                all.push(unary("arith.extsi %0", (ty, into), &values, |value| Some(value.sext(to))));
                all.push(unary("arith.extui %0", (ty, into), &values, |value| Some(value.zext(to))));
            } else if to < from {
                all.push(unary("arith.trunci %0", (ty, into), &values, |value| Some(value.trunc(to))));
            }
        }
    }
    let pairs = widths.len() * (widths.len() - 1) / 2;
    assert_eq!(compare(&all), pairs * 3 * 100);
}
