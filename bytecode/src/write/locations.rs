//! Which file locations have been met, so that each is written once.

use hashbrown::HashMap;
use mlirbc_ir::{ModuleSource, PackedLocation};

/// File locations by line: most files have few locations on a line, and lines come in order.
#[derive(Default)]
pub(crate) struct LocationIndex {
    /// By line: 0 for none, one more than the slot of its only location, or where its chain begins.
    by_line: Vec<u32>,
    /// Locations on a line with others: the slot, and the rest of the line, as in `by_line`.
    chains: Vec<(u32, u32)>,
    /// Those of large lines or of lines with many locations.
    others: HashMap<PackedLocation, u32>,
}

/// Set in what is a place in `chains`.
const CHAIN: u32 = 1 << 31;

/// Beyond these a hash map is better than an array and a chain.
const LINES: u32 = 1 << 22;
const LENGTH: usize = 16;

/// For how many lines room is kept.
const KEPT: usize = 1 << 12;

impl LocationIndex {
    /// Forgets all locations, and keeps the room if it takes less to clear than to ask for.
    pub(crate) fn clear(&mut self) {
        match self.by_line.len() {
            ..=KEPT => self.by_line.fill(0),
            _ => self.by_line = Vec::new(),
        }
        self.chains.clear();
        self.others.clear();
    }

    /// Notes a location, unless another of its line was noted.
    #[inline]
    pub(crate) fn insert_first(&mut self, place: PackedLocation, slot: u32) -> bool {
        match self.by_line.get_mut(place.line() as usize) {
            Some(head) if *head == 0 => {
                *head = slot + 1;
                true
            }
            _ => false,
        }
    }

    /// The slot of a location that was noted; else none, and it is noted at `slot`. `place_of` says where the location in a
    /// slot stands.
    pub(crate) fn find_or_insert(
        &mut self,
        place: PackedLocation,
        slot: u32,
        place_of: impl Fn(u32) -> Option<PackedLocation>,
    ) -> Option<u32> {
        let line = place.line() as usize;
        if place.line() < LINES {
            let head = self.head(line);
            let mut at = head;
            for _ in 0..LENGTH {
                let (other, rest) = match at {
                    0 => {
                        self.by_line[line] = self.chain(slot, head);
                        return None;
                    }
                    at if at & CHAIN != 0 => self.chains[(at & !CHAIN) as usize],
                    at => (at - 1, 0),
                };
                if place_of(other) == Some(place) {
                    return Some(other);
                }
                at = rest;
            }
        }
        match self.others.entry(place) {
            hashbrown::hash_map::Entry::Occupied(found) => Some(*found.get()),
            hashbrown::hash_map::Entry::Vacant(vacant) => {
                vacant.insert(slot);
                None
            }
        }
    }

    fn head(&mut self, line: usize) -> u32 {
        if self.by_line.is_empty() {
            // Operations nested last are met first: this is often about the last line. Zeros are free until written.
            self.by_line = vec![0; line + 1 + line / 4];
        } else if line >= self.by_line.len() {
            // In steps of a quarter: lines mostly come in order.
            self.by_line.resize((line + 1 + line / 4).next_multiple_of(1024), 0);
        }
        self.by_line[line]
    }

    /// What stands for the slot and the `rest` of its line.
    fn chain(&mut self, slot: u32, rest: u32) -> u32 {
        if rest == 0 {
            return slot + 1;
        }
        self.chains.push((slot, rest));
        CHAIN | (self.chains.len() - 1) as u32
    }
}

/// The packed locations of a source, some at a time: one that is asked for is mostly followed by the next.
pub(crate) struct Places<'m> {
    source: Option<&'m dyn ModuleSource>,
    start: u32,
    words: [u64; WORDS as usize],
}

const WORDS: u32 = 16;

impl<'m> Places<'m> {
    pub(crate) fn new(source: Option<&'m dyn ModuleSource>) -> Self {
        Places { source, start: u32::MAX, words: [0; WORDS as usize] }
    }

    /// The packed location of that number.
    #[inline]
    pub(crate) fn get(&mut self, index: u32) -> Option<PackedLocation> {
        let start = index & !(WORDS - 1);
        if start != self.start {
            self.fill(start);
        }
        PackedLocation::from_word(self.words[(index % WORDS) as usize]).or_else(|| self.find(index))
    }

    /// One that was not decoded when the others beside it were looked up.
    #[inline(never)]
    fn find(&mut self, index: u32) -> Option<PackedLocation> {
        let source = self.source?;
        let found = source.packed_location(index)?;
        // More may be decoded by now.
        source.packed_words(self.start, &mut self.words);
        Some(found)
    }

    #[inline(never)]
    fn fill(&mut self, start: u32) {
        self.start = start;
        if let Some(source) = self.source {
            source.packed_words(start, &mut self.words);
        }
    }
}
