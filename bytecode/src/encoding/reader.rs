//! What a dialect reads its entries with.

// No file may make a reader panic.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]
#![deny(clippy::arithmetic_side_effects)]

use std::cell::Cell;

use bytes::Bytes;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, Context, Error, ErrorKind, Identifier, NamedAttribute, ResourceHandle, Result, Type};

use super::waiting::{Waiting, WaitingEntries};
use crate::format::Cursor;

/// Reads the fields of one entry: of an attribute, a type, a version or an operation's properties.
///
/// Nested attributes and types come back resolved. Where nesting is so deep that a decoder cannot go on, it gets an
/// error and is called again later, from the entry's first byte: a decoder must have no effects but its result.
///
/// What a decoder does not know, since it is newer than the decoder, it says with [`EntryReader::unknown`]: the entry is
/// kept as it is. Nested attributes and types may be such parts, too ([`AttributeData::Encoded`], [`TypeData::Encoded`]); an
/// entry whose decoder gives an error after it was given something with one in it is itself kept.
///
/// [`AttributeData::Encoded`]: mlirbc_ir::AttributeData::Encoded
/// [`TypeData::Encoded`]: mlirbc_ir::TypeData::Encoded
pub struct EntryReader<'a, 'r> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) resolver: &'a dyn Resolver,
    pub(crate) resolution: &'r mut Resolution,
}

/// For how many items of a list room is made before they are read: each is of more bytes than it takes in the file.
const AT_ONCE: usize = 64;

/// Which table an entry stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Table {
    Attributes,
    Types,
}

impl Table {
    /// What its entries are.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Table::Attributes => "attribute",
            Table::Types => "type",
        }
    }
}

/// The state of resolving one entry and what it refers to.
///
/// Decoders call each other up to some depth. Past it, and where an entry is met that was put off before, a decoder is
/// given an error; what it lacked is noted and decoded first, then the decoder is called again.
pub(crate) struct Resolution {
    /// Entries whose decoders are on the stack: meeting one again is a cycle.
    pub(crate) path: Path,
    /// Entries that cannot be decoded yet. Some are decoded meanwhile.
    pub(crate) waiting: WaitingEntries,
    /// What has to be decoded before the outermost entry, those that others hold first, and whether that is a guess.
    pub(crate) needed: Vec<((Table, u32), bool)>,
    /// What the decoder that runs has met.
    pub(crate) met: Met,
    /// How many lists are being looked through for what else is missing.
    guessing: u32,
    /// Whether they are.
    pub(crate) guesses: bool,
    /// Whether there is no outer entry: what is nested is resolved at once.
    pub(crate) alone: bool,
    /// Room for the members of properties.
    pub(crate) members: Vec<NamedAttribute>,
}

/// What a decoder has met so far.
#[derive(Default)]
pub(crate) struct Met {
    /// Whether it has been given an error for want of something.
    pub(crate) gave_up: bool,
    /// The first entry that it was given that is opaque, or holds one that is.
    pub(crate) opaque: Option<(Table, u32)>,
    /// Whether something was refused that no newer decoder would get either: an entry that is broken, or leave to make
    /// much of a few bytes.
    pub(crate) refused: Cell<bool>,
}

/// Entries inside each other, of which there are few: most often one.
pub(crate) struct Path {
    /// Each in one number.
    entries: [u64; Path::LONGEST],
    length: usize,
}

impl Default for Path {
    fn default() -> Self {
        Path { entries: [0; Path::LONGEST], length: 0 }
    }
}

impl Path {
    /// How many entries it has room for.
    pub(crate) const LONGEST: usize = 33;

    fn number((table, index): (Table, u32)) -> u64 {
        u64::from(index) << 1 | table as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(crate) fn contains(&self, entry: (Table, u32)) -> bool {
        let number = Path::number(entry);
        self.entries.iter().take(self.length).any(|&other| other == number)
    }

    /// Goes into an entry; past the longest path, that is not noted.
    pub(crate) fn push(&mut self, entry: (Table, u32)) {
        if let Some(place) = self.entries.get_mut(self.length) {
            *place = Path::number(entry);
        }
        self.length = self.length.saturating_add(1);
    }

    pub(crate) fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }
}

impl Default for Resolution {
    fn default() -> Self {
        Resolution {
            path: Path::default(),
            waiting: WaitingEntries::default(),
            needed: Vec::new(),
            met: Met::default(),
            guessing: 0,
            guesses: true,
            alone: false,
            members: Vec::new(),
        }
    }
}

impl Resolution {
    /// For bytes that are no entry of the tables, and so are in none.
    pub(crate) fn alone() -> Self {
        Resolution { alone: true, ..Self::default() }
    }

    /// Puts the entry off; the error that stops the decoder which asked for it.
    #[cold]
    pub(crate) fn give_up(&mut self, entry: (Table, u32)) -> Error {
        self.met.gave_up = true;
        self.waiting.set(entry, Some(Waiting::PutOff));
        self.needed.push((entry, self.guessing > 0));
        Error::malformed("nested too deep for now")
    }
}

/// The tables of a file, as decoders see them.
pub(crate) trait Resolver {
    fn context(&self) -> &Context;
    fn version(&self) -> u64;
    fn release(&self) -> Option<Release>;
    fn nested_attribute(&self, index: u32, resolution: &mut Resolution) -> Result<Attribute>;
    fn nested_type(&self, index: u32, resolution: &mut Resolution) -> Result<Type>;
    fn string(&self, index: u32) -> Result<&[u8]>;
    fn resource(&self, index: u32) -> Result<ResourceHandle>;
    fn slice(&self, bytes: &[u8]) -> Bytes;
    fn take(&self, bytes: u64) -> Result<()>;
    fn dialect_version(&self, dialect: &str) -> Result<Option<super::DialectVersion>>;
}

impl<'a> EntryReader<'a, '_> {
    /// The context that the result belongs to.
    pub fn context(&self) -> &'a Context {
        self.resolver.context()
    }

    /// The bytecode version of the file.
    pub fn bytecode_version(&self) -> u64 {
        self.resolver.version()
    }

    /// The release of MLIR that the file is of, by its producer string; `None` where that names none. Encodings have
    /// changed between releases while the bytecode version stayed the same.
    pub fn release(&self) -> Option<Release> {
        self.resolver.release()
    }

    /// The version that the dialect of that name wrote into the file, as its decoder read it.
    ///
    /// # Errors
    /// Where the decoder does not read it. If that is because it [does not know](EntryReader::unknown) the version, the
    /// entries that ask for it are kept as they are.
    pub fn dialect_version(&self, dialect: &str) -> Result<Option<super::DialectVersion>> {
        self.resolver.dialect_version(dialect)
    }

    /// As [`EntryReader::dialect_version`], where that is a number: `None` where the file states none, or one that is no number.
    ///
    /// # Errors
    /// As that.
    pub fn dialect_number(&self, dialect: &str) -> Result<Option<u64>> {
        Ok(self.dialect_version(dialect)?.and_then(|version| version.downcast_ref().copied()))
    }

    /// Where the reader stands in the file.
    pub(crate) fn position(&self) -> u64 {
        self.cursor.position() as u64
    }

    /// An error at the place where the reader stands.
    #[cold]
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.cursor.error(message)
    }

    /// The error with which a decoder says that it does not know what it reads: a code, say, that newer producers write.
    ///
    /// It is no error of the file. The entry is kept as it is: an [`Encoded`](mlirbc_ir::Encoded) attribute or type, which goes
    /// back into its own file with the same bytes and is printed as a placeholder. Any other error says that the file is
    /// broken.
    #[cold]
    pub fn unknown(&self, message: impl Into<String>) -> Error {
        self.error(message).of_kind(ErrorKind::Unknown)
    }

    /// An error of a layout that is not known to be the one that was written: it is none of the file, unless something was
    /// refused that no layout would make right.
    #[cold]
    pub(crate) fn doubted(&self, error: Error) -> Error {
        if self.resolution.met.refused.get() { error } else { error.of_kind(ErrorKind::Unknown) }
    }

    /// Bytes of the entry that are left.
    pub fn remaining(&self) -> usize {
        self.cursor.remaining()
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8> {
        self.cursor.byte()
    }

    /// A byte, true where it is not 0.
    pub fn bool(&mut self) -> Result<bool> {
        Ok(self.cursor.byte()? != 0)
    }

    /// An unsigned integer.
    pub fn varint(&mut self) -> Result<u64> {
        self.cursor.varint()
    }

    /// An unsigned integer and a flag in one.
    pub fn varint_with_flag(&mut self) -> Result<(u64, bool)> {
        self.cursor.varint_with_flag()
    }

    /// A signed integer.
    pub fn signed_varint(&mut self) -> Result<i64> {
        self.cursor.signed_varint()
    }

    /// Bytes with their length before them; a view of the file where they are many.
    pub fn blob(&mut self) -> Result<Bytes> {
        let blob = self.cursor.blob()?;
        Ok(self.resolver.slice(blob))
    }

    /// A string of the file's string table.
    pub fn string(&mut self) -> Result<&'a [u8]> {
        let index = self.cursor.index()?;
        let string = self.resolver.string(index).map_err(|error| error.at(self.position()))?;
        // Strings are shared, what is made of them is not.
        self.expand(string.len() as u64)?;
        Ok(string)
    }

    /// Asks for leave to make so many bytes of what the file holds once or not at all: see
    /// [`Limits::expansion`](crate::Limits::expansion).
    ///
    /// # Errors
    /// Where the file has asked for too much.
    pub fn expand(&self, bytes: u64) -> Result<()> {
        self.resolver.take(bytes).map_err(|error| {
            self.resolution.met.refused.set(true);
            error.at(self.position())
        })
    }

    /// A string of the file's string table, as a name.
    pub fn identifier(&mut self) -> Result<Identifier> {
        let string = self.string()?;
        Ok(self.context().identifier(string))
    }

    /// An attribute.
    pub fn attribute(&mut self) -> Result<Attribute> {
        let index = self.cursor.index()?;
        self.resolve(index)
    }

    fn resolve(&mut self, index: u32) -> Result<Attribute> {
        let found = self.resolver.nested_attribute(index, self.resolution);
        found.map_err(|error| error.at(self.position()))
    }

    /// An attribute that may be absent.
    pub fn optional_attribute(&mut self) -> Result<Option<Attribute>> {
        let (index, present) = self.cursor.varint_with_flag()?;
        if !present {
            return match index {
                0 => Ok(None),
                _ => Err(self.error("an absent attribute with an index")),
            };
        }
        let index = u32::try_from(index).map_err(|_| self.error(format!("attribute {index} is out of range")))?;
        self.resolve(index).map(Some)
    }

    /// A string attribute without a type, as a name.
    pub fn name_attribute(&mut self) -> Result<Identifier> {
        let attribute = self.attribute()?;
        self.context().as_identifier(attribute).ok_or_else(|| self.error("a string attribute is wanted here"))
    }

    /// A location.
    pub fn location(&mut self) -> Result<Attribute> {
        let attribute = self.attribute()?;
        match self.context()[attribute].is_location() {
            true => Ok(attribute),
            false => Err(self.error("a location is wanted here")),
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type> {
        let index = self.cursor.index()?;
        let found = self.resolver.nested_type(index, self.resolution);
        found.map_err(|error| error.at(self.position()))
    }

    /// A count, and as many of what `item` reads. Each item must take at least one byte.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.cursor.count(1, "item")?;
        let mut items = Vec::with_capacity(count.min(AT_ONCE));
        for read in 1..=count {
            match item(self) {
                Ok(item) => items.push(item),
                Err(error) => {
                    if self.resolution.met.gave_up && self.resolution.guesses {
                        self.look_ahead(count.saturating_sub(read), item);
                    }
                    return Err(error);
                }
            }
        }
        Ok(items)
    }

    /// Looks through the rest of a list whose decoder was stopped, so that all that it lacks is decoded before it is
    /// called again, and not one item at a time.
    ///
    /// An item that was stopped half way leaves the reader amidst its fields: what comes is a guess then.
    #[cold]
    fn look_ahead<T>(&mut self, count: usize, mut item: impl FnMut(&mut Self) -> Result<T>) {
        self.resolution.guessing = self.resolution.guessing.saturating_add(1);
        for _ in 0..count {
            let before = self.cursor.position();
            let _ = item(self);
            if self.cursor.position() == before {
                break;
            }
        }
        self.resolution.guessing = self.resolution.guessing.saturating_sub(1);
    }

    /// An integer of a width that the context gives (`readAPIntWithKnownWidth` of MLIR).
    ///
    /// # Errors
    /// Where it does not fit the width, neither as an unsigned nor as a signed number.
    pub fn ap_int(&mut self, width: u32) -> Result<ApInt> {
        match width {
            0..=8 => {
                let byte = self.byte()?;
                self.narrowed(width, byte.into(), (byte as i8).into())
            }
            9..=64 => {
                let value = self.signed_varint()?;
                self.narrowed(width, value as u64, value)
            }
            _ => {
                let words = self.list(|reader| Ok(reader.signed_varint()? as u64))?;
                if words.len() > width.div_ceil(64) as usize {
                    return Err(self.error(format!(
                        "{} for an integer of {}",
                        Error::counted(words.len(), "word"),
                        Error::counted(width, "bit")
                    )));
                }
                self.expand((width / 8).into())?;
                let value = ApInt::from_words(width, &words);
                // The highest word may be sign-extended, as the smaller integers may.
                let narrow = words.iter().zip(value.words()).all(|(word, kept)| {
                    word == kept || value.is_negative() && *word == *kept | u64::MAX << (width % 64)
                });
                if narrow { Ok(value) } else { Err(self.too_large(width)) }
            }
        }
    }

    /// The low bits of a value, where they say all of it.
    fn narrowed(&self, width: u32, unsigned: u64, signed: i64) -> Result<ApInt> {
        let value = ApInt::from_u64(width, unsigned);
        let whole = value.to_u64() == Some(unsigned) || value.to_i64() == Some(signed);
        if whole { Ok(value) } else { Err(self.too_large(width)) }
    }

    #[cold]
    fn too_large(&self, width: u32) -> Error {
        self.error(format!("an integer that does not fit {}", Error::counted(width, "bit")))
    }

    /// A double, by its bits.
    pub fn double(&mut self) -> Result<u64> {
        Ok(self.signed_varint()? as u64)
    }

    /// A resource of a dialect.
    pub fn resource(&mut self) -> Result<ResourceHandle> {
        let index = self.cursor.index()?;
        self.resolver.resource(index).map_err(|error| error.at(self.position()))
    }
}
