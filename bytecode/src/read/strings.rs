//! The string section (fact sheet, section 3): sizes in reverse order, then the strings.

use std::ops::Range;

use mlirbc_ir::{Error, Result};

use super::checkpoints::{Checkpoints, FixedState, Sequence};
use super::cursor::Cursor;
use super::guard::Data;

/// The strings of a file, found one at a time.
#[derive(Debug)]
pub(crate) struct Strings {
    section: Range<usize>,
    /// Entries from the last string to the first.
    table: Checkpoints<StringState>,
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

    fn step(&self, state: &mut StringState) -> Result<Range<usize>> {
        let mut cursor = Cursor::new(self.data, state.at as usize, self.section.end);
        let size = cursor.varint()?;
        let start = state.end.checked_sub(size).filter(|&start| size > 0 && start >= cursor.position() as u64);
        let (Some(start), Some(last)) = (start, state.end.checked_sub(1)) else {
            return Err(Error::malformed(format!("a string of {size} bytes does not fit")).at(state.at));
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
    pub(crate) fn read(data: Data<'_>, section: Range<usize>) -> Result<Self> {
        Self::table(data, section).map_err(|error| error.reading("the strings"))
    }

    fn table(data: Data<'_>, section: Range<usize>) -> Result<Self> {
        let mut cursor = Cursor::new(data, section.start, section.end);
        // A size and a terminating zero at least.
        let length = cursor.count(2, "strings")?;
        let sizes = Sizes { data, section: section.clone() };
        let start = StringState { at: cursor.position() as u64, end: section.end as u64 };
        let (table, last) = Checkpoints::build(&sizes, start, length)?;
        if last.at != last.end {
            let gap = last.end.saturating_sub(last.at);
            return Err(Error::malformed(format!("{gap} bytes between sizes and strings")).at(last.at));
        }
        Ok(Strings { section, table })
    }

    pub(crate) fn saved(section: Range<usize>, table: Checkpoints<StringState>) -> Self {
        Strings { section, table }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn checkpoints(&self) -> &Checkpoints<StringState> {
        &self.table
    }

    /// The string of that number; `None` past the last.
    pub(crate) fn get<'a>(&self, data: Data<'a>, index: u32) -> Result<Option<&'a [u8]>> {
        let sizes = Sizes { data, section: self.section.clone() };
        let last = self.table.len().checked_sub(1);
        let Some(reversed) = last.and_then(|last| last.checked_sub(index as usize)) else { return Ok(None) };
        match self.table.get(&sizes, reversed)? {
            Some(range) => data.get(range),
            None => Ok(None),
        }
    }
}
