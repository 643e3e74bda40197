//! Uniquing: equal values get equal numbers. Reading a value by its number takes no lock.

use std::hash::{BuildHasher, Hash};
use std::sync::Mutex;

use hashbrown::{DefaultHashBuilder, HashTable};

const SHARDS: usize = 16;

pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    shards: [Mutex<HashTable<u32>>; SHARDS],
    hasher: DefaultHashBuilder,
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Self {
        Interner {
            items: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::new(HashTable::new())),
            hasher: DefaultHashBuilder::default(),
        }
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.items.get(number as usize)
    }

    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }

    pub(crate) fn intern(&self, value: T) -> u32 {
        let hash = self.hasher.hash_one(&value);
        // Neither the low bits, which choose the bucket, nor the highest seven, which tell entries of a bucket apart.
        let shard = &self.shards[(hash >> 48) as usize % SHARDS];
        // A poisoned shard is still a good table: nothing below can panic half way through a change of it.
        let mut table = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(&found) = table.find(hash, |&number| self.items[number as usize] == value) {
            return found;
        }
        let number = u32::try_from(self.items.push(value)).expect("fewer than 2^32 distinct values");
        table.insert_unique(hash, number, |&number| self.hasher.hash_one(&self.items[number as usize]));
        number
    }
}
