//! What a dialect reads its entries with.

use std::collections::HashSet;

use bytes::Bytes;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, Context, Error, Identifier, ResourceHandle, Result, Type};

use crate::read::Cursor;

/// Reads the fields of one entry: of an attribute, a type, a version or an operation's properties.
///
/// Nested attributes and types come back resolved. Where nesting is so deep that a decoder cannot go on, it gets an
/// error and is called again later, from the entry's first byte: a decoder must have no effects but its result.
pub struct EntryReader<'a, 'r> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) resolver: &'a dyn Resolver,
    pub(crate) resolution: &'r mut Resolution,
}

/// Which table an entry stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Table {
    Attributes,
    Types,
}

/// The state of resolving one entry and what it refers to.
#[derive(Default)]
pub(crate) struct Resolution {
    /// How many decoders are on the stack.
    pub(crate) depth: u32,
    /// Entries that are being decoded: meeting one again is a cycle.
    pub(crate) in_progress: HashSet<(Table, u32)>,
    /// The entry that was too deep: to be resolved first.
    pub(crate) deferred: Option<(Table, u32)>,
}

/// The tables of a file, as decoders see them.
pub(crate) trait Resolver {
    fn context(&self) -> &Context;
    fn version(&self) -> u64;
    fn nested_attribute(&self, index: u32, resolution: &mut Resolution) -> Result<Attribute>;
    fn nested_type(&self, index: u32, resolution: &mut Resolution) -> Result<Type>;
    fn string(&self, index: u32) -> Result<&[u8]>;
    fn resource(&self, index: u32) -> Result<ResourceHandle>;
    fn slice(&self, bytes: &[u8]) -> Bytes;
    fn dialect_version(&self, dialect: &str) -> Result<Option<super::DialectVersion>>;
}

impl<'a> EntryReader<'a, '_> {
    /// The context that the result belongs to.
    pub fn context(&self) -> &'a Context {
        self.resolver.context()
    }

    /// The bytecode version of the file.
    pub fn bytecode_version(&self) -> u64 {
        self.resolver.version()
    }

    /// The version that the dialect of that name wrote into the file, as its decoder read it.
    pub fn dialect_version(&self, dialect: &str) -> Result<Option<super::DialectVersion>> {
        self.resolver.dialect_version(dialect)
    }

    /// An error at the place where the reader stands.
    #[cold]
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.cursor.error(message)
    }

    /// Bytes of the entry that are left.
    pub fn remaining(&self) -> usize {
        self.cursor.remaining()
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8> {
        self.cursor.byte()
    }

    /// A byte, true where it is not 0.
    pub fn bool(&mut self) -> Result<bool> {
        Ok(self.cursor.byte()? != 0)
    }

    /// An unsigned integer.
    pub fn varint(&mut self) -> Result<u64> {
        self.cursor.varint()
    }

    /// An unsigned integer and a flag in one.
    pub fn varint_with_flag(&mut self) -> Result<(u64, bool)> {
        self.cursor.varint_with_flag()
    }

    /// A signed integer.
    pub fn signed_varint(&mut self) -> Result<i64> {
        self.cursor.signed_varint()
    }

    /// Bytes with their length before them; a view of the file where they are many.
    pub fn blob(&mut self) -> Result<Bytes> {
        let blob = self.cursor.blob()?;
        Ok(self.resolver.slice(blob))
    }

    /// A string of the file's string table.
    pub fn string(&mut self) -> Result<&'a [u8]> {
        let index = self.cursor.index()?;
        self.resolver.string(index).map_err(|error| error.at(self.cursor.position() as u64))
    }

    /// A string of the file's string table, as a name.
    pub fn identifier(&mut self) -> Result<Identifier> {
        let string = self.string()?;
        Ok(self.context().identifier(string))
    }

    /// An attribute.
    pub fn attribute(&mut self) -> Result<Attribute> {
        let index = self.cursor.index()?;
        self.resolver.nested_attribute(index, self.resolution)
    }

    /// An attribute that may be absent.
    pub fn optional_attribute(&mut self) -> Result<Option<Attribute>> {
        let (index, present) = self.cursor.varint_with_flag()?;
        if !present {
            return match index {
                0 => Ok(None),
                _ => Err(self.error("an absent attribute with an index")),
            };
        }
        let index = u32::try_from(index).map_err(|_| self.error(format!("attribute {index} is out of range")))?;
        self.resolver.nested_attribute(index, self.resolution).map(Some)
    }

    /// A string attribute without a type, as a name.
    pub fn name_attribute(&mut self) -> Result<Identifier> {
        let attribute = self.attribute()?;
        self.context().as_identifier(attribute).ok_or_else(|| self.error("a string attribute is wanted here"))
    }

    /// A location.
    pub fn location(&mut self) -> Result<Attribute> {
        let attribute = self.attribute()?;
        match self.context()[attribute].is_location() {
            true => Ok(attribute),
            false => Err(self.error("a location is wanted here")),
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type> {
        let index = self.cursor.index()?;
        self.resolver.nested_type(index, self.resolution)
    }

    /// A count, and as many of what `item` reads. Each item must take at least one byte.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.cursor.count(1, "items")?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// An integer of a width that the context gives (fact sheet, section 1.6).
    pub fn ap_int(&mut self, width: u32) -> Result<ApInt> {
        Ok(match width {
            0..=8 => ApInt::from_u64(width, self.byte()?.into()),
            9..=64 => ApInt::from_u64(width, self.signed_varint()? as u64),
            _ => {
                let words = self.list(|reader| Ok(reader.signed_varint()? as u64))?;
                if words.len() > width.div_ceil(64) as usize {
                    return Err(self.error(format!("{} words for an integer of {width} bits", words.len())));
                }
                ApInt::from_words(width, &words)
            }
        })
    }

    /// A double, by its bits.
    pub fn double(&mut self) -> Result<u64> {
        Ok(self.signed_varint()? as u64)
    }

    /// A resource of a dialect.
    pub fn resource(&mut self) -> Result<ResourceHandle> {
        let index = self.cursor.index()?;
        self.resolver.resource(index).map_err(|error| error.at(self.cursor.position() as u64))
    }
}
