//! Property blobs that operations of several names have in common: what they decode to depends on the name.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;
use mlirbc_ir::{Attribute, OperationName};

/// How many answers are found without a lock: a power of two.
const RECENT: usize = 256;

/// A name of operations, and the number of a blob.
type Key = (OperationName, u32);

/// How many answers small files have, which are found by looking at all.
const FEW: usize = 16;

/// What blobs decode to for every name but the one that each was first decoded for.
#[derive(Debug, Default)]
pub(super) struct SharedBlobs {
    first: [OnceLock<(Key, Attribute)>; FEW],
    others: OnceLock<Box<Others>>,
}

impl SharedBlobs {
    /// What the blob decodes to for operations of that name, where that was noted.
    pub(super) fn get(&self, key: Key) -> Option<Attribute> {
        for answer in &self.first {
            match answer.get()? {
                (of, attribute) if *of == key => return Some(*attribute),
                _ => {}
            }
        }
        self.others.get()?.get(key)
    }

    /// Notes what the blob decodes to for operations of that name.
    pub(super) fn insert(&self, key: Key, attribute: Attribute) {
        if self.first.iter().all(|answer| answer.get_or_init(|| (key, attribute)).0 != key) {
            self.others.get_or_init(Box::default).insert(key, attribute);
        }
    }
}

/// The answers behind the first few. Some are asked for again and again, by all threads at once: those are found without a lock.
#[derive(Debug, Default)]
struct Others {
    all: boxcar::Vec<(Key, Attribute)>,
    /// Where they stand in `all`.
    numbers: Mutex<HashMap<Key, u32>>,
    /// At the place of a key, one more than the number of the last one of that place that was asked for; 0 where none was.
    recent: OnceLock<Box<[AtomicU32]>>,
}

impl Others {
    fn get(&self, key: Key) -> Option<Attribute> {
        let recent = self.recent.get()?.get(place(key))?;
        let last = recent.load(Ordering::Acquire).checked_sub(1).and_then(|number| self.all.get(number as usize));
        if let Some((_, attribute)) = last.filter(|(of, _)| *of == key) {
            return Some(*attribute);
        }
        let number = *self.numbers.lock().unwrap_or_else(PoisonError::into_inner).get(&key)?;
        recent.store(number.saturating_add(1), Ordering::Release);
        self.all.get(number as usize).map(|(_, attribute)| *attribute)
    }

    fn insert(&self, key: Key, attribute: Attribute) {
        self.recent.get_or_init(|| (0..RECENT).map(|_| AtomicU32::new(0)).collect());
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.entry(key).or_insert_with(|| self.all.push((key, attribute)) as u32);
    }
}

/// The place of a key among those that were asked for last.
fn place((name, blob): Key) -> usize {
    let mixed = (u64::from(name.raw()) << 32 | u64::from(blob)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 48) as usize % RECENT
}

#[cfg(test)]
mod tests {
    use super::{Key, SharedBlobs};
    use mlirbc_ir::{Attribute, OperationName};

    #[test]
    fn each_key_has_its_own_answer_whatever_place_it_falls_in() {
        let blobs = SharedBlobs::default();
        let keys = (0..40).flat_map(|name| (0..40).map(move |blob| (OperationName::from_raw(name), blob)));
        let keys: Vec<(Key, Attribute)> = keys.zip(0..).map(|(key, raw)| (key, Attribute::from_raw(raw))).collect();
        assert_eq!(keys.len(), 1600);
        assert_eq!(blobs.get(keys[0].0), None);
        for &(key, attribute) in &keys {
            blobs.insert(key, attribute);
        }
        for _ in 0..2 {
            for &(key, attribute) in &keys {
                assert_eq!(blobs.get(key), Some(attribute), "{key:?}");
                assert_eq!(blobs.get(key), Some(attribute), "{key:?}, asked for again");
            }
        }
        assert_eq!(blobs.get((OperationName::from_raw(40), 0)), None);
    }
}
