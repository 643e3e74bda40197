//! An index of a file, kept beside it: one symbol of a large file without reading the rest.
//!
//! The index holds the file's section table, where each symbol's operation stands, where each string begins, a copy of the
//! names of dialects and operations and, for the other tables whose entries have no fixed size, the state of a walk at
//! every 1,024th entry. It is looked up in place: opening it reads its header only.
//! What a look-up then reads of the file does not grow with the file, down to the pages that have to be mapped.
//!
//! ```text
//! 0   8  "MLBCIDX" and the format's number, 3
//! 8   8  length of the indexed file
//! 16  8  fingerprint of its first page and of what stands around the beginning of its IR section
//! 24  8  where the regions of the indexed symbol table stand; 0 where no symbol is indexed
//! 32  8  the largest alignment that a section of the file asks for
//! 40  9 x 16  start and end of each section, by id; 0 and 0 where it is absent
//! 184 6 x 24  place, number, and number of the entries they are for, of: symbols, beginnings of strings, attribute, type
//!        and property checkpoints, bytes of names
//! 328    these; the symbols (16 bytes: hash of the name, place of the operation) last, by hash
//! ```
//!
//! All numbers are little-endian. A symbol is found by the hash of its name; the operation found there is decoded and
//! its name compared. An index of another file is refused by length and fingerprint. What it says of strings and tables is
//! taken at its word, within the bounds of the file: a forged index can say no more than a forged file can.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{Error, Result};

use super::checkpoints::{FixedState, SavedStates};
use super::entries::{Counts, EntryState};
use super::sections::Header;
use super::strings::SavedStrings;
use crate::format::{Data, Guard, SectionId};

pub(crate) const MAGIC: &[u8; 8] = b"MLBCIDX\x03";
const SECTIONS: usize = 40;
/// Of the start and end of a section.
const SECTION_ROW: usize = 16;
const PARTS: usize = SECTIONS + 9 * SECTION_ROW;
/// Of the place, number and entries of a part.
const PART_ROW: usize = 24;
/// How many bytes stand before the parts.
pub(crate) const HEADER: usize = PARTS + 6 * PART_ROW;

/// How much of the file's beginning the fingerprint is of, in bytes.
const PAGE: usize = 4096;
/// And how much on both sides of where the IR section's data begins: its header is among it.
const HEAD: usize = 64;

/// Every how many entries a checkpoint is saved: 2^10.
pub(crate) const FAR: u32 = 10;

/// Symbols and checkpoints of one file.
#[derive(Clone, Debug)]
pub struct Index {
    bytes: Bytes,
    symbol_table: u64,
    parts: [Rows; 6],
    guard: Option<Arc<dyn Guard>>,
    /// Whether it is kept so that it cannot be of another file.
    bound: bool,
}

/// A part of an index.
#[derive(Clone, Copy, Debug, Default)]
struct Rows {
    at: u64,
    count: u64,
    /// Entries of the file's table.
    entries: u64,
}

/// The parts of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Symbols,
    Strings,
    Attributes,
    Types,
    Properties,
    Names,
}

impl Part {
    pub(crate) const ALL: [Part; 6] =
        [Part::Symbols, Part::Strings, Part::Attributes, Part::Types, Part::Properties, Part::Names];

    /// Of a row, in bytes.
    pub(crate) const fn row_size(self) -> u64 {
        match self {
            Part::Symbols => SymbolRow::SIZE as u64,
            Part::Strings | Part::Properties => u64::SIZE as u64,
            Part::Attributes | Part::Types => EntryState::SIZE as u64,
            Part::Names => 1,
        }
    }

    /// A row stands for every 2^this-th entry; `None` where rows are not for entries.
    const fn log2(self) -> Option<u32> {
        match self {
            Part::Symbols | Part::Strings => Some(0),
            Part::Attributes | Part::Types | Part::Properties => Some(FAR),
            Part::Names => None,
        }
    }
}

/// A symbol of an index. They are in the order of their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SymbolRow {
    /// The [`hash`] of its name.
    pub(crate) hash: u64,
    /// Where its operation stands in the file.
    pub(crate) place: u64,
}

impl FixedState for SymbolRow {
    const SIZE: usize = 16;
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(self.hash.to_le_bytes());
        to.extend(self.place.to_le_bytes());
    }
    fn load(from: &[u8]) -> Option<Self> {
        Some(SymbolRow { hash: u64::load(from)?, place: u64::load(from.get(8..)?)? })
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(u64::load).unwrap_or_default()
}

/// A hash that stays the same from one version of this crate to the next: FNV-1a, with its bits spread evenly.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let hash =
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// What every look-up reads in any case: the file's first page, and where its operations begin.
pub(crate) fn fingerprint(data: &[u8], operations: usize) -> u64 {
    let around = operations.saturating_sub(HEAD)..data.len().min(operations.saturating_add(HEAD));
    let parts = [data.get(..PAGE).unwrap_or(data), data.get(around).unwrap_or_default()];
    let words = parts.iter().flat_map(|part| part.chunks(8)).map(|chunk| {
        // The last one is short, and its word has zeros above it.
        u64::load(chunk).unwrap_or_else(|| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    });
    words.fold(data.len() as u64, |state, word| (state.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Index {
    /// The bytes to keep beside the file.
    pub fn as_bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// An index that was kept.
    ///
    /// # Errors
    /// Where the bytes are no index.
    pub fn open(bytes: impl Into<Bytes>) -> Result<Index> {
        let bytes = bytes.into();
        let Some(header) = bytes.get(..HEADER).filter(|header| header.starts_with(MAGIC)) else {
            return Err(Error::malformed("not an index of this version").at(0));
        };
        let mut parts = [Rows::default(); 6];
        let rows = (PARTS..).step_by(PART_ROW).zip(Part::ALL);
        for (rows, (at, part)) in parts.iter_mut().zip(rows) {
            let [start, count, entries] = [0, 8, 16].map(|field: usize| u64_at(header, at.saturating_add(field)));
            *rows = Rows { at: start, count, entries };
            let end = count.checked_mul(part.row_size()).and_then(|length| length.checked_add(start));
            if end.is_none_or(|end| end > bytes.len() as u64) {
                return Err(Error::malformed("a part of the index goes past its end").at(at as u64));
            }
            if part.log2().is_some_and(|log2| count != entries.div_ceil(1 << log2)) {
                return Err(Error::malformed("a part of the index has another number of checkpoints than it needs")
                    .at(at as u64));
            }
        }
        Ok(Index { symbol_table: u64_at(header, 24), parts, bytes, guard: None, bound: false })
    }

    /// An index that was kept in one piece with its file, under a guard that checks both: whether it is of that file is
    /// not looked at again.
    ///
    /// # Errors
    /// Where the bytes are no index, or their guard finds them bad.
    pub fn open_bound(bytes: impl Into<Bytes>, guard: Arc<dyn Guard>) -> Result<Index> {
        let bytes = bytes.into();
        guard.check(0..bytes.len().min(HEADER))?;
        Ok(Index { guard: Some(guard), bound: true, ..Index::open(bytes)? })
    }

    /// The header of the file that the index was made of, without a walk over its sections.
    ///
    /// # Errors
    /// Where the index is of another file, or its section table cannot be that of a file.
    pub(crate) fn header(&self, file: Data<'_>) -> Result<Header> {
        let mut sections: [Option<Range<usize>>; 9] = Default::default();
        let rows = self.bytes.get(SECTIONS..PARTS).unwrap_or_default().chunks_exact(SECTION_ROW);
        for (section, row) in sections.iter_mut().zip(rows) {
            let [start, end] = [0, 8].map(|at| usize::try_from(u64_at(row, at)).unwrap_or(usize::MAX));
            *section = (start > 0).then_some(start..end);
        }
        let operations = sections.get(SectionId::Ir as usize).and_then(Option::as_ref).map_or(0, |at| at.start);
        let [length, saved] = [8, 16].map(|at| u64_at(&self.bytes, at));
        if !self.bound && (length != file.bytes().len() as u64 || saved != fingerprint(file.bytes(), operations)) {
            return Err(Error::misuse("the index is of another file"));
        }
        Header::known(file, sections, u64_at(&self.bytes, 32))
    }

    fn rows(&self, part: Part) -> Rows {
        self.parts.get(part as usize).copied().unwrap_or_default()
    }

    /// How many strings, and how many entries of the other tables, the file has: no more than fit.
    pub(crate) fn counts(&self, header: &Header) -> Result<(usize, Counts)> {
        let count = |part, section| {
            let entries = self.rows(part).entries;
            let most = header.section(section).map_or(0, |section| section.len() as u64).min((1 << 31) - 2);
            (entries <= most)
                .then_some(entries as u32)
                .ok_or_else(|| Error::malformed("the index counts too many entries"))
        };
        let counts = Counts {
            attributes: count(Part::Attributes, SectionId::AttrTypeOffset)?,
            types: count(Part::Types, SectionId::AttrTypeOffset)?,
            properties: count(Part::Properties, SectionId::Properties)?,
        };
        Ok((count(Part::Strings, SectionId::String)? as usize, counts))
    }

    /// The rows of a part, checked when they are looked at.
    pub(crate) fn states(&self, part: Part) -> SavedStates {
        let Rows { at, count, .. } = self.rows(part);
        let end = at.saturating_add(count.saturating_mul(part.row_size()));
        SavedStates {
            // Within the bytes: opening has seen it.
            bytes: self.bytes.slice(at as usize..end as usize),
            guard: self.guard.clone(),
            start: at as usize,
            log2: part.log2().unwrap_or_default(),
        }
    }

    /// So many strings.
    pub(crate) fn strings(&self, length: usize) -> SavedStrings {
        let names = self.rows(Part::Names).entries.min(length as u64) as usize;
        SavedStrings { starts: self.states(Part::Strings), length, names: (names, self.states(Part::Names)) }
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> u64 {
        self.rows(Part::Symbols).count
    }

    /// Whether its symbols are those of the body that stands at `offset`.
    pub(crate) fn covers(&self, offset: u64) -> bool {
        self.symbol_table != 0 && self.symbol_table == offset
    }

    /// Places of operations that may define the symbol.
    pub(crate) fn candidates(&self, name: &[u8]) -> Result<Vec<u64>> {
        let (symbols, wanted) = (self.states(Part::Symbols), hash(name));
        let count = self.symbol_count() as usize;
        // None is past the last.
        let row =
            |number| symbols.state(number).map(|row| row.unwrap_or(SymbolRow { hash: u64::MAX, place: u64::MAX }));
        // Hashes are spread evenly: the first is sought where it should be, in steps that double.
        let guess = (u128::from(wanted).saturating_mul(count as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (0, count, 64_usize);
        let mut at = guess;
        while low < high && at < high {
            if row(at)?.hash < wanted {
                low = at.saturating_add(1);
                at = at.saturating_add(step);
            } else {
                high = at;
                if at < low.saturating_add(step) {
                    break;
                }
                at = at.saturating_sub(step);
            }
            step = step.saturating_mul(2);
        }
        while low < high {
            let middle = low.midpoint(high);
            if row(middle)?.hash < wanted {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        for number in low..count {
            let SymbolRow { hash, place } = row(number)?;
            if hash != wanted {
                break;
            }
            found.push(place);
        }
        Ok(found)
    }
}
