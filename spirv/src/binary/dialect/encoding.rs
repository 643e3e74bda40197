//! The dialect in bytecode.
//!
//! Properties of an instruction are its literals, one after the other: `word << 1`, or `length << 1 | 1` and the bytes
//! of a string. What kind an enumerant is of, the grammar says. Those of a module are its header and the runs of its
//! ids: how far the first id is from the one after the last run, and how many follow it.

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Attribute, AttributeData, Error, ModuleSource, OperationName, Parameter, Result, Type, TypeData};

use super::literals::{self, Item, Literal, item, items_of_words};
use super::source::{MODULE_PROPERTIES, Source, unknown};
use super::{DIALECT, HEADER, IDS, LITERALS, MODULE, Run};
use crate::binary::instructions::{Visitor, visit};
use crate::binary::{Header, words};
use crate::grammar::{Instruction, Kind};

pub(super) struct Encoding;

/// The current version of the dialect.
const VERSION: u64 = 1;

/// What an attribute's encoding begins with.
mod code {
    pub(super) const LITERALS: u64 = 0;
    pub(super) const HEADER: u64 = 1;
    pub(super) const IDS: u64 = 2;
}

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let context = reader.context();
        match reader.varint()? {
            code::LITERALS => {
                let literals = read_literals(reader)?;
                Ok(super::literals_attribute(context, &literals))
            }
            code::HEADER => {
                let header = read_header(reader)?;
                Ok(super::header_attribute(context, &header))
            }
            code::IDS => {
                let runs = read_runs(reader)?;
                Ok(super::ids_attribute(context, &runs))
            }
            code => Err(reader.unknown(format!("no {DIALECT} attribute has the code {code}"))),
        }
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        match context.bytes(value.mnemonic) {
            b"literals" => {
                can_write_literals(&value.parameters) && {
                    writer.varint(code::LITERALS);
                    write_literals(&value.parameters, true, writer);
                    true
                }
            }
            b"header" => super::header_of(&value.parameters).is_some_and(|header| {
                writer.varint(code::HEADER);
                write_header(&header, writer);
                true
            }),
            b"ids" => super::runs_of(&value.parameters).is_some_and(|runs| {
                writer.varint(code::IDS);
                write_runs(&runs, writer);
                true
            }),
            _ => false,
        }
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        match reader.varint()? {
            0 => Ok(super::id_type(reader.context())),
            code => Err(reader.unknown(format!("no {DIALECT} type has the code {code}"))),
        }
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let TypeData::Dialect(value) = &context[ty] else { return false };
        let is_id = context.bytes(value.mnemonic) == b"id" && value.parameters.is_empty();
        if is_id {
            writer.varint(0);
        }
        is_id
    }

    fn read_properties(&self, name: OperationName, reader: &mut EntryReader<'_, '_>) -> Result<Option<Attribute>> {
        let context = reader.context();
        let name = context.bytes(context.operation_identifier(name));
        if name == MODULE.as_bytes() {
            let (header, runs) = read_module(reader)?;
            return super::module_dictionary(context, &header, &runs).map(Some);
        }
        let literals = read_literals(reader)?;
        let literals = match Instruction::of_operation(name) {
            Some(instruction) => typed(instruction, literals),
            None => literals,
        };
        super::literals_dictionary(context, &literals).map(Some)
    }

    fn write_properties(&self, name: OperationName, properties: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dictionary(entries) = &context[properties] else { return false };
        if context.bytes(context.operation_identifier(name)) == MODULE.as_bytes() {
            let known = |name: &[u8]| name == HEADER.as_bytes() || name == IDS.as_bytes();
            if entries.iter().any(|entry| !known(context.bytes(entry.0))) {
                return false;
            }
            let Ok((header, runs)) = super::module_properties(context, properties) else { return false };
            write_header(&header, writer);
            write_runs(&runs, writer);
            return true;
        }
        match **entries {
            [(key, literals)] if context.bytes(key) == LITERALS.as_bytes() => {
                match super::parameters(context, literals, LITERALS) {
                    Some(parameters) if can_write_literals(parameters) => {
                        write_literals(parameters, false, writer);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn knows_source(&self, source: &dyn ModuleSource) -> bool {
        source.as_any().is::<Source>()
    }

    fn write_from_source(
        &self,
        _: OperationName,
        (source, index): (&dyn ModuleSource, u32),
        writer: &mut EntryWriter<'_>,
    ) -> bool {
        let Some(source) = source.as_any().downcast_ref::<Source>() else { return false };
        if index == MODULE_PROPERTIES {
            write_header(&source.header, writer);
            write_runs(&super::runs(source.values()), writer);
            return true;
        }
        let Ok(place) = source.instruction(index) else { return false };
        match place.instruction() {
            Some(instruction) => {
                let mut literals = Literals { writer };
                visit(&place, instruction, &mut literals, &mut source.definitions(place.at)).is_ok()
            }
            None => {
                unknown(place.words).for_each(|word| write_word(word, writer));
                true
            }
        }
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        writer.varint(VERSION);
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            VERSION => Ok(Arc::new(VERSION)),
            version => Err(reader.error(format!("version {version} of {DIALECT}: this build knows {VERSION}"))),
        }
    }
}

/// Writes literals as they stand in a binary.
struct Literals<'w, 'a> {
    writer: &'w mut EntryWriter<'a>,
}

impl Visitor for Literals<'_, '_> {
    fn id(&mut self, _: u32) {}

    fn word(&mut self, _: Kind, word: u32) {
        write_word(word, self.writer);
    }

    fn string(&mut self, words: &[u32]) {
        match literals::string_of(words) {
            Some(string) => write_string(&string, self.writer),
            None => words.iter().for_each(|&word| write_word(word, self.writer)),
        }
    }
}

/// Appends the words of the literals that properties of an instruction are.
///
/// # Errors
/// As [`DialectEncoding::read_properties`].
pub(crate) fn read_words(reader: &mut EntryReader<'_, '_>, into: &mut Vec<u32>) -> Result<()> {
    for_each_literal(reader, |literal| match literal {
        Literal::Word(word) | Literal::Enumerant(_, word) => into.push(word),
        Literal::String(string) => words::push_string(into, &string),
    })
}

/// The properties of a module.
///
/// # Errors
/// As [`DialectEncoding::read_properties`].
pub(crate) fn read_module(reader: &mut EntryReader<'_, '_>) -> Result<(Header, Vec<Run>)> {
    let header = read_header(reader)?;
    Ok((header, read_runs(reader)?))
}

/// Literals as what the grammar takes them for.
fn typed(instruction: &Instruction, literals: Vec<Literal>) -> Vec<Literal> {
    let mut flat = Vec::new();
    for literal in &literals {
        match literal {
            Literal::Word(word) | Literal::Enumerant(_, word) => flat.push(*word),
            Literal::String(string) => words::push_string(&mut flat, string),
        }
    }
    items_of_words(&instruction.operands, &flat)
}

fn read_literals(reader: &mut EntryReader<'_, '_>) -> Result<Vec<Literal>> {
    let mut literals = Vec::new();
    for_each_literal(reader, |literal| literals.push(literal))?;
    Ok(literals)
}

fn for_each_literal(reader: &mut EntryReader<'_, '_>, mut take: impl FnMut(Literal)) -> Result<()> {
    while reader.remaining() > 0 {
        take(match reader.varint_with_flag()? {
            (word, false) => Literal::Word(word_of(word, reader)?),
            // The bit that no string needs: an enumerant whose kind nothing else tells.
            (0, true) => {
                let kind = usize::try_from(reader.varint()?).ok().and_then(|kind| Kind::ALL.get(kind));
                let kind = *kind.ok_or_else(|| reader.error("no such kind of enumerants"))?;
                let value = reader.varint()?;
                Literal::Enumerant(kind, word_of(value, reader)?)
            }
            (length, true) => {
                let length = length - 1;
                if length > reader.remaining() as u64 {
                    return Err(reader.error(format!("a string of {}", Error::counted(length, "byte"))));
                }
                let string = (0..length).map(|_| reader.byte()).collect::<Result<Box<[u8]>>>()?;
                if string.contains(&0) {
                    return Err(reader.error("a string with a zero in it"));
                }
                Literal::String(string)
            }
        });
    }
    Ok(())
}

fn word_of(word: u64, reader: &EntryReader<'_, '_>) -> Result<u32> {
    u32::try_from(word).map_err(|_| reader.error(format!("{word} does not fit a word")))
}

fn can_write_literals(parameters: &[Parameter]) -> bool {
    parameters.iter().all(|parameter| item(parameter).is_some())
}

fn write_literals(parameters: &[Parameter], kinds: bool, writer: &mut EntryWriter<'_>) {
    for item in parameters.iter().filter_map(item) {
        match item {
            Item::Enumerant(kind, value) if kinds => {
                writer.varint_with_flag(0, true);
                writer.varint(kind as u64);
                writer.varint(value.into());
            }
            Item::Word(word) | Item::Enumerant(_, word) => write_word(word, writer),
            Item::String(string) => write_string(string, writer),
        }
    }
}

fn write_word(word: u32, writer: &mut EntryWriter<'_>) {
    writer.varint_with_flag(word.into(), false);
}

fn write_string(string: &[u8], writer: &mut EntryWriter<'_>) {
    writer.varint_with_flag(string.len() as u64 + 1, true);
    string.iter().for_each(|&byte| writer.byte(byte));
}

fn read_header(reader: &mut EntryReader<'_, '_>) -> Result<Header> {
    let mut word = || {
        let word = reader.varint()?;
        word_of(word, reader)
    };
    let (version, generator, bound, schema) = (word()?, word()?, word()?, word()?);
    Ok(Header { version, generator, bound, schema, big_endian: reader.bool()? })
}

fn write_header(header: &Header, writer: &mut EntryWriter<'_>) {
    for word in [header.version, header.generator, header.bound, header.schema] {
        writer.varint(word.into());
    }
    writer.bool(header.big_endian);
}

fn read_runs(reader: &mut EntryReader<'_, '_>) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    let mut next = 1i64;
    while reader.remaining() > 0 {
        let (distance, many) = unpack(reader.signed_varint()?);
        let count = if many { reader.varint()?.saturating_add(2) } else { 1 };
        let first = next.saturating_add(distance);
        let past = first.saturating_add_unsigned(count);
        let (Ok(start), Ok(length)) = (u32::try_from(first), u32::try_from(count)) else {
            return Err(reader.error("a run of ids is out of range"));
        };
        if past > 1 << 32 {
            return Err(reader.error("a run of ids past the last"));
        }
        runs.push((start, length));
        next = past;
    }
    Ok(runs)
}

fn write_runs(runs: &[Run], writer: &mut EntryWriter<'_>) {
    let mut next = 1i64;
    for &(first, count) in runs {
        let distance = i64::from(first) - next;
        writer.signed_varint(distance << 1 | i64::from(count > 1));
        if count > 1 {
            writer.varint(u64::from(count) - 2);
        }
        next = i64::from(first) + i64::from(count);
    }
}

/// A distance and a flag.
fn unpack(packed: i64) -> (i64, bool) {
    (packed >> 1, packed & 1 != 0)
}
