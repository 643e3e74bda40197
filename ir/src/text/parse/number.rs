//! What numbers in text stand for.

use super::Parser;
use super::lexer::{Literal, LiteralKind, hex_value};
use crate::dense::NumberKind;
use crate::error::Result;
use crate::number::{ApInt, FloatKind, decimal_words};
use crate::text::{float, is_long_enough};
use crate::types::Signedness;

impl Literal<'_> {
    /// The magnitude, where it fits.
    fn magnitude(&self) -> Option<u64> {
        match self.kind {
            LiteralKind::Decimal => self
                .digits
                .iter()
                .try_fold(0u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))),
            LiteralKind::Hexadecimal => self.digits[2..]
                .iter()
                .try_fold(0u64, |value, &digit| (value >> 60 == 0).then(|| value << 4 | u64::from(hex_value(digit)))),
            LiteralKind::Float => None,
        }
    }

    pub(super) fn to_u64(self) -> Option<u64> {
        self.magnitude().filter(|_| !self.negative)
    }

    pub(super) fn to_i64(self) -> Option<i64> {
        let magnitude = self.magnitude()?;
        if self.negative { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    fn words(&self) -> Option<Vec<u64>> {
        if self.kind == LiteralKind::Hexadecimal {
            let word = |digits: &[u8]| digits.iter().fold(0, |word, &digit| word << 4 | u64::from(hex_value(digit)));
            return Some(self.digits[2..].rchunks(16).map(word).collect());
        }
        decimal_words(self.digits)
    }
}

impl<'a> Parser<'a> {
    /// The value of an integer literal in a type of that width.
    pub(super) fn integer_value(&self, literal: Literal<'_>, number: NumberKind) -> Result<ApInt> {
        let error = |message: &str| Err(self.error_at(literal.start, message));
        let NumberKind::Integer { width, signedness, index } = number else {
            return error("integer literal not valid for a float type");
        };
        if literal.kind == LiteralKind::Float {
            return error("floating point value not valid for an integer type");
        }
        if literal.negative && signedness == Signedness::Unsigned {
            return error("negative integer literal not valid for unsigned integer type");
        }
        if !is_long_enough(literal.digits.len(), width) {
            return error("so wide an integer must be written with its leading zeros");
        }
        let value = if width <= 64 {
            let Some(magnitude) = literal.magnitude() else { return error("integer constant out of range") };
            if width < 64 && magnitude >> width != 0 {
                return error("integer constant out of range");
            }
            ApInt::from_u64(width, magnitude)
        } else {
            let Some(mut words) = literal.words() else {
                return error("decimal integer of more than 20000 digits: write it in hexadecimal");
            };
            while words.last() == Some(&0) {
                words.pop();
            }
            let bits = words.last().map_or(0, |last| words.len() * 64 - last.leading_zeros() as usize);
            if bits > width as usize {
                return error("integer constant out of range");
            }
            ApInt::from_words(width, &words)
        };
        let value = if literal.negative { value.negated() } else { value };
        let sign_wrong = if literal.negative {
            !value.is_negative()
        } else {
            (signedness == Signedness::Signed || index) && value.is_negative()
        };
        if sign_wrong { error("integer constant out of range") } else { Ok(value) }
    }

    /// The value of a literal in a floating-point format: decimal with a point, or hexadecimal for the bits.
    pub(super) fn float_value(&self, literal: Literal<'_>, kind: FloatKind) -> Result<ApInt> {
        let error = |message: &str| Err(self.error_at(literal.start, message));
        match literal.kind {
            LiteralKind::Decimal => error("unexpected decimal integer literal for a floating point value"),
            LiteralKind::Hexadecimal => {
                if literal.negative {
                    return error("hexadecimal float literal should not have a leading minus");
                }
                let words = literal.words().unwrap_or_default();
                let (low, high) = (words.first().copied().unwrap_or(0), words.get(1).copied().unwrap_or(0));
                let fits = words.iter().skip(2).all(|&word| word == 0)
                    && (kind.width() >= 128 || (u128::from(high) << 64 | u128::from(low)) >> kind.width() == 0);
                if !fits {
                    return error("hexadecimal float constant out of range for type");
                }
                Ok(ApInt::from_words(kind.width(), &[low, high]))
            }
            LiteralKind::Float => {
                let value = std::str::from_utf8(literal.digits).ok().and_then(|text| text.parse::<f64>().ok());
                let Some(value) = value else { return error("floating point value is not a number") };
                match float::from_double(kind, if literal.negative { -value } else { value }) {
                    Some(bits) => Ok(bits),
                    None => error("negative value for a floating point type without a sign"),
                }
            }
        }
    }

    /// Takes a floating-point number as a double: decimal with a point, or hexadecimal for the bits.
    ///
    /// # Errors
    /// Where something else is next.
    pub fn double(&mut self) -> Result<f64> {
        let Some(literal) = self.literal() else { return Err(self.expected("a floating point literal")) };
        Ok(f64::from_bits(self.float_value(literal, FloatKind::F64)?.words()[0]))
    }
}
