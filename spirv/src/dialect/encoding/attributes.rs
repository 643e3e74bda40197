//! Attributes.

use mlirbc_bytecode::encoding::fields::{read_shown, write_shown};
use mlirbc_bytecode::encoding::{EntryReader, EntryWriter};
use mlirbc_ir::fields::FieldsDef;
use mlirbc_ir::{Attribute, AttributeData, Parameter, Result};

use super::write_optional_word;
use super::{Encoding, KNOWN_EXTENSIONS, count, extensions, items, number, optional_word, word, word_parameter};
use crate::dialect::attributes::{self, DEFINITIONS, SpirvAttribute, UNKNOWN};
use crate::dialect::{DIALECT, EnumKind};

/// Mnemonics by code, of those that have neither a definition nor enumerants.
pub(super) const MNEMONICS: [&str; 4] = ["ext", "vce", "interface_var_abi", "target_env"];

mod code {
    pub(super) const EXTENSION: u64 = 0;
    pub(super) const VCE: u64 = 1;
    pub(super) const INTERFACE_VARIABLE: u64 = 2;
    pub(super) const TARGET_ENVIRONMENT: u64 = 3;
}

/// The mnemonic of a code that is in use.
fn mnemonic(code: usize) -> &'static str {
    let is_it = |definition: &&FieldsDef| definition.code == Some(code as u64);
    match (code.checked_sub(FIRST_ENUM as usize), MNEMONICS.get(code)) {
        (Some(at), _) => EnumKind::ALL[at].mnemonic(),
        (None, Some(mnemonic)) => mnemonic,
        (None, None) => DEFINITIONS.iter().find(is_it).map_or("", |definition| definition.mnemonic),
    }
}

/// The code of the first enum.
pub(super) const FIRST_ENUM: u64 = 16;

pub(super) fn read(encoding: &Encoding, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
    let context = reader.context();
    let code = reader.varint()?;
    let unknown = |reader: &EntryReader<'_, '_>| reader.unknown(format!("no attribute of spirv has the code {code}"));
    let Some(mnemonic) = encoding.attributes.get(code as usize) else { return Err(unknown(reader)) };
    if let Some(kind) = code.checked_sub(FIRST_ENUM) {
        let case = word(reader)?;
        let make = || {
            let mnemonic = *mnemonic.get_or_init(|| context.identifier(self::mnemonic(code as usize)));
            let value = encoding.value(context, mnemonic, Box::new([Parameter::Unsigned(case.into())]));
            context.attribute(AttributeData::Dialect(value))
        };
        return Ok(match encoding.case(kind as usize, case.into()) {
            Some(known) => *known.get_or_init(make),
            None => make(),
        });
    }
    let parameters: Box<[Parameter]> = match code {
        code::EXTENSION => Box::new([extension(reader)?]),
        code::VCE => Box::new([word_parameter(reader)?, list(reader, word_parameter)?, list(reader, extension)?]),
        code::INTERFACE_VARIABLE => {
            Box::new([word_parameter(reader)?, word_parameter(reader)?, optional_word(reader)?])
        }
        code::TARGET_ENVIRONMENT => {
            let triple = Parameter::Attribute(reader.attribute()?);
            let mut known = || Ok::<_, mlirbc_ir::Error>(Parameter::Unsigned(word(reader)?.wrapping_sub(1).into()));
            let (api, vendor, device_type, device) = (known()?, known()?, known()?, known()?);
            Box::new([triple, api, vendor, device_type, device, Parameter::Attribute(reader.attribute()?)])
        }
        _ => match DEFINITIONS.iter().find(|definition| definition.code == Some(code)) {
            Some(definition) => read_shown(definition, reader)?,
            None => return Err(unknown(reader)),
        },
    };
    let mnemonic = *mnemonic.get_or_init(|| context.identifier(self::mnemonic(code as usize)));
    let value = encoding.value(context, mnemonic, parameters);
    if attributes::of_value(context, &value).is_none() {
        return Err(reader.error("no such attribute of spirv"));
    }
    Ok(context.attribute(AttributeData::Dialect(value)))
}

fn list(
    reader: &mut EntryReader<'_, '_>,
    item: impl FnMut(&mut EntryReader<'_, '_>) -> Result<Parameter>,
) -> Result<Parameter> {
    let many = reader.varint()?;
    let many = count(many, reader)?;
    Ok(Parameter::List(items(many, reader, item)?))
}

fn extension(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    let number = match number(reader.dialect_version(DIALECT)?.as_ref()) {
        1 => 0,
        _ => reader.varint()?,
    };
    Ok(Parameter::String(match number.checked_sub(1) {
        None => reader.string()?.into(),
        Some(at) => match usize::try_from(at).ok().and_then(|at| KNOWN_EXTENSIONS.get(at)) {
            Some(name) => {
                reader.expand(name.len() as u64)?;
                name.as_bytes().into()
            }
            None => return Err(reader.error(format!("extension {at} is unknown"))),
        },
    }))
}

/// Writes an attribute; false, with nothing written, where it is not of the dialect or not well-formed.
pub(super) fn write(attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
    let context = writer.context();
    let Some(view) = attributes::view(context, attribute) else { return false };
    match view {
        SpirvAttribute::Enumerant(kind, value) => {
            writer.varint(FIRST_ENUM + kind as u64);
            writer.varint(value.into());
        }
        SpirvAttribute::Extension(name) => {
            writer.varint(code::EXTENSION);
            write_extension(name, writer);
        }
        SpirvAttribute::Vce(triple) => {
            writer.varint(code::VCE);
            writer.varint(triple.version.into());
            writer.list(triple.capabilities.iter(), |writer, &capability| writer.varint(capability.into()));
            writer.list(triple.extensions.iter(), |writer, extension| write_extension(extension, writer));
        }
        SpirvAttribute::InterfaceVariable { set, binding, class } => {
            writer.varint(code::INTERFACE_VARIABLE);
            writer.varint(set.into());
            writer.varint(binding.into());
            write_optional_word(class, writer);
        }
        SpirvAttribute::TargetEnvironment(environment) => {
            writer.varint(code::TARGET_ENVIRONMENT);
            writer.attribute(environment.triple);
            for known in [environment.api, environment.vendor, environment.device_type, environment.device] {
                writer.varint(if known == UNKNOWN { 0 } else { u64::from(known) + 1 });
            }
            writer.attribute(environment.limits);
        }
        SpirvAttribute::Structural(definition, parameters) => {
            let Some(code) = definition.code else { return false };
            writer.varint(code);
            write_shown(definition, parameters, writer);
        }
    }
    true
}

fn write_extension(name: &[u8], writer: &mut EntryWriter<'_>) {
    let known = match number(writer.dialect_version(DIALECT)) {
        1 => return writer.string(name),
        _ => extensions::place(name),
    };
    match known {
        Some(at) => writer.varint(at as u64 + 1),
        None => {
            writer.varint(0);
            writer.string(name);
        }
    }
}
