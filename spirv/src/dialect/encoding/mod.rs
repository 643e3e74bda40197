//! The dialect in bytecode: what its types and attributes are written as, where they are not text.
//!
//! Fields are those of MLIR's bytecode: a *number* is a varint, *type*, *attribute* and *string* are numbers of entries.
//! A *size* is a number and a flag: the flag is set where an attribute, a symbol, stands in place of the number.
//!
//! | code | type | fields |
//! | --- | --- | --- |
//! | 0 | `array` | count: size; element: type; stride: number |
//! | 1 | `rtarray` | element: type; stride: number |
//! | 2 | `ptr` | pointee: type; storage class: number |
//! | 3 | `image` | sampled type: type; dim, depth, arrayed, multisampled, sampler use, format: numbers; access qualifier or 0: number and flag |
//! | 4 | `sampled_image` | image: type |
//! | 5 | `struct` | its body |
//! | 6 | `struct` with a name | name: string; its body |
//! | 7 | `struct` by name alone | name: string |
//! | 8 | `matrix` | columns: number; column: type |
//! | 9 | `coopmatrix` | rows, columns: sizes; element: type; scope, use: sizes |
//! | 10 | `arm.tensor` | rank and whether it is known: number and flag; element: type; sizes, 0 for a dynamic one: numbers |
//! | 11 | of the grammar | opcode: number; each operand: kind and value |
//!
//! The body of a struct: how many members, and whether they have offsets (number and flag); a type for each; an offset
//! for each (numbers); how many decorations members have; of each, how many members it stands behind the one before
//! (number) and itself; how many decorations the struct has; each of them. A decoration is its number times 4, plus 0
//! where it has no value, 1 for a signed number, and 2 for an attribute, which follow.
//!
//! The operands of a type of the grammar: their number; of each 0 and a number, 1 and a string, 2 and a type, or 3 and
//! an attribute.
//!
//! | code | attribute | fields |
//! | --- | --- | --- |
//! | 0 | `ext` | an extension |
//! | 1 | `vce` | version: number; capabilities: count, numbers; extensions: count, extensions |
//! | 2 | `interface_var_abi` | set, binding: numbers; storage class or 0: number and flag |
//! | 3 | `target_env` | triple: attribute; API, vendor, device type, device, each plus 1, 0 for one that is not known: numbers; limits: attribute |
//! | 4 to 10 | those of [`DEFINITIONS`](super::attributes::DEFINITIONS), by their codes | a bit for each parameter that text shows: number; each of these |
//! | 16 + n | the n-th of [`EnumKind`] | the enumerant: number |
//!
//! An extension is 0 and a string, or its place in [the list of those known](KNOWN_EXTENSIONS) plus 1. Version 1 of the
//! dialect wrote the string alone, with no 0 before it; nothing else has changed since.

mod attributes;
mod extensions;
mod types;

use std::sync::{Arc, OnceLock};

use mlirbc_bytecode::encoding::{DialectEncoding, DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Attribute, Context, DialectValue, Error, Identifier, Parameter, Result, Type};

use super::{DIALECT, EnumKind};

pub use extensions::KNOWN_EXTENSIONS;

/// The version of the dialect that is written where no other is asked for.
pub const VERSION: u64 = 2;

/// The oldest version that is read and written.
pub const OLDEST_VERSION: u64 = 1;

/// Encodings of the dialect in one context.
pub(super) struct Encoding {
    dialect: OnceLock<Identifier>,
    /// Mnemonics by code, as names of the context; each made when it is first met.
    types: [OnceLock<Identifier>; types::MNEMONICS.len()],
    attributes: [OnceLock<Identifier>; ATTRIBUTES],
    /// By enum, its first cases: most entries of a file are such.
    cases: [OnceLock<Cases>; EnumKind::ALL.len()],
}

type Cases = Box<[OnceLock<Attribute>; FEW]>;

/// How many cases of an enum are remembered.
const FEW: usize = 32;

/// How many codes attributes have.
const ATTRIBUTES: usize = attributes::FIRST_ENUM as usize + EnumKind::ALL.len();

impl Encoding {
    pub(super) fn new() -> Self {
        Encoding {
            dialect: OnceLock::new(),
            types: [const { OnceLock::new() }; types::MNEMONICS.len()],
            attributes: [const { OnceLock::new() }; ATTRIBUTES],
            cases: [const { OnceLock::new() }; EnumKind::ALL.len()],
        }
    }

    /// Where the attribute of a case is remembered, if it is.
    fn case(&self, kind: usize, value: u64) -> Option<&OnceLock<Attribute>> {
        let at = usize::try_from(value).ok().filter(|&at| at < FEW)?;
        Some(&self.cases.get(kind)?.get_or_init(|| Box::new([const { OnceLock::new() }; FEW]))[at])
    }

    fn value(&self, context: &Context, mnemonic: Identifier, parameters: Box<[Parameter]>) -> DialectValue {
        let dialect = *self.dialect.get_or_init(|| context.identifier(DIALECT));
        DialectValue { dialect, mnemonic, parameters }
    }
}

/// The version in what a decoder or encoder is given.
fn number(version: Option<&DialectVersion>) -> u64 {
    version.and_then(|version| version.downcast_ref()).copied().unwrap_or(VERSION)
}

impl DialectEncoding for Encoding {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        attributes::read(self, reader)
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        attributes::write(attribute, writer)
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        types::read(self, reader)
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        types::write(ty, writer)
    }

    fn write_version(&self, writer: &mut EntryWriter<'_>) {
        let version = number(writer.dialect_version(DIALECT));
        writer.varint(version);
    }

    fn read_version(&self, reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        match reader.varint()? {
            version @ OLDEST_VERSION..=VERSION => Ok(Arc::new(version)),
            version => Err(reader.error(format!("version {version} of {DIALECT}: this build knows {VERSION}"))),
        }
    }
}

/// A number that fits a word.
fn word(reader: &mut EntryReader<'_, '_>) -> Result<u32> {
    let number = reader.varint()?;
    fits(number, reader)
}

fn fits(number: u64, reader: &EntryReader<'_, '_>) -> Result<u32> {
    u32::try_from(number).map_err(|_| reader.error(format!("{number} does not fit a word")))
}

fn word_parameter(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(Parameter::Unsigned(word(reader)?.into()))
}

/// A word or nothing.
fn optional_word(reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    match reader.varint_with_flag()? {
        (number, true) => Ok(Parameter::Unsigned(fits(number, reader)?.into())),
        (0, false) => Ok(Parameter::None),
        (number, false) => Err(reader.error(format!("number {number} is marked as absent"))),
    }
}

fn write_optional_word(number: Option<u32>, writer: &mut EntryWriter<'_>) {
    writer.varint_with_flag(number.unwrap_or(0).into(), number.is_some());
}

/// As many items as a list has, each of which takes a byte at least. Memory for up to three parameters of each is asked
/// for.
fn count(number: u64, reader: &EntryReader<'_, '_>) -> Result<usize> {
    if number > reader.remaining() as u64 {
        return Err(reader.error(format!(
            "{} in {}",
            Error::counted(number, "item"),
            Error::counted(reader.remaining(), "byte")
        )));
    }
    reader.expand(number.saturating_mul(3 * size_of::<Parameter>() as u64))?;
    Ok(number as usize)
}

/// So many items, for which [`count`] has asked.
fn items(
    many: usize,
    reader: &mut EntryReader<'_, '_>,
    mut item: impl FnMut(&mut EntryReader<'_, '_>) -> Result<Parameter>,
) -> Result<Box<[Parameter]>> {
    let mut items = Vec::with_capacity(many);
    for _ in 0..many {
        items.push(item(reader)?);
    }
    Ok(items.into())
}
