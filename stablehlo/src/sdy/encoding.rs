//! `sdy` in bytecode: shardings have a code for each set of parameters that they need, so that older readers know most of them.

use mlirbc_bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::text::DialectText;
use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Parameter, Result};

use super::DIALECT;
use super::attributes::FORMS;
use crate::Version;

const SHARDING: &str = "sharding";
const PER_VALUE: &str = "sharding_per_value";

/// The codes of shardings without unreduced axes, with some of which a sum is made, and with others.
const PLAIN: u64 = 6;
const UNREDUCED: u64 = 15;
const REDUCED_OTHERWISE: u64 = 17;

/// The codes of several shardings: none has unreduced axes; some have.
const PER_VALUE_PLAIN: u64 = 7;
const PER_VALUE_UNREDUCED: u64 = 16;

pub(super) struct Encoding;

fn attributes(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(Parameter::List(reader.list(|reader| Ok(Parameter::Attribute(reader.attribute()?)))?.into()))
}

fn write_attributes(writer: &mut EntryWriter<'_>, items: &Parameter) {
    if let Parameter::List(items) = items {
        writer.list(items.iter(), |writer, item| {
            if let Parameter::Attribute(attribute) = item {
                writer.attribute(*attribute);
            }
        });
    }
}

/// The code of a sharding with these parameters.
fn code_of(parameters: &[Parameter]) -> u64 {
    match parameters {
        [_, _, _, Parameter::List(unreduced), _] if unreduced.is_empty() => PLAIN,
        [.., Parameter::Unsigned(0)] => UNREDUCED,
        _ => REDUCED_OTHERWISE,
    }
}

/// Whether a sharding has unreduced axes.
fn is_unreduced(context: &Context, sharding: &Parameter) -> bool {
    match sharding {
        Parameter::Attribute(sharding) => match &context[*sharding] {
            AttributeData::Dialect(value) => code_of(&value.parameters) != PLAIN,
            _ => false,
        },
        _ => false,
    }
}

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let (mnemonic, parameters) = match reader.varint()? {
            code @ (PLAIN | UNREDUCED | REDUCED_OTHERWISE) => {
                let mesh = Parameter::Attribute(reader.attribute()?);
                let (dimensions, replicated) = (attributes(reader)?, attributes(reader)?);
                let unreduced = if code == PLAIN { Parameter::List(Box::default()) } else { attributes(reader)? };
                let reduction = if code == REDUCED_OTHERWISE { reader.signed_varint()? } else { 0 };
                let reduction = u64::try_from(reduction).map_err(|_| reader.error("no reduction has this number"))?;
                (SHARDING, vec![mesh, dimensions, replicated, unreduced, Parameter::Unsigned(reduction)])
            }
            PER_VALUE_PLAIN | PER_VALUE_UNREDUCED => (PER_VALUE, vec![attributes(reader)?]),
            code => {
                let value = FORMS.read(FORMS.attributes, code, reader)?;
                return Ok(reader.context().attribute(AttributeData::Dialect(value)));
            }
        };
        let context = reader.context();
        let value = DialectValue::new(context, DIALECT, mnemonic, parameters);
        FORMS.verify_attribute(context, &value).map_err(|error| reader.error(error.message()))?;
        Ok(context.attribute(AttributeData::Dialect(value)))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        let mnemonic = context.bytes(value.mnemonic);
        if mnemonic != SHARDING.as_bytes() && mnemonic != PER_VALUE.as_bytes() {
            return FORMS.write_attribute(attribute, writer);
        }
        if FORMS.verify_attribute(context, value).is_err() {
            return false;
        }
        match &*value.parameters {
            [shardings @ Parameter::List(items)] => {
                let unreduced = items.iter().any(|sharding| is_unreduced(context, sharding));
                writer.varint(if unreduced { PER_VALUE_UNREDUCED } else { PER_VALUE_PLAIN });
                write_attributes(writer, shardings);
            }
            [Parameter::Attribute(mesh), dimensions, replicated, unreduced, Parameter::Unsigned(reduction)] => {
                let code = code_of(&value.parameters);
                writer.varint(code);
                writer.attribute(*mesh);
                write_attributes(writer, dimensions);
                write_attributes(writer, replicated);
                if code != PLAIN {
                    write_attributes(writer, unreduced);
                }
                if code == REDUCED_OTHERWISE {
                    writer.signed_varint(*reduction as i64);
                }
            }
            _ => return false,
        }
        true
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Version::read(reader)
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        Version::write(DIALECT, writer);
    }
}
