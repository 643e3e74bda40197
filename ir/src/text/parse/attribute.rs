//! Parsing attributes.

use super::Parser;
use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute, ResourceKey};
use crate::dense::NumberKind;
use crate::error::Result;
use crate::number::FloatKind;
use crate::types::{DYNAMIC, Type, TypeData};

use super::lexer::LiteralKind;

impl<'a> Parser<'a> {
    /// Parses an attribute.
    ///
    /// # Errors
    /// Where no attribute is next, or it breaks a rule.
    pub fn attribute(&mut self) -> Result<Attribute> {
        let start = self.here();
        match self.peek() {
            Some(b'[') => self.nested(Self::array),
            Some(b'{') => self.nested(Self::dictionary),
            Some(b'"') => {
                let value = self.string()?;
                let mut ty = None;
                if self.eat(b':') {
                    ty = Some(self.ty()?).filter(|&ty| self.context[ty] != TypeData::None);
                }
                Ok(self.context.attribute(AttributeData::String { value: value.into(), ty }))
            }
            Some(b'@') => self.symbol_reference(),
            Some(b'#') => {
                self.at += 1;
                self.extended_attribute()
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'(' | b'!') => self.type_attribute(),
            _ => self.keyword(start),
        }
    }

    fn type_attribute(&mut self) -> Result<Attribute> {
        let ty = self.ty()?;
        Ok(self.context.attribute(AttributeData::Type(ty)))
    }

    fn keyword(&mut self, start: usize) -> Result<Attribute> {
        let word = self.peek_word();
        let parse: fn(&mut Self, usize) -> Result<Attribute> = match word {
            b"true" | b"false" => {
                self.word();
                return Ok(self.context.integer(1, i64::from(word == b"true")));
            }
            b"unit" => {
                self.word();
                return Ok(self.context.unit());
            }
            b"loc" => |parser, _| {
                parser.expect(b'(')?;
                let location = parser.location()?;
                parser.expect(b')')?;
                Ok(location)
            },
            b"dense" => Self::dense,
            b"array" => Self::dense_array,
            b"sparse" => Self::sparse,
            b"dense_resource" => Self::dense_resource,
            b"affine_map" => |parser, start| {
                parser.expect(b'<')?;
                let map = parser.affine_map()?;
                parser.expect(b'>')?;
                parser.make(start, AttributeData::AffineMap(map))
            },
            b"affine_set" => |parser, start| {
                parser.expect(b'<')?;
                let set = parser.integer_set()?;
                parser.expect(b'>')?;
                parser.make(start, AttributeData::IntegerSet(set))
            },
            b"strided" => Self::strided,
            b"distinct" => Self::distinct,
            _ => {
                return match self.optional_type()? {
                    Some(ty) => Ok(self.context.attribute(AttributeData::Type(ty))),
                    None => Err(self.expected("an attribute")),
                };
            }
        };
        self.word();
        self.nested(|parser| parse(parser, start))
    }

    fn array(&mut self) -> Result<Attribute> {
        self.expect(b'[')?;
        let mut items = Vec::new();
        self.list(b']', |parser| {
            items.push(parser.attribute()?);
            Ok(())
        })?;
        Ok(self.context.attribute(AttributeData::Array(items.into())))
    }

    fn dictionary(&mut self) -> Result<Attribute> {
        let start = self.at;
        let entries = self.entries()?;
        self.context.dictionary(entries).map_err(|error| self.error_at(start, error.message()))
    }

    /// Parses a dictionary with its braces, as its entries in the order of the text.
    ///
    /// # Errors
    /// Where no dictionary is next. A name that comes twice is no error here.
    pub fn entries(&mut self) -> Result<Vec<NamedAttribute>> {
        let mut entries = Vec::new();
        self.expect(b'{')?;
        self.list(b'}', |parser| {
            let start = parser.here();
            let name = if parser.is_at(b'"') { parser.string()? } else { parser.word().into() };
            if name.is_empty() {
                return Err(parser.expected("the name of an attribute"));
            }
            let hooks = parser.context.renamed_hooks(&name);
            let name = Identifier(parser.context.string(name));
            let value = if parser.eat(b'=') { parser.attribute()? } else { parser.context.unit() };
            entries.push(match hooks {
                None => (name, value),
                Some(hooks) => {
                    let entry = hooks.renamed_entry(parser.context, (name, value));
                    entry.map_err(|error| parser.error_at(start, error.message()))?
                }
            });
            Ok(())
        })?;
        Ok(entries)
    }

    /// Parses `@name`.
    ///
    /// # Errors
    /// Where no symbol is next.
    pub fn symbol_name(&mut self) -> Result<Identifier> {
        self.expect(b'@')?;
        // Nothing may stand between the sign and the name.
        let name = match self.text.get(self.at) {
            Some(b'"') => self.string()?,
            Some(&byte) if super::lexer::starts_word(byte) => self.word().into(),
            _ => return Err(self.error_at(self.at, "expected the name of a symbol")),
        };
        Ok(Identifier(self.context.string(name)))
    }

    /// Parses a dictionary as its entries, counting it as nested.
    #[doc(hidden)]
    pub fn nested_entries(&mut self) -> Result<Vec<NamedAttribute>> {
        self.nested(Self::entries)
    }

    /// Parses an attribute of a known type, which the text leaves out.
    ///
    /// # Errors
    /// Where no attribute is next, or none of that type.
    pub fn typed_attribute(&mut self, ty: Type) -> Result<Attribute> {
        let start = self.here();
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => {
                let number = NumberKind::of(self.context, ty);
                let Some(literal) = self.literal() else { return Err(self.expected("a number")) };
                // Where the type is written all the same, it counts.
                if self.is_at(b':') && number.is_none() {
                    self.at = start;
                    return self.attribute();
                }
                let data = match number {
                    Some(NumberKind::Float(kind)) if literal.kind != LiteralKind::Decimal => {
                        AttributeData::Float { ty, bits: self.float_value(literal, kind)? }
                    }
                    Some(number @ NumberKind::Integer { .. }) => {
                        AttributeData::Integer { ty, value: self.integer_value(literal, number)? }
                    }
                    _ => return Err(self.error_at(start, "a number of another type was expected")),
                };
                Ok(self.context.attribute(data))
            }
            // A type behind it belongs to what follows.
            Some(b'"') => {
                let value = self.string()?.into_owned().into();
                let ty = Some(ty).filter(|&ty| self.context[ty] != TypeData::None);
                Ok(self.context.attribute(AttributeData::String { value, ty }))
            }
            // Elements of a known type.
            Some(b'd' | b's') if matches!(self.peek_word(), b"dense" | b"sparse" | b"dense_resource") => {
                self.elements_of(ty)
            }
            _ => self.attribute(),
        }
    }

    /// Parses elements whose type may be left out.
    fn elements_of(&mut self, ty: Type) -> Result<Attribute> {
        self.elided = Some(ty);
        let attribute = self.attribute();
        self.elided = None;
        attribute
    }

    fn symbol_reference(&mut self) -> Result<Attribute> {
        let root = self.symbol_name()?;
        let mut nested = Vec::new();
        loop {
            let before = self.at;
            if !(self.eat(b':') && self.eat(b':')) {
                self.at = before;
                break;
            }
            nested.push(self.symbol_name()?);
        }
        Ok(self.context.attribute(AttributeData::SymbolRef { root, nested: nested.into() }))
    }

    fn number(&mut self) -> Result<Attribute> {
        let start = self.at;
        let Some(literal) = self.literal() else { return Err(self.expected("a number")) };
        let ty = if self.eat(b':') {
            self.ty()?
        } else if literal.kind == LiteralKind::Float {
            self.context.float_type(FloatKind::F64)
        } else {
            self.context.integer_type(64)
        };
        let data = match NumberKind::of(self.context, ty) {
            Some(NumberKind::Float(kind)) => AttributeData::Float { ty, bits: self.float_value(literal, kind)? },
            Some(number) => AttributeData::Integer { ty, value: self.integer_value(literal, number)? },
            None => return Err(self.error_at(start, "number not valid for specified type")),
        };
        self.make(start, data)
    }

    fn strided(&mut self, start: usize) -> Result<Attribute> {
        let mut strides = Vec::new();
        self.expect(b'<')?;
        self.expect(b'[')?;
        self.list(b']', |parser| {
            strides.push(parser.stride()?);
            Ok(())
        })?;
        let mut offset = 0;
        if self.eat(b',') {
            self.expect_word("offset")?;
            self.expect(b':')?;
            offset = self.stride()?;
        }
        self.expect(b'>')?;
        self.make(start, AttributeData::StridedLayout { strides: strides.into(), offset })
    }

    fn stride(&mut self) -> Result<i64> {
        if self.eat(b'?') {
            return Ok(DYNAMIC);
        }
        match self.signed() {
            Some(DYNAMIC) | None => Err(self.expected("an integer or `?`")),
            Some(stride) => Ok(stride),
        }
    }

    fn distinct(&mut self, start: usize) -> Result<Attribute> {
        self.expect(b'[')?;
        let Some(number) = self.unsigned() else { return Err(self.expected("an unsigned number")) };
        self.expect(b']')?;
        self.expect(b'<')?;
        let referenced = if self.is_at(b'>') { self.context.unit() } else { self.attribute()? };
        self.expect(b'>')?;
        self.scope.asked = true;
        match self.scope.distinct.get(&number) {
            Some(&(_, earlier)) if earlier != referenced => {
                Err(self.error_at(start, "referenced attribute does not match previous definition"))
            }
            Some(&(attribute, _)) => Ok(attribute),
            None => {
                let id = crate::context::fresh_number();
                let attribute = self.context.attribute(AttributeData::Distinct { referenced, id });
                self.scope.distinct.insert(number, (attribute, referenced));
                Ok(attribute)
            }
        }
    }

    fn dense_resource(&mut self, start: usize) -> Result<Attribute> {
        self.expect(b'<')?;
        let key = if self.is_at(b'"') { self.string()? } else { self.word().into() };
        if key.is_empty() {
            return Err(self.expected("the key of a resource"));
        }
        self.expect(b'>')?;
        let ty = self.colon_type()?;
        self.scope.asked = true;
        let resource = self.context.resource(ResourceKey {
            dialect: self.context.identifier("builtin"),
            key: key.into(),
            owner: self.scope.owner,
        });
        self.make(start, AttributeData::DenseResource { ty, resource })
    }

    /// Parses `: type`.
    ///
    /// # Errors
    /// Where it is not next.
    pub fn colon_type(&mut self) -> Result<Type> {
        if let Some(ty) = self.elided.take()
            && !self.is_at(b':')
        {
            return Ok(ty);
        }
        self.expect(b':')?;
        self.ty()
    }
}
