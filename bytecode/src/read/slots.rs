//! What has been decoded of a table: one word an entry, filled on demand.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

const CHUNK: usize = 1024;
const GROUP: usize = 256;

type Chunk = Box<[AtomicU64]>;
type Group = Box<[OnceLock<Chunk>]>;

/// One word for each entry of a table. Memory is taken a chunk at a time, and room for chunks a group at a time, so that
/// touching one entry of millions costs no more than one of thousands; a table of one chunk has that and nothing else. 0
/// stands for "not yet".
#[derive(Debug, Default)]
pub(crate) struct Slots {
    length: usize,
    only: Vec<AtomicU64>,
    groups: Box<[OnceLock<Group>]>,
}

impl Slots {
    /// Slots for so many entries, with room for those of a short table.
    pub(crate) fn new(length: usize, mut room: Vec<AtomicU64>) -> Self {
        let groups = if length > CHUNK { length.div_ceil(CHUNK * GROUP) } else { 0 };
        if length <= CHUNK {
            room.resize_with(length, AtomicU64::default);
        }
        Slots { length, only: room, groups: (0..groups).map(|_| OnceLock::new()).collect() }
    }

    /// The room that a short table took, empty.
    pub(crate) fn into_room(self) -> Vec<AtomicU64> {
        let mut room = self.only;
        room.clear();
        room
    }

    #[inline]
    fn chunk(&self, index: u32) -> Option<&[AtomicU64]> {
        if self.length <= CHUNK {
            return ((index as usize) < CHUNK).then_some(&self.only);
        }
        let group = self.groups.get(index as usize / (CHUNK * GROUP))?.get()?;
        group.get(index as usize / CHUNK % GROUP)?.get().map(Box::as_ref)
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> u64 {
        let slot = self.chunk(index).and_then(|chunk| chunk.get(index as usize % CHUNK));
        slot.map_or(0, |slot| slot.load(Ordering::Acquire))
    }

    /// What the slots from `start` on hold, as far as the chunk of the first goes; 0 for others.
    pub(crate) fn copy(&self, start: u32, words: &mut [u64]) {
        let held = self.chunk(start).and_then(|chunk| chunk.get(start as usize % CHUNK..)).unwrap_or_default();
        for (at, word) in words.iter_mut().enumerate() {
            *word = held.get(at).map_or(0, |slot| slot.load(Ordering::Acquire));
        }
    }

    /// The slots that are filled, in order, each with what it holds.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (u32, u64)> {
        let groups =
            self.groups.iter().enumerate().filter_map(|(at, group)| Some((at.saturating_mul(GROUP), group.get()?)));
        let chunks = groups.flat_map(|(first, group)| (first..).zip(group.iter()));
        let chunks = chunks.filter_map(|(at, chunk)| Some((at.saturating_mul(CHUNK), chunk.get()?)));
        let slots = chunks.flat_map(|(first, chunk)| (first..).zip(chunk.iter()));
        let slots = (0..).zip(&self.only).chain(slots);
        slots.map(|(at, slot)| (at as u32, slot.load(Ordering::Acquire))).filter(|slot| slot.1 != 0)
    }

    /// Fills the slot with what every thread would fill it with: with less ado than [`Slots::fill`].
    #[inline]
    pub(crate) fn set(&self, index: u32, value: u64) {
        match self.only.get(index as usize) {
            Some(slot) => slot.store(value, Ordering::Release),
            None => _ = self.fill(index, value),
        }
    }

    /// Fills the slot, unless another thread has; gives what it holds now.
    pub(crate) fn fill(&self, index: u32, value: u64) -> u64 {
        if self.length <= CHUNK {
            return self.only.get(index as usize).map_or(value, |slot| fill(slot, value));
        }
        let index = index as usize;
        let Some(group) = self.groups.get(index / (CHUNK * GROUP)) else { return value };
        let chunks = self.length.div_ceil(CHUNK).saturating_sub((index / (CHUNK * GROUP)).saturating_mul(GROUP));
        let group = group.get_or_init(|| (0..chunks.min(GROUP)).map(|_| OnceLock::new()).collect());
        let Some(chunk) = group.get(index / CHUNK % GROUP) else { return value };
        let words = self.length.saturating_sub((index / CHUNK).saturating_mul(CHUNK));
        let chunk = chunk.get_or_init(|| (0..words.min(CHUNK)).map(|_| AtomicU64::new(0)).collect());
        chunk.get(index % CHUNK).map_or(value, |slot| fill(slot, value))
    }
}

/// Fills a slot that is empty; gives what it holds now.
#[inline]
fn fill(slot: &AtomicU64, value: u64) -> u64 {
    match slot.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => value,
        Err(filled) => filled,
    }
}

/// Set in the word of a slot whose entry is opaque.
const OPAQUE: u64 = 1 << 63;

/// Set in the word of a slot whose entry is opaque or holds, at any depth, one that is.
const PARTLY_OPAQUE: u64 = 1 << 62;

/// The word of an entry that the context holds under that number.
pub(super) fn handle(raw: u32) -> u64 {
    (u64::from(raw) + 1) << 2 | 1
}

/// The same of an entry that is opaque.
pub(super) fn opaque_handle(raw: u32) -> u64 {
    handle(raw) | OPAQUE | PARTLY_OPAQUE
}

/// The word with a note that its entry holds one that is opaque. A packed location holds none.
#[inline]
pub(super) fn noting_opaque(word: u64) -> u64 {
    if word & 3 == 1 { word | PARTLY_OPAQUE } else { word }
}

/// Whether a slot's word has that bit. Packed locations have bits of their own up there: they never do.
#[inline]
fn has(word: u64, bit: u64) -> bool {
    word & (bit | 3) == bit | 1
}

/// Whether a slot's word is of an entry that is opaque.
#[inline]
pub(super) fn is_opaque(word: u64) -> bool {
    has(word, OPAQUE)
}

/// Whether a slot's word is of an entry that is opaque or holds, at any depth, one that is.
#[inline]
pub(super) fn is_partly_opaque(word: u64) -> bool {
    has(word, PARTLY_OPAQUE)
}
