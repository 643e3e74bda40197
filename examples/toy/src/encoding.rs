//! The dialect in bytecode: two versions, and what brings the first one up to date.

use std::sync::Arc;

use mlirbc::bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc::ir::number::ApInt;
use mlirbc::ir::{AttributeData, BodyId, OpId, Parameter, TypeData};
use mlirbc::{Attribute, Module, Result, Type};

use crate::attributes::{CANVAS, COLOUR, canvas, colour};

/// The version that is written unless another is asked for.
///
/// Version 1 wrote a colour as one number, and `toy.paint` had no `opacity`.
pub const CURRENT: u64 = 2;

pub(crate) struct Encoding {
    pub(crate) current: u64,
}

impl Encoding {
    fn number(&self, stated: Option<&DialectVersion>) -> u64 {
        stated.and_then(|version| version.downcast_ref()).copied().unwrap_or(self.current)
    }
}

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let stated = reader.dialect_version("toy")?;
        let rgb = match self.number(stated.as_ref()) {
            1 => {
                let packed = reader.varint()?;
                if packed >> 24 != 0 {
                    return Err(reader.error("a colour has three bytes"));
                }
                [(packed >> 16) as u8, (packed >> 8) as u8, packed as u8]
            }
            _ => [reader.byte()?, reader.byte()?, reader.byte()?],
        };
        Ok(colour(reader.context(), rgb))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        // What has other parameters is written as text.
        let [Parameter::Unsigned(r), Parameter::Unsigned(g), Parameter::Unsigned(b)] = *value.parameters else {
            return false;
        };
        if COLOUR.verify(context, &value.parameters).is_err() {
            return false;
        }
        match self.number(writer.dialect_version("toy")) {
            1 => writer.varint(r << 16 | g << 8 | b),
            _ => [r, g, b].into_iter().for_each(|part| writer.byte(part as u8)),
        }
        true
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        match u32::try_from(reader.varint()?) {
            Ok(width) => Ok(canvas(reader.context(), width)),
            Err(_) => Err(reader.error("a width has 32 bits")),
        }
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let TypeData::Dialect(value) = &context[ty] else { return false };
        let [Parameter::Unsigned(width)] = *value.parameters else { return false };
        let is_right = CANVAS.verify(context, &value.parameters).is_ok();
        if is_right {
            writer.varint(width);
        }
        is_right
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let version = self.number(writer.dialect_version("toy"));
        writer.varint(version);
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            version if version <= self.current => Ok(Arc::new(version)),
            version => Err(reader.unknown(format!("version {version} of toy is newer than this build"))),
        }
    }

    /// What version 1 painted covered all.
    fn upgrade(&self, module: &mut Module, version: &DialectVersion) -> Result<()> {
        if self.number(Some(version)) >= 2 {
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
                module.body_mut(id)?.set_properties(op, Some(properties.into()));
            }
        }
        Ok(())
    }
}
