//! The properties section (`PropertiesSectionBuilder` of MLIR): a twin of `read/properties.rs`.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::emitter::Emitter;

/// Property blobs in the order of their first use, each once.
#[derive(Default)]
pub(crate) struct Blobs {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Blobs {
    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// The number of a blob of these bytes.
    pub(crate) fn number(&mut self, blob: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(blob);
        if let Some(&number) = self.numbers.find(hash, |&number| self.get(number) == blob) {
            return number;
        }
        self.keep(blob)
    }

    /// A new number for a blob, even if one of the same bytes has one.
    pub(crate) fn keep(&mut self, blob: &[u8]) -> u32 {
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(blob);
        self.ends.push(self.bytes.len());
        let hash = self.hasher.hash_one(blob);
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.insert_unique(hash, number, |&number| self.hasher.hash_one(self.get(number)));
        self.numbers = numbers;
        number
    }

    pub(crate) fn section(&self) -> Emitter {
        let mut section = Emitter::default();
        section.bytes.reserve(self.bytes.len() + 2 * self.ends.len() + 9);
        section.varint(self.ends.len() as u64);
        (0..self.ends.len() as u32).for_each(|number| section.blob(self.get(number)));
        section
    }
}
