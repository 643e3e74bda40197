//! An index of a file, kept beside it: one symbol of a large file without reading the rest.
//!
//! The index holds where each symbol's operation stands and, for each table whose entries have no fixed size, the state
//! of a walk at every 1,024th entry. It is looked up in place: opening it reads its header only.
//!
//! ```text
//! 0   8  "MLBCIDX" and the format's number, 2
//! 8   8  length of the indexed file
//! 16  8  fingerprint of its header, section table and the ends of its sections
//! 24  8  where the regions of the indexed symbol table stand; 0 where no symbol is indexed
//! 32  5 x 16  place and number of: symbols, string, attribute, type and property checkpoints
//! 112    checkpoints; then symbols (16 bytes: hash of the name, place of the operation), by hash
//! ```
//!
//! All numbers are little-endian. A symbol is found by the hash of its name; the operation found there is decoded and
//! its name compared, so that a false index leads to a miss or an error, never to another symbol.

use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::{Context, Error, Module, Result, SymbolPlace};

use crate::read::{BodyReader, BytecodeFile, Counts, FixedState, Guard, SavedStates, SectionId};

/// Every how many entries a checkpoint is saved: 2^10.
pub(crate) const FAR: u32 = 10;

const MAGIC: &[u8; 8] = b"MLBCIDX\x02";
const HEADER: usize = 112;

/// Symbols and checkpoints of one file.
#[derive(Clone, Debug)]
pub struct Index {
    bytes: Bytes,
    symbol_table: u64,
    parts: [(u64, u64); 5],
    guard: Option<Arc<dyn Guard>>,
    /// Whether it is kept so that it cannot be of another file.
    bound: bool,
}

/// The parts of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Symbols,
    Strings,
    Attributes,
    Types,
    Properties,
}

const PART_SIZES: [u64; 5] = [16, 16, 24, 24, 8];

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

fn fingerprint(file: &BytecodeFile) -> u64 {
    let data = file.data();
    let mut state = hash(&data[..data.len().min(256)]);
    for (id, range) in file.sections() {
        for number in [id as u64, range.start as u64, range.end as u64] {
            state = hash(&(state ^ number).to_le_bytes());
        }
        let bytes = data.get(range).unwrap_or_default();
        let ends = bytes.iter().take(64).chain(bytes.iter().rev().take(64));
        state ^= hash(&ends.copied().collect::<Vec<u8>>());
    }
    state
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
        let mut parts: [Vec<u8>; 5] = Default::default();
        for (hash, offset) in symbols {
            parts[0].extend(hash.to_le_bytes());
            parts[0].extend(offset.to_le_bytes());
        }
        fn save<S: FixedState + Copy>(states: impl Iterator<Item = S>, to: &mut Vec<u8>) {
            states.for_each(|state| state.save(to));
        }
        save(file.strings()?.checkpoints().thin(FAR), &mut parts[1]);
        save(file.entries()?.attributes.thin(FAR), &mut parts[2]);
        save(file.entries()?.types.thin(FAR), &mut parts[3]);
        save(file.property_blobs()?.checkpoints().thin(FAR), &mut parts[4]);

        let mut bytes = Vec::with_capacity(HEADER + parts.iter().map(Vec::len).sum::<usize>());
        bytes.extend(MAGIC);
        bytes.extend((file.data().len() as u64).to_le_bytes());
        bytes.extend(fingerprint(file).to_le_bytes());
        bytes.extend(symbol_table.to_le_bytes());
        // What is small comes first, so that it shares a block with the header.
        let order = [Part::Strings, Part::Types, Part::Properties, Part::Attributes, Part::Symbols];
        let mut places = [0; 5];
        let mut at = HEADER as u64;
        for part in order {
            places[part as usize] = at;
            at += parts[part as usize].len() as u64;
        }
        for ((part, size), at) in parts.iter().zip(PART_SIZES).zip(places) {
            bytes.extend(at.to_le_bytes());
            bytes.extend((part.len() as u64 / size).to_le_bytes());
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
        let mut parts = [(0, 0); 5];
        for (number, (part, size)) in parts.iter_mut().zip(PART_SIZES).enumerate() {
            let at = 32 + 16 * number;
            *part = (u64_at(&bytes, at), u64_at(&bytes, at + 8));
            let end = part.1.checked_mul(size).and_then(|length| length.checked_add(part.0));
            if end.is_none_or(|end| end > bytes.len() as u64) {
                return Err(Error::malformed("a part of the index goes past its end").at(at as u64));
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

    /// Whether the index was made of this file.
    ///
    /// # Errors
    /// Where it was not.
    pub(crate) fn check(&self, file: &BytecodeFile) -> Result<()> {
        let same = self.bound
            || u64_at(&self.bytes, 8) == file.data().len() as u64 && u64_at(&self.bytes, 16) == fingerprint(file);
        if same { Ok(()) } else { Err(Error::misuse("the index is of another file")) }
    }

    /// Whether the numbers of checkpoints are those that the file needs.
    pub(crate) fn fits(&self, counts: Counts, strings: usize) -> bool {
        let wanted = [strings, counts.attributes as usize, counts.types as usize, counts.properties as usize];
        let have = self.parts[1..].iter().map(|part| part.1);
        have.eq(wanted.iter().map(|count| count.div_ceil(1 << FAR) as u64))
    }

    /// The states of a table, checked when they are looked at.
    pub(crate) fn states(&self, part: Part) -> SavedStates {
        let start = self.parts[part as usize].0 as usize;
        SavedStates { bytes: self.unchecked(part), guard: self.guard.clone(), start }
    }

    fn unchecked(&self, part: Part) -> Bytes {
        let (at, count) = self.parts[part as usize];
        self.bytes.slice(at as usize..(at + count * PART_SIZES[part as usize]) as usize)
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> u64 {
        self.parts[Part::Symbols as usize].1
    }

    /// Places of operations that may define the symbol.
    fn candidates(&self, name: &[u8]) -> Result<Vec<u64>> {
        let symbols = self.unchecked(Part::Symbols);
        let start = self.parts[Part::Symbols as usize].0 as usize;
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
    let Some(pending) = top.body().child(top.id()).and_then(|child| module.pending(child)) else {
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
        if let Some(symbol) = module.operation(child, op)?.symbol_name()? {
            symbols.push((hash(context.bytes(symbol)), place));
        }
    }
    Ok((pending.offset, symbols))
}

impl BytecodeFile {
    /// Makes use of an index of this file from now on.
    pub(crate) fn set_index(&mut self, index: Index) -> Result<()> {
        index.check(self)?;
        let counts = self.counts()?;
        let strings = self.cursor(SectionId::String).count(2, "strings")?;
        if !index.fits(counts, strings) {
            return Err(Error::malformed("the index has another number of checkpoints than its file needs"));
        }
        self.use_checkpoints(&index, counts, strings)?;
        self.index = Some(index);
        Ok(())
    }
}
