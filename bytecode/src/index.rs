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

use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{AttributeData, Context, Error, Module, Result, SymbolPlace};

use crate::read::{
    BodyReader, BytecodeFile, Counts, Data, FixedState, Guard, Header, SavedStates, SavedStrings, SectionId,
};

const MAGIC: &[u8; 8] = b"MLBCIDX\x03";
const SECTIONS: usize = 40;
const PARTS: usize = SECTIONS + 9 * 16;
const HEADER: usize = PARTS + 6 * 24;

/// How much of the file's beginning the fingerprint is of, in bytes.
const PAGE: usize = 4096;
/// And how much on both sides of where the IR section's data begins: its header is among it.
const HEAD: usize = 64;

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

const PART_SIZES: [u64; 6] = [16, 8, 24, 24, 8, 1];

impl Part {
    const ALL: [Part; 6] = [Part::Symbols, Part::Strings, Part::Attributes, Part::Types, Part::Properties, Part::Names];

    /// A row stands for every 2^this-th entry; `None` where rows are not for entries.
    const fn log2(self) -> Option<u32> {
        match self {
            Part::Symbols | Part::Strings => Some(0),
            Part::Attributes | Part::Types | Part::Properties => Some(FAR),
            Part::Names => None,
        }
    }
}

/// Every how many entries a checkpoint is saved: 2^10.
const FAR: u32 = 10;

/// Of how many strings a copy may be kept: names are few, and come first.
const MOST_NAMES: usize = 1 << 12;

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk::<8>).map_or(0, |bytes| u64::from_le_bytes(*bytes))
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
fn fingerprint(data: &[u8], operations: usize) -> u64 {
    let around = operations.saturating_sub(HEAD)..data.len().min(operations.saturating_add(HEAD));
    let parts = [&data[..data.len().min(PAGE)], data.get(around).unwrap_or_default()];
    let words = parts.iter().flat_map(|part| part.chunks(8)).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(data.len() as u64, |state, word| (state.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Index {
    /// Makes the index of the file that the module was read from. Bodies of the module stay as they are.
    ///
    /// # Errors
    /// Where a table of the file or its outermost symbol table is malformed, or the module has no bytecode file.
    pub fn build(module: &Module) -> Result<Index> {
        let file = BytecodeFile::of(module).ok_or_else(|| Error::misuse("the module was not read from bytecode"))?;
        let (symbol_table, mut symbols) = symbols(file)?;
        symbols.sort_unstable();
        let symbol_count = symbols.len() as u64;
        let mut parts: [Vec<u8>; 6] = Default::default();
        for (hash, offset) in symbols {
            parts[0].extend(hash.to_le_bytes());
            parts[0].extend(offset.to_le_bytes());
        }
        fn save<S: FixedState + Copy>(states: impl Iterator<Item = S>, to: &mut Vec<u8>) {
            states.for_each(|state| state.save(to));
        }
        let strings = file.strings()?;
        let mut starts = Vec::with_capacity(strings.len());
        strings.walk(file.guarded(), |place| starts.push(place.start as u64))?;
        starts.reverse();
        let names = file.dialects()?.names().max().map_or(0, |last| last as usize + 1);
        let names = if names <= MOST_NAMES { names } else { 0 };
        for number in 0..names as u32 {
            parts[Part::Names as usize].extend(file.string(number)?);
            parts[Part::Names as usize].push(0);
        }
        save(starts.into_iter(), &mut parts[1]);
        save(file.entries()?.attributes.thin(FAR), &mut parts[2]);
        save(file.entries()?.types.thin(FAR), &mut parts[3]);
        save(file.property_blobs()?.checkpoints().thin(FAR), &mut parts[4]);

        let counts = file.counts()?;
        let entries = [symbol_count, strings.len() as u64]
            .into_iter()
            .chain([counts.attributes, counts.types, counts.properties, names as u32].map(u64::from));
        let mut bytes = Vec::with_capacity(HEADER + parts.iter().map(Vec::len).sum::<usize>());
        bytes.extend(MAGIC);
        bytes.extend((file.data().len() as u64).to_le_bytes());
        bytes.extend(fingerprint(file.data(), file.section(SectionId::Ir).unwrap_or_default().start).to_le_bytes());
        bytes.extend(symbol_table.to_le_bytes());
        bytes.extend(file.header.alignment.to_le_bytes());
        for id in SectionId::ALL {
            let section = file.section(id).unwrap_or(0..0);
            bytes.extend((section.start as u64).to_le_bytes());
            bytes.extend((section.end as u64).to_le_bytes());
        }
        // What is small comes first, so that it shares a block with the header.
        let order = [Part::Names, Part::Types, Part::Properties, Part::Attributes, Part::Strings, Part::Symbols];
        let mut places = [0; 6];
        let mut at = HEADER as u64;
        for part in order {
            places[part as usize] = at;
            at += parts[part as usize].len() as u64;
        }
        for (((part, size), at), entries) in parts.iter().zip(PART_SIZES).zip(places).zip(entries) {
            bytes.extend(at.to_le_bytes());
            bytes.extend((part.len() as u64 / size).to_le_bytes());
            bytes.extend(entries.to_le_bytes());
        }
        order.iter().for_each(|part| bytes.extend(&parts[*part as usize]));
        Index::open(bytes)
    }

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
        if bytes.len() < HEADER || !bytes.starts_with(MAGIC) {
            return Err(Error::malformed("not an index of this version").at(0));
        }
        let mut parts = [Rows::default(); 6];
        for ((rows, size), part) in parts.iter_mut().zip(PART_SIZES).zip(Part::ALL) {
            let at = PARTS + 24 * part as usize;
            *rows = Rows { at: u64_at(&bytes, at), count: u64_at(&bytes, at + 8), entries: u64_at(&bytes, at + 16) };
            let end = rows.count.checked_mul(size).and_then(|length| length.checked_add(rows.at));
            if end.is_none_or(|end| end > bytes.len() as u64) {
                return Err(Error::malformed("a part of the index goes past its end").at(at as u64));
            }
            if part.log2().is_some_and(|log2| rows.count != rows.entries.div_ceil(1 << log2)) {
                return Err(Error::malformed("a part of the index has another number of checkpoints than it needs")
                    .at(at as u64));
            }
        }
        Ok(Index { symbol_table: u64_at(&bytes, 24), parts, bytes, guard: None, bound: false })
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

    /// Has bytes checked before they are looked at.
    fn admit(&self, at: usize, length: usize) -> Result<()> {
        match &self.guard {
            Some(guard) if length > 0 => guard.check(at..at + length).map(drop),
            _ => Ok(()),
        }
    }

    /// The header of the file that the index was made of, without a walk over its sections.
    ///
    /// # Errors
    /// Where the index is of another file, or its section table cannot be that of a file.
    pub(crate) fn header(&self, file: Data<'_>) -> Result<Header> {
        let place = |at: usize| usize::try_from(u64_at(&self.bytes, at)).unwrap_or(usize::MAX);
        let sections = SectionId::ALL.map(|id| {
            let at = SECTIONS + 16 * id as usize;
            (place(at) > 0).then(|| place(at)..place(at + 8))
        });
        let operations = sections[SectionId::Ir as usize].as_ref().map_or(0, |section| section.start);
        let [length, saved] = [8, 16].map(|at| u64_at(&self.bytes, at));
        if !self.bound && (length != file.bytes().len() as u64 || saved != fingerprint(file.bytes(), operations)) {
            return Err(Error::misuse("the index is of another file"));
        }
        Header::known(file, sections, u64_at(&self.bytes, 32))
    }

    /// How many strings, and how many entries of the other tables, the file has: no more than fit.
    pub(crate) fn counts(&self, header: &Header) -> Result<(usize, Counts)> {
        let count = |part: Part, section| {
            let entries = self.parts[part as usize].entries;
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

    /// The states of a table, checked when they are looked at.
    pub(crate) fn states(&self, part: Part) -> SavedStates {
        let start = self.parts[part as usize].at as usize;
        SavedStates {
            bytes: self.unchecked(part),
            guard: self.guard.clone(),
            start,
            log2: part.log2().unwrap_or_default(),
        }
    }

    /// So many strings.
    pub(crate) fn strings(&self, length: usize) -> SavedStrings {
        let names = self.parts[Part::Names as usize].entries.min(length as u64) as usize;
        SavedStrings { starts: self.states(Part::Strings), length, names: (names, self.states(Part::Names)) }
    }

    fn unchecked(&self, part: Part) -> Bytes {
        let Rows { at, count, .. } = self.parts[part as usize];
        self.bytes.slice(at as usize..(at + count * PART_SIZES[part as usize]) as usize)
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> u64 {
        self.parts[Part::Symbols as usize].count
    }

    /// Places of operations that may define the symbol.
    fn candidates(&self, name: &[u8]) -> Result<Vec<u64>> {
        let symbols = self.unchecked(Part::Symbols);
        let start = self.parts[Part::Symbols as usize].at as usize;
        let row = |number: usize| {
            self.admit(start + number * 16, 16)?;
            Ok::<_, Error>((u64_at(&symbols, number * 16), u64_at(&symbols, number * 16 + 8)))
        };
        let (wanted, count) = (hash(name), symbols.len() / 16);
        // Hashes are spread evenly: the first is sought where it should be, in steps that double.
        let guess = ((u128::from(wanted) * count as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (0, count, 64);
        let mut at = guess;
        while low < high && at < high {
            if row(at)?.0 < wanted {
                low = at + 1;
                at += step;
            } else {
                high = at;
                if at < low + step {
                    break;
                }
                at -= step;
            }
            step *= 2;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if row(middle)?.0 < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        for number in low..count {
            let (hash, offset) = row(number)?;
            if hash != wanted {
                break;
            }
            found.push(offset);
        }
        Ok(found)
    }

    /// Looks up a symbol in the body that stands at `offset`; `None` where the index does not cover it.
    pub(crate) fn find(
        &self,
        file: &BytecodeFile,
        module: &Module,
        offset: u64,
        name: &[u8],
    ) -> Option<Result<Option<SymbolPlace>>> {
        if self.symbol_table == 0 || self.symbol_table != offset {
            return None;
        }
        let candidates = match self.candidates(name) {
            Ok(candidates) => candidates,
            Err(error) => return Some(Err(error)),
        };
        for candidate in candidates {
            match file.named(module, candidate, name) {
                Ok(None) => {}
                other => return Some(other),
            }
        }
        Some(Ok(None))
    }
}

/// Where the regions of the only top-level operation stand, and its symbols: hash of the name and place of the
/// operation.
fn symbols(file: &BytecodeFile) -> Result<(u64, Vec<(u64, u64)>)> {
    // A second view of the file, so that what is read here is not part of the caller's module.
    file.check_bytes()?;
    let context: &Context = file.context();
    let module = crate::read::read(context, file.data().clone())?;
    let file = BytecodeFile::of(&module).ok_or_else(|| Error::misuse("the module was not read from bytecode"))?;
    let mut tops = module.operations()?;
    let (Some(top), None) = (tops.next(), tops.next()) else { return Ok((0, Vec::new())) };
    let Some(pending) = top.body().region_body(top.id()).and_then(|child| module.pending(child)) else {
        return Ok((0, Vec::new()));
    };
    if !top.has_trait(mlirbc_ir::ods::Traits::SYMBOL_TABLE) {
        return Ok((0, Vec::new()));
    }
    let child = module.declare(None, None, None);
    let (body, places) = BodyReader::new(file, &module)?.regions_with_places(child, pending)?;
    module.fill(child, body);
    let mut symbols = Vec::new();
    for (op, place) in places {
        let op = module.operation(child, op)?;
        // One whose properties the context cannot decode may define any symbol: there is no table that has them all.
        if op.properties()?.is_some_and(|properties| matches!(context[properties], AttributeData::Encoded(_))) {
            return Ok((0, Vec::new()));
        }
        if let Some(symbol) = op.symbol_name()? {
            symbols.push((hash(context.bytes(symbol)), place));
        }
    }
    Ok((pending.offset, symbols))
}
