//! The layout of dense elements: how many bytes an element takes, splats, and reading elements one by one.

use bytes::Bytes;

use crate::attribute::AttributeData;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::number::{ApInt, FloatKind};
use crate::types::{Signedness, Type, TypeData};

/// What a number in dense elements is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    /// An integer; `index` is a signless one of 64 bits.
    Integer {
        /// Width in bits.
        width: u32,
        /// How the bits are read.
        signedness: Signedness,
        /// Whether the type is `index`.
        index: bool,
    },
    /// A floating-point value.
    Float(FloatKind),
}

impl NumberKind {
    /// What the values of an integer, index or float type are.
    pub fn of(context: &Context, ty: Type) -> Option<NumberKind> {
        Some(match context[ty] {
            TypeData::Integer { width, signedness } => NumberKind::Integer { width, signedness, index: false },
            TypeData::Index => NumberKind::Integer { width: 64, signedness: Signedness::Signless, index: true },
            TypeData::Float(kind) => NumberKind::Float(kind),
            _ => return None,
        })
    }

    /// Width in bits.
    pub fn width(self) -> u32 {
        match self {
            NumberKind::Integer { width, .. } => width,
            NumberKind::Float(kind) => kind.width(),
        }
    }
}

/// How the elements of dense elements lie in their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementLayout {
    /// The element, or each part of a complex one.
    pub number: NumberKind,
    /// Whether each element is a pair.
    pub complex: bool,
}

impl ElementLayout {
    /// The layout of elements of type `element`. `None` for types that are kept as strings.
    pub fn of(context: &Context, element: Type) -> Option<ElementLayout> {
        Some(match context[element] {
            TypeData::Complex(part) => ElementLayout { number: NumberKind::of(context, part)?, complex: true },
            _ => ElementLayout { number: NumberKind::of(context, element)?, complex: false },
        })
    }

    /// Whether elements take one bit each.
    pub fn packed(self) -> bool {
        !self.complex && matches!(self.number, NumberKind::Integer { width: 1, .. })
    }

    /// Bytes of one number: an element, or a part of a complex one.
    pub fn number_size(self) -> usize {
        self.number.width().div_ceil(8) as usize
    }

    /// Bytes of one element standing alone: of a splat.
    pub fn size(self) -> usize {
        self.number_size() * if self.complex { 2 } else { 1 }
    }

    /// Bytes of `count` elements.
    pub fn total(self, count: u64) -> Option<u64> {
        if self.packed() { Some(count.div_ceil(8)) } else { count.checked_mul(self.size() as u64) }
    }

    /// Whether these bytes are one element that stands for all of `count`. `None` where they are of a wrong length.
    pub fn is_splat(self, count: u64, data: &[u8]) -> Option<bool> {
        let length = data.len() as u64;
        if self.packed() && (data == [0x00] || data == [0xff]) {
            return Some(true);
        }
        if self.total(count) == Some(length) {
            return Some(!self.packed() && (count == 1 || count > 0 && length == 0));
        }
        (!self.packed() && data.len() == self.size()).then_some(true)
    }

    /// The number in these bytes, low byte first; bits above the width are ignored.
    pub fn read(self, bytes: &[u8]) -> ApInt {
        let mut words = [0u64; 2];
        if bytes.len() <= 16 {
            for (at, &byte) in bytes.iter().enumerate() {
                words[at / 8] |= u64::from(byte) << (at % 8 * 8);
            }
            return ApInt::from_words(self.number.width(), &words);
        }
        let words: Vec<u64> = bytes
            .chunks(8)
            .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            .collect();
        ApInt::from_words(self.number.width(), &words)
    }

    /// Whether `full` (all of `count` elements) is the same element over and over, which is then kept once.
    fn splat_of(self, count: u64, full: &Bytes) -> Option<Bytes> {
        if count == 0 || full.is_empty() {
            return None;
        }
        if self.packed() {
            let odd = count % 8;
            let last_one = if odd == 0 { 0xff } else { (1u8 << odd) - 1 };
            let (last, rest) = full.split_last()?;
            if *last == last_one && rest.iter().all(|&byte| byte == 0xff) {
                return Some(Bytes::from_static(&[0xff]));
            }
            return (full.iter().all(|&byte| byte == 0)).then(|| Bytes::from_static(&[0x00]));
        }
        let first = &full[..self.size()];
        full.chunks(self.size()).all(|element| element == first).then(|| full.slice(..self.size()))
    }
}

impl AttributeData {
    /// Dense elements of a shaped type with static shape, in the layout of
    /// [`AttributeData::DenseElements`]. Elements that are all equal become a splat, so that equal attributes are equal data.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification) where the bytes are neither one element nor all, or the
    /// type has no numbers as elements or no static shape.
    pub fn dense_elements(context: &Context, ty: Type, data: Bytes) -> Result<AttributeData> {
        let (layout, count) = dense_layout(context, ty)?;
        let Some(splat) = layout.is_splat(count, &data) else {
            return Err(Error::verification(format!(
                "dense elements hold {}, where the type asks for {} or, for a splat, {}",
                Error::counted(data.len(), "byte"),
                layout.total(count).map_or("too many".into(), |total| total.to_string()),
                layout.size()
            )));
        };
        let once = if splat { None } else { layout.splat_of(count, &data) };
        Ok(AttributeData::DenseElements { ty, data: once.unwrap_or(data) })
    }
}

/// The layout and the number of elements of a type of dense elements.
///
/// # Errors
/// [`ErrorKind::Verification`](crate::ErrorKind::Verification) where its shape is not static, or its elements have no layout.
pub fn dense_layout(context: &Context, ty: Type) -> Result<(ElementLayout, u64)> {
    let count = static_count(context, ty)?;
    let layout = context[ty].element().and_then(|element| ElementLayout::of(context, element));
    let layout = layout
        .ok_or_else(|| Error::verification("dense elements need an integer, index, float or complex element type"))?;
    Ok((layout, count))
}

/// The number of elements of a shaped type with static shape; saturates.
pub(crate) fn static_count(context: &Context, ty: Type) -> Result<u64> {
    match context[ty].shape() {
        None => Err(Error::verification("elements need a shaped type with a rank")),
        Some(shape) if shape.iter().any(|&size| size < 0) => {
            Err(Error::verification("elements need a type with static shape"))
        }
        Some(shape) if shape.contains(&0) => Ok(0),
        Some(_) => Ok(context[ty].element_count().unwrap_or(u64::MAX)),
    }
}
