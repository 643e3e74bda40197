//! Locations of the most common kind, packed into the word of their slot.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mlirbc_ir::Identifier;

/// What a slot's word says.
pub(crate) enum PackedSlot {
    /// The number of an attribute or type of the context.
    Handle(u32),
    /// A file, by its number in the [`FileTable`], line and column.
    Location { file: u32, line: u32, column: u32 },
}

const FILE_BITS: u32 = 14;
const PLACE_BITS: u32 = 24;

impl PackedSlot {
    #[inline]
    pub(crate) fn of(word: u64) -> Self {
        if word & 3 != 2 {
            // Zero never comes here: a slot is looked at once it is filled.
            return PackedSlot::Handle((word >> 2).saturating_sub(1) as u32);
        }
        PackedSlot::Location {
            file: (word >> 2) as u32 & ((1 << FILE_BITS) - 1),
            line: (word >> (2 + FILE_BITS)) as u32 & ((1 << PLACE_BITS) - 1),
            column: (word >> (2 + FILE_BITS + PLACE_BITS)) as u32,
        }
    }

    /// Whether the word is a packed location.
    #[inline]
    pub(crate) fn is_location(word: u64) -> bool {
        word & 3 == 2
    }

    /// The word for a location, where its numbers are small enough.
    #[inline]
    pub(crate) fn location(file: u32, line: u64, column: u64) -> Option<u64> {
        let fits = file < 1 << FILE_BITS && line < 1 << PLACE_BITS && column < 1 << PLACE_BITS;
        fits.then(|| 2 | u64::from(file) << 2 | line << (2 + FILE_BITS) | column << (2 + FILE_BITS + PLACE_BITS))
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

    /// The file of that number, which [`FileTable::number`] gave.
    pub(crate) fn get(&self, number: u32) -> Identifier {
        self.files[number as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Identifier> {
        self.files.iter().map(|(_, &file)| file)
    }
}
