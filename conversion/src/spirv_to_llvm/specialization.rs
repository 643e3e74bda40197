//! Values that are given to specialisation constants.

use std::fmt;

use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_ir::{NumberKind, Signedness};

/// A value given to a specialisation constant, which takes it as its type has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpecializationValue {
    /// For integers, whether they have a sign or not, and for Booleans: 0 or 1.
    Integer(i128),
    /// For floats.
    Float(f64),
}

impl SpecializationValue {
    /// A number of a pipeline's text: `-3`, `18446744073709551615`, `0.5`, `true`. `None` where it is no such thing, or no number of 64 bits.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "true" => return Some(SpecializationValue::Integer(1)),
            "false" => return Some(SpecializationValue::Integer(0)),
            _ => {}
        }
        if let Ok(number) = text.parse::<i128>() {
            let fits = (i64::MIN.into()..=u64::MAX.into()).contains(&number);
            return fits.then_some(SpecializationValue::Integer(number));
        }
        // What has digits is a number, and not infinite.
        let number = text.parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() || !text.bytes().any(|byte| byte.is_ascii_digit()));
        number.map(SpecializationValue::Float)
    }

    /// An id with its value, as in a pipeline's text: `3:-1.5`.
    ///
    /// # Errors
    /// What is wrong.
    pub(super) fn with_id(text: &str) -> Result<(u32, Self), String> {
        let parsed = text.split_once(':').map(|(id, value)| (id.trim().parse().ok(), Self::parse(value.trim())));
        match parsed {
            Some((Some(id), Some(value))) => Ok((id, value)),
            Some((None, _)) => Err(format!("`{text}` does not begin with the id of a constant")),
            Some((_, None)) => Err(format!("`{text}` ends with no number, `true` or `false`")),
            None => Err(format!("`{text}` is no id of a constant with its value, as in `0:64`")),
        }
    }

    /// Its bits, as a number of that kind has them. `None` where it is none of these.
    pub(super) fn bits(self, kind: NumberKind) -> Option<ApInt> {
        match (kind, self) {
            (NumberKind::Integer { width, signedness, .. }, SpecializationValue::Integer(value)) => {
                if width < 127 {
                    // Where the type does not say whether there is a sign, there may be one. That has no use for a truth value.
                    let least = match signedness {
                        Signedness::Unsigned => 0,
                        _ if width == 1 => 0,
                        _ => -1i128 << width.checked_sub(1)?,
                    };
                    let bits = if signedness == Signedness::Signed { width.checked_sub(1)? } else { width };
                    if !(least..1i128 << bits).contains(&value) {
                        return None;
                    }
                }
                match i64::try_from(value) {
                    Ok(value) => Some(ApInt::from_i64(width, value)),
                    Err(_) => u64::try_from(value).ok().map(|value| ApInt::from_u64(width, value)),
                }
            }
            (NumberKind::Float(kind), given) => {
                let given = match given {
                    SpecializationValue::Integer(value) => value as f64,
                    SpecializationValue::Float(value) => value,
                };
                let number = ApFloat::from_f64(kind, given);
                (number.is_finite() || !given.is_finite()).then(|| number.to_bits())
            }
            (NumberKind::Integer { .. }, SpecializationValue::Float(_)) => None,
        }
    }
}

impl fmt::Display for SpecializationValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecializationValue::Integer(value) => value.fmt(f),
            SpecializationValue::Float(value) => write!(f, "{value:?}"),
        }
    }
}
