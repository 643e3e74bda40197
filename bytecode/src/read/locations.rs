//! Locations of the most common kind, packed into the word of their slot.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashMap;
use mlirbc_ir::{Identifier, PackedLocation};

/// What a slot's word says.
pub(crate) enum PackedSlot {
    /// The number of an attribute or type of the context.
    Handle(u32),
    /// A location, its file by the number in the [`FileTable`].
    Location(PackedLocation),
}

impl PackedSlot {
    #[inline]
    pub(crate) fn of(word: u64) -> Self {
        match PackedLocation::from_word(word) {
            Some(location) => PackedSlot::Location(location),
            // Zero never comes here: a slot is looked at once it is filled.
            None => PackedSlot::Handle((word >> 2).saturating_sub(1) as u32),
        }
    }
}

/// The names of the files that packed locations stand in.
#[derive(Debug, Default)]
pub(crate) struct FileTable {
    files: boxcar::Vec<Identifier>,
    numbers: Mutex<HashMap<Identifier, u32>>,
}

impl FileTable {
    /// The number of the file.
    pub(crate) fn number(&self, file: Identifier) -> u32 {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        *numbers.entry(file).or_insert_with(|| self.files.push(file) as u32)
    }

    /// The file of that number.
    pub(crate) fn find(&self, number: u32) -> Option<Identifier> {
        self.files.get(number as usize).copied()
    }

    /// The file of that number, which [`FileTable::number`] gave.
    #[expect(clippy::indexing_slicing, reason = "a number comes from this table, never from a file")]
    pub(crate) fn get(&self, number: u32) -> Identifier {
        self.files[number as usize]
    }
}
