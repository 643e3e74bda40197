//! The dialect section (`BytecodeFormat.md` of MLIR, "Dialect Section"): dialects, their versions, and the names of operations.

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use super::slots::Slots;
use crate::encoding::{DialectEncoding, DialectVersion};
use crate::format::{Cursor, SectionId};
use mlirbc_ir::{Error, Identifier, OperationName, Result};

/// The dialects and operation names of a file.
#[derive(Debug, Default)]
pub(crate) struct Dialects {
    pub(crate) dialects: Vec<DialectEntry>,
    pub(crate) operations: Vec<OperationEntry>,
    /// Where the names of operations begin, or their number where that is stated.
    pub(crate) operations_at: usize,
    /// For each operation name one more than its number in the context; 0 as long as that was not asked for.
    found: Slots,
    /// The same of another file, up to some number: mostly the first names of both are the same ones.
    likely: Vec<u64>,
    /// Whether the version of one asks for a place at a multiple of something.
    pub(crate) aligned: bool,
}

/// Room for these: lists with nothing in them, and what the names of operations were.
#[derive(Default)]
pub(crate) struct Room {
    dialects: Vec<DialectEntry>,
    operations: Vec<OperationEntry>,
    found: Vec<AtomicU64>,
    likely: Vec<u64>,
}

/// So many names of operations are likely those of the file before.
const LIKELY: usize = 64;

impl Room {
    /// For how many entries there is room.
    pub(crate) fn capacity(&self) -> usize {
        self.dialects.capacity().max(self.operations.capacity())
    }
}

/// One dialect of a file.
#[derive(Clone, Debug)]
pub(crate) struct DialectEntry {
    /// Its name, a string's number.
    pub(crate) name: u32,
    /// The bytes that its version is written in.
    pub(crate) version: Option<Range<usize>>,
}

/// What decoding needs of a dialect of the file.
pub(crate) struct KnownDialect {
    pub(crate) name: Identifier,
    /// Whether it is `builtin`.
    pub(crate) is_builtin: bool,
    pub(crate) encoding: Option<Arc<dyn DialectEncoding>>,
    pub(crate) version: OnceLock<Option<DialectVersion>>,
}

/// One operation name of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OperationEntry {
    /// The dialect, by its number in the file.
    pub(crate) dialect: u32,
    /// The name without dialect, a string's number; the highest bit says whether the name is registered.
    name: u32,
}

const REGISTERED: u32 = 1 << 31;

impl OperationEntry {
    pub(crate) fn name(self) -> u32 {
        self.name & !REGISTERED
    }

    pub(crate) fn is_registered(self) -> bool {
        self.name & REGISTERED != 0
    }
}

fn string_index(cursor: &Cursor<'_>, index: u64, strings: usize) -> Result<u32> {
    match index < strings as u64 && index < u64::from(REGISTERED) {
        true => Ok(index as u32),
        false => Err(cursor.error(format!("string {index} of {strings}"))),
    }
}

impl Dialects {
    /// Numbers of the strings that are names of dialects and of operations.
    pub(crate) fn names(&self) -> impl Iterator<Item = u32> {
        let dialects = self.dialects.iter().map(|dialect| dialect.name);
        dialects.chain(self.operations.iter().map(|operation| operation.name()))
    }

    /// The room that they took, empty.
    pub(crate) fn into_room(mut self) -> Room {
        self.dialects.clear();
        self.operations.clear();
        let mut words = [0; LIKELY];
        self.found.copy(0, &mut words);
        self.likely.clear();
        self.likely.extend_from_slice(&words);
        let Dialects { dialects, operations, found, likely, .. } = self;
        Room { dialects, operations, found: found.into_room(), likely }
    }

    /// The name in the context of the operation of that number, where it was found before.
    #[inline]
    pub(crate) fn found(&self, index: u32) -> Option<OperationName> {
        (self.found.get(index) as u32).checked_sub(1).map(OperationName::from_raw)
    }

    /// What the name of that number was in another file of the context.
    pub(crate) fn likely(&self, index: u32) -> Option<OperationName> {
        let word = self.likely.get(index as usize)?;
        (*word as u32).checked_sub(1).map(OperationName::from_raw)
    }

    /// Notes what the name of that number is in the context: the same each time.
    pub(crate) fn note(&self, index: u32, name: OperationName) {
        self.found.set(index, u64::from(name.raw()).saturating_add(1));
    }

    /// Reads them, with room for the lists.
    pub(crate) fn read(
        cursor: Cursor<'_>,
        version: u64,
        strings: usize,
        Room { dialects, operations, found, likely }: Room,
    ) -> Result<Self> {
        let mut dialects = Dialects { dialects, operations, likely, ..Dialects::default() };
        dialects.read_from(cursor, version, strings).map_err(|error| error.reading("the dialects"))?;
        dialects.found = Slots::new(dialects.operations.len(), found);
        Ok(dialects)
    }

    fn read_from(&mut self, mut cursor: Cursor<'_>, version: u64, strings: usize) -> Result<()> {
        let count = cursor.count(1, "dialect")?;
        // Not reserved: a count may be as large as the section, at many times its bytes.
        for _ in 0..count {
            let (index, versioned) = match version {
                0 => (cursor.varint()?, false),
                _ => cursor.varint_with_flag()?,
            };
            let name = string_index(&cursor, index, strings)?;
            let version = if versioned {
                let at = cursor.position() as u64;
                let section = cursor.section().map_err(|error| error.reading("the version of a dialect"))?;
                if section.id != SectionId::DialectVersions as u8 {
                    let message = format!("a dialect version stands in a section of id {}, not 7", section.id);
                    return Err(Error::malformed(message).at(at));
                }
                self.aligned |= section.alignment > 1;
                Some(section.start..section.end)
            } else {
                None
            };
            self.dialects.push(DialectEntry { name, version });
        }
        self.operations_at = cursor.position();
        if version >= 4 {
            // Only a hint for reserving memory.
            cursor.varint()?;
        }
        while !cursor.is_empty() {
            let dialect = cursor.index()?;
            if dialect as usize >= self.dialects.len() {
                return Err(cursor.error(format!("dialect {dialect} of {}", self.dialects.len())));
            }
            let count = cursor.count(1, "operation name")?;
            for _ in 0..count {
                let (index, registered) = match version {
                    0..5 => (cursor.varint()?, false),
                    _ => cursor.varint_with_flag()?,
                };
                let name = string_index(&cursor, index, strings)?;
                let flag = if registered { REGISTERED } else { 0 };
                self.operations.push(OperationEntry { dialect, name: name | flag });
            }
        }
        Ok(())
    }
}
