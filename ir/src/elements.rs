//! The numbers in attributes: one, or the elements of dense ones.

use bytes::Bytes;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::dense::{ElementLayout, NumberKind, dense_layout};
use crate::error::{Error, ErrorCode, Result};
use crate::number::{ApFloat, ApInt, FloatKind};
use crate::types::Type;

/// The numbers that an attribute holds: an integer, a float, or dense elements of these, complex ones excepted.
///
/// ```
/// use mlirbc_ir::{Context, Numbers};
/// use mlirbc_ir::number::ApInt;
///
/// let context = Context::new();
/// let five = Numbers::of(&context, context.integer(32, 5)).expect("a number");
/// assert!(five.is_splat() && five.get(0).to_u64() == Some(5));
/// let i32 = context.integer_type(32);
/// assert_eq!(context.numbers(i32, &[ApInt::from_u64(32, 5)])?, context.integer(32, 5));
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Numbers<'c> {
    /// The type of the attribute.
    pub ty: Type,
    /// What each number is.
    pub number: NumberKind,
    /// How many there are, a splat counted as all that it stands for.
    pub count: u64,
    held: Held<'c>,
}

#[derive(Clone, Debug)]
enum Held<'c> {
    One(ApInt),
    Packed(&'c [u8]),
    Bytes(ElementLayout, &'c [u8]),
}

impl<'c> Numbers<'c> {
    /// The numbers of an attribute. `None` where it holds none.
    pub fn of(context: &'c Context, attribute: Attribute) -> Option<Numbers<'c>> {
        match &context[attribute] {
            AttributeData::Integer { ty, value: bits } | AttributeData::Float { ty, bits } => {
                let number = NumberKind::of(context, *ty)?;
                Some(Numbers { ty: *ty, number, count: 1, held: Held::One(bits.clone()) })
            }
            AttributeData::DenseElements { ty, data } => {
                let (layout, count) = dense_layout(context, *ty).ok()?;
                if layout.complex {
                    return None;
                }
                let is_splat = layout.is_splat(count, data)?;
                let held = match (is_splat, layout.packed()) {
                    (true, true) => Held::One(ApInt::from_u64(1, u64::from(*data.first()? & 1))),
                    (true, false) if count == 0 => Held::Bytes(layout, data),
                    (true, false) => Held::One(layout.read(data)),
                    (false, true) => Held::Packed(data),
                    (false, false) => Held::Bytes(layout, data),
                };
                Some(Numbers { ty: *ty, number: layout.number, count, held })
            }
            _ => None,
        }
    }

    /// Whether one number is all there is, or stands for all.
    pub fn is_splat(&self) -> bool {
        matches!(self.held, Held::One(_))
    }

    /// The number that all are.
    pub fn splat(&self) -> Option<&ApInt> {
        match &self.held {
            Held::One(value) => Some(value),
            _ => None,
        }
    }

    /// The bits of a number: zero where there is none of that place.
    pub fn get(&self, at: u64) -> ApInt {
        let place = usize::try_from(at).unwrap_or(usize::MAX);
        match &self.held {
            Held::One(value) => value.clone(),
            Held::Packed(data) => {
                let byte = data.get(place / 8).copied().unwrap_or_default();
                ApInt::from_u64(1, u64::from(byte >> (place % 8) & 1))
            }
            Held::Bytes(layout, data) => {
                let size = layout.size();
                let start = place.saturating_mul(size);
                layout.read(data.get(start..start.saturating_add(size)).unwrap_or_default())
            }
        }
    }

    /// What floats these are.
    pub fn float_kind(&self) -> Option<FloatKind> {
        match self.number {
            NumberKind::Float(kind) => Some(kind),
            NumberKind::Integer { .. } => None,
        }
    }
}

impl Context {
    /// The integer that an attribute is, or that all its elements are.
    pub fn integer_of(&self, attribute: Attribute) -> Option<ApInt> {
        let numbers = Numbers::of(self, attribute)?;
        numbers.splat().filter(|_| numbers.float_kind().is_none()).cloned()
    }

    /// The float that an attribute is, or that all its elements are.
    pub fn float_of(&self, attribute: Attribute) -> Option<ApFloat> {
        let numbers = Numbers::of(self, attribute)?;
        Some(ApFloat::from_bits(numbers.float_kind()?, numbers.splat()?))
    }

    /// An attribute of that type with these numbers, given by their bits: an integer or a float, or dense elements, of which one
    /// number stands for all.
    ///
    /// # Errors
    /// Where the type has no numbers, or another number of them, or of another width.
    pub fn numbers(&self, ty: Type, values: &[ApInt]) -> Result<Attribute> {
        let wrong =
            || Error::misuse("numbers do not fit the type that they are to be of").with_code(ErrorCode::WrongType);
        if let Some(number) = NumberKind::of(self, ty) {
            let [value] = values else { return Err(wrong()) };
            if value.width() != number.width() {
                return Err(wrong());
            }
            let value = value.clone();
            return Ok(self.attribute(match number {
                NumberKind::Integer { .. } => AttributeData::Integer { ty, value },
                NumberKind::Float(_) => AttributeData::Float { ty, bits: value },
            }));
        }
        let (layout, count) = dense_layout(self, ty)?;
        let fits = values.len() as u64 == count || values.len() == 1;
        if layout.complex || !fits || values.iter().any(|value| value.width() != layout.number.width()) {
            return Err(wrong());
        }
        let mut data: Vec<u8> = Vec::new();
        if layout.packed() {
            match values {
                [value] => data.push(if value.is_zero() { 0x00 } else { 0xff }),
                _ => {
                    data.resize(values.len().div_ceil(8), 0);
                    for (at, _) in values.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
                        data[at / 8] |= 1 << (at % 8);
                    }
                }
            }
        } else {
            let size = layout.number_size();
            for value in values {
                let bytes = value.words().iter().flat_map(|word| word.to_le_bytes());
                let start = data.len();
                data.extend(bytes.take(size));
                data.resize(start + size, 0);
            }
        }
        Ok(self.attribute(AttributeData::dense_elements(self, ty, Bytes::from(data))?))
    }
}
