//! Attributes and locations of every kind.

use arbitrary::Result;
use mlirbc_ir::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use mlirbc_ir::dense::{ElementLayout, NumberKind};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::{parse_attribute, print_attribute};
use mlirbc_ir::{
    AttributeData, ResourceEntry, ResourceKey, ResourceValue, Type, TypeData, UNKNOWN_COLUMN, fresh_number,
};

use super::Builder;

/// Attributes of dialects: of those that this build knows, and of others.
const FOREIGN: &[&str] = &[
    "#llvm.di_file<\"a.c\" in \"/src\">",
    "#llvm.di_basic_type<tag = DW_TAG_base_type, name = \"int\", sizeInBits = 32, encoding = DW_ATE_signed>",
    "#llvm.di_null_type",
    "#arith.overflow<nsw>",
    "#t.a",
    "#t.a<[1, \"x>\"], {b}>",
    "#t<c<d>>",
    "#other.thing<!t.d, 5>",
];

/// The most elements of dense attributes.
const ELEMENTS: u64 = 64;

impl Builder<'_, '_> {
    /// A number of so many bits.
    fn bits(&mut self, width: u32) -> Result<ApInt> {
        // Wide ones by few bits: their words are of little interest.
        if width > 256 {
            return Ok(ApInt::from_i64(width, self.input.arbitrary()?));
        }
        Ok(match self.below(5)? {
            0 => ApInt::from_i64(width, self.input.arbitrary::<i8>()?.into()),
            1 => ApInt::from_i64(width, -1),
            2 => ApInt::from_i64(width, i64::MIN),
            _ => {
                let words = (0..width.div_ceil(64)).map(|_| self.input.arbitrary()).collect::<Result<Vec<u64>>>()?;
                ApInt::from_words(width, &words)
            }
        })
    }

    /// The bytes of so many elements, without stray bits.
    fn elements(&mut self, layout: ElementLayout, count: u64) -> Result<Option<Vec<u8>>> {
        let splat = self.chance(3)?;
        if layout.packed() {
            if splat {
                return Ok(Some(vec![self.any(&[0x00, 0xff])?]));
            }
            let mut bytes = self.input.bytes(count.div_ceil(8) as usize)?.to_vec();
            if let Some(last) = bytes.last_mut().filter(|_| !count.is_multiple_of(8)) {
                *last &= (1 << (count % 8)) - 1;
            }
            return Ok(Some(bytes));
        }
        let width = layout.number.width();
        if width > 256 {
            return Ok(None);
        }
        let numbers = if splat { 1 } else { count } * if layout.complex { 2 } else { 1 };
        let mut bytes = Vec::new();
        for _ in 0..numbers {
            let number = self.bits(width)?;
            let words = number.words().iter().flat_map(|word| word.to_le_bytes());
            bytes.extend(words.take(layout.number_size()));
        }
        Ok(Some(bytes))
    }

    fn dense(&mut self, ty: Type) -> Result<Option<AttributeData>> {
        let data = &self.context[ty];
        let (Some(count), Some(element)) = (data.element_count(), data.element()) else { return Ok(None) };
        let Some(layout) = ElementLayout::of(self.context, element).filter(|_| count <= ELEMENTS) else {
            return Ok(None);
        };
        let Some(bytes) = self.elements(layout, count)? else { return Ok(None) };
        Ok(AttributeData::dense_elements(self.context, ty, bytes.into()).ok())
    }

    fn dense_strings(&mut self, ty: Type) -> Result<Option<AttributeData>> {
        let data = &self.context[ty];
        let (Some(count), Some(element)) = (data.element_count(), data.element()) else { return Ok(None) };
        if count > 8 || ElementLayout::of(self.context, element).is_some() {
            return Ok(None);
        }
        let splat = count > 0 && self.chance(3)?;
        let values: Box<[Box<[u8]>]> =
            (0..if splat { 1 } else { count }).map(|_| self.bytes(5)).collect::<Result<_>>()?;
        // Elements that are all equal are one.
        let equal = values.first().is_some_and(|first| values.iter().all(|value| value == first));
        let values = if equal { values[..1].into() } else { values };
        Ok(Some(AttributeData::DenseStrings { ty, values, splat: equal }))
    }

    fn sparse(&mut self, ty: Type) -> Result<Option<AttributeData>> {
        let data = &self.context[ty];
        let (Some(shape), Some(element)) = (data.shape(), data.element()) else { return Ok(None) };
        if shape.is_empty() || shape.iter().any(|&size| size <= 0) || ElementLayout::of(self.context, element).is_none()
        {
            return Ok(None);
        }
        let (shape, count) = (shape.to_vec(), 1 + self.below(4)? as i64);
        let tensor = |shape: &[i64], element| {
            self.context.ty(TypeData::RankedTensor { shape: shape.into(), element, encoding: None })
        };
        let indices_type = tensor(&[count, shape.len() as i64], self.context.integer_type(64));
        let values_type = tensor(&[count], element);
        let mut indices = Vec::new();
        for _ in 0..count {
            for &size in &shape {
                indices.extend((self.below(size.min(8) as usize)? as i64).to_le_bytes());
            }
        }
        let indices = AttributeData::dense_elements(self.context, indices_type, indices.into());
        let (Ok(indices), Some(values)) = (indices, self.dense(values_type)?) else { return Ok(None) };
        let (indices, values) = (self.context.attribute(indices), self.context.attribute(values));
        Ok(Some(AttributeData::Sparse { ty, indices, values }))
    }

    fn affine(&mut self, dimensions: u32, symbols: u32, depth: usize) -> Result<AffineExpression> {
        let leaf = depth == 0 || self.chance(3)?;
        Ok(match self.below(if leaf { 3 } else { 5 })? {
            0 if dimensions > 0 => AffineExpression::dimension(self.below(dimensions as usize)? as u32),
            1 if symbols > 0 => AffineExpression::symbol(self.below(symbols as usize)? as u32),
            0..3 => AffineExpression::Constant(self.input.arbitrary::<i16>()?.into()),
            _ => {
                let operator = self.any(&[
                    AffineOperator::Add,
                    AffineOperator::Mul,
                    AffineOperator::Mod,
                    AffineOperator::FloorDiv,
                    AffineOperator::CeilDiv,
                ])?;
                let left = self.affine(dimensions, symbols, depth - 1)?;
                let right = match operator {
                    AffineOperator::Add => self.affine(dimensions, symbols, depth - 1)?,
                    _ => AffineExpression::Constant(1 + self.below(9)? as i64),
                };
                AffineExpression::binary(operator, left, right)
            }
        })
    }

    /// Affine expressions as a parser makes them: text, which is also how bytecode holds them, does not say in which order
    /// sums were made.
    fn as_text_has_it(&self, data: AttributeData) -> AttributeData {
        let again = |attribute| {
            let text = print_attribute(self.context, attribute).expect("affine expressions have a text");
            parse_attribute(self.context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let parsed = again(self.context.attribute(data));
        assert_eq!(self.context[parsed], self.context[again(parsed)], "parsed again it is another");
        self.context[parsed].clone()
    }

    /// A new resource: its handle stands in a dense attribute, its blob in the module.
    fn dense_resource(&mut self, ty: Type) -> Result<AttributeData> {
        let key: Box<[u8]> = match self.chance(4)? {
            true => format!("{} {}", self.name()?, self.resources.len()).into_bytes().into(),
            false => format!("blob_{}", self.resources.len()).into_bytes().into(),
        };
        let dialect = self.context.identifier("builtin");
        let resource = self.context.resource(ResourceKey { dialect, key: key.clone(), owner: self.owner });
        let data = self.bytes(40)?.into_vec().into();
        let value = ResourceValue::Blob { alignment: 1 << self.below(8)?, data };
        self.resources.push(ResourceEntry { key: key.into(), handle: Some(resource), value });
        Ok(AttributeData::DenseResource { ty, resource })
    }

    /// Makes an attribute of the earlier ones, where the rules allow it.
    pub(super) fn make_attribute(&mut self) -> Result<()> {
        let data = match self.below(21)? {
            0 => AttributeData::Array(self.some_attributes(4)?),
            1 => {
                let entries = self.entries(4)?;
                let dictionary = self.context.dictionary(entries).expect("each name once");
                self.attributes.push(dictionary);
                return Ok(());
            }
            2 | 3 => {
                let ty = if self.chance(2)? { Some(self.a_type()?) } else { None };
                let ty = ty.filter(|&ty| !matches!(self.context[ty], TypeData::None));
                AttributeData::String { value: self.bytes(9)?, ty }
            }
            4 => {
                let root = self.context.identifier(self.name()?);
                let nested = (0..self.below(3)?)
                    .map(|_| Ok(self.context.identifier(self.name()?)))
                    .collect::<Result<Box<[_]>>>()?;
                AttributeData::SymbolRef { root, nested }
            }
            5 => AttributeData::Type(self.a_type()?),
            6 => AttributeData::Unit,
            7..10 => {
                let ty = self.a_type()?;
                match NumberKind::of(self.context, ty) {
                    Some(NumberKind::Integer { width, .. }) => AttributeData::Integer { ty, value: self.bits(width)? },
                    Some(NumberKind::Float(kind)) => AttributeData::Float { ty, bits: self.bits(kind.width())? },
                    None => return Ok(()),
                }
            }
            10 => {
                let element = self.a_type()?;
                let size = match NumberKind::of(self.context, element) {
                    Some(NumberKind::Integer { index: true, .. }) | None => return Ok(()),
                    Some(NumberKind::Integer { width: 1, .. }) => 1,
                    Some(number) => number.width() as usize / 8,
                };
                let count = self.below(5)?;
                let mut data = self.input.bytes(count * size.min(16))?.to_vec();
                if size == 1 && matches!(self.context[element], TypeData::Integer { width: 1, .. }) {
                    data.iter_mut().for_each(|byte| *byte &= 1);
                }
                AttributeData::DenseArray { element, data: data.into() }
            }
            11 | 12 => {
                let ty = self.a_type()?;
                match self.dense(ty)? {
                    Some(data) => data,
                    None => return Ok(()),
                }
            }
            13 => {
                let ty = self.a_type()?;
                match self.dense_strings(ty)? {
                    Some(data) => data,
                    None => return Ok(()),
                }
            }
            14 => {
                let ty = self.a_type()?;
                if !self.context[ty].is_shaped() {
                    return Ok(());
                }
                self.dense_resource(ty)?
            }
            15 => {
                let ty = self.a_type()?;
                match self.sparse(ty)? {
                    Some(data) => data,
                    None => return Ok(()),
                }
            }
            16 => AttributeData::Distinct { referenced: self.an_attribute()?, id: fresh_number() },
            17 => {
                let (dimensions, symbols) = (self.below(4)? as u32, self.below(3)? as u32);
                let results =
                    (0..self.below(4)?).map(|_| self.affine(dimensions, symbols, 3)).collect::<Result<Box<[_]>>>()?;
                self.as_text_has_it(AttributeData::AffineMap(AffineMap { dimensions, symbols, results }))
            }
            18 => {
                let (dimensions, symbols) = (self.below(4)? as u32, self.below(3)? as u32);
                let constraints = (0..1 + self.below(3)?)
                    .map(|_| Ok((self.affine(dimensions, symbols, 3)?, self.chance(2)?)))
                    .collect::<Result<Box<[_]>>>()?;
                self.as_text_has_it(AttributeData::IntegerSet(IntegerSet { dimensions, symbols, constraints }))
            }
            19 => {
                let strides = (0..self.below(4)?).map(|_| self.stride()).collect::<Result<Box<[_]>>>()?;
                AttributeData::StridedLayout { strides, offset: self.stride()? }
            }
            _ => {
                let text = self.any(FOREIGN)?;
                let attribute = parse_attribute(self.context, text.as_bytes());
                self.attributes.push(attribute.unwrap_or_else(|error| panic!("{text}: {error}")));
                return Ok(());
            }
        };
        self.keep_attribute(data);
        Ok(())
    }

    fn stride(&mut self) -> Result<i64> {
        Ok(if self.chance(3)? { i64::MIN } else { self.input.arbitrary::<i32>()?.into() })
    }

    /// Makes a location of the earlier ones. It is an attribute as well.
    pub(super) fn make_location(&mut self) -> Result<()> {
        let data = match self.below(6)? {
            0..2 => {
                let file = self.context.identifier(self.name()?);
                let start = self.place()?;
                AttributeData::FileLocation { file, start, end: start }
            }
            2 => {
                let file = self.context.identifier(self.name()?);
                let start = self.place()?;
                // Bytecode has no place for the end column of a range that begins in column 0.
                let start = (start.0, start.1.max(1));
                let (lines, columns) = (self.below(3)? as u32, self.below(9)? as u32);
                let end = (start.0.saturating_add(lines), start.1.saturating_add(columns).min(UNKNOWN_COLUMN - 1));
                AttributeData::FileLocation { file, start, end }
            }
            3 => AttributeData::NameLocation { name: self.context.identifier(self.name()?), child: self.a_location()? },
            4 => AttributeData::CallSiteLocation { callee: self.a_location()?, caller: self.a_location()? },
            _ => {
                let parts = (0..self.below(4)?).map(|_| self.a_location()).collect::<Result<Vec<_>>>()?;
                let metadata = if self.chance(2)? { Some(self.an_attribute()?) } else { None };
                self.locations.push(self.context.fused_location(&parts, metadata));
                return Ok(());
            }
        };
        if data.verify(self.context).is_ok() {
            let location = self.context.attribute(data);
            self.locations.push(location);
            if self.chance(4)? {
                self.attributes.push(location);
            }
        }
        Ok(())
    }

    /// A line and a column.
    fn place(&mut self) -> Result<(u32, u32)> {
        let number = |builder: &mut Self| {
            Ok(match builder.below(6)? {
                0 => builder.any(&[0, 1 << 24, u32::MAX - 1])?,
                _ => builder.input.arbitrary::<u16>()?.into(),
            })
        };
        Ok((number(self)?, number(self)?))
    }
}
