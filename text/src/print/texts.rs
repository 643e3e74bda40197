//! Texts that come again and again: types, names, dictionaries, files. Each is made once and copied from then on.

use std::collections::HashMap;
use std::hash::Hash;

/// Texts longer than this are made anew each time.
const LONGEST: usize = 1 << 12;

/// How much is kept in all.
const MOST: usize = 1 << 25;

/// A text that is kept: its place, and whether it is of a function type, which needs parentheses as a result.
#[derive(Clone, Copy)]
pub(super) struct Text {
    start: u32,
    end: u32,
    pub(super) function: bool,
}

/// Texts by key.
pub(super) struct Texts<K> {
    bytes: Vec<u8>,
    places: HashMap<K, Text, hashbrown::DefaultHashBuilder>,
}

impl<K: Eq + Hash> Texts<K> {
    pub(super) fn new() -> Self {
        Texts { bytes: Vec::new(), places: HashMap::default() }
    }

    #[inline]
    pub(super) fn get(&self, key: &K) -> Option<Text> {
        self.places.get(key).copied()
    }

    #[inline]
    pub(super) fn bytes(&self, text: Text) -> &[u8] {
        &self.bytes[text.start as usize..text.end as usize]
    }

    /// Keeps a text, unless it is long or much is kept already.
    pub(super) fn keep(&mut self, key: K, text: &[u8], function: bool) {
        if text.len() <= LONGEST && self.bytes.len() + text.len() <= MOST && self.places.len() < MOST / 32 {
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(text);
            self.places.insert(key, Text { start, end: self.bytes.len() as u32, function });
        }
    }
}
