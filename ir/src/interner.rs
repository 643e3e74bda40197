//! Uniquing: equal values get equal numbers. Reading a value by its number takes no lock.

use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard};

use hashbrown::{DefaultHashBuilder, HashTable};

/// How many entries a shard has room for from its first one on.
const FIRST: usize = 14;

/// Values in `SHARDS` tables with a lock each: several where many threads make values at the same time.
pub(crate) struct Interner<T, const SHARDS: usize> {
    items: boxcar::Vec<T>,
    shards: [Mutex<HashTable<u32>>; SHARDS],
    hasher: DefaultHashBuilder,
}

impl<T: Hash + Eq, const SHARDS: usize> Interner<T, SHARDS> {
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
        self.find_or_make(value, |value, known| value == known, |value| value)
    }

    /// The value that `is` says the key stands for, made of the key where there is none yet. The key hashes as the value
    /// does.
    pub(crate) fn find_or_make<K: Hash>(&self, key: K, is: impl Fn(&K, &T) -> bool, make: impl FnOnce(K) -> T) -> u32 {
        let hash = self.hasher.hash_one(&key);
        let mut table = self.shard(hash);
        match table.find(hash, |&number| is(&key, &self.items[number as usize])) {
            Some(&found) => found,
            None => self.push(&mut table, hash, make(key)),
        }
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, HashTable<u32>> {
        // Neither the low bits, which choose the bucket, nor the highest seven, which tell entries of a bucket apart.
        let shard = &self.shards[(hash >> 48) as usize % SHARDS];
        // A poisoned shard is still a good table: nothing can panic half way through a change of it.
        shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn push(&self, table: &mut HashTable<u32>, hash: u64, value: T) -> u32 {
        if table.is_empty() {
            // A first step that spares most small contexts all others.
            table.reserve(if SHARDS == 1 { 2 * FIRST } else { FIRST }, |_| 0);
        }
        let number = u32::try_from(self.items.push(value)).expect("fewer than 2^32 distinct values");
        table.insert_unique(hash, number, |&number| self.hasher.hash_one(&self.items[number as usize]));
        number
    }
}
