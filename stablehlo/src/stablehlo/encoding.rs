//! The dialect in bytecode: attributes and types by their forms, and its version.

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Attribute, Result, Type};

use super::DIALECT;
use super::attributes::FORMS;

/// A version of the dialect, as `mlirbc_bytecode::WriteOptions::dialect_versions` takes it. A file has one where it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// Raised where older readers read no more.
    pub major: u64,
    /// Raised where something is added.
    pub minor: u64,
    /// Raised for all else.
    pub patch: u64,
}

impl Version {
    /// Reads three numbers.
    pub(crate) fn read(reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Ok(Arc::new(Version { major: reader.varint()?, minor: reader.varint()?, patch: reader.varint()? }))
    }

    /// Writes the version that was asked for, if one was.
    pub(crate) fn write(dialect: &str, writer: &mut EntryWriter<'_>) {
        let asked: Option<&Version> = writer.dialect_version(dialect).and_then(|version| version.downcast_ref());
        if let Some(version) = asked.copied() {
            writer.varint(version.major);
            writer.varint(version.minor);
            writer.varint(version.patch);
        }
    }
}

pub(super) struct Encoding;

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        FORMS.read_attribute(reader)
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        FORMS.write_attribute(attribute, writer)
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        FORMS.read_type(reader)
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        FORMS.write_type(ty, writer)
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Version::read(reader)
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        Version::write(DIALECT, writer);
    }
}
