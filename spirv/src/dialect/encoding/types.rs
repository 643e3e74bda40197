//! Types.

use mlirbc_bytecode::encoding::{EntryReader, EntryWriter};
use mlirbc_ir::{AttributeData, DYNAMIC, DialectValue, Parameter, Result, Type, TypeData};

use super::{Encoding, count, items, optional_word, word, word_parameter, write_optional_word};
use crate::dialect::types::{self, Decoration, NumberOrSymbol, SpirvType, Struct};
use crate::grammar::Instruction;

/// Mnemonics by code.
pub(super) const MNEMONICS: [&str; 11] = [
    "array",
    "rtarray",
    "ptr",
    "image",
    "sampled_image",
    "struct",
    "struct",
    "struct",
    "matrix",
    "coopmatrix",
    "arm.tensor",
];

mod code {
    pub(super) const ARRAY: u64 = 0;
    pub(super) const RUNTIME_ARRAY: u64 = 1;
    pub(super) const POINTER: u64 = 2;
    pub(super) const IMAGE: u64 = 3;
    pub(super) const SAMPLED_IMAGE: u64 = 4;
    pub(super) const STRUCT: u64 = 5;
    pub(super) const NAMED_STRUCT: u64 = 6;
    pub(super) const REFERENCE: u64 = 7;
    pub(super) const MATRIX: u64 = 8;
    pub(super) const COOPERATIVE_MATRIX: u64 = 9;
    pub(super) const TENSOR: u64 = 10;
    pub(super) const OTHER: u64 = 11;
}

/// How a decoration goes on.
mod kind {
    pub(super) const PLAIN: u64 = 0;
    pub(super) const WORD: u64 = 1;
    pub(super) const ATTRIBUTE: u64 = 2;
}

pub(super) fn read(encoding: &Encoding, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
    let context = reader.context();
    let code = reader.varint()?;
    let (mnemonic, parameters) = match MNEMONICS.get(code as usize) {
        Some(name) => {
            let mnemonic = *encoding.types[code as usize].get_or_init(|| context.identifier(name));
            (mnemonic, fields(code, reader)?)
        }
        None if code == code::OTHER => other(reader)?,
        None => return Err(reader.unknown(format!("no type of spirv has the code {code}"))),
    };
    let value = encoding.value(context, mnemonic, parameters);
    // A struct is well-formed as it is read.
    if !matches!(code, code::STRUCT | code::NAMED_STRUCT) {
        let view = types::of_value(context, &value).ok_or_else(|| reader.error("no such type of spirv"))?;
        types::check(context, &view).map_err(|message| reader.error(message))?;
    }
    Ok(context.ty(TypeData::Dialect(value)))
}

fn ty(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    reader.ty().map(Parameter::Type)
}

fn string(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(Parameter::String(reader.string()?.into()))
}

fn name(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    let name = reader.string()?;
    match std::str::from_utf8(name) {
        Ok(_) => Ok(Parameter::String(name.into())),
        Err(_) => Err(reader.error("a name that is not UTF-8")),
    }
}

/// A number, or a symbol in its place.
fn size(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    let (number, symbol) = reader.varint_with_flag()?;
    match (number, symbol) {
        (0, true) => reader.attribute().map(Parameter::Attribute),
        (_, true) => Err(reader.error("a size that is a number and a symbol")),
        (number, false) => Ok(Parameter::Unsigned(super::fits(number, reader)?.into())),
    }
}

fn fields(code: u64, reader: &mut EntryReader<'_, '_>) -> Result<Box<[Parameter]>> {
    Ok(match code {
        code::ARRAY => Box::new([size(reader)?, ty(reader)?, word_parameter(reader)?]),
        code::RUNTIME_ARRAY | code::POINTER => Box::new([ty(reader)?, word_parameter(reader)?]),
        code::IMAGE => {
            let mut parameters = Vec::with_capacity(8);
            parameters.push(ty(reader)?);
            for _ in 0..6 {
                parameters.push(word_parameter(reader)?);
            }
            let access = optional_word(reader)?;
            parameters.extend((access != Parameter::None).then_some(access));
            parameters.into()
        }
        code::SAMPLED_IMAGE => Box::new([ty(reader)?]),
        code::STRUCT => body(Parameter::None, reader)?,
        code::NAMED_STRUCT => {
            let name = name(reader)?;
            body(name, reader)?
        }
        code::REFERENCE => Box::new([name(reader)?]),
        code::MATRIX => Box::new([word_parameter(reader)?, ty(reader)?]),
        code::COOPERATIVE_MATRIX => Box::new([size(reader)?, size(reader)?, ty(reader)?, size(reader)?, size(reader)?]),
        _ => {
            let (rank, ranked) = reader.varint_with_flag()?;
            let element = ty(reader)?;
            let rank = count(rank, reader)?;
            let sizes = items(rank, reader, |reader| {
                Ok(Parameter::Signed(match word(reader)? {
                    0 => DYNAMIC,
                    size => size.into(),
                }))
            })?;
            Box::new([if ranked { Parameter::List(sizes) } else { Parameter::None }, element])
        }
    })
}

fn body(name: Parameter, reader: &mut EntryReader<'_, '_>) -> Result<Box<[Parameter]>> {
    let (members, has_offsets) = reader.varint_with_flag()?;
    let members = count(members, reader)?;
    let types = items(members, reader, ty)?;
    let offsets = match has_offsets {
        // Without members there are no offsets.
        true if members == 0 => return Err(reader.error("offsets of no members")),
        true => Parameter::List(items(members, reader, word_parameter)?),
        false => Parameter::None,
    };
    let many = reader.varint()?;
    let many = count(many, reader)?;
    let mut of_members = Vec::with_capacity(many * 3);
    let mut member = 0u64;
    for _ in 0..many {
        member = member.saturating_add(reader.varint()?);
        if member >= members as u64 {
            return Err(reader.error(format!("a decoration of member {member} of {members}")));
        }
        let [decoration, value] = decoration(reader)?;
        of_members.extend([Parameter::Unsigned(member), decoration, value]);
    }
    let many = reader.varint()?;
    let many = count(many, reader)?;
    let mut decorations = Vec::with_capacity(many * 2);
    for _ in 0..many {
        decorations.extend(decoration(reader)?);
    }
    let (types, of_members) = (Parameter::List(types), Parameter::List(of_members.into()));
    Ok(Box::new([name, types, offsets, of_members, Parameter::List(decorations.into())]))
}

fn decoration(reader: &mut EntryReader<'_, '_>) -> Result<[Parameter; 2]> {
    let packed = reader.varint()?;
    let number = super::fits(packed >> 2, reader)?;
    let value = match packed & 3 {
        kind::PLAIN => Parameter::None,
        kind::WORD => {
            let value = reader.signed_varint()?;
            let value = i32::try_from(value).map_err(|_| reader.error(format!("{value} does not fit a word")))?;
            Parameter::Attribute(reader.context().integer(32, value.into()))
        }
        kind::ATTRIBUTE => Parameter::Attribute(reader.attribute()?),
        kind => return Err(reader.error(format!("a decoration of kind {kind}"))),
    };
    Ok([Parameter::Unsigned(number.into()), value])
}

/// A type that only the grammar knows.
fn other(reader: &mut EntryReader<'_, '_>) -> Result<(mlirbc_ir::Identifier, Box<[Parameter]>)> {
    let opcode = word(reader)?;
    let instruction = u16::try_from(opcode).ok().and_then(Instruction::of).filter(|it| types::is_other(it));
    let Some(instruction) = instruction else {
        return Err(reader.error(format!("opcode {opcode} is no such type of spirv")));
    };
    let operands = reader.list(|reader| {
        Ok(match reader.varint()? {
            0 => word_parameter(reader)?,
            1 => string(reader)?,
            2 => ty(reader)?,
            3 => Parameter::Attribute(reader.attribute()?),
            kind => return Err(reader.error(format!("an operand of kind {kind}"))),
        })
    })?;
    reader.expand(operands.len() as u64 * 16)?;
    Ok((reader.context().identifier(types::mnemonic(instruction)), operands.into()))
}

/// Writes a type; false, with nothing written, where it is not of the dialect or not well-formed.
pub(super) fn write(ty: Type, writer: &mut EntryWriter<'_>) -> bool {
    let context = writer.context();
    let TypeData::Dialect(value) = &context[ty] else { return false };
    let Some(view) = types::of_value(context, value) else { return false };
    if types::check(context, &view).is_err() {
        return false;
    }
    write_view(&view, value, writer);
    true
}

fn write_size(size: NumberOrSymbol, writer: &mut EntryWriter<'_>) {
    match size {
        NumberOrSymbol::Known(number) => writer.varint_with_flag(number.into(), false),
        NumberOrSymbol::Symbol(symbol) => {
            writer.varint_with_flag(0, true);
            writer.attribute(symbol);
        }
    }
}

fn write_view(view: &SpirvType<'_>, value: &DialectValue, writer: &mut EntryWriter<'_>) {
    match view {
        SpirvType::Array { element, count, stride } => {
            writer.varint(code::ARRAY);
            write_size(*count, writer);
            writer.ty(*element);
            writer.varint((*stride).into());
        }
        SpirvType::RuntimeArray { element, stride: number } => {
            writer.varint(code::RUNTIME_ARRAY);
            writer.ty(*element);
            writer.varint((*number).into());
        }
        SpirvType::Pointer { pointee, class } => {
            writer.varint(code::POINTER);
            writer.ty(*pointee);
            writer.varint((*class).into());
        }
        SpirvType::Image(image) => {
            writer.varint(code::IMAGE);
            writer.ty(image.sampled);
            let (dim, depth, arrayed) = (image.dim, image.depth, image.arrayed);
            for number in [dim, depth, arrayed, image.multisampled, image.sampler_use, image.format] {
                writer.varint(number.into());
            }
            write_optional_word(image.access, writer);
        }
        SpirvType::SampledImage(image) => {
            writer.varint(code::SAMPLED_IMAGE);
            writer.ty(*image);
        }
        SpirvType::Struct(structure) => {
            match &structure.name {
                None => writer.varint(code::STRUCT),
                Some(name) => {
                    writer.varint(code::NAMED_STRUCT);
                    writer.string(name.as_bytes());
                }
            }
            write_body(structure, writer);
        }
        SpirvType::Reference(name) => {
            writer.varint(code::REFERENCE);
            writer.string(name.as_bytes());
        }
        SpirvType::Matrix { column, columns } => {
            writer.varint(code::MATRIX);
            writer.varint((*columns).into());
            writer.ty(*column);
        }
        SpirvType::CooperativeMatrix { rows, columns, element, scope, usage } => {
            writer.varint(code::COOPERATIVE_MATRIX);
            write_size(*rows, writer);
            write_size(*columns, writer);
            writer.ty(*element);
            write_size(*scope, writer);
            write_size(*usage, writer);
        }
        SpirvType::Tensor { shape, element } => {
            writer.varint(code::TENSOR);
            let sizes = shape.as_deref().unwrap_or_default();
            writer.varint_with_flag(sizes.len() as u64, shape.is_some());
            writer.ty(*element);
            for &size in sizes {
                writer.varint(if size == DYNAMIC { 0 } else { size as u64 });
            }
        }
        SpirvType::Other { instruction, .. } => {
            writer.varint(code::OTHER);
            writer.varint(instruction.opcode.into());
            writer.list(value.parameters.iter(), |writer, operand| match operand {
                Parameter::Unsigned(number) => {
                    writer.varint(0);
                    writer.varint(*number);
                }
                Parameter::String(string) => {
                    writer.varint(1);
                    writer.string(string);
                }
                Parameter::Type(ty) => {
                    writer.varint(2);
                    writer.ty(*ty);
                }
                Parameter::Attribute(attribute) => {
                    writer.varint(3);
                    writer.attribute(*attribute);
                }
                // A type that is well-formed has no others.
                _ => {}
            });
        }
    }
}

fn write_body(structure: &Struct, writer: &mut EntryWriter<'_>) {
    let members = &structure.members;
    let has_offsets = members.iter().any(|member| member.offset.is_some());
    writer.varint_with_flag(members.len() as u64, has_offsets);
    for member in members {
        writer.ty(member.ty);
    }
    for offset in members.iter().filter_map(|member| member.offset) {
        writer.varint(offset.into());
    }
    writer.varint(members.iter().map(|member| member.decorations.len() as u64).sum());
    let mut last = 0;
    for (at, member) in members.iter().enumerate() {
        for decoration in &member.decorations {
            writer.varint((at - last) as u64);
            last = at;
            write_decoration(decoration, writer);
        }
    }
    writer.list(structure.decorations.iter(), |writer, decoration| write_decoration(decoration, writer));
}

fn write_decoration(decoration: &Decoration, writer: &mut EntryWriter<'_>) {
    let context = writer.context();
    let number = u64::from(decoration.decoration) << 2;
    let Some(value) = decoration.value else { return writer.varint(number | kind::PLAIN) };
    match &context[value] {
        AttributeData::Integer { ty, value } if *ty == context.integer_type(32) => {
            writer.varint(number | kind::WORD);
            writer.signed_varint(value.to_i64().unwrap_or_default());
        }
        _ => {
            writer.varint(number | kind::ATTRIBUTE);
            writer.attribute(value);
        }
    }
}
