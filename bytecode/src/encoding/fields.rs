//! Encodings that follow a definition: the fields of an attribute or type, one after the other.

use mlirbc_ir::dialects::{Definition, Field, FieldKind};
use mlirbc_ir::{Parameter, Result};

use super::{EntryReader, EntryWriter};

/// Reads the parameters of a definition, and checks them.
pub(super) fn read(definition: &Definition, reader: &mut EntryReader<'_, '_>) -> Result<Box<[Parameter]>> {
    let mut parameters = Vec::with_capacity(definition.fields.len());
    for field in definition.fields {
        parameters.push(if field.encoded { parameter(field, reader)? } else { Parameter::None });
    }
    definition.verify(reader.context(), &parameters).map_err(|error| reader.error(error.message()))?;
    Ok(parameters.into())
}

fn parameter(field: &Field, reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(match field.kind {
        FieldKind::Unsigned(_) | FieldKind::Keyword(_) | FieldKind::Flags(_) => Parameter::Unsigned(reader.varint()?),
        FieldKind::OptionalUnsigned(_) => match reader.varint_with_flag()? {
            (value, true) => Parameter::Unsigned(value),
            (0, false) => Parameter::None,
            (value, false) => return Err(reader.error(format!("number {value} is marked as absent"))),
        },
        FieldKind::Signed => Parameter::Signed(reader.signed_varint()?),
        FieldKind::Bool => Parameter::Bool(reader.bool()?),
        FieldKind::Double => Parameter::Double(reader.double()?),
        FieldKind::String => {
            let string = reader.string()?;
            Parameter::Attribute(reader.context().string(string))
        }
        FieldKind::Attribute(_) if field.required => Parameter::Attribute(reader.attribute()?),
        FieldKind::Attribute(_) => optional(reader)?,
        FieldKind::Attributes(_) | FieldKind::Braced(_) => list(reader, optional)?,
        FieldKind::Operands => list(reader, |reader| Ok(Parameter::Unsigned(reader.varint()?)))?,
        FieldKind::Type => Parameter::Type(reader.ty()?),
        FieldKind::Absent => Parameter::None,
        FieldKind::SignedList => {
            let items = reader.list(|reader| Ok(Parameter::Signed(reader.signed_varint()?)))?;
            Parameter::List(items.into())
        }
        FieldKind::Doubles => {
            let items = reader.list(|reader| Ok(Parameter::Double(reader.double()?)))?;
            Parameter::List(items.into())
        }
    })
}

fn optional(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(reader.optional_attribute()?.map_or(Parameter::None, Parameter::Attribute))
}

/// A list with a byte before it that says whether there is one.
fn list(
    reader: &mut EntryReader<'_, '_>,
    item: impl FnMut(&mut EntryReader<'_, '_>) -> Result<Parameter>,
) -> Result<Parameter> {
    let items = if reader.bool()? { reader.list(item)? } else { Vec::new() };
    Ok(Parameter::List(items.into()))
}

/// Writes verified parameters of a definition.
pub(super) fn write(definition: &Definition, parameters: &[Parameter], writer: &mut EntryWriter<'_>) {
    for (field, parameter) in definition.fields.iter().zip(parameters) {
        if field.encoded {
            write_parameter(field, parameter, writer);
        }
    }
}

fn write_parameter(field: &Field, parameter: &Parameter, writer: &mut EntryWriter<'_>) {
    match (field.kind, parameter) {
        (FieldKind::OptionalUnsigned(_), Parameter::Unsigned(value)) => writer.varint_with_flag(*value, true),
        (FieldKind::OptionalUnsigned(_), _) => writer.varint(0),
        (FieldKind::String, Parameter::Attribute(string)) => {
            let context = writer.context();
            if let mlirbc_ir::AttributeData::String { value, .. } = &context[*string] {
                writer.string(value);
            }
        }
        (FieldKind::Attribute(_), Parameter::Attribute(value)) if field.required => writer.attribute(*value),
        (FieldKind::SignedList | FieldKind::Doubles, Parameter::List(items)) => {
            writer.list(items.iter(), write_plain);
        }
        (_, Parameter::List(items)) => {
            writer.bool(!items.is_empty());
            if !items.is_empty() {
                writer.list(items.iter(), write_plain);
            }
        }
        (FieldKind::Absent, _) => {}
        (_, parameter) => write_plain(writer, parameter),
    }
}

fn write_plain(writer: &mut EntryWriter<'_>, parameter: &Parameter) {
    match parameter {
        Parameter::Unsigned(value) => writer.varint(*value),
        Parameter::Signed(value) => writer.signed_varint(*value),
        Parameter::Bool(value) => writer.bool(*value),
        Parameter::Double(bits) => writer.double(*bits),
        Parameter::Attribute(value) => writer.optional_attribute(Some(*value)),
        Parameter::None => writer.optional_attribute(None),
        Parameter::Type(ty) => writer.ty(*ty),
        // No definition has these.
        Parameter::String(_) | Parameter::List(_) => {}
    }
}
