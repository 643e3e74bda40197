//! What a dialect writes its entries with.

use bytes::Bytes;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, Context, Identifier, ResourceHandle, Type};

use super::DialectVersion;

/// Writes the fields of one entry: of an attribute, a type, a version or an operation's properties.
///
/// What an encoder writes is kept, and written again with the numbers of another file: an encoder may be called once for any
/// number of files, or more than once for one. It must do the same each time.
pub struct EntryWriter<'a> {
    pub(crate) context: &'a Context,
    pub(crate) version: u64,
    pub(crate) release: Release,
    pub(crate) dialects: &'a [(String, DialectVersion)],
    pub(crate) sink: &'a mut dyn Sink,
}

/// Takes what an encoder writes.
pub(crate) trait Sink {
    fn bytes(&mut self, bytes: &[u8]);
    /// Bytes that need not be copied.
    fn share(&mut self, bytes: &Bytes) {
        self.bytes(bytes);
    }
    fn string(&mut self, string: &[u8]);
    /// A reference; `optional` says that its lowest bit is a flag.
    fn attribute(&mut self, attribute: Attribute, optional: bool);
    fn ty(&mut self, ty: Type);
    fn resource(&mut self, resource: ResourceHandle);
}

/// The shortest form of an unsigned integer: its bytes, and how many they are.
#[inline]
pub(crate) fn varint_bytes(value: u64) -> ([u8; 9], usize) {
    let bits = 64 - (value | 1).leading_zeros();
    let length = (bits as usize).div_ceil(7);
    let mut bytes = [0; 9];
    if length > 8 {
        bytes[1..].copy_from_slice(&value.to_le_bytes());
        return (bytes, 9);
    }
    let word = (value << 1 | 1) << (length - 1);
    bytes[..8].copy_from_slice(&word.to_le_bytes());
    (bytes, length)
}

/// Zigzag: small negative values become small unsigned ones.
#[inline]
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

impl<'a> EntryWriter<'a> {
    /// The context of what is written.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// The bytecode version being written.
    pub fn bytecode_version(&self) -> u64 {
        self.version
    }

    /// The release of MLIR that is to read what is written: see [`WriteOptions::release`](crate::WriteOptions::release).
    pub fn release(&self) -> Release {
        self.release
    }

    /// The version of the dialect of that name to write, as its decoder reads it: the one that
    /// [`WriteOptions::dialect_versions`](crate::WriteOptions::dialect_versions) asks for, else that of the file that the
    /// module was read from and not [upgraded](crate::upgrade) from. `None` is the current version.
    pub fn dialect_version(&self, dialect: &str) -> Option<&'a DialectVersion> {
        self.dialects.iter().find(|(name, _)| name == dialect).map(|(_, version)| version)
    }

    /// As [`EntryWriter::dialect_version`], where that is a number.
    pub fn dialect_number(&self, dialect: &str) -> Option<u64> {
        self.dialect_version(dialect)?.downcast_ref().copied()
    }

    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.sink.bytes(&[byte]);
    }

    /// A byte, 1 where true.
    pub fn bool(&mut self, value: bool) {
        self.byte(value.into());
    }

    /// An unsigned integer.
    pub fn varint(&mut self, value: u64) {
        let (bytes, length) = varint_bytes(value);
        self.sink.bytes(&bytes[..length]);
    }

    /// An unsigned integer below 2^63 and a flag in one.
    pub fn varint_with_flag(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }

    /// A signed integer.
    pub fn signed_varint(&mut self, value: i64) {
        self.varint(zigzag(value));
    }

    /// Bytes with their length before them.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.sink.bytes(bytes);
    }

    /// The same, of bytes that are written from where they stand.
    pub(crate) fn shared_blob(&mut self, bytes: &Bytes) {
        self.varint(bytes.len() as u64);
        self.sink.share(bytes);
    }

    /// A string, by its number in the file's string table.
    pub fn string(&mut self, string: &[u8]) {
        self.sink.string(string);
    }

    /// A name, by its number in the file's string table.
    pub fn identifier(&mut self, name: Identifier) {
        let context = self.context;
        self.sink.string(context.bytes(name));
    }

    /// An attribute.
    pub fn attribute(&mut self, attribute: impl Into<Attribute>) {
        self.sink.attribute(attribute.into(), false);
    }

    /// An attribute that may be absent.
    pub fn optional_attribute(&mut self, attribute: Option<Attribute>) {
        match attribute {
            Some(attribute) => self.sink.attribute(attribute, true),
            None => self.varint(0),
        }
    }

    /// As many optional attributes that are absent.
    pub(crate) fn absent_attributes(&mut self, count: usize) {
        const ABSENT: [u8; 64] = [1; 64];
        let mut left = count;
        while left > 0 {
            let some = left.min(ABSENT.len());
            self.sink.bytes(&ABSENT[..some]);
            left -= some;
        }
    }

    /// A type.
    pub fn ty(&mut self, ty: Type) {
        self.sink.ty(ty);
    }

    /// A count, and what `item` writes of each.
    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        self.varint(items.len() as u64);
        for each in items {
            item(self, each);
        }
    }

    /// An integer of a width that the context gives (`writeAPIntWithKnownWidth` of MLIR).
    pub fn ap_int(&mut self, value: &ApInt) {
        let words = value.words();
        match value.width() {
            0..=8 => self.byte(words[0] as u8),
            9..=64 => self.signed_varint(words[0] as i64),
            _ => {
                let active = words.iter().rposition(|&word| word != 0).map_or(1, |last| last + 1);
                self.list(words[..active].iter(), |writer, &word| writer.signed_varint(word as i64));
            }
        }
    }

    /// A double, by its bits.
    pub fn double(&mut self, bits: u64) {
        self.signed_varint(bits as i64);
    }

    /// A resource of a dialect.
    pub fn resource(&mut self, resource: ResourceHandle) {
        self.sink.resource(resource);
    }
}
