//! Sums, products, quotients and remainders.

use super::round::{Exact, cut};
use super::wide::Wide;
use super::{ApFloat, Class, RoundingMode};

/// A finite number other than 0 with room for a product: `significand * 2^exponent`.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    significand: Wide,
    exponent: i32,
}

/// How many bits of a [`Term`] stay free, for the carry of a sum.
const FREE: u32 = 2;

impl Term {
    fn new(negative: bool, significand: Wide, exponent: i32) -> Term {
        let zeros = significand.leading_zeros();
        // A product takes 226 bits.
        let shift = zeros.saturating_sub(FREE);
        Term { negative, significand: significand.shl(shift), exponent: exponent - shift as i32 }
    }

    /// The sum; `None` where it is 0.
    fn add(self, other: Term) -> Option<Exact> {
        let key = |term: Term| (term.exponent, term.significand);
        let (large, small) = if key(self) >= key(other) { (self, other) } else { (other, self) };
        let (shifted, lost) = small.significand.shr((large.exponent - small.exponent) as u32);
        let sum = if large.negative == small.negative {
            large.significand.add(shifted)
        } else {
            // Less what was lost is a little more than less one.
            large.significand.sub(shifted.add(Wide::from(u128::from(lost))))
        };
        let (significand, shift, more) = sum.top()?;
        let exponent = large.exponent - shift as i32 + 128;
        Some(Exact { negative: large.negative, significand, exponent, more: more || lost })
    }
}

impl ApFloat {
    /// The sum: `arith.addf`.
    pub fn add(self, other: Self, mode: RoundingMode) -> Self {
        let other = other.convert(self.kind, mode).value;
        if let Some(nan) = self.nan_of(other) {
            return nan;
        }
        match (self.class(), other.class()) {
            (Class::Infinity, Class::Infinity) if self != other => Self::nan(self.kind).unwrap_or(self),
            (Class::Infinity, _) | (Class::Finite { .. }, Class::Zero) => self,
            (Class::Zero, Class::Zero) if self == other => self,
            (Class::Zero, Class::Zero) => self.cancelled(mode),
            (_, Class::Infinity) | (Class::Zero, Class::Finite { .. }) => other,
            (a, b) => match (self.term(a), other.term(b)) {
                (Some(a), Some(b)) => a.add(b).map_or(self.cancelled(mode), |sum| sum.round(self.kind, mode).0),
                _ => self,
            },
        }
    }

    /// The difference: `arith.subf`.
    pub fn sub(self, other: Self, mode: RoundingMode) -> Self {
        let other = other.convert(self.kind, mode).value;
        if let Some(nan) = self.nan_of(other) {
            return nan;
        }
        if self.kind.is_signed() {
            return self.add(other.negated(), mode);
        }
        // There is no negative to add.
        match (self.term(self.class()), other.term(other.class())) {
            (Some(a), Some(b)) => {
                let difference = a.add(Term { negative: true, ..b });
                difference.map_or(self.cancelled(mode), |difference| difference.round(self.kind, mode).0)
            }
            _ => self,
        }
    }

    /// The product: `arith.mulf`.
    pub fn mul(self, other: Self, mode: RoundingMode) -> Self {
        let other = other.convert(self.kind, mode).value;
        if let Some(nan) = self.nan_of(other) {
            return nan;
        }
        let negative = self.is_negative() != other.is_negative();
        match (self.class(), other.class()) {
            (Class::Finite { significand: a, exponent: x }, Class::Finite { significand: b, exponent: y }) => {
                match Wide::product(a, b).top() {
                    Some((significand, shift, more)) => {
                        let exponent = x + y - shift as i32 + 128;
                        Exact { negative, significand, exponent, more }.round(self.kind, mode).0
                    }
                    None => self,
                }
            }
            (Class::Infinity, Class::Zero) | (Class::Zero, Class::Infinity) => Self::nan(self.kind).unwrap_or(self),
            (Class::Infinity, _) => self.magnitude().signed(negative),
            (_, Class::Infinity) => other.magnitude().signed(negative),
            _ => Self::zero(self.kind).signed(negative),
        }
    }

    /// The quotient: `arith.divf`. By 0 it is infinity, or NaN where there is none; of 0 by 0 it is NaN.
    ///
    /// `None` by 0 in formats with neither infinity nor NaN.
    pub fn div(self, other: Self, mode: RoundingMode) -> Option<Self> {
        let other = other.convert(self.kind, mode).value;
        if let Some(nan) = self.nan_of(other) {
            return Some(nan);
        }
        let negative = self.is_negative() != other.is_negative();
        Some(match (self.class(), other.class()) {
            (Class::Finite { significand: a, exponent: x }, Class::Finite { significand: b, exponent: y }) => {
                let (significand, exponent, more) = quotient(a, b, self.kind.precision() + 3);
                Exact { negative, significand, exponent: exponent + x - y, more }.round(self.kind, mode).0
            }
            (Class::Infinity, Class::Infinity) | (Class::Zero, Class::Zero) => Self::nan(self.kind)?,
            (_, Class::Zero) => Self::infinity(self.kind).or(Self::nan(self.kind))?.signed(negative),
            (Class::Infinity, _) => self.magnitude().signed(negative),
            _ => Self::zero(self.kind).signed(negative),
        })
    }

    /// What is left after taking `other` off as often as it goes, with the sign of this number: `arith.remf`, C's `fmod`. It is exact.
    ///
    /// `None` by 0 in formats without NaN.
    pub fn fmod(self, other: Self) -> Option<Self> {
        let other = other.convert(self.kind, RoundingMode::default()).value;
        if let Some(nan) = self.nan_of(other) {
            return Some(nan);
        }
        Some(match (self.class(), other.class()) {
            (Class::Infinity, _) | (_, Class::Zero) => Self::nan(self.kind)?,
            (Class::Finite { significand: a, exponent: x }, Class::Finite { significand: b, exponent: y }) => {
                match remainder((a, x), (b, y)) {
                    Some((rest, exponent)) => {
                        Exact::new(self.is_negative(), rest, exponent).round(self.kind, RoundingMode::default()).0
                    }
                    None => self,
                }
            }
            _ => self,
        })
    }

    /// `self * factor + addend`, rounded once: `math.fma`.
    pub fn fma(self, factor: Self, addend: Self, mode: RoundingMode) -> Self {
        let factor = factor.convert(self.kind, mode).value;
        let addend = addend.convert(self.kind, mode).value;
        if let (
            Class::Finite { significand: a, exponent: x },
            Class::Finite { significand: b, exponent: y },
            Some(term),
        ) = (self.class(), factor.class(), addend.term(addend.class()))
        {
            let product = Term::new(self.is_negative() != factor.is_negative(), Wide::product(a, b), x + y);
            return product.add(term).map_or(self.cancelled(mode), |sum| sum.round(self.kind, mode).0);
        }
        if self.is_finite() && factor.is_finite() && !addend.is_finite() {
            return addend.quiet();
        }
        // Adding 0 to what a product rounds to 0 leaves the sign of the product.
        let product = self.mul(factor, mode);
        let keeps = addend.is_zero() && !self.is_zero() && !factor.is_zero() && product.is_zero();
        // No number of a product that is none is asked for, whatever is added to it.
        if keeps || product.is_nan() { product } else { product.add(addend, mode) }
    }

    /// With the other sign: `arith.negf`. A zero or NaN that has no sign stays, and all of [`F8E8M0FNU`](super::FloatKind::F8E8M0FNU)
    /// becomes NaN. The payload of a NaN stays, and a signaling one does not become quiet.
    pub fn negated(self) -> Self {
        self.magnitude_or_nan().signed(!self.is_negative())
    }

    /// Without its sign: `math.absf`. A NaN that has no sign stays.
    pub fn abs(self) -> Self {
        self.magnitude_or_nan()
    }

    /// With the sign of another number: `math.copysign`. What has no sign stays.
    pub fn copy_sign(self, other: Self) -> Self {
        if self.is_negative() == other.is_negative() { self } else { self.negated() }
    }

    /// As a whole number: `math.ceil`, `floor`, `trunc`, `roundeven` and `round`, by the mode. The sign stays, also where it is that of a
    /// zero.
    pub fn round_to_integer(self, mode: RoundingMode) -> Self {
        match self.class() {
            Class::Finite { significand, exponent } if !self.is_integer() => {
                let (whole, _) = cut(significand, exponent.unsigned_abs(), false, self.is_negative(), mode);
                Exact::new(self.is_negative(), whole, 0).round(self.kind, mode).0
            }
            _ => self.quiet(),
        }
    }

    /// What an operation makes of an operand that is NaN.
    pub(super) fn nan_of(self, other: Self) -> Option<Self> {
        [self, other].into_iter().find(|operand| operand.is_nan()).map(Self::quiet)
    }

    /// The zero that two numbers leave when they cancel each other out.
    fn cancelled(self, mode: RoundingMode) -> Self {
        Exact::new(mode == RoundingMode::Downward, 0, 0).round(self.kind, mode).0
    }

    fn term(self, class: Class) -> Option<Term> {
        match class {
            Class::Finite { significand, exponent } => {
                Some(Term::new(self.is_negative(), Wide::from(significand), exponent))
            }
            _ => None,
        }
    }

    /// The magnitude; what minus zero stands for as it is.
    fn magnitude_or_nan(self) -> Self {
        let magnitude = self.magnitude();
        if self.is_nan() && !magnitude.is_nan() { self } else { magnitude }
    }
}

/// `bits` digits of `a / b`, or one less, as `quotient * 2^exponent`, and whether it is a little more.
fn quotient(a: u128, b: u128, bits: u32) -> (u128, i32, bool) {
    // Significands take 113 bits, so that nothing goes over the top.
    let (x, y) = (a.leading_zeros() - 8, b.leading_zeros() - 8);
    let (mut rest, divisor) = (a << x, b << y);
    let mut quotient = 0;
    for _ in 0..bits {
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
    }
    (quotient, y as i32 - x as i32 - (bits as i32 - 1), rest != 0)
}

/// What is left of `a * 2^x` by `b * 2^y`, as `rest * 2^exponent`. `None` where that is all of it.
fn remainder((a, x): (u128, i32), (b, y): (u128, i32)) -> Option<(u128, i32)> {
    if x < y {
        let shift = (y - x) as u32;
        return (shift < b.leading_zeros()).then(|| (a % (b << shift), x));
    }
    let mut rest = a % b;
    let mut left = (x - y) as u32;
    while left > 0 && rest != 0 {
        let step = left.min(rest.leading_zeros());
        rest = (rest << step) % b;
        left -= step;
    }
    Some((rest, y))
}
