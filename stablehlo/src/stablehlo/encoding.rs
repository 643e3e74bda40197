//! The dialect in bytecode: attributes and types by their forms, and its version.

use mlirbc_bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Attribute, Result, Type};

use super::DIALECT;
use super::attributes::FORMS;
use crate::Version;

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
