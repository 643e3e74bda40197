//! What is met how often, and which number it gets for that (MLIR's `IRNumbering.cpp`): most used first, then by
//! dialect in buckets of numbers of equal length.

use mlirbc_ir::{Error, Result};

/// Entries of one table, each in a slot.
///
/// The first slots may belong to the entries of the module's source, whose numbers need no table to look them up then;
/// slots for others are added behind these.
#[derive(Default)]
pub(crate) struct Uses {
    /// By slot: how often it is used, 0 where it was not met, or where else its entry is.
    counts: Vec<u32>,
    /// Slots in the order in which they were met.
    met: Vec<u32>,
    /// Slots whose entries are elsewhere.
    moved: Vec<u32>,
    locals: u32,
    /// Slots of the source that are not counted: what is counted comes behind them.
    uncounted: u32,
    /// The dialect of what is met in the source's slots.
    pub(crate) local_dialect: Option<u32>,
    /// The dialects of the other slots.
    pub(crate) dialects: Vec<u32>,
}

/// Set where, in the place of a count, stands another slot.
const MOVED: u32 = 1 << 31;

impl Uses {
    /// Forgets all entries, and makes so many slots for those of the source.
    pub(crate) fn begin(&mut self, locals: u32) {
        self.counts.clear();
        match self.counts.capacity() {
            // Zeros are free until they are written.
            0 => self.counts = vec![0; locals as usize],
            _ => self.counts.resize(locals as usize, 0),
        }
        self.met.clear();
        self.met.reserve(locals as usize);
        self.moved.clear();
        self.dialects.clear();
        (self.locals, self.uncounted, self.local_dialect) = (locals, 0, None);
    }

    /// Takes back the room of what [`Uses::sorted`] and [`Uses::numbers`] gave.
    pub(crate) fn give_back(&mut self, order: Vec<u32>, numbers: SlotNumbers) {
        (self.met, self.counts) = (order, numbers.sorted);
    }

    /// How many entries there is room for.
    pub(crate) fn room(&self) -> usize {
        self.counts.capacity()
    }

    /// No entry yet, and so many slots for those of the source, which are not counted.
    pub(crate) fn behind_locals(locals: u32) -> Self {
        Uses { locals, uncounted: locals, ..Uses::default() }
    }

    /// How many slots belong to the source.
    #[inline]
    pub(crate) fn locals(&self) -> u32 {
        self.locals
    }

    /// A new entry in a slot of its own, used once.
    pub(crate) fn push(&mut self, dialect: u32) -> Result<u32> {
        let slot = self.slots();
        if slot >= MOVED - 1 {
            return Err(Error::misuse("2^31 - 1 attributes, types or names, or more"));
        }
        self.counts.push(1);
        self.met.push(slot);
        self.dialects.push(dialect);
        Ok(slot)
    }

    /// A new entry in a slot of the source, used once.
    #[inline(always)]
    pub(crate) fn meet_local(&mut self, slot: u32) {
        self.counts[slot as usize] = 1;
        self.met.push(slot);
    }

    /// Says that an entry of the source that was not met is the one in the slot `to`.
    pub(crate) fn set_moved(&mut self, local: u32, to: u32) {
        self.counts[local as usize] = MOVED | to;
        self.moved.push(local);
    }

    /// Uses what is in the slot once more, if it was met.
    #[inline]
    pub(crate) fn again(&mut self, slot: u32) -> bool {
        self.add(slot, 1)
    }

    /// Uses what is in the slot so often more, if it was met.
    #[inline]
    pub(crate) fn add(&mut self, slot: u32, uses: u32) -> bool {
        match self.counts.get_mut(slot.wrapping_sub(self.uncounted) as usize) {
            None | Some(0) => false,
            Some(&mut to) if to & MOVED != 0 => self.add(to & !MOVED, uses),
            Some(count) => {
                *count = count.saturating_add(uses).min(MOVED - 1);
                true
            }
        }
    }

    /// Number of slots, met or not.
    pub(crate) fn slots(&self) -> u32 {
        self.uncounted + self.counts.len() as u32
    }

    /// The number of the dialect of what is in the slot.
    #[inline]
    pub(crate) fn dialect(&self, slot: u32) -> u32 {
        match slot.checked_sub(self.locals) {
            None => self.local_dialect.unwrap_or(0),
            Some(at) => self.dialects[at as usize],
        }
    }

    /// Slots in the order of their numbers. What was met is forgotten.
    pub(crate) fn sorted(&mut self) -> Vec<u32> {
        let mut order = std::mem::take(&mut self.met);
        let count = |slot: u32| self.counts[slot as usize];
        // Most entries are used once: they move to the end, and only the others need sorting.
        let mut often = Vec::new();
        let mut once = order.len();
        for at in (0..order.len()).rev() {
            let slot = order[at];
            if count(slot) == 1 {
                once -= 1;
                order[once] = slot;
            } else {
                often.push(slot);
            }
        }
        often.reverse();
        often.sort_by_key(|&slot| std::cmp::Reverse(count(slot)));
        order.iter_mut().zip(often).for_each(|(to, slot)| *to = slot);

        let mut first = 0;
        let mut size = 0u64;
        let mut rest = &mut order[..];
        for bits in 1..=8 {
            // Each bucket's size is taken from the size of the one before, not from the sum: as MLIR does it.
            size = (1u64 << (7 * bits)) - size;
            let (part, after) = rest.split_at_mut(rest.len().min(usize::try_from(size).unwrap_or(usize::MAX)));
            self.by_dialect(part, first);
            let Some(&last) = part.last() else { break };
            first = self.dialect(last);
            rest = after;
        }
        order
    }

    /// Stable sort: entries of the dialect `first` before all others, then by dialect.
    fn by_dialect(&self, slots: &mut [u32], first: u32) {
        let key = |slot: u32| match self.dialect(slot) {
            dialect if dialect == first => 0,
            dialect if dialect < first => dialect + 1,
            dialect => dialect,
        };
        if slots.is_sorted_by_key(|&slot| key(slot)) {
            return;
        }
        let mut starts: Vec<usize> = Vec::new();
        for &slot in slots.iter() {
            let next = key(slot) as usize + 1;
            if next >= starts.len() {
                starts.resize(next + 1, 0);
            }
            starts[next] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let unsorted = slots.to_vec();
        for slot in unsorted {
            let start = &mut starts[key(slot) as usize];
            slots[*start] = slot;
            *start += 1;
        }
    }

    /// By slot: its number, given the slots in the order of their numbers. Counts become numbers, in place.
    pub(crate) fn numbers(&mut self, order: &[u32]) -> SlotNumbers {
        let mut numbers = std::mem::take(&mut self.counts);
        for (&slot, next) in order.iter().zip(1..) {
            numbers[slot as usize] = next;
        }
        for &local in &self.moved {
            numbers[local as usize] = numbers[(numbers[local as usize] & !MOVED) as usize];
        }
        SlotNumbers { kept: 0, sorted: numbers }
    }
}

/// By slot: the number of its entry.
#[derive(Default)]
pub(crate) struct SlotNumbers {
    /// In so many slots each number is the place.
    kept: u32,
    /// By slot, where those are none: one more than its number, 0 where it was not met.
    sorted: Vec<u32>,
}

impl SlotNumbers {
    /// Each slot's number is its place.
    pub(crate) fn identity(slots: u32) -> Self {
        SlotNumbers { kept: slots, sorted: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> Option<u32> {
        match self.sorted.get(slot as usize) {
            Some(next) => next.checked_sub(1),
            None => Some(slot).filter(|&slot| slot < self.kept),
        }
    }

    /// The numbers of all slots in turn.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<u32>> {
        (0..self.kept).map(Some).chain(self.sorted.iter().map(|next| next.checked_sub(1)))
    }
}
