//! Numbers of MLIR's floating-point formats.

mod arithmetic;
mod convert;
mod order;
mod round;
#[cfg(test)]
mod tests;
mod wide;

use std::fmt;

pub use convert::{Converted, ToInteger};

use super::kind::{Format, Special};
use super::{ApInt, FloatKind};

/// A number of one of MLIR's floating-point formats, rounded as LLVM's `APFloat` rounds.
///
/// Equality is that of the bits: two NaN of the same bits are equal, 0 and -0 are not. [`compare`](Self::compare) compares numbers.
/// Operations on two numbers are for those of one format; where formats differ, the second is converted to that of the first. All are
/// exact up to one rounding at the end. What leaves the range becomes infinity; in formats without one it becomes NaN, and in those
/// without NaN the largest number. Where an operand is NaN, it is the result, made quiet: the first of two.
///
/// [`FloatKind::F8E8M0FNU`] holds powers of two alone: its smallest number stands for 0, and NaN for what is negative.
///
/// ```
/// use mlirbc_ir::number::{ApFloat, FloatKind, RoundingMode};
///
/// let third = |mode| ApFloat::one(FloatKind::BF16).div(ApFloat::from_f64(FloatKind::BF16, 3.0), mode).unwrap();
/// assert_eq!(third(RoundingMode::ToNearestEven).to_f64(), 0.333984375);
/// assert_eq!(third(RoundingMode::TowardZero).to_f64(), 0.33203125);
///
/// let large = ApFloat::largest(FloatKind::F8E4M3FN);
/// assert_eq!(large.to_f64(), 448.0);
/// assert!(large.add(large, RoundingMode::ToNearestEven).is_nan());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ApFloat {
    kind: FloatKind,
    pattern: u128,
}

/// How what lies between two numbers becomes one of them: the rounding modes of `arith`, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RoundingMode {
    /// The nearer one; half way between them, the one whose last bit is 0.
    #[default]
    ToNearestEven,
    /// The lower one.
    Downward,
    /// The higher one.
    Upward,
    /// The one nearer to 0.
    TowardZero,
    /// The nearer one; half way between them, the one farther from 0.
    ToNearestAway,
}

impl RoundingMode {
    /// Every mode.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::ToNearestEven,
        RoundingMode::Downward,
        RoundingMode::Upward,
        RoundingMode::TowardZero,
        RoundingMode::ToNearestAway,
    ];
}

/// What a number is, without its sign.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Zero,
    /// `significand * 2^exponent`, which is not 0.
    Finite {
        significand: u128,
        exponent: i32,
    },
    Infinity,
    /// Not a number, and the bits that are stored of its significand.
    Nan(u128),
}

impl ApFloat {
    /// The number of these bits. Where there are more than the format has, its low bits; missing ones are 0.
    ///
    /// [`FloatKind::F80`] has patterns that no processor makes. They are read as LLVM reads them: those that lack the leading
    /// one of their exponent as NaN, and those that have one too many as the normal number that they stand for. Their bits change to
    /// those of what they are read as.
    pub fn from_bits(kind: FloatKind, bits: &ApInt) -> Self {
        let words = bits.words();
        Self::from_pattern(kind, u128::from(words[0]) | words.get(1).map_or(0, |&word| u128::from(word) << 64))
    }

    /// The number of the low bits of `pattern`, as in [`from_bits`](Self::from_bits).
    pub fn from_pattern(kind: FloatKind, pattern: u128) -> Self {
        let mut pattern = pattern & low_bits(kind.width());
        if kind == FloatKind::F80 {
            let one = pattern >> 63 & 1 == 1;
            match pattern >> 64 & 0x7fff {
                0 if one => pattern |= 1 << 64,
                1..0x7fff if !one => pattern |= 0x7fff << 64,
                _ => {}
            }
        }
        ApFloat { kind, pattern }
    }

    /// The bits, as many as the format has.
    pub fn to_bits(self) -> ApInt {
        ApInt::from_words(self.kind.width(), &[self.pattern as u64, (self.pattern >> 64) as u64])
    }

    /// The bits.
    pub fn pattern(self) -> u128 {
        self.pattern
    }

    /// The format.
    pub fn kind(self) -> FloatKind {
        self.kind
    }

    /// 0; the smallest number, where there is no zero.
    pub fn zero(kind: FloatKind) -> Self {
        ApFloat { kind, pattern: 0 }
    }

    /// 1, which every format has.
    pub fn one(kind: FloatKind) -> Self {
        Self::from_f64(kind, 1.0)
    }

    /// The largest finite number.
    pub fn largest(kind: FloatKind) -> Self {
        let Format { stored, special, .. } = kind.format();
        let all = low_bits(kind.width() - u32::from(kind.is_signed()));
        let pattern = match special {
            // The exponent below that of infinity. Where the leading one is stored, it stays.
            Special::Ieee => all & !(1 << stored),
            Special::AllOnes => all - 1,
            Special::MinusZero | Special::Finite => all,
        };
        ApFloat { kind, pattern }
    }

    /// The smallest positive number.
    pub fn smallest(kind: FloatKind) -> Self {
        ApFloat { kind, pattern: u128::from(kind.has_zero()) }
    }

    /// Positive infinity, where there is one.
    pub fn infinity(kind: FloatKind) -> Option<Self> {
        let Format { stored, .. } = kind.format();
        let exponent = low_bits(kind.width() - 1) & !low_bits(stored);
        let pattern = if kind == FloatKind::F80 { exponent | 1 << 63 } else { exponent };
        kind.has_infinity().then_some(ApFloat { kind, pattern })
    }

    /// The NaN that operations make of what is no NaN, where there is one: quiet, without payload, and positive where it can be.
    pub fn nan(kind: FloatKind) -> Option<Self> {
        let Format { precision, special, .. } = kind.format();
        let pattern = match special {
            Special::Ieee => Self::infinity(kind)?.pattern | 1 << (precision - 2),
            Special::AllOnes => low_bits(kind.width() - u32::from(kind.is_signed())),
            Special::MinusZero => 1 << (kind.width() - 1),
            Special::Finite => return None,
        };
        Some(ApFloat { kind, pattern })
    }

    /// Whether it is not a number.
    pub fn is_nan(self) -> bool {
        matches!(self.class(), Class::Nan(_))
    }

    /// Whether it is a NaN of the sort that operations make quiet: the highest bit of its payload is not set. Only formats with
    /// infinities tell the sorts apart.
    pub fn is_signaling(self) -> bool {
        let Format { precision, .. } = self.kind.format();
        self.kind.has_infinity() && self.is_nan() && self.pattern >> (precision - 2) & 1 == 0
    }

    /// Whether it is an infinity.
    pub fn is_infinite(self) -> bool {
        self.class() == Class::Infinity
    }

    /// Whether it is a number, and no infinity.
    pub fn is_finite(self) -> bool {
        matches!(self.class(), Class::Zero | Class::Finite { .. })
    }

    /// Whether it is 0 or -0.
    pub fn is_zero(self) -> bool {
        self.class() == Class::Zero
    }

    /// Whether the bit of the sign is set, also of zeros, infinities and NaN.
    pub fn is_negative(self) -> bool {
        self.kind.is_signed() && self.pattern >> (self.kind.width() - 1) & 1 == 1
    }

    /// Whether it is a finite number other than 0 that is too small for the leading one of its significand.
    pub fn is_denormal(self) -> bool {
        self.exponent().is_some_and(|exponent| exponent < self.kind.min_exponent())
    }

    /// Whether it is finite and whole.
    pub fn is_integer(self) -> bool {
        match self.class() {
            Class::Zero => true,
            Class::Finite { significand, exponent } => exponent + significand.trailing_zeros() as i32 >= 0,
            _ => false,
        }
    }

    /// The `e` of which the magnitude is from `2^e` to below `2^(e + 1)`, where it is finite and not 0: C's `ilogb`.
    pub fn exponent(self) -> Option<i32> {
        match self.class() {
            Class::Finite { significand, exponent } => Some(exponent + significand.ilog2() as i32),
            _ => None,
        }
    }

    fn class(self) -> Class {
        let ApFloat { kind, pattern } = self;
        let Format { precision, stored, lowest, special, .. } = kind.format();
        let fraction = pattern & low_bits(stored);
        if kind == FloatKind::F8E8M0FNU {
            return if pattern == 0xff {
                Class::Nan(0)
            } else {
                Class::Finite { significand: 1, exponent: pattern as i32 + lowest }
            };
        }
        let top = low_bits(kind.width() - 1 - stored);
        let field = pattern >> stored & top;
        let zero = field == 0 && fraction == 0;
        match special {
            Special::Ieee if Self::infinity(kind) == Some(self.magnitude()) => return Class::Infinity,
            Special::Ieee if field == top => return Class::Nan(fraction),
            Special::AllOnes if field == top && fraction == low_bits(stored) => return Class::Nan(fraction),
            Special::MinusZero if zero && self.is_negative() => return Class::Nan(fraction),
            _ if zero => return Class::Zero,
            _ => {}
        }
        let leading = if field == 0 || kind == FloatKind::F80 { 0 } else { 1 << stored };
        Class::Finite {
            significand: fraction | leading,
            exponent: (field as i32).max(1) - 1 + lowest - (precision - 1),
        }
    }

    /// The bits without that of the sign.
    fn magnitude(self) -> Self {
        let pattern = self.pattern & low_bits(self.kind.width() - u32::from(self.kind.is_signed()));
        ApFloat { kind: self.kind, pattern }
    }

    /// With this sign: what has none stays, and what a format has no negative of becomes its NaN.
    fn signed(self, negative: bool) -> Self {
        let ApFloat { kind, .. } = self;
        let pattern = match kind.format().special {
            _ if !negative => self.pattern,
            _ if !kind.is_signed() => 0xff,
            Special::MinusZero if self.pattern == 0 => 0,
            _ => self.pattern | 1 << (kind.width() - 1),
        };
        ApFloat { kind, pattern }
    }

    /// A signaling NaN as the quiet one of the same payload; all else as it is.
    fn quiet(self) -> Self {
        let Format { precision, .. } = self.kind.format();
        if self.is_signaling() { ApFloat { pattern: self.pattern | 1 << (precision - 2), ..self } } else { self }
    }
}

impl fmt::Debug for ApFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:#x} ({:e})", self.kind.keyword(), self.pattern, self.to_f64())
    }
}

fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}
