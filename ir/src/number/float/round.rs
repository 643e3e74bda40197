//! Rounding to the numbers of a format.

use std::cmp::Ordering;

use super::super::kind::{Format, Special};
use super::{ApFloat, FloatKind, RoundingMode, low_bits};

/// A number that is not rounded yet.
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) significand: u128,
    /// The number is `significand * 2^exponent`, and more by less than 1 in the place of the significand where `more` says so. It
    /// says so only where the significand has at least two bits more than the precision of the format.
    pub(super) exponent: i32,
    pub(super) more: bool,
}

impl Exact {
    pub(super) fn new(negative: bool, significand: u128, exponent: i32) -> Exact {
        Exact { negative, significand, exponent, more: false }
    }

    /// As a number of a format, and whether it is the very same. 0 is, whatever stands for it.
    pub(super) fn round(self, kind: FloatKind, mode: RoundingMode) -> (ApFloat, bool) {
        let Format { precision, stored, lowest, highest, special } = kind.format();
        let Exact { negative, significand, exponent, more } = self;
        if significand == 0 && !more {
            return (zero(kind, negative), true);
        }
        // As high as it goes, so that only rounding to the right remains.
        let shift = significand.leading_zeros();
        let (significand, exponent) = (significand << shift, exponent - shift as i32);
        let top = exponent + 127;
        if top > highest {
            return (overflow(kind, negative, mode), false);
        }
        let mut quantum = top.max(lowest) - precision + 1;
        let (mut kept, exact) = cut(significand, (quantum - exponent) as u32, more, negative, mode);
        if kept >> precision != 0 {
            kept >>= 1;
            quantum += 1;
        }
        let top = quantum + precision - 1;
        // The last pattern is NaN where that is all ones, unless there are no ones but those of the exponent.
        let last = special == Special::AllOnes && precision > 1 && top == highest && kept == low_bits(precision as u32);
        if top > highest || last {
            return (overflow(kind, negative, mode), false);
        }
        if kept == 0 {
            return (zero(kind, negative), exact);
        }
        let normal = kept >> (precision - 1) != 0;
        let field = top - lowest + i32::from(normal && kind.has_zero());
        let pattern = (field as u128) << stored | kept & low_bits(stored);
        (ApFloat { kind, pattern }.signed(negative), exact)
    }
}

/// Zero of this sign, or what stands for it: never negative where there is no other.
fn zero(kind: FloatKind, negative: bool) -> ApFloat {
    ApFloat::zero(kind).signed(negative && kind.has_negative_zero())
}

/// What stands for a number beyond the largest.
fn overflow(kind: FloatKind, negative: bool, mode: RoundingMode) -> ApFloat {
    let away = match mode {
        RoundingMode::ToNearestEven | RoundingMode::ToNearestAway => true,
        RoundingMode::Upward => !negative,
        RoundingMode::Downward => negative,
        RoundingMode::TowardZero => false,
    };
    let beyond = if away { ApFloat::infinity(kind).or(ApFloat::nan(kind)) } else { None };
    beyond.unwrap_or(ApFloat::largest(kind)).signed(negative)
}

/// `significand / 2^drop` as a whole number, and whether it is exact. With `more` it is a little more than that.
pub(super) fn cut(significand: u128, drop: u32, more: bool, negative: bool, mode: RoundingMode) -> (u128, bool) {
    let (kept, rest) = match drop {
        0 => (significand, 0),
        1..128 => (significand >> drop, significand & low_bits(drop)),
        _ => (0, significand),
    };
    if rest == 0 && !more {
        return (kept, true);
    }
    let half = match drop {
        0 => Ordering::Less,
        1..=128 => rest.cmp(&(1 << (drop - 1))).then(if more { Ordering::Greater } else { Ordering::Equal }),
        _ => Ordering::Less,
    };
    let up = match mode {
        RoundingMode::ToNearestEven => half.is_gt() || half.is_eq() && kept & 1 == 1,
        RoundingMode::ToNearestAway => half.is_ge(),
        RoundingMode::Upward => !negative,
        RoundingMode::Downward => negative,
        RoundingMode::TowardZero => false,
    };
    (kept + u128::from(up), false)
}
