//! The string section (`BytecodeFormat.md` of MLIR, "String Section"): sizes in reverse order, then the strings.

use std::ops::Range;

use mlirbc_ir::{Error, Result};

use super::checkpoints::{Checkpoints, FixedState, SavedStates, Sequence};
use crate::format::{Cursor, Data};

/// The strings of a file, found one at a time.
#[derive(Debug)]
pub(crate) struct Strings {
    section: Range<usize>,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// Entries from the last string to the first.
    Walked(Checkpoints<StringState, Range<usize>>),
    Saved(Box<SavedStrings>),
}

/// Where each string begins, as an index has it.
#[derive(Debug)]
pub(crate) struct SavedStrings {
    pub(crate) starts: SavedStates,
    pub(crate) length: usize,
    /// A copy of the first strings, among them the names of dialects and operations: so many, and their bytes.
    pub(crate) names: (usize, SavedStates),
}

/// Where the next size stands, and where the string after it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StringState {
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl FixedState for StringState {
    const SIZE: usize = 16;
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(self.at.to_le_bytes());
        to.extend(self.end.to_le_bytes());
    }
    fn load(from: &[u8]) -> Option<Self> {
        Some(StringState { at: u64::load(from)?, end: u64::load(from.get(8..)?)? })
    }
}

struct Sizes<'a> {
    data: Data<'a>,
    section: Range<usize>,
}

impl Sequence for Sizes<'_> {
    type State = StringState;
    /// Where the string stands, without its zero.
    type Entry = Range<usize>;

    #[inline]
    fn step(&self, state: &mut StringState) -> Result<Range<usize>> {
        // Most sizes are one byte.
        if state.at < self.section.end as u64
            && let Some(byte) = self.data.unguarded(state.at as usize).filter(|byte| byte & 1 == 1 && *byte > 1)
            && let Some(start) = state.end.checked_sub(u64::from(byte >> 1)).filter(|&start| start > state.at)
            && let Some(last) = state.end.checked_sub(1)
            && self.data.unguarded(last as usize) == Some(0)
        {
            *state = StringState { at: state.at.saturating_add(1), end: start };
            return Ok(start as usize..last as usize);
        }
        self.any_step(state)
    }
}

impl Sizes<'_> {
    /// Reads a size of any length.
    #[inline(never)]
    fn any_step(&self, state: &mut StringState) -> Result<Range<usize>> {
        let mut cursor = Cursor::new(self.data, state.at as usize, self.section.end);
        let size = cursor.varint()?;
        let start = state.end.checked_sub(size).filter(|&start| size > 0 && start >= cursor.position() as u64);
        let (Some(start), Some(last)) = (start, state.end.checked_sub(1)) else {
            return Err(
                Error::malformed(format!("a string of {} does not fit", Error::counted(size, "byte"))).at(state.at)
            );
        };
        let entry = start as usize..last as usize;
        if self.data.get(entry.end..entry.end.saturating_add(1))? != Some(&[0]) {
            return Err(Error::malformed("a string has no terminating zero").at(last));
        }
        *state = StringState { at: cursor.position() as u64, end: start };
        Ok(entry)
    }
}

impl Strings {
    /// Frames the strings, with room for where they stand.
    pub(crate) fn read(data: Data<'_>, section: Range<usize>, room: Vec<Range<usize>>) -> Result<Self> {
        Self::table(data, section, room).map_err(|error| error.reading("the strings"))
    }

    fn table(data: Data<'_>, section: Range<usize>, room: Vec<Range<usize>>) -> Result<Self> {
        let mut cursor = Cursor::new(data, section.start, section.end);
        // A size and a terminating zero at least.
        let length = cursor.count(2, "string")?;
        let sizes = Sizes { data, section: section.clone() };
        let start = StringState { at: cursor.position() as u64, end: section.end as u64 };
        let (table, last) = Checkpoints::build(&sizes, start, length, room)?;
        if last.at != last.end {
            let gap = last.end.saturating_sub(last.at);
            return Err(
                Error::malformed(format!("{} between sizes and strings", Error::counted(gap, "byte"))).at(last.at)
            );
        }
        Ok(Strings { section, table: Table::Walked(table) })
    }

    /// The room that the table took, empty.
    pub(crate) fn into_room(self) -> Vec<Range<usize>> {
        match self.table {
            Table::Walked(table) => table.into_room(),
            Table::Saved(_) => Vec::new(),
        }
    }

    pub(crate) fn saved(section: Range<usize>, saved: SavedStrings) -> Self {
        Strings { section, table: Table::Saved(Box::new(saved)) }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.table {
            Table::Walked(table) => table.len(),
            Table::Saved(saved) => saved.length,
        }
    }

    /// Goes over the places of all strings, from the last to the first.
    pub(crate) fn walk(&self, data: Data<'_>, mut each: impl FnMut(Range<usize>)) -> Result<()> {
        match &self.table {
            Table::Walked(table) => table.walk(&Sizes { data, section: self.section.clone() }, each),
            Table::Saved(_) => {
                for index in (0..self.len()).rev() {
                    each(self.place(data, index)?.unwrap_or_default());
                }
                Ok(())
            }
        }
    }

    /// Where the string of that number stands, without its zero; `None` past the last.
    pub(crate) fn place(&self, data: Data<'_>, index: usize) -> Result<Option<Range<usize>>> {
        let Some(reversed) = self.len().checked_sub(1).and_then(|last| last.checked_sub(index)) else {
            return Ok(None);
        };
        let saved = match &self.table {
            Table::Walked(table) => return table.get(&Sizes { data, section: self.section.clone() }, reversed),
            Table::Saved(saved) => saved,
        };
        let start = saved.starts.state::<u64>(index)?;
        let end = match reversed {
            0 => Some(self.section.end as u64),
            _ => saved.starts.state::<u64>(index.saturating_add(1))?,
        };
        let (start, end) = (start.unwrap_or_default() as usize, end.unwrap_or_default() as usize);
        match start < end && start > self.section.start && end <= self.section.end {
            true => Ok(Some(start..end.saturating_sub(1))),
            false => Err(Error::malformed("the index has a string outside of the section").at(start as u64)),
        }
    }

    /// The string of that number; `None` past the last.
    #[inline]
    pub(crate) fn get<'a>(&'a self, data: Data<'a>, index: u32) -> Result<Option<&'a [u8]>> {
        if let Table::Walked(table) = &self.table
            && let Some(entries) = table.short()
        {
            let place = entries.len().checked_sub(1).and_then(|last| last.checked_sub(index as usize));
            let place = place.and_then(|reversed| entries.get(reversed));
            return place.map_or(Ok(None), |place| data.get(place.clone()));
        }
        self.find(data, index)
    }

    fn find<'a>(&'a self, data: Data<'a>, index: u32) -> Result<Option<&'a [u8]>> {
        let Some(place) = self.place(data, index as usize)? else { return Ok(None) };
        let Table::Saved(saved) = &self.table else { return data.get(place) };
        if (index as usize) < saved.names.0 {
            let first = self.place(data, 0)?.unwrap_or_default().start;
            let copy = place.start.saturating_sub(first)..place.end.saturating_sub(first);
            return saved.names.1.get(copy);
        }
        match data.get(place.start..place.end.saturating_add(1))? {
            Some([string @ .., 0]) => Ok(Some(string)),
            _ => Err(Error::malformed("a string has no terminating zero").at(place.end as u64)),
        }
    }
}
