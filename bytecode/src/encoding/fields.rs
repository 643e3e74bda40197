//! Encodings that follow a definition: the fields of an attribute or type, one after the other, as far as a release has
//! them.

use mlirbc_ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, AttributeData, Error, Parameter, Result, Type, TypeData};

use super::{DialectEncoding, EntryReader, EntryWriter};

/// The encoding of a dialect whose attributes and types all have definitions: the code of one, then its fields. What has no code is
/// text. A dialect with some that need code asks it for the others; one with versions has [`DialectExt::versions`](super::DialectExt::versions)
/// make it.
#[derive(Clone, Copy, Debug)]
pub struct FieldsEncoding<N = &'static str> {
    /// The name of the dialect.
    pub dialect: N,
    /// Its definitions.
    pub fields: DialectFields,
}

fn of_code(definitions: &'static [FieldsDef], reader: &mut EntryReader<'_, '_>) -> Result<&'static FieldsDef> {
    let code = reader.varint()?;
    let found = definitions.iter().find(|definition| definition.code == Some(code));
    found.ok_or_else(|| reader.unknown(format!("nothing of the dialect has the code {code}")))
}

fn write_entry(definition: Option<&FieldsDef>, parameters: &[Parameter], writer: &mut EntryWriter<'_>) -> bool {
    let Some((definition, code)) = definition.and_then(|definition| Some((definition, definition.code?))) else {
        return false;
    };
    if definition.verify(writer.context(), parameters).is_err() || !fit(definition, parameters, writer) {
        return false;
    }
    writer.varint(code);
    write(definition, parameters, writer);
    true
}

impl<N: AsRef<str> + Send + Sync> DialectEncoding for FieldsEncoding<N> {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let definition = of_code(self.fields.attributes, reader)?;
        let parameters = read(definition, reader)?;
        Ok(definition.make_attribute(reader.context(), self.dialect.as_ref(), parameters))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        write_entry(self.fields.attribute(context.bytes(value.mnemonic)), &value.parameters, writer)
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let definition = of_code(self.fields.types, reader)?;
        let parameters = read(definition, reader)?;
        Ok(definition.make_type(reader.context(), self.dialect.as_ref(), parameters))
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let TypeData::Dialect(value) = &context[ty] else { return false };
        write_entry(self.fields.ty(context.bytes(value.mnemonic)), &value.parameters, writer)
    }
}

/// Reads the parameters of a definition, and checks them. Those of a file whose release is not known, or newer than any that
/// is, may be others: what they do not fit is unknown, and not wrong.
///
/// # Errors
/// Where the entry is broken, or its parameters are none that the definition allows.
pub fn read(definition: &FieldsDef, reader: &mut EntryReader<'_, '_>) -> Result<Box<[Parameter]>> {
    let stated = reader.release();
    let release = stated.unwrap_or_default();
    let mut all = || {
        let mut parameters = Vec::with_capacity(definition.fields.len());
        for field in definition.fields {
            let is_encoded = field.is_encoded(release);
            let parameter = match is_encoded {
                true => parameter(field, release, reader)?,
                false => field.absent(reader.context()),
            };
            if is_encoded && !field.fits(reader.context(), &parameter, release) {
                return Err(reader.error(format!("parameter `{}` holds what {release} does not have", field.name)));
            }
            parameters.push(parameter);
        }
        definition.verify(reader.context(), &parameters).map_err(|error| reader.error(error.message()))?;
        Ok(parameters.into())
    };
    if stated.is_some_and(|release| release <= Release::NEWEST) {
        return all();
    }
    let parameters = all().map_err(|error| reader.doubted(error))?;
    match reader.remaining() {
        0 => Ok(parameters),
        left => {
            let left = Error::counted(left, "byte");
            Err(reader.unknown(format!("{left} left of a `{}`", definition.mnemonic)))
        }
    }
}

/// Reads the parameters of a definition where a number says which are there, by a bit for each, the lowest for the first: those that
/// text shows. Checks them.
///
/// # Errors
/// Where the entry is broken, or its parameters are none that the definition allows.
pub fn read_shown(definition: &FieldsDef, reader: &mut EntryReader<'_, '_>) -> Result<Box<[Parameter]>> {
    let (context, release) = (reader.context(), reader.release().unwrap_or_default());
    let shown = reader.varint()?;
    let bit = |at: usize| u32::try_from(at).ok().and_then(|at| shown.checked_shr(at)).unwrap_or(0);
    if bit(definition.fields.len()) != 0 {
        return Err(reader.error("more parameters than the attribute has"));
    }
    let mut parameters = Vec::with_capacity(definition.fields.len());
    for (at, field) in definition.fields.iter().enumerate() {
        parameters.push(match (bit(at) & 1 == 1, field.kind) {
            (true, FieldKind::Attribute(_)) => Parameter::Attribute(reader.attribute()?),
            (true, _) => parameter(field, release, reader)?,
            (false, _) if field.required => {
                return Err(reader.error(format!("the parameter `{}` is missing", field.name)));
            }
            (false, _) => field.absent(context),
        });
    }
    definition.verify(context, &parameters).map_err(|error| reader.error(error.message()))?;
    Ok(parameters.into())
}

/// Writes verified parameters of a definition, those that text shows, for [`read_shown`].
pub fn write_shown(definition: &FieldsDef, parameters: &[Parameter], writer: &mut EntryWriter<'_>) {
    let context = writer.context();
    let fields = || definition.fields.iter().zip(parameters);
    let is_shown = |(field, parameter): &(&Field, &Parameter)| field.is_shown(context, parameter);
    let shown = fields().zip(0..).filter(|(field, _)| is_shown(field)).fold(0, |bits, (_, at)| bits | 1u64 << at);
    writer.varint(shown);
    for (field, parameter) in fields().filter(is_shown) {
        match parameter {
            Parameter::Attribute(attribute) => writer.attribute(*attribute),
            parameter => write_parameter(field, parameter, writer),
        }
    }
}

fn parameter(field: &Field, release: Release, reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(match field.kind {
        FieldKind::Named(names) if release >= names.since => match reader.optional_attribute()? {
            Some(name) => (names.number)(reader.context(), name),
            None => Parameter::None,
        },
        FieldKind::Named(_) => Parameter::Unsigned(reader.varint()?),
        FieldKind::Unsigned(_) | FieldKind::Keyword(_) | FieldKind::Case(_) | FieldKind::Flags(_) => {
            Parameter::Unsigned(reader.varint()?)
        }
        FieldKind::OptionalUnsigned(_) => match reader.varint_with_flag()? {
            (value, true) => Parameter::Unsigned(value),
            (0, false) => Parameter::None,
            (value, false) => return Err(reader.error(format!("number {value} is marked as absent"))),
        },
        FieldKind::Signed(_) => Parameter::Signed(reader.signed_varint()?),
        FieldKind::Bool => Parameter::Bool(reader.bool()?),
        FieldKind::Double => Parameter::Double(reader.double()?),
        FieldKind::String => {
            let string = reader.string()?;
            Parameter::Attribute(reader.context().string(string))
        }
        FieldKind::Attribute(_) if !field.is_optional(release) => Parameter::Attribute(reader.attribute()?),
        FieldKind::Attribute(_) => optional(reader)?,
        FieldKind::Attributes(_) | FieldKind::AnyAttributes(_) | FieldKind::Braced(_) => list(reader, optional)?,
        FieldKind::UnsignedList => list(reader, |reader| Ok(Parameter::Unsigned(reader.varint()?)))?,
        FieldKind::Type => Parameter::Type(reader.ty()?),
        FieldKind::Absent => Parameter::None,
        FieldKind::SignedList(_) => {
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

/// Whether the encoding of the release that is written can hold parameters of a definition.
pub fn fit(definition: &FieldsDef, parameters: &[Parameter], writer: &EntryWriter<'_>) -> bool {
    let (context, release) = (writer.context(), writer.release());
    definition.fields.iter().zip(parameters).all(|(field, parameter)| field.fits(context, parameter, release))
}

/// Writes verified parameters of a definition, which [`fit`].
pub fn write(definition: &FieldsDef, parameters: &[Parameter], writer: &mut EntryWriter<'_>) {
    for (field, parameter) in definition.fields.iter().zip(parameters) {
        if field.is_encoded(writer.release()) {
            write_parameter(field, parameter, writer);
        }
    }
}

fn write_parameter(field: &Field, parameter: &Parameter, writer: &mut EntryWriter<'_>) {
    let release = writer.release();
    match (field.kind, parameter) {
        (FieldKind::Named(names), Parameter::Unsigned(number)) if release >= names.since => {
            let name = (names.name)(writer.context(), *number);
            writer.optional_attribute(name);
        }
        (FieldKind::OptionalUnsigned(_), Parameter::Unsigned(value)) => writer.varint_with_flag(*value, true),
        (FieldKind::OptionalUnsigned(_), _) => writer.varint(0),
        (FieldKind::String, Parameter::Attribute(string)) => {
            let context = writer.context();
            if let mlirbc_ir::AttributeData::String { value, .. } = &context[*string] {
                writer.string(value);
            }
        }
        (FieldKind::Attribute(_), Parameter::Attribute(value)) if !field.is_optional(release) => {
            writer.attribute(*value);
        }
        (FieldKind::SignedList(_) | FieldKind::Doubles, Parameter::List(items)) => {
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
