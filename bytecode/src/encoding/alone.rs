//! Entries without a file around them.

use bytes::Bytes;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, Context, Error, ResourceHandle, Result, Type};

use super::writer::{Sink, varint_bytes};
use super::{DialectEncoding, DialectVersion, EntryReader, EntryWriter, Resolution, Resolver};
use crate::format::{Cursor, NEWEST_VERSION};

/// One entry of an attribute or type as a [`DialectEncoding`] writes it, and what its numbers stand for, without a file around
/// it: to test an encoding with, on any bytes.
///
/// Bytecode is of the newest version, and dialects have no versions.
///
/// ```
/// use mlirbc_bytecode::encoding::{DialectEncoding, EntryAlone, EntryReader, EntryWriter};
/// use mlirbc_ir::{Attribute, Context, Result};
///
/// struct Numbers;
///
/// impl DialectEncoding for Numbers {
///     fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
///         Ok(reader.context().integer(32, reader.varint()? as i64))
///     }
///     fn write_attribute(&self, _: Attribute, writer: &mut EntryWriter<'_>) -> bool {
///         writer.varint(300);
///         true
///     }
/// }
///
/// let context = Context::new();
/// let mut entry = EntryAlone::new(&context);
/// assert!(entry.write_attribute(&Numbers, context.integer(32, 300)));
/// assert_eq!(entry.bytes.len(), 2);
/// assert_eq!(entry.read_attribute(&Numbers, &entry.bytes)?, context.integer(32, 300));
/// assert!(entry.read_attribute(&Numbers, &entry.bytes[..1]).is_err());
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
pub struct EntryAlone {
    context: Context,
    /// The release of MLIR that the entry is of.
    pub release: Release,
    /// The attributes that it refers to by number.
    pub attributes: Vec<Attribute>,
    /// The types that it refers to by number.
    pub types: Vec<Type>,
    /// The strings that it refers to by number.
    pub strings: Vec<Vec<u8>>,
    /// The resources that it refers to by number.
    pub resources: Vec<ResourceHandle>,
    /// What was written.
    pub bytes: Vec<u8>,
}

impl EntryAlone {
    /// An entry of no bytes, of the default release.
    pub fn new(context: &Context) -> Self {
        EntryAlone {
            context: context.clone(),
            release: Release::DEFAULT,
            attributes: Vec::new(),
            types: Vec::new(),
            strings: Vec::new(),
            resources: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// The context of what it refers to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Adds a number to the bytes, as [`EntryWriter::varint`] writes it.
    pub fn varint(&mut self, value: u64) {
        let (bytes, length) = varint_bytes(value);
        self.bytes.extend_from_slice(&bytes[..length]);
    }

    /// Has the encoding write an attribute behind what is there: what it says of that.
    pub fn write_attribute(&mut self, encoding: &dyn DialectEncoding, attribute: Attribute) -> bool {
        self.write(|writer| encoding.write_attribute(attribute, writer))
    }

    /// Has the encoding write a type behind what is there: what it says of that.
    pub fn write_type(&mut self, encoding: &dyn DialectEncoding, ty: Type) -> bool {
        self.write(|writer| encoding.write_type(ty, writer))
    }

    fn write(&mut self, encode: impl FnOnce(&mut EntryWriter<'_>) -> bool) -> bool {
        let (context, release) = (self.context.clone(), self.release);
        let mut writer = EntryWriter { context: &context, version: NEWEST_VERSION, release, dialects: &[], sink: self };
        encode(&mut writer)
    }

    /// Has the encoding read an attribute of all these bytes, whose numbers stand for what this entry refers to.
    ///
    /// # Errors
    /// That of the encoding, or where bytes are left.
    pub fn read_attribute(&self, encoding: &dyn DialectEncoding, bytes: &[u8]) -> Result<Attribute> {
        self.read(bytes, |reader| encoding.read_attribute(reader))
    }

    /// Has the encoding read a type of all these bytes: see [`EntryAlone::read_attribute`].
    ///
    /// # Errors
    /// In the same way.
    pub fn read_type(&self, encoding: &dyn DialectEncoding, bytes: &[u8]) -> Result<Type> {
        self.read(bytes, |reader| encoding.read_type(reader))
    }

    fn read<T>(&self, bytes: &[u8], decode: impl FnOnce(&mut EntryReader<'_, '_>) -> Result<T>) -> Result<T> {
        let mut resolution = Resolution::default();
        let cursor = Cursor::new(bytes, 0, bytes.len());
        let mut reader = EntryReader { cursor, resolver: self, resolution: &mut resolution };
        let value = decode(&mut reader)?;
        match reader.remaining() {
            0 => Ok(value),
            _ => Err(reader.error("bytes are left")),
        }
    }
}

impl Sink for EntryAlone {
    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn string(&mut self, string: &[u8]) {
        self.strings.push(string.to_vec());
        self.varint(self.strings.len() as u64 - 1);
    }

    fn attribute(&mut self, attribute: Attribute, optional: bool) {
        self.attributes.push(attribute);
        let number = self.attributes.len() as u64 - 1;
        self.varint(if optional { number << 1 | 1 } else { number });
    }

    fn ty(&mut self, ty: Type) {
        self.types.push(ty);
        self.varint(self.types.len() as u64 - 1);
    }

    fn resource(&mut self, resource: ResourceHandle) {
        self.resources.push(resource);
        self.varint(self.resources.len() as u64 - 1);
    }
}

/// What a number stands for.
fn at<'a, T>(all: &'a [T], index: u32, what: &str) -> Result<&'a T> {
    all.get(index as usize).ok_or_else(|| Error::malformed(format!("there is no {what} {index}")))
}

impl Resolver for EntryAlone {
    fn context(&self) -> &Context {
        &self.context
    }

    fn version(&self) -> u64 {
        NEWEST_VERSION
    }

    fn release(&self) -> Option<Release> {
        Some(self.release)
    }

    fn nested_attribute(&self, index: u32, _: &mut Resolution) -> Result<Attribute> {
        at(&self.attributes, index, "attribute").copied()
    }

    fn nested_type(&self, index: u32, _: &mut Resolution) -> Result<Type> {
        at(&self.types, index, "type").copied()
    }

    fn string(&self, index: u32) -> Result<&[u8]> {
        at(&self.strings, index, "string").map(Vec::as_slice)
    }

    fn resource(&self, index: u32) -> Result<ResourceHandle> {
        at(&self.resources, index, "resource").copied()
    }

    fn slice(&self, bytes: &[u8]) -> Bytes {
        Bytes::copy_from_slice(bytes)
    }

    fn take(&self, _: u64) -> Result<()> {
        Ok(())
    }

    fn dialect_version(&self, _: &str) -> Result<Option<DialectVersion>> {
        Ok(None)
    }
}
