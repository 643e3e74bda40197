//! Which entries of a file's tables wait to be decoded.

// No file may make a reader panic.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]

use super::Table;

/// Why an entry is not decoded now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// It is to be decoded later, and is not tried again before.
    PutOff = 1,
    /// It was tried, and waits for others: meeting it inside these is a cycle.
    Entered = 2,
}

/// Entries that wait: two bits for each entry up to the last that ever did.
#[derive(Debug, Default)]
pub(crate) struct WaitingEntries {
    attributes: Vec<u64>,
    types: Vec<u64>,
}

const BITS: u64 = 0b11;
const PER_WORD: u32 = 32;

fn place(index: u32) -> (usize, u32) {
    ((index / PER_WORD) as usize, index % PER_WORD * 2)
}

impl WaitingEntries {
    #[inline]
    pub(crate) fn get(&self, (table, index): (Table, u32)) -> Option<Waiting> {
        let words = match table {
            Table::Attributes => &self.attributes,
            Table::Types => &self.types,
        };
        let (at, shift) = place(index);
        match words.get(at)? >> shift & BITS {
            1 => Some(Waiting::PutOff),
            2 => Some(Waiting::Entered),
            _ => None,
        }
    }

    /// Notes what an entry waits for. Its index is one that the table has.
    pub(crate) fn set(&mut self, (table, index): (Table, u32), waiting: Option<Waiting>) {
        let words = match table {
            Table::Attributes => &mut self.attributes,
            Table::Types => &mut self.types,
        };
        let (at, shift) = place(index);
        if at >= words.len() {
            words.resize(at.saturating_add(1), 0);
        }
        if let Some(word) = words.get_mut(at) {
            let bits = waiting.map_or(0, |waiting| waiting as u64);
            *word = *word & !(BITS << shift) | bits << shift;
        }
    }

    /// Whether no room was ever taken.
    pub(crate) fn is_unused(&self) -> bool {
        self.attributes.is_empty() && self.types.is_empty()
    }

    /// Whether nothing waits.
    pub(crate) fn is_clear(&self) -> bool {
        self.attributes.iter().chain(&self.types).all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_bits_of_its_own() {
        let mut waiting = WaitingEntries::default();
        assert!(waiting.is_unused() && waiting.is_clear());
        let entries = [0, 1, 31, 32, 33, 1000].into_iter().flat_map(|at| [(Table::Attributes, at), (Table::Types, at)]);
        for (number, entry) in entries.clone().enumerate() {
            assert_eq!(waiting.get(entry), None);
            waiting.set(entry, Some(if number % 3 == 0 { Waiting::PutOff } else { Waiting::Entered }));
        }
        for (number, entry) in entries.clone().enumerate() {
            assert_eq!(waiting.get(entry), Some(if number % 3 == 0 { Waiting::PutOff } else { Waiting::Entered }));
            waiting.set(entry, None);
        }
        assert!(waiting.is_clear() && !waiting.is_unused());
    }
}
