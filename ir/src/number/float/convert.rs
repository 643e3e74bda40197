//! Conversions between formats, and from and to integers.

use super::super::kind::{Format, Special};
use super::round::{Exact, cut};
use super::{ApFloat, ApInt, Class, FloatKind, RoundingMode, low_bits};

/// What a conversion to another format made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The number in the new format.
    pub value: ApFloat,
    /// Whether something was lost on the way: digits, what is out of range, the sign of a zero, the payload of a NaN. What `APFloat`
    /// calls `losesInfo`. A zero that became the smallest number of a format without zero counts for nothing lost.
    pub loses_info: bool,
    /// Whether a signaling NaN was made quiet.
    pub invalid: bool,
}

impl Converted {
    /// The number, where the conversion kept all of it: what `arith.extf` and `arith.truncf` fold to.
    pub fn exact(self) -> Option<ApFloat> {
        (!self.loses_info && !self.invalid).then_some(self.value)
    }
}

/// What a conversion to an integer made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToInteger {
    /// The integer; the nearest of its range where the number is outside, and 0 for NaN.
    pub value: ApInt,
    /// Whether the number, rounded, is in range.
    pub fits: bool,
    /// Whether the integer is the number itself, which -0 is not.
    pub exact: bool,
}

impl ToInteger {
    /// The integer, where the number is in range: what `arith.fptosi` and `arith.fptoui` fold to.
    pub fn in_range(self) -> Option<ApInt> {
        self.fits.then_some(self.value)
    }
}

impl ApFloat {
    /// The number in another format. Infinity becomes NaN where there is none, and both the largest number where there is neither, with
    /// their sign.
    pub fn convert(self, kind: FloatKind, mode: RoundingMode) -> Converted {
        if kind == self.kind {
            return Converted { value: self, loses_info: false, invalid: false };
        }
        let negative = self.is_negative();
        let (value, loses_info) = match self.class() {
            Class::Zero => {
                let zero = Exact::new(negative, 0, 0).round(kind, mode).0;
                (zero, negative && kind.has_zero() && !kind.has_negative_zero())
            }
            Class::Finite { significand, exponent } => {
                let (value, exact) = Exact::new(negative, significand, exponent).round(kind, mode);
                // NaN stands for what is negative where nothing is.
                (value, !exact || value.is_nan())
            }
            Class::Infinity => {
                let infinity = Self::infinity(kind);
                let value = infinity.or(Self::nan(kind)).unwrap_or(Self::largest(kind));
                (value.signed(negative), infinity.is_none())
            }
            Class::Nan(payload) => self.convert_nan(payload, kind),
        };
        Converted { value, loses_info, invalid: self.is_signaling() }
    }

    fn convert_nan(self, payload: u128, kind: FloatKind) -> (Self, bool) {
        let (from, to) = (self.kind.format(), kind.format());
        let Some(nan) = Self::nan(kind) else { return (Self::largest(kind).signed(self.is_negative()), true) };
        if to.special != Special::Ieee {
            return (nan.signed(self.is_negative()), from.special == Special::Ieee);
        }
        // What has no fraction has no payload.
        if from.special == Special::MinusZero || from.stored == 0 {
            return (nan, false);
        }
        let Format { stored, precision, .. } = to;
        let shift = precision - from.precision;
        let (moved, lost) = match shift {
            0.. => (payload << shift, false),
            // Where all NaN are of one payload, it is all ones in any precision.
            _ if from.special == Special::AllOnes => (payload, false),
            _ => (payload >> -shift, payload & low_bits(-shift as u32) != 0),
        };
        // Patterns that no processor makes, and signaling NaN.
        let odd = self.kind == FloatKind::F80 && payload >> 62 != 3;
        let Some(infinity) = Self::infinity(kind) else { return (nan, true) };
        let pattern = infinity.pattern | moved & low_bits(stored);
        let value = ApFloat { kind, pattern }.with_payload_of(self, 1 << (precision - 2));
        (value, lost || odd)
    }

    /// With the sign of another NaN, and with its quiet bit where that is signaling.
    fn with_payload_of(self, nan: Self, quiet: u128) -> Self {
        let pattern = if nan.is_signaling() { self.pattern | quiet } else { self.pattern };
        ApFloat { pattern, ..self }.signed(nan.is_negative())
    }

    /// A double in this format, to the nearest, ties to even.
    pub fn from_f64(kind: FloatKind, value: f64) -> Self {
        let double = ApFloat { kind: FloatKind::F64, pattern: value.to_bits().into() };
        double.convert(kind, RoundingMode::default()).value
    }

    /// A single-precision number in this format, to the nearest, ties to even.
    pub fn from_f32(kind: FloatKind, value: f32) -> Self {
        let single = ApFloat { kind: FloatKind::F32, pattern: value.to_bits().into() };
        single.convert(kind, RoundingMode::default()).value
    }

    /// The nearest double, ties to even.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatKind::F64, RoundingMode::default()).value.pattern as u64)
    }

    /// The nearest single-precision number, ties to even.
    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.convert(FloatKind::F32, RoundingMode::default()).value.pattern as u32)
    }

    /// A signed integer as a number: `arith.sitofp`.
    pub fn from_signed(kind: FloatKind, value: &ApInt, mode: RoundingMode) -> Self {
        Self::from_magnitude(kind, value.is_negative(), &value.abs(), mode)
    }

    /// An unsigned integer as a number: `arith.uitofp`.
    pub fn from_unsigned(kind: FloatKind, value: &ApInt, mode: RoundingMode) -> Self {
        Self::from_magnitude(kind, false, value, mode)
    }

    fn from_magnitude(kind: FloatKind, negative: bool, value: &ApInt, mode: RoundingMode) -> Self {
        let drop = value.active_bits().saturating_sub(128);
        let top = value.lshr(drop);
        let word = |at: usize| u128::from(top.words().get(at).copied().unwrap_or(0));
        let more = drop > 0 && value.trailing_zeros() < drop;
        // What is beyond all formats can be so by less.
        let exponent = drop.min(1 << 20) as i32;
        Exact { negative, significand: word(1) << 64 | word(0), exponent, more }.round(kind, mode).0
    }

    /// The number as a signed integer of `width` bits. `arith.fptosi` rounds toward zero.
    pub fn to_signed(self, width: u32, mode: RoundingMode) -> ToInteger {
        self.to_integer(width, true, mode)
    }

    /// The number as an unsigned integer of `width` bits. `arith.fptoui` rounds toward zero.
    pub fn to_unsigned(self, width: u32, mode: RoundingMode) -> ToInteger {
        self.to_integer(width, false, mode)
    }

    fn to_integer(self, width: u32, signed: bool, mode: RoundingMode) -> ToInteger {
        let negative = self.is_negative();
        let outside = || match (negative, signed) {
            _ if self.is_nan() => ApInt::zero(width),
            (true, true) => ApInt::signed_min(width),
            (true, false) => ApInt::zero(width),
            (false, true) => ApInt::signed_max(width),
            (false, false) => ApInt::all_ones(width),
        };
        let (whole, shift, exact) = match self.class() {
            Class::Zero => (0, 0, !negative),
            Class::Finite { significand, exponent: shift @ 0.. } => (significand, shift as u32, true),
            Class::Finite { significand, exponent } => {
                let (whole, exact) = cut(significand, exponent.unsigned_abs(), false, negative, mode);
                (whole, 0, exact)
            }
            _ => return ToInteger { value: outside(), fits: false, exact: false },
        };
        let bits = if whole == 0 { 0 } else { whole.ilog2() + 1 + shift };
        let fits = match (bits, signed) {
            (0, _) => true,
            (_, false) => !negative && bits <= width,
            (_, true) => bits < width || negative && bits == width && whole.is_power_of_two(),
        };
        if !fits {
            return ToInteger { value: outside(), fits, exact: false };
        }
        let magnitude = ApInt::from_words(width, &[whole as u64, (whole >> 64) as u64]).shl(shift);
        ToInteger { value: if negative { magnitude.negated() } else { magnitude }, fits, exact }
    }
}
