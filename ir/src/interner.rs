//! Uniquing: equal values get equal numbers. Reading a value by its number takes no lock.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use hashbrown::{DefaultHashBuilder, HashTable};

/// How many entries a shard has room for from its first one on.
const FIRST: usize = 14;

/// How many values that were asked for last are found without a lock: a power of two.
const RECENT: usize = 1 << 10;

/// A value's number, and half of its hash: a table that grows does not look at the values again.
#[derive(Clone, Copy)]
struct Entry {
    half: u32,
    number: u32,
}

impl Entry {
    /// The hash by which it is found, of which the table uses the highest bits and the lowest.
    fn hash(self) -> u64 {
        u64::from(self.half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The entry in one word that is not 0, where its number is not the highest.
    fn word(self) -> u64 {
        u64::from(self.half) << 32 | u64::from(self.number.wrapping_add(1))
    }
}

/// Values in `SHARDS` tables with a lock each: several where many threads make values at the same time.
pub(crate) struct Interner<T, const SHARDS: usize> {
    items: boxcar::Vec<T>,
    shards: [Mutex<HashTable<Entry>>; SHARDS],
    /// By some bits of the hash, the entry that was asked for last as a word, or 0.
    recent: OnceLock<Box<[AtomicU64]>>,
    hasher: DefaultHashBuilder,
}

impl<T: Hash + Eq, const SHARDS: usize> Interner<T, SHARDS> {
    pub(crate) fn new() -> Self {
        Interner {
            items: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::new(HashTable::new())),
            recent: OnceLock::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Where an entry of that hash stands among those that were asked for last.
    #[inline]
    fn recent(&self, hash: u64) -> &AtomicU64 {
        let recent = self.recent.get_or_init(|| (0..RECENT).map(|_| AtomicU64::new(0)).collect());
        &recent[(hash >> 32) as usize % RECENT]
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
        let recent = self.recent(hash);
        let last = recent.load(Ordering::Acquire);
        if last >> 32 == hash & u64::from(u32::MAX)
            && let Some(number) = (last as u32).checked_sub(1)
            && self.items.get(number as usize).is_some_and(|known| is(&key, known))
        {
            return number;
        }
        let (mut table, wanted) = self.shard(hash);
        let found = |entry: &Entry| entry.half == wanted.half && is(&key, &self.items[entry.number as usize]);
        let number = match table.find(wanted.hash(), found) {
            Some(found) => found.number,
            None => self.push(&mut table, wanted, make(key)),
        };
        drop(table);
        recent.store(Entry { number, ..wanted }.word(), Ordering::Release);
        number
    }

    /// The value that `is` says the key stands for, where there is one. The key hashes as the value does.
    pub(crate) fn find<K: Hash>(&self, key: &K, is: impl Fn(&K, &T) -> bool) -> Option<u32> {
        let (table, wanted) = self.shard(self.hasher.hash_one(key));
        let found = |entry: &Entry| entry.half == wanted.half && is(key, &self.items[entry.number as usize]);
        table.find(wanted.hash(), found).map(|entry| entry.number)
    }

    /// The table for a hash, and what is to be sought there.
    fn shard(&self, hash: u64) -> (MutexGuard<'_, HashTable<Entry>>, Entry) {
        // Not of the half by which entries are told apart.
        let shard = &self.shards[(hash >> 48) as usize % SHARDS];
        // A poisoned shard is still a good table: nothing can panic half way through a change of it.
        let table = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        (table, Entry { half: hash as u32, number: 0 })
    }

    fn push(&self, table: &mut HashTable<Entry>, wanted: Entry, value: T) -> u32 {
        if table.is_empty() {
            // A first step that spares most small contexts all others.
            table.reserve(if SHARDS == 1 { 2 * FIRST } else { FIRST }, |entry| entry.hash());
        }
        let number = u32::try_from(self.items.push(value)).expect("fewer than 2^32 distinct values");
        table.insert_unique(wanted.hash(), Entry { number, ..wanted }, |entry| entry.hash());
        number
    }
}
