//! `vhlo` in bytecode: the code of a form, then its fields.

use mlirbc_bytecode::encoding::{DialectEncoding, EntryReader, EntryWriter};
use mlirbc_ir::{Attribute, AttributeData, Parameter, Result, Type, TypeData};

use super::forms::{ATTRIBUTES, Field, Form, TYPES, code};
use super::types::{attribute_parts, make, make_attribute, parts, to_builtin};
use super::{elements, text};

pub(super) struct Encoding;

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let code = code(reader, &ATTRIBUTES[..])?;
        let parameters = read(&ATTRIBUTES[code], reader)?;
        Ok(make_attribute(reader.context(), code, parameters))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let Some((code, parameters)) = attribute_parts(writer.context(), attribute) else { return false };
        let form = &ATTRIBUTES[code];
        if text::verify(writer.context(), form, parameters).is_err() {
            return false;
        }
        writer.varint(code as u64);
        write(form, parameters, writer);
        true
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let code = code(reader, &TYPES[..])?;
        let mut parameters = read(&TYPES[code], reader)?;
        if code == code::TENSOR {
            parameters.insert(0, Parameter::None);
        }
        Ok(make(reader.context(), code, parameters))
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let Some((code, parameters)) = parts(writer.context(), ty) else { return false };
        if text::verify(writer.context(), &TYPES[text::kept_as(code)], parameters).is_err() {
            return false;
        }
        let (code, parameters) = match parameters {
            [Parameter::None, rest @ ..] if code == code::TENSOR => (code, rest),
            _ if code == code::TENSOR => (code::ENCODED_TENSOR, parameters),
            _ => (code, parameters),
        };
        writer.varint(code as u64);
        write(&TYPES[code], parameters, writer);
        true
    }
}

/// The code of an entry. One that no form has is of a newer version.
fn code(reader: &mut EntryReader<'_, '_>, forms: &[Form]) -> Result<usize> {
    let code = reader.varint()?;
    let known =
        usize::try_from(code).ok().filter(|&code| forms.get(code).is_some_and(|form| !form.mnemonic.is_empty()));
    known.ok_or_else(|| reader.unknown(format!("nothing of vhlo has the code {code}")))
}

fn read(form: &Form, reader: &mut EntryReader<'_, '_>) -> Result<Vec<Parameter>> {
    let mut parameters = Vec::with_capacity(form.fields.len() + 1);
    for &field in form.fields {
        let parameter = parameter(field, parameters.last(), reader)?;
        parameters.push(parameter);
    }
    Ok(parameters)
}

fn parameter(field: Field, before: Option<&Parameter>, reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(match field {
        Field::Type => Parameter::Type(reader.ty()?),
        Field::Types => list(reader, |reader| Ok(Parameter::Type(reader.ty()?)))?,
        Field::Attribute | Field::Encoding => Parameter::Attribute(reader.attribute()?),
        Field::Followed => match flag(reader)? {
            true => Parameter::Attribute(reader.attribute()?),
            false => Parameter::None,
        },
        Field::Flagged => reader.optional_attribute()?.map_or(Parameter::None, Parameter::Attribute),
        Field::Attributes => list(reader, |reader| Ok(Parameter::Attribute(reader.attribute()?)))?,
        Field::Pairs => {
            let pairs = reader.list(|reader| Ok([reader.attribute()?, reader.attribute()?]))?;
            Parameter::List(pairs.into_iter().flatten().map(Parameter::Attribute).collect())
        }
        Field::String => {
            let string = reader.string()?;
            Parameter::Attribute(reader.context().string(string))
        }
        Field::Unsigned => Parameter::Unsigned(reader.varint()?),
        Field::Signed => Parameter::Signed(reader.signed_varint()?),
        Field::Numbers => list(reader, |reader| Ok(Parameter::Signed(reader.signed_varint()?)))?,
        Field::Bool => Parameter::Bool(flag(reader)?),
        Field::Case(cases) => {
            let number = reader.varint()?;
            if cases.word(number).is_none() {
                return Err(reader.error(format!("no case of the enum has the number {number}")));
            }
            Parameter::Unsigned(number)
        }
        Field::Double => Parameter::Double(reader.double()?),
        Field::Doubles => list(reader, |reader| Ok(Parameter::Double(reader.double()?)))?,
        Field::Integer | Field::Float | Field::Elements => Parameter::Attribute(value(field, before, reader)?),
    })
}

/// What an attribute of a type of `vhlo` holds, as a value of the type that this one stands for.
fn value(field: Field, before: Option<&Parameter>, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
    let context = reader.context();
    let ty = match before {
        Some(&Parameter::Type(ty)) => to_builtin(context, ty),
        _ => None,
    };
    let ty = ty.ok_or_else(|| reader.error("the type of the value stands for none of builtin"))?;
    let data = match (field, &context[ty]) {
        (Field::Integer, TypeData::Integer { width, .. }) => {
            AttributeData::Integer { ty, value: reader.ap_int(*width)? }
        }
        (Field::Integer, TypeData::Index) => AttributeData::Integer { ty, value: reader.ap_int(64)? },
        (Field::Float, TypeData::Float(kind)) => AttributeData::Float { ty, bits: reader.ap_int(kind.width())? },
        (Field::Elements, _) => {
            let blob = reader.blob()?;
            elements::read(context, ty, blob).map_err(|error| reader.error(error.message()))?
        }
        _ => return Err(reader.error("the value is not of its type")),
    };
    Ok(context.attribute(data))
}

fn list(
    reader: &mut EntryReader<'_, '_>,
    item: impl FnMut(&mut EntryReader<'_, '_>) -> Result<Parameter>,
) -> Result<Parameter> {
    Ok(Parameter::List(reader.list(item)?.into()))
}

/// A number that is 0 or 1.
fn flag(reader: &mut EntryReader<'_, '_>) -> Result<bool> {
    match reader.varint()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(reader.error(format!("{other} is neither true nor false"))),
    }
}

/// Writes verified parameters.
fn write(form: &Form, parameters: &[Parameter], writer: &mut EntryWriter<'_>) {
    for (&field, parameter) in form.fields.iter().zip(parameters) {
        match (field, parameter) {
            (Field::Pairs, Parameter::List(items)) => {
                writer.varint(items.len() as u64 / 2);
                items.iter().for_each(|item| write_one(field, item, writer));
            }
            (_, Parameter::List(items)) => writer.list(items.iter(), |writer, item| write_one(field, item, writer)),
            (Field::Followed, Parameter::None) => writer.varint(0),
            (Field::Followed, &Parameter::Attribute(attribute)) => {
                writer.varint(1);
                writer.attribute(attribute);
            }
            (Field::Flagged, Parameter::None) => writer.optional_attribute(None),
            (Field::Flagged, &Parameter::Attribute(attribute)) => writer.optional_attribute(Some(attribute)),
            _ => write_one(field, parameter, writer),
        }
    }
}

fn write_one(field: Field, parameter: &Parameter, writer: &mut EntryWriter<'_>) {
    let context = writer.context();
    match parameter {
        Parameter::Bool(value) => writer.varint((*value).into()),
        Parameter::Unsigned(value) => writer.varint(*value),
        Parameter::Signed(value) => writer.signed_varint(*value),
        Parameter::Double(bits) => writer.double(*bits),
        Parameter::Type(ty) => writer.ty(*ty),
        Parameter::Attribute(attribute) => match (field, &context[*attribute]) {
            (Field::String, AttributeData::String { value, .. }) => writer.string(value),
            (Field::Integer, AttributeData::Integer { value, .. }) => writer.ap_int(value),
            (Field::Float, AttributeData::Float { bits, .. }) => writer.ap_int(bits),
            (Field::Elements, AttributeData::DenseElements { ty, data }) => elements::write(context, *ty, data, writer),
            _ => writer.attribute(*attribute),
        },
        Parameter::None | Parameter::String(_) | Parameter::List(_) => {}
    }
}
