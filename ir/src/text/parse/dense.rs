//! Parsing dense and sparse elements and dense arrays.

use bytes::Bytes;

use super::Parser;
use super::lexer::hex_value;
use crate::attribute::{Attribute, AttributeData};
use crate::dense::{ElementLayout, NumberKind, static_count};
use crate::error::Result;
use crate::invariants::dense_array_size;
use crate::number::ApInt;
use crate::types::{Type, TypeData};

/// How many times larger than their text elements may be, above a size that costs nothing.
const MAX_EXPANSION: usize = 64;
const FREE_EXPANSION: usize = 1 << 20;

/// A literal of elements: where it stands, and what its brackets say.
struct Shape {
    start: usize,
    end: usize,
    /// `None` for a single element, which stands for all.
    sizes: Option<Vec<i64>>,
    /// Whether the literal is a string.
    string: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn dense(&mut self, start: usize) -> Result<Attribute> {
        self.expect(b'<')?;
        let empty =
            self.is_at(b'>').then_some(Shape { start: self.at, end: self.at, sizes: Some(Vec::new()), string: false });
        let shape = match empty {
            Some(empty) => empty,
            None => self.literal_shape()?,
        };
        self.expect(b'>')?;
        let ty = self.colon_type()?;
        self.elements(start, &shape, ty)
    }

    pub(super) fn sparse(&mut self, start: usize) -> Result<Attribute> {
        self.expect(b'<')?;
        let empty = |at| Shape { start: at, end: at, sizes: Some(vec![0]), string: false };
        let (mut indices, mut values) = (empty(self.at), empty(self.at));
        let none = self.is_at(b'>');
        if !none {
            indices = self.literal_shape()?;
            self.expect(b',')?;
            values = self.literal_shape()?;
        }
        self.expect(b'>')?;
        let ty = self.colon_type()?;
        let context = self.context;
        static_count(context, ty).map_err(|error| error.at(start as u64))?;
        let rank = context[ty].shape().unwrap_or_default().len() as i64;
        let tensor = |sizes: &[i64], element| {
            context.ty(TypeData::RankedTensor { shape: sizes.into(), element, encoding: None })
        };
        let element = context[ty].element().unwrap_or_else(|| context.index_type());
        let (indices_sizes, values_sizes) = if none {
            (vec![0, rank], vec![0])
        } else {
            let indices_sizes = indices.sizes.clone().unwrap_or_else(|| vec![1, rank]);
            let count = indices_sizes[0];
            (indices_sizes, values.sizes.clone().unwrap_or_else(|| vec![count]))
        };
        let indices_type = tensor(&indices_sizes, context.integer_type(64));
        let values_type = tensor(&values_sizes, element);
        // What is empty in one dimension is so in all.
        if none {
            (indices.sizes, values.sizes) = (Some(indices_sizes), Some(values_sizes));
        }
        let indices = self.elements(start, &indices, indices_type)?;
        let values = self.elements(start, &values, values_type)?;
        self.make(start, AttributeData::Sparse { ty, indices, values })
    }

    /// Goes past a literal of elements, finding its shape. What the elements are is looked at once their type is known.
    fn literal_shape(&mut self) -> Result<Shape> {
        let start = self.here();
        let mut shape = Shape { start, end: start, sizes: None, string: false };
        if !self.is_at(b'[') {
            shape.string = self.is_at(b'"');
            self.skip_element()?;
            shape.end = self.at;
            return Ok(shape);
        }
        // Of each open bracket the number of items, and the sizes of every depth as the first list of it had them.
        let mut open: Vec<i64> = Vec::new();
        let mut sizes: Vec<Option<i64>> = Vec::new();
        let mut leaf_depth = None;
        let uneven = "tensor literal is invalid; ranks are not consistent between elements";
        loop {
            if self.eat(b'[') {
                open.push(0);
                if sizes.len() < open.len() {
                    sizes.push(None);
                }
                if !self.is_at(b']') {
                    continue;
                }
            } else {
                self.skip_element()?;
                if *leaf_depth.get_or_insert(open.len()) != open.len() {
                    return Err(self.error(uneven));
                }
                if let Some(count) = open.last_mut() {
                    *count += 1;
                }
            }
            while self.eat(b']') {
                let depth = open.len();
                let Some(count) = open.pop() else { return Err(self.expected("an element")) };
                if count == 0 && *leaf_depth.get_or_insert(depth) != depth {
                    return Err(self.error(uneven));
                }
                if *sizes[depth - 1].get_or_insert(count) != count {
                    return Err(self.error(uneven));
                }
                match open.last_mut() {
                    Some(outer) => *outer += 1,
                    None => {
                        shape.end = self.at;
                        shape.sizes = Some(sizes.into_iter().flatten().collect());
                        return Ok(shape);
                    }
                }
            }
            self.expect(b',')?;
        }
    }

    fn skip_element(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.skip_string().map(|_| ()),
            Some(b'(') => {
                self.at += 1;
                self.skip_number()?;
                self.expect(b',')?;
                self.skip_number()?;
                self.expect(b')')
            }
            _ => self.skip_number(),
        }
    }

    fn skip_number(&mut self) -> Result<()> {
        match self.peek() {
            Some(b't' | b'f') if matches!(self.peek_word(), b"true" | b"false") => {
                self.word();
                Ok(())
            }
            _ if self.literal().is_some() => Ok(()),
            _ => Err(self.expected("an element literal")),
        }
    }

    /// Makes the attribute of a literal that has been gone past, now that its type is known.
    fn elements(&mut self, start: usize, shape: &Shape, ty: Type) -> Result<Attribute> {
        let context = self.context;
        let count = static_count(context, ty).map_err(|error| error.at(start as u64))?;
        let layout = context[ty].element().and_then(|element| ElementLayout::of(context, element));
        let sizes = context[ty].shape().unwrap_or_default();
        let fits = match &shape.sizes {
            Some(literal) if literal.is_empty() => count == 0,
            Some(literal) => literal == sizes,
            None => true,
        };
        if !fits {
            let literal = shape.sizes.as_deref().unwrap_or_default();
            let message = format!("inferred shape of elements literal ({literal:?}) does not match type ({sizes:?})");
            return Err(self.error_at(start, message));
        }
        let (after, mut data) = (self.at, Vec::new());
        self.at = shape.start;
        let made = match layout {
            None => self.string_elements(shape, ty, count),
            Some(_) if shape.string => {
                self.hex_data(shape).and_then(|data| AttributeData::dense_elements(context, ty, data.into()))
            }
            Some(layout) => {
                self.number_data(shape, layout, &mut data)?;
                if layout.packed() && shape.sizes.is_none() {
                    data = vec![if data == [0] { 0x00 } else { 0xff }];
                }
                AttributeData::dense_elements(context, ty, data.into())
            }
        };
        self.at = after;
        let made = made.map_err(|error| error.at(start as u64))?;
        self.make(start, made)
    }

    /// Reads the numbers of a literal into the layout of dense elements.
    fn number_data(&mut self, shape: &Shape, layout: ElementLayout, data: &mut Vec<u8>) -> Result<()> {
        let most = FREE_EXPANSION.saturating_add(MAX_EXPANSION.saturating_mul(shape.end - shape.start));
        let mut count = 0usize;
        let mut bit = |data: &mut Vec<u8>, value: bool| {
            if count.is_multiple_of(8) {
                data.push(0);
            }
            if let Some(last) = data.last_mut() {
                *last |= u8::from(value) << (count % 8);
            }
            count += 1;
        };
        while self.at < shape.end {
            match self.peek() {
                Some(b'[' | b']' | b',') => {
                    self.at += 1;
                    continue;
                }
                Some(b'(') if layout.complex => {
                    self.at += 1;
                    self.number_into(layout.number, data)?;
                    self.expect(b',')?;
                    self.number_into(layout.number, data)?;
                    self.expect(b')')?;
                }
                _ if layout.complex => return Err(self.expected("a pair of numbers")),
                _ if self.at >= shape.end => break,
                _ if layout.packed() => {
                    let value = self.number_value(layout.number)?;
                    bit(data, value.words()[0] != 0);
                }
                _ => self.number_into(layout.number, data)?,
            }
            if data.len() > most {
                return Err(self.error("elements are too wide for a list: write them in hexadecimal"));
            }
        }
        Ok(())
    }

    fn number_value(&mut self, number: NumberKind) -> Result<ApInt> {
        let word = self.peek_word();
        if matches!(word, b"true" | b"false") {
            if !matches!(number, NumberKind::Integer { width: 1, .. }) {
                return Err(self.error("expected i1 type for `true` or `false` values"));
            }
            self.word();
            return Ok(ApInt::from_u64(1, u64::from(word == b"true")));
        }
        let Some(literal) = self.literal() else { return Err(self.expected("a number")) };
        match number {
            NumberKind::Float(kind) => self.float_value(literal, kind),
            NumberKind::Integer { .. } => self.integer_value(literal, number),
        }
    }

    fn number_into(&mut self, number: NumberKind, data: &mut Vec<u8>) -> Result<()> {
        let value = self.number_value(number)?;
        let mut left = number.width().div_ceil(8) as usize;
        for word in value.words() {
            data.extend_from_slice(&word.to_le_bytes()[..left.min(8)]);
            left = left.saturating_sub(8);
        }
        Ok(())
    }

    fn hex_data(&mut self, shape: &Shape) -> Result<Vec<u8>> {
        let digits = self.text[shape.start..shape.end].strip_prefix(b"\"0x").and_then(|rest| rest.strip_suffix(b"\""));
        let digits = digits.filter(|digits| digits.len() % 2 == 0 && digits.iter().all(u8::is_ascii_hexdigit));
        match digits {
            Some(digits) => {
                Ok(digits.chunks_exact(2).map(|pair| hex_value(pair[0]) << 4 | hex_value(pair[1])).collect())
            }
            None => Err(self.error("expected a string containing hex digits starting with `0x`")),
        }
    }

    fn string_elements(&mut self, shape: &Shape, ty: Type, count: u64) -> Result<AttributeData> {
        let mut values: Vec<Box<[u8]>> = Vec::new();
        while self.at < shape.end {
            match self.peek() {
                Some(b'[' | b']' | b',') => self.at += 1,
                _ if self.at >= shape.end => break,
                _ => values.push(self.string()?.into()),
            }
        }
        let splat = shape.sizes.is_none() || count > 0 && values.windows(2).all(|pair| pair[0] == pair[1]);
        if splat {
            values.truncate(1);
        }
        Ok(AttributeData::DenseStrings { ty, values: values.into(), splat })
    }

    pub(super) fn dense_array(&mut self, start: usize) -> Result<Attribute> {
        self.expect(b'<')?;
        let type_start = self.here();
        let element = self.ty()?;
        let size = dense_array_size(self.context, element).map_err(|error| error.at(type_start as u64))?;
        let mut data = Vec::new();
        if !self.eat(b'>') {
            self.expect(b':')?;
            let number = NumberKind::of(self.context, element);
            let boolean = matches!(self.context[element], TypeData::Integer { width: 1, .. });
            let text_start = self.at;
            loop {
                let Some(number) = number else { return Err(self.error("array of what are no numbers")) };
                if boolean && !matches!(self.peek_word(), b"true" | b"false") {
                    return Err(self.expected("`true` or `false`"));
                }
                self.number_into(number, &mut data)?;
                if data.len() > FREE_EXPANSION.saturating_add(MAX_EXPANSION.saturating_mul(self.at - text_start)) {
                    return Err(self.error("elements are too wide for their text"));
                }
                if !self.eat(b',') {
                    break;
                }
            }
            self.expect(b'>')?;
        }
        debug_assert_eq!(data.len() % size, 0);
        self.make(start, AttributeData::DenseArray { element, data: Bytes::from(data) })
    }
}
