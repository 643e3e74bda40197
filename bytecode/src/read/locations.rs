//! Locations of the most common kind, packed into the word of their slot.

use std::sync::{Mutex, OnceLock, PoisonError};

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

/// The names of the files that packed locations stand in: mostly one.
#[derive(Debug, Default)]
pub(crate) struct FileTable {
    first: OnceLock<Identifier>,
    others: OnceLock<Box<Others>>,
}

/// Those beside the first.
#[derive(Debug, Default)]
struct Others {
    files: boxcar::Vec<Identifier>,
    numbers: Mutex<HashMap<Identifier, u32>>,
}

impl FileTable {
    /// The number of the file.
    pub(crate) fn number(&self, file: Identifier) -> u32 {
        if *self.first.get_or_init(|| file) == file {
            return 0;
        }
        let others = self.others.get_or_init(Box::default);
        let mut numbers = others.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        *numbers.entry(file).or_insert_with(|| (others.files.push(file) as u32).saturating_add(1))
    }

    /// The file of that number.
    #[inline]
    pub(crate) fn find(&self, number: u32) -> Option<Identifier> {
        match number.checked_sub(1) {
            None => self.first.get().copied(),
            Some(other) => self.others.get()?.files.get(other as usize).copied(),
        }
    }

    /// The file of that number, which [`FileTable::number`] gave.
    #[expect(clippy::expect_used, reason = "a number comes from this table, never from a file")]
    pub(crate) fn get(&self, number: u32) -> Identifier {
        self.find(number).expect("a number that this table gave")
    }
}
