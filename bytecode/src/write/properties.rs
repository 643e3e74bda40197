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
    /// So many others come before them.
    before: u32,
}

impl Blobs {
    /// Blobs that stand behind so many others, and are not compared with those.
    pub(crate) fn behind(others: u32) -> Self {
        Blobs { before: others, ..Blobs::default() }
    }

    /// How many there are, those before them left out.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// The number of a blob of these bytes.
    pub(crate) fn number(&mut self, blob: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(blob);
        if let Some(&number) = self.numbers.find(hash, |&number| self.get(number) == blob) {
            return self.before + number;
        }
        self.before + self.keep(blob)
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
        self.contents(&mut section);
        section
    }

    /// All of them, each with its size before it.
    pub(crate) fn contents(&self, section: &mut Emitter) {
        (0..self.ends.len() as u32).for_each(|number| section.blob(self.get(number)));
    }
}
