//! Which file locations have been met, so that each is written once.

use std::collections::HashMap;

use mlirbc_ir::PackedLocation;

/// File locations by line: most files have few locations on a line, and lines come in order.
#[derive(Default)]
pub(crate) struct LocationIndex {
    /// By line: one more than the entry met last, 0 for none.
    by_line: Vec<u32>,
    /// By entry: one more than the entry met before on the same line.
    next: Vec<u32>,
    /// Those of large lines or of lines with many locations.
    others: HashMap<PackedLocation, u32>,
}

/// Beyond these a hash map is better than an array and a chain.
const LINES: u32 = 1 << 22;
const CHAIN: usize = 16;

impl LocationIndex {
    /// Notes a location that is the first of its line; `false`, with nothing noted, where it may not be.
    #[inline]
    pub(crate) fn insert_first(&mut self, entry: u32, place: PackedLocation) -> bool {
        match self.by_line.get_mut(place.line() as usize) {
            Some(head) if *head == 0 => {
                *head = entry + 1;
                true
            }
            _ => false,
        }
    }

    /// The entry of the location; `place_of` says where an entry stands.
    #[inline]
    pub(crate) fn find(&self, place: PackedLocation, place_of: impl Fn(u32) -> Option<PackedLocation>) -> Option<u32> {
        let line = place.line();
        if line < LINES {
            let mut at = self.by_line.get(line as usize).copied().unwrap_or(0);
            for _ in 0..CHAIN {
                let entry = at.checked_sub(1)?;
                if place_of(entry) == Some(place) {
                    return Some(entry);
                }
                at = self.next.get(entry as usize).copied().unwrap_or(0);
            }
        }
        self.others.get(&place).copied()
    }

    /// Notes a location that [`LocationIndex::find`] does not know.
    #[inline]
    pub(crate) fn insert(&mut self, entry: u32, place: PackedLocation) {
        let line = place.line() as usize;
        if place.line() >= LINES {
            self.others.insert(place, entry);
            return;
        }
        if line >= self.by_line.len() {
            // In steps of a quarter: lines mostly come in order.
            self.by_line.resize((line + 1 + line / 4).next_multiple_of(1024), 0);
        }
        let head = self.by_line[line];
        let mut length = 0;
        let mut at = head;
        while length < CHAIN && at != 0 {
            length += 1;
            at = self.next.get(at as usize - 1).copied().unwrap_or(0);
        }
        if length == CHAIN {
            self.others.insert(place, entry);
            return;
        }
        self.by_line[line] = entry + 1;
        if head != 0 {
            if entry as usize >= self.next.len() {
                self.next.resize((entry as usize + 1).next_power_of_two(), 0);
            }
            self.next[entry as usize] = head;
        }
    }
}
