//! The dialect in bytecode: two versions, and what brings the first one up to date; properties encoded by hand.

use std::sync::Arc;

use mlirbc::bytecode::encoding::fields::FieldsEncoding;
use mlirbc::bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc::ir::number::ApInt;
use mlirbc::ir::{AttributeData, BodyId, OpId, OperationName};
use mlirbc::{Attribute, Module, Result, Type};

use crate::attributes::{FIELDS, colour, rgb};

/// The version that is written unless another is asked for.
///
/// Version 1 wrote a colour as one number, and `toy.paint` had no `opacity`.
pub const CURRENT: Version = Version(2);

/// A version of the dialect, as `mlirbc::bytecode::WriteOptions::dialect_versions` takes it. A plain `u64` would do, and has a
/// [number](DialectEncoding::number) without being told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version(pub u64);

pub(crate) struct Encoding {
    pub(crate) current: Version,
}

impl Encoding {
    /// The version that is stated, or the current one.
    fn stated(&self, stated: Option<&DialectVersion>) -> u64 {
        stated.and_then(|version| self.number(version)).unwrap_or(self.current.0)
    }
}

/// How all but a colour of version 1 is encoded: as the definitions say.
const DEFINED: FieldsEncoding = FieldsEncoding { dialect: "toy", fields: FIELDS };

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let stated = reader.dialect_version("toy")?;
        if self.stated(stated.as_ref()) != 1 {
            return DEFINED.read_attribute(reader);
        }
        let packed = reader.varint()?;
        if packed >> 24 != 0 {
            return Err(reader.error("a colour has three bytes"));
        }
        Ok(colour(reader.context(), [(packed >> 16) as u8, (packed >> 8) as u8, packed as u8]))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        if self.stated(writer.dialect_version("toy")) != 1 {
            return DEFINED.write_attribute(attribute, writer);
        }
        // What is no colour is written as text.
        let Some([r, g, b]) = rgb(writer.context(), attribute) else { return false };
        writer.varint(u64::from(r) << 16 | u64::from(g) << 8 | u64::from(b));
        true
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        DEFINED.read_type(reader)
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        DEFINED.write_type(ty, writer)
    }

    /// Of `toy.stamp`: what is on it, as bytes of the entry itself.
    fn read_properties(&self, _: OperationName, reader: &mut EntryReader<'_, '_>) -> Result<Option<Attribute>> {
        let motif = reader.blob()?;
        let context = reader.context();
        context.dictionary(vec![(context.identifier("motif"), context.string(motif))]).map(Some)
    }

    fn write_properties(&self, _: OperationName, properties: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dictionary(entries) = &context[properties] else { return false };
        let [(_, motif)] = **entries else { return false };
        let AttributeData::String { value, .. } = &context[motif] else { return false };
        writer.blob(value);
        true
    }

    fn number(&self, version: &DialectVersion) -> Option<u64> {
        version.downcast_ref().map(|version: &Version| version.0)
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let version = self.stated(writer.dialect_version("toy"));
        writer.varint(version);
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            version if version <= self.current.0 => Ok(Arc::new(Version(version))),
            version => Err(reader.unknown(format!("version {version} of toy is newer than this build"))),
        }
    }

    /// What version 1 painted covered all.
    fn upgrade(&self, module: &mut Module, version: &DialectVersion) -> Result<()> {
        if self.stated(Some(version)) >= 2 {
            return Ok(());
        }
        let context = module.context().clone();
        let opaque = AttributeData::Integer { ty: context.integer_type(32), value: ApInt::from_u64(32, 100) };
        let opaque = (context.identifier("opacity"), context.attribute(opaque));
        for id in (0..module.body_count()).map(BodyId::from_index) {
            let ops: Vec<OpId> = module.body(id)?.preorder().collect();
            for op in ops {
                let paint = module.operation(id, op)?;
                if paint.name() != "toy.paint" || paint.attribute("opacity")?.is_some() {
                    continue;
                }
                let Some(properties) = paint.dictionaries()?.1 else { continue };
                let AttributeData::Dictionary(entries) = &context[properties] else { continue };
                let mut entries = entries.to_vec();
                entries.push(opaque);
                let properties = context.dictionary(entries)?;
                module.rewrite(id, |rw| rw.set_properties(op, Some(properties.into())))?;
            }
        }
        Ok(())
    }
}
