//! The floating-point formats of MLIR.

macro_rules! float_kinds {
    ($($name:ident $text:literal $width:literal,)*) => {
        /// A floating-point format of MLIR's builtin dialect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FloatKind { $(#[doc = concat!("`", $text, "`, ", stringify!($width), " bits.")] $name,)* }

        impl FloatKind {
            /// Every format.
            pub const ALL: &[FloatKind] = &[$(FloatKind::$name,)*];

            /// The keyword in text.
            pub fn keyword(self) -> &'static str {
                match self { $(FloatKind::$name => $text,)* }
            }

            /// Width of a value in bits.
            pub fn width(self) -> u32 {
                match self { $(FloatKind::$name => $width,)* }
            }
        }
    };
}

float_kinds! {
    BF16 "bf16" 16,
    F16 "f16" 16,
    F32 "f32" 32,
    F64 "f64" 64,
    F80 "f80" 80,
    F128 "f128" 128,
    TF32 "tf32" 19,
    F4E2M1FN "f4E2M1FN" 4,
    F6E2M3FN "f6E2M3FN" 6,
    F6E3M2FN "f6E3M2FN" 6,
    F8E3M4 "f8E3M4" 8,
    F8E4M3 "f8E4M3" 8,
    F8E4M3B11FNUZ "f8E4M3B11FNUZ" 8,
    F8E4M3FN "f8E4M3FN" 8,
    F8E4M3FNUZ "f8E4M3FNUZ" 8,
    F8E5M2 "f8E5M2" 8,
    F8E5M2FNUZ "f8E5M2FNUZ" 8,
    F8E8M0FNU "f8E8M0FNU" 8,
}

/// What the bit patterns without a finite value mean.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Special {
    /// Highest exponent: infinity and NaN.
    Ieee,
    /// Exponent and fraction all ones: NaN. No infinity.
    AllOnes,
    /// Minus zero: NaN. No infinity.
    MinusZero,
    /// Neither infinity nor NaN.
    Finite,
}

/// How a format encodes its values.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Bits of the significand, with the leading one.
    pub(super) precision: i32,
    /// Bits of the significand that are stored.
    pub(super) stored: u32,
    /// Lowest exponent of a normal number.
    pub(super) lowest: i32,
    /// Highest exponent of a finite number.
    pub(super) highest: i32,
    pub(super) special: Special,
}

impl FloatKind {
    pub(super) fn format(self) -> Format {
        let (precision, lowest, highest, special) = match self {
            FloatKind::BF16 => (8, -126, 127, Special::Ieee),
            FloatKind::F16 => (11, -14, 15, Special::Ieee),
            FloatKind::F32 => (24, -126, 127, Special::Ieee),
            FloatKind::F64 => (53, -1022, 1023, Special::Ieee),
            FloatKind::F80 => (64, -16382, 16383, Special::Ieee),
            FloatKind::F128 => (113, -16382, 16383, Special::Ieee),
            FloatKind::TF32 => (11, -126, 127, Special::Ieee),
            FloatKind::F4E2M1FN => (2, 0, 2, Special::Finite),
            FloatKind::F6E2M3FN => (4, 0, 2, Special::Finite),
            FloatKind::F6E3M2FN => (3, -2, 4, Special::Finite),
            FloatKind::F8E3M4 => (5, -2, 3, Special::Ieee),
            FloatKind::F8E4M3 => (4, -6, 7, Special::Ieee),
            FloatKind::F8E4M3B11FNUZ => (4, -10, 4, Special::MinusZero),
            FloatKind::F8E4M3FN => (4, -6, 8, Special::AllOnes),
            FloatKind::F8E4M3FNUZ => (4, -7, 7, Special::MinusZero),
            FloatKind::F8E5M2 => (3, -14, 15, Special::Ieee),
            FloatKind::F8E5M2FNUZ => (3, -15, 15, Special::MinusZero),
            FloatKind::F8E8M0FNU => (1, -127, 127, Special::AllOnes),
        };
        // The 80-bit format alone stores the leading one.
        let stored = if self == FloatKind::F80 { precision } else { precision - 1 };
        Format { precision, stored: stored as u32, lowest, highest, special }
    }

    /// Bits of the significand, with the leading one: 53 for [`F64`](FloatKind::F64), 1 where there is an exponent alone.
    pub fn precision(self) -> u32 {
        self.format().precision as u32
    }

    /// The exponent `e` of the lowest normal number, `2^e`.
    pub fn min_exponent(self) -> i32 {
        self.format().lowest
    }

    /// The highest `e` of which `2^e` is finite.
    pub fn max_exponent(self) -> i32 {
        self.format().highest
    }

    /// Whether there are infinities.
    pub fn has_infinity(self) -> bool {
        self.format().special == Special::Ieee
    }

    /// Whether there is a value for what is not a number.
    pub fn has_nan(self) -> bool {
        self.format().special != Special::Finite
    }

    /// Whether there is a zero: [`F8E8M0FNU`](FloatKind::F8E8M0FNU) alone has none. It puts its smallest number in its place.
    pub fn has_zero(self) -> bool {
        self != FloatKind::F8E8M0FNU
    }

    /// Whether zero has a sign.
    pub fn has_negative_zero(self) -> bool {
        self.has_zero() && self.format().special != Special::MinusZero
    }

    /// Whether there are negative numbers: [`F8E8M0FNU`](FloatKind::F8E8M0FNU) alone has none. It puts NaN in their place.
    pub fn is_signed(self) -> bool {
        self != FloatKind::F8E8M0FNU
    }

    /// Whether precision and exponents of the other format are in the range of this one, so that each of its numbers is one of this, too.
    /// Zeros, infinities and NaN are not looked at.
    pub fn holds(self, other: FloatKind) -> bool {
        let (this, other) = (self.format(), other.format());
        other.highest <= this.highest && other.lowest >= this.lowest && other.precision <= this.precision
    }
}
