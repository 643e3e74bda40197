//! The properties section (`PropertiesSectionReader` of MLIR): blobs with their sizes before them.

use std::ops::Range;

use mlirbc_ir::{Error, Result};

use super::checkpoints::{Checkpoints, Sequence};
use crate::format::{Cursor, Data};

/// The property blobs of a file, found one at a time.
#[derive(Debug)]
pub(crate) struct Properties {
    section: Range<usize>,
    table: Checkpoints<u64, Range<usize>>,
}

struct Blobs<'a> {
    data: Data<'a>,
    end: usize,
}

impl Sequence for Blobs<'_> {
    /// Where the blob's size stands.
    type State = u64;
    type Entry = Range<usize>;

    fn step(&self, state: &mut u64) -> Result<Range<usize>> {
        let mut cursor = Cursor::new(self.data, *state as usize, self.end);
        let blob = cursor.blob()?;
        *state = cursor.position() as u64;
        Ok(cursor.position().saturating_sub(blob.len())..cursor.position())
    }
}

impl Properties {
    /// Number of blobs, as the section's first bytes say.
    pub(crate) fn count(data: Data<'_>, section: Range<usize>) -> Result<usize> {
        if section.is_empty() {
            return Ok(0);
        }
        Cursor::new(data, section.start, section.end)
            .count(1, "property blob")
            .map_err(|error| error.reading("the number of property blobs"))
    }

    /// Frames the blobs, with room for where they stand.
    pub(crate) fn read(data: Data<'_>, section: Range<usize>, room: Vec<Range<usize>>) -> Result<Self> {
        Self::table(data, section, room).map_err(|error| error.reading("the property blobs"))
    }

    fn table(data: Data<'_>, section: Range<usize>, room: Vec<Range<usize>>) -> Result<Self> {
        let length = Self::count(data, section.clone())?;
        let mut cursor = Cursor::new(data, section.start, section.end);
        if !section.is_empty() {
            cursor.varint()?;
        }
        let blobs = Blobs { data, end: section.end };
        let (table, last) = Checkpoints::build(&blobs, cursor.position() as u64, length, room)?;
        if last != section.end as u64 {
            let left = (section.end as u64).saturating_sub(last);
            return Err(Error::malformed(format!("{} after the last blob", Error::counted(left, "byte"))).at(last));
        }
        Ok(Properties { section, table })
    }

    pub(crate) fn saved(section: Range<usize>, table: Checkpoints<u64, Range<usize>>) -> Self {
        Properties { section, table }
    }

    /// The room that the table took, empty.
    pub(crate) fn into_room(self) -> Vec<Range<usize>> {
        self.table.into_room()
    }

    pub(crate) fn checkpoints(&self) -> &Checkpoints<u64, Range<usize>> {
        &self.table
    }

    /// The same as [`Properties::get`], in less time where the blob follows the one before.
    pub(crate) fn get_next(
        &self,
        data: Data<'_>,
        index: u32,
        next: &mut Option<(usize, u64)>,
    ) -> Result<Option<Range<usize>>> {
        self.table.get_next(&Blobs { data, end: self.section.end }, index as usize, next)
    }

    /// Where the blob of that number stands; `None` past the last.
    pub(crate) fn get(&self, data: Data<'_>, index: u32) -> Result<Option<Range<usize>>> {
        self.table.get(&Blobs { data, end: self.section.end }, index as usize)
    }
}
