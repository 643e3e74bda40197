//! The string section (`BytecodeFormat.md` of MLIR, "String Section"): a twin of `read/strings.rs`.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

use mlirbc_ir::Result;

use super::emitter::Emitter;

/// Strings in the order of their first use, each once.
#[derive(Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    /// Where each string ends in `bytes`.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// So many others come before them.
    before: u64,
}

impl Strings {
    /// Strings that stand behind so many others, and are not compared with those.
    pub(crate) fn behind(others: usize) -> Self {
        Strings { before: others as u64, ..Strings::default() }
    }

    /// Strings that keep their numbers, twice the same or not.
    pub(crate) fn keep<'a>(strings: impl Iterator<Item = Result<&'a [u8]>>) -> Result<Self> {
        let mut kept = Strings::default();
        for string in strings {
            let string = string?;
            match kept.find(string) {
                (Some(_), _) => kept.push(string),
                (None, hash) => kept.push_first(string, hash),
            };
        }
        Ok(kept)
    }

    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// The number of a string that is the same, and the hash by which it is found.
    fn find(&self, string: &[u8]) -> (Option<u32>, u64) {
        let hash = self.hasher.hash_one(string);
        (self.numbers.find(hash, |&number| self.get(number) == string).copied(), hash)
    }

    fn push(&mut self, string: &[u8]) -> u32 {
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len());
        number
    }

    /// Adds a string that is found by its hash from now on.
    fn push_first(&mut self, string: &[u8], hash: u64) -> u32 {
        let number = self.push(string);
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.insert_unique(hash, number, |&number| self.hasher.hash_one(self.get(number)));
        self.numbers = numbers;
        number
    }

    /// The string's number.
    pub(crate) fn number(&mut self, string: &[u8]) -> u64 {
        let number = match self.find(string) {
            (Some(number), _) => number,
            (None, hash) => self.push_first(string, hash),
        };
        self.before + u64::from(number)
    }

    /// How many there are, those before them left out.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn section(&self) -> Emitter {
        let mut section = Emitter::default();
        section.bytes.reserve(self.bytes.len() + 3 * self.ends.len() + 9);
        section.varint(self.ends.len() as u64);
        self.sizes(&mut section);
        self.contents(&mut section);
        section
    }

    /// The size of each, the last first.
    pub(crate) fn sizes(&self, section: &mut Emitter) {
        for number in (0..self.ends.len() as u32).rev() {
            section.varint(self.get(number).len() as u64 + 1);
        }
    }

    /// All of them, each with a zero behind it.
    pub(crate) fn contents(&self, section: &mut Emitter) {
        for number in 0..self.ends.len() as u32 {
            section.bytes.extend_from_slice(self.get(number));
            section.byte(0);
        }
    }
}
