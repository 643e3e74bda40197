//! Attribute and type tables (`BytecodeFormat.md` of MLIR, "Attribute/Type Sections"): groups of sizes in one section,
//! encodings in another.

use std::ops::Range;

use mlirbc_ir::{Error, Result};

use super::checkpoints::{Checkpoints, FixedState, STRIDE, Sequence};
use crate::format::{Cursor, Data};

/// Where one attribute or type stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The dialect's number in the file.
    pub(crate) dialect: u32,
    /// Whether the bytes are the dialect's own encoding; else they are text.
    pub(crate) custom: bool,
    pub(crate) range: Range<usize>,
}

/// How many entries the tables have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) attributes: u32,
    pub(crate) types: u32,
    pub(crate) properties: u32,
}

/// Where the next size stands, what its group has left, and where its bytes begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryState {
    pub(crate) at: u64,
    pub(crate) data: u64,
    pub(crate) left: u32,
    pub(crate) dialect: u32,
}

impl FixedState for EntryState {
    const SIZE: usize = 24;
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(self.at.to_le_bytes());
        to.extend(self.data.to_le_bytes());
        to.extend(self.left.to_le_bytes());
        to.extend(self.dialect.to_le_bytes());
    }
    fn load(from: &[u8]) -> Option<Self> {
        let numbers = u64::load(from.get(16..)?)?;
        Some(EntryState {
            at: u64::load(from)?,
            data: u64::load(from.get(8..)?)?,
            left: numbers as u32,
            dialect: (numbers >> 32) as u32,
        })
    }
}

struct Groups<'a> {
    data: Data<'a>,
    dialects: usize,
    offsets: Range<usize>,
    entries: Range<usize>,
}

impl Sequence for Groups<'_> {
    type State = EntryState;
    type Entry = Entry;

    #[inline]
    fn step(&self, state: &mut EntryState) -> Result<Entry> {
        // Most sizes are one byte.
        if state.left > 0
            && state.at < self.offsets.end as u64
            && let Some(byte) = self.data.unguarded(state.at as usize).filter(|byte| byte & 1 == 1)
        {
            let start = state.data;
            let end = start.saturating_add(u64::from(byte >> 2));
            if end <= self.entries.end as u64 {
                *state = EntryState {
                    at: state.at.saturating_add(1),
                    data: end,
                    left: state.left.saturating_sub(1),
                    dialect: state.dialect,
                };
                let (dialect, custom) = (state.dialect, byte & 2 != 0);
                return Ok(Entry { dialect, custom, range: start as usize..end as usize });
            }
        }
        self.any_step(state)
    }

    const NEAR: u32 = 6;

    /// Sizes below 32 are one byte each, sixteen of them two words: their sum is a few operations away.
    #[inline]
    fn strides(&self, state: &mut EntryState, count: usize) -> bool {
        let length = count.saturating_mul(STRIDE);
        let left = u32::try_from(length).ok().and_then(|length| state.left.checked_sub(length));
        let (Some(at), Some(left)) = (state.at.checked_add(length as u64), left) else { return false };
        if at > self.offsets.end as u64 {
            return false;
        }
        let Ok(Some(bytes)) = self.data.get(state.at as usize..at as usize) else { return false };
        let (mut sum, mut all) = (0, ONE_BYTE_CUSTOM);
        for word in bytes.as_chunks::<8>().0 {
            let word = u64::from_le_bytes(*word);
            all &= word;
            let sizes = word >> 2 & 0x3f3f_3f3f_3f3f_3f3f;
            let pairs = (sizes & 0x00ff_00ff_00ff_00ff).wrapping_add(sizes >> 8 & 0x00ff_00ff_00ff_00ff);
            sum = pairs.wrapping_mul(0x0001_0001_0001_0001).wrapping_shr(48).wrapping_add(sum);
        }
        let Some(end) = state.data.checked_add(sum).filter(|&end| end <= self.entries.end as u64) else {
            return false;
        };
        if all != ONE_BYTE_CUSTOM {
            return false;
        }
        *state = EntryState { at, data: end, left, ..*state };
        true
    }
}

impl Groups<'_> {
    /// Reads an entry of any size, and what is said of its group where it is the first.
    #[inline(never)]
    fn any_step(&self, state: &mut EntryState) -> Result<Entry> {
        let mut cursor = Cursor::new(self.data, state.at as usize, self.offsets.end);
        while state.left == 0 {
            state.dialect = cursor.index()?;
            if state.dialect as usize >= self.dialects {
                return Err(cursor.error(format!("dialect {} of {}", state.dialect, self.dialects)));
            }
            let count = cursor.index()?;
            cursor.check_count(count.into(), 1, "entry of a group")?;
            state.left = count;
        }
        let (size, custom) = cursor.varint_with_flag()?;
        let start = state.data;
        let end = start.checked_add(size).filter(|&end| end <= self.entries.end as u64);
        let Some(end) = end else {
            return Err(Error::malformed(format!(
                "an entry of {} goes past its section",
                Error::counted(size, "byte")
            ))
            .at(state.at));
        };
        state.at = cursor.position() as u64;
        state.data = end;
        state.left = state.left.saturating_sub(1);
        Ok(Entry { dialect: state.dialect, custom, range: start as usize..end as usize })
    }
}

/// The lowest bit of eight sizes that take one byte each.
const ONE_BYTE_CUSTOM: u64 = 0x0101_0101_0101_0101;

/// The attributes and types of a file, found one at a time.
#[derive(Debug)]
pub(crate) struct Entries {
    dialects: usize,
    offsets: Range<usize>,
    entries: Range<usize>,
    pub(crate) attributes: Checkpoints<EntryState, Entry>,
    pub(crate) types: Checkpoints<EntryState, Entry>,
}

impl Entries {
    /// Numbers of attributes and types, and a cursor behind them.
    pub(crate) fn counts(data: Data<'_>, offsets: Range<usize>) -> Result<(usize, usize, usize)> {
        let mut cursor = Cursor::new(data, offsets.start, offsets.end);
        let mut count =
            |what| cursor.count(1, what).map_err(|error| error.reading("the numbers of attributes and types"));
        let (attributes, types) = (count("attribute")?, count("type")?);
        // References keep a bit for themselves.
        if attributes.max(types) >= (1 << 31) - 1 {
            return Err(Error::malformed("2^31 - 1 attributes or types, or more").at(offsets.start as u64));
        }
        Ok((attributes, types, cursor.position()))
    }

    /// Frames the entries, with room for where attributes and types stand.
    pub(crate) fn read(
        data: Data<'_>,
        offsets: Range<usize>,
        entries: Range<usize>,
        dialects: usize,
        room: [Vec<Entry>; 2],
    ) -> Result<Self> {
        Self::tables(data, offsets, entries, dialects, room)
            .map_err(|error| error.reading("where attributes and types stand"))
    }

    /// The room that the tables took, empty.
    pub(crate) fn into_room(self) -> [Vec<Entry>; 2] {
        [self.attributes.into_room(), self.types.into_room()]
    }

    fn tables(
        data: Data<'_>,
        offsets: Range<usize>,
        entries: Range<usize>,
        dialects: usize,
        [attribute_room, type_room]: [Vec<Entry>; 2],
    ) -> Result<Self> {
        let (attribute_count, type_count, at) = Self::counts(data, offsets.clone())?;
        let groups = Groups { data, dialects, offsets: offsets.clone(), entries: entries.clone() };
        let start = EntryState { at: at as u64, data: entries.start as u64, left: 0, dialect: 0 };
        let (attributes, state) = Checkpoints::build(&groups, start, attribute_count, attribute_room)?;
        groups.check_group_end(&state)?;
        let start = EntryState { left: 0, ..state };
        let (types, state) = Checkpoints::build(&groups, start, type_count, type_room)?;
        groups.check_group_end(&state)?;
        if state.at != offsets.end as u64 {
            let left = (offsets.end as u64).saturating_sub(state.at);
            return Err(Error::malformed(format!("{} after the last type", Error::counted(left, "byte"))).at(state.at));
        }
        if state.data != entries.end as u64 {
            let left = (entries.end as u64).saturating_sub(state.data);
            return Err(Error::malformed(format!(
                "{} of encodings that no entry covers",
                Error::counted(left, "byte")
            ))
            .at(state.data));
        }
        Ok(Entries { dialects, offsets, entries, attributes, types })
    }

    pub(crate) fn saved(
        dialects: usize,
        offsets: Range<usize>,
        entries: Range<usize>,
        attributes: Checkpoints<EntryState, Entry>,
        types: Checkpoints<EntryState, Entry>,
    ) -> Self {
        Entries { dialects, offsets, entries, attributes, types }
    }

    /// Where sizes and encodings of types begin: behind those of attributes.
    pub(crate) fn types_at(&self, data: Data<'_>) -> Result<(usize, usize)> {
        let state = self.types.seek(&self.groups(data), 0)?;
        Ok(state.map_or((self.offsets.end, self.entries.end), |state| (state.at as usize, state.data as usize)))
    }

    fn groups<'a>(&self, data: Data<'a>) -> Groups<'a> {
        Groups { data, dialects: self.dialects, offsets: self.offsets.clone(), entries: self.entries.clone() }
    }

    pub(crate) fn attribute(&self, data: Data<'_>, index: u32) -> Result<Option<Entry>> {
        self.attributes.get(&self.groups(data), index as usize)
    }

    pub(crate) fn ty(&self, data: Data<'_>, index: u32) -> Result<Option<Entry>> {
        self.types.get(&self.groups(data), index as usize)
    }

    /// The attribute entries of these numbers, as far as there are as many, in order.
    pub(crate) fn walk_attributes(
        &self,
        data: Data<'_>,
        numbers: Range<u32>,
        each: impl FnMut(u32, &Entry) -> Result<()>,
    ) -> Result<()> {
        self.walk(&self.attributes, data, numbers, each)
    }

    /// Every type entry, in order.
    pub(crate) fn walk_types(&self, data: Data<'_>, each: impl FnMut(u32, &Entry) -> Result<()>) -> Result<()> {
        self.walk(&self.types, data, 0..u32::MAX, each)
    }

    /// Whether a dialect that is not among these `known` ones, by number, encoded an entry.
    pub(crate) fn has_encodings_beside(&self, data: Data<'_>, known: &[bool]) -> Result<bool> {
        let groups = self.groups(data);
        let is_known = |dialect: u32| known.get(dialect as usize).copied().unwrap_or(false);
        let mut found = false;
        for table in [&self.attributes, &self.types] {
            let Some(mut state) = table.seek(&groups, 0)? else { continue };
            let mut left = table.len();
            while left > 0 {
                // The dialect is that of the group, of which so many entries are left.
                if left >= STRIDE && is_known(state.dialect) && groups.strides(&mut state, 1) {
                    left = left.saturating_sub(STRIDE);
                    continue;
                }
                let entry = groups.step(&mut state)?;
                found |= entry.custom && !is_known(entry.dialect);
                left = left.saturating_sub(1);
            }
        }
        Ok(found)
    }

    fn walk(
        &self,
        table: &Checkpoints<EntryState, Entry>,
        data: Data<'_>,
        numbers: Range<u32>,
        mut each: impl FnMut(u32, &Entry) -> Result<()>,
    ) -> Result<()> {
        if let Some(entries) = table.short() {
            let entries = (0..).zip(entries).take(numbers.end as usize).skip(numbers.start as usize);
            return entries.into_iter().try_for_each(|(index, entry)| each(index, entry));
        }
        let groups = self.groups(data);
        if let Some(mut state) = table.seek(&groups, numbers.start as usize)? {
            for index in numbers.start..numbers.end.min(table.len() as u32) {
                each(index, &groups.step(&mut state)?)?;
            }
        }
        Ok(())
    }
}

impl Groups<'_> {
    fn check_group_end(&self, state: &EntryState) -> Result<()> {
        match state.left {
            0 => Ok(()),
            left => Err(Error::malformed(format!("a group announces {} past the last", Error::counted(left, "entry")))
                .at(state.at)),
        }
    }
}
