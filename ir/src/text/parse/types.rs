//! Parsing types.

use super::Parser;
use crate::affine::AffineMap;
use crate::attribute::{Attribute, AttributeData};
use crate::error::Result;
use crate::number::FloatKind;
use crate::types::{DYNAMIC, Signedness, Type, TypeData};

impl<'a> Parser<'a> {
    /// Parses a type.
    ///
    /// # Errors
    /// Where no type is next, or it breaks a rule.
    pub fn ty(&mut self) -> Result<Type> {
        if self.is_at(b'(') { self.nested(Self::function_type) } else { self.non_function_type() }
    }

    /// Parses a type that is not a function type, unless in parentheses of its own.
    ///
    /// # Errors
    /// Where no type is next, or it breaks a rule.
    pub fn non_function_type(&mut self) -> Result<Type> {
        match self.optional_type()? {
            Some(ty) => Ok(ty),
            None => Err(self.expected("a type")),
        }
    }

    /// Parses a type that is not a function type, where one is next.
    ///
    /// # Errors
    /// Where one begins that breaks a rule.
    pub fn optional_type(&mut self) -> Result<Option<Type>> {
        if self.eat(b'!') {
            return self.extended_type().map(Some);
        }
        let start = self.here();
        let word = self.peek_word();
        let data = match word {
            [] => return Ok(None),
            b"index" => TypeData::Index,
            b"none" => TypeData::None,
            b"tensor" | b"memref" | b"vector" | b"complex" | b"tuple" => {
                self.at += word.len();
                return self.nested(|parser| parser.shaped_type(start, word)).map(Some);
            }
            _ => match integer_type(word) {
                Some(data) => data,
                None => match FloatKind::ALL.iter().find(|kind| kind.keyword().as_bytes() == word) {
                    Some(&kind) => TypeData::Float(kind),
                    None => return Ok(None),
                },
            },
        };
        self.at += word.len();
        self.make_type(start, data).map(Some)
    }

    fn function_type(&mut self) -> Result<Type> {
        let start = self.at;
        let mut inputs = Vec::new();
        self.expect(b'(')?;
        self.list(b')', |parser| {
            inputs.push(parser.ty()?);
            Ok(())
        })?;
        if !self.eat_arrow() {
            return Err(self.expected("`->` in a function type"));
        }
        let results = self.result_types()?;
        self.make_type(start, TypeData::Function { inputs: inputs.into(), results })
    }

    /// Parses types in parentheses, or one type without.
    ///
    /// # Errors
    /// Where neither is next.
    pub fn result_types(&mut self) -> Result<Box<[Type]>> {
        let mut results = Vec::new();
        if self.eat(b'(') {
            self.list(b')', |parser| {
                results.push(parser.ty()?);
                Ok(())
            })?;
        } else {
            results.push(self.non_function_type()?);
        }
        Ok(results.into())
    }

    fn shaped_type(&mut self, start: usize, word: &[u8]) -> Result<Type> {
        self.expect(b'<')?;
        let data = match word {
            b"tuple" => {
                let mut types = Vec::new();
                self.list(b'>', |parser| {
                    types.push(parser.ty()?);
                    Ok(())
                })?;
                return self.make_type(start, TypeData::Tuple(types.into()));
            }
            b"complex" => TypeData::Complex(self.non_function_type()?),
            b"vector" => self.vector_type()?,
            b"tensor" => self.tensor_type()?,
            _ => self.memref_type()?,
        };
        self.expect(b'>')?;
        self.make_type(start, data)
    }

    fn vector_type(&mut self) -> Result<TypeData> {
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            let bracket = self.eat(b'[');
            match self.size()? {
                Some(size) => shape.push(size),
                None if bracket => return Err(self.expected("a dimension size")),
                None => break,
            }
            scalable.push(bracket);
            if bracket {
                self.expect(b']')?;
            }
            self.size_separator()?;
        }
        if !scalable.contains(&true) {
            scalable.clear();
        }
        let element = self.ty()?;
        Ok(TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element })
    }

    fn tensor_type(&mut self) -> Result<TypeData> {
        let Some(shape) = self.shape()? else { return Ok(TypeData::UnrankedTensor(self.ty()?)) };
        let element = self.ty()?;
        let encoding = if self.eat(b',') { Some(self.attribute()?) } else { None };
        Ok(TypeData::RankedTensor { shape, element, encoding })
    }

    fn memref_type(&mut self) -> Result<TypeData> {
        let shape = self.shape()?;
        let element = self.ty()?;
        let (mut layout, mut space): (Option<Attribute>, Option<Attribute>) = (None, None);
        while self.eat(b',') {
            let attribute = self.attribute()?;
            let is_layout =
                matches!(self.context[attribute], AttributeData::AffineMap(_) | AttributeData::StridedLayout { .. });
            if is_layout {
                if shape.is_none() {
                    return Err(self.error("cannot apply a layout to an unranked memref"));
                }
                if layout.is_some() {
                    return Err(self.error("multiple layouts specified in memref type"));
                }
                if space.is_some() {
                    return Err(self.error("expected memory space to be last in memref type"));
                }
                layout = Some(attribute);
                continue;
            }
            if let Some(first) = space {
                // Which attributes of other dialects are layouts is unknown: the first of two is.
                if layout.is_some() || !self.context[first].is_foreign() || shape.is_none() {
                    return Err(self.error("multiple memory spaces specified in memref type"));
                }
                layout = Some(first);
            }
            space = Some(attribute);
        }
        let space = space.filter(|&space| !self.context.is_default_memory_space(space));
        let Some(shape) = shape else { return Ok(TypeData::UnrankedMemRef { element, space }) };
        let layout = layout.unwrap_or_else(|| {
            self.context.attribute(AttributeData::AffineMap(AffineMap::identity(shape.len() as u32)))
        });
        Ok(TypeData::MemRef { shape, element, layout, space })
    }

    /// Parses `4x?x`, where `?` is [`DYNAMIC`]; `None` for `*x`.
    ///
    /// # Errors
    /// Where no `x` follows a size, or a size does not fit.
    pub fn shape(&mut self) -> Result<Option<Box<[i64]>>> {
        if self.eat(b'*') {
            self.size_separator()?;
            return Ok(None);
        }
        let mut shape = Vec::new();
        loop {
            if self.eat(b'?') {
                shape.push(DYNAMIC);
            } else if let Some(size) = self.size()? {
                shape.push(size);
            } else {
                return Ok(Some(shape.into()));
            }
            self.size_separator()?;
        }
    }

    /// Takes the size of a dimension: decimal digits, even where `0x4` could be read as another number.
    ///
    /// # Errors
    /// Where the number does not fit.
    pub fn size(&mut self) -> Result<Option<i64>> {
        self.skip();
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        if length == 0 {
            return Ok(None);
        }
        let size = rest[..length]
            .iter()
            .try_fold(0i64, |size, digit| size.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
        let Some(size) = size else { return Err(self.error("invalid dimension: too large")) };
        self.at += length;
        Ok(Some(size))
    }

    fn size_separator(&mut self) -> Result<()> {
        if self.eat(b'x') { Ok(()) } else { Err(self.expected("`x` in a dimension list")) }
    }
}

/// `i32`, `si8`, `ui1`
fn integer_type(word: &[u8]) -> Option<TypeData> {
    let (signedness, digits) = match word {
        [b'i', digits @ ..] => (Signedness::Signless, digits),
        [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
        [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
        _ => return None,
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // A width that does not fit is too wide as well: the rules of the type say so.
    let width =
        digits.iter().fold(0u32, |width, digit| width.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    Some(TypeData::Integer { width, signedness })
}
