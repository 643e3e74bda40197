//! Byte strings with numbers, which strings and property blobs are.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Byte strings in the order of their first use, each once, but for those of a file that keep their numbers.
#[derive(Default)]
pub(super) struct ByteTable {
    bytes: Vec<u8>,
    /// Where each ends in `bytes`.
    ends: Vec<usize>,
    /// Of several that are the same, the first.
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl ByteTable {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes they have together.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Forgets all, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.numbers.clear();
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// The number of the first that is the same, and the hash by which it is found.
    fn find(&self, bytes: &[u8]) -> (Option<u32>, u64) {
        let hash = self.hasher.hash_one(bytes);
        (self.numbers.find(hash, |&number| self.get(number) == bytes).copied(), hash)
    }

    fn push(&mut self, bytes: &[u8]) -> u32 {
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
        number
    }

    /// Adds one that is found by its hash from now on.
    fn push_first(&mut self, bytes: &[u8], hash: u64) -> u32 {
        let number = self.push(bytes);
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.insert_unique(hash, number, |&number| self.hasher.hash_one(self.get(number)));
        self.numbers = numbers;
        number
    }

    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, more: usize) {
        self.ends.reserve(more);
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.reserve(more, |&number| self.hasher.hash_one(self.get(number)));
        self.numbers = numbers;
    }

    /// The number of these bytes, which they get if they have none.
    pub(super) fn number(&mut self, bytes: &[u8]) -> u32 {
        match self.find(bytes) {
            (Some(number), _) => number,
            (None, hash) => self.push_first(bytes, hash),
        }
    }

    /// A new number, even if the same bytes have one.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        match self.find(bytes) {
            (Some(_), _) => self.push(bytes),
            (None, hash) => self.push_first(bytes, hash),
        };
    }

    /// All of them, in order.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        (0..self.ends.len() as u32).map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::ByteTable;

    #[test]
    fn of_several_that_are_the_same_the_first_is_found() {
        // Hashes differ from table to table, and so may what is found.
        for _ in 0..100 {
            let mut table = ByteTable::default();
            for bytes in [&b"a"[..], b"b", b"b", b"", b"b", b"a"] {
                table.keep(bytes);
            }
            assert_eq!([table.number(b"b"), table.number(b"a"), table.number(b""), table.number(b"c")], [1, 0, 3, 6]);
            assert_eq!(table.number(b"c"), 6);
            assert_eq!((table.len(), table.size()), (7, 6));
        }
    }
}
