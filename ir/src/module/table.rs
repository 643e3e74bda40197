//! The flat table of a module's bodies.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Slot;

/// So many slots stand in the table itself: small modules have no more bodies, and their table takes no room elsewhere.
const FEW: usize = 8;

/// Slots that are added from any thread. Looking at one takes no lock.
#[derive(Debug, Default)]
pub(super) struct Table {
    few: [OnceLock<Slot>; FEW],
    /// How many were added.
    added: AtomicUsize,
    /// Those behind the first few.
    more: OnceLock<Box<boxcar::Vec<Slot>>>,
}

impl Table {
    /// How many slots there are: while other threads add some, not all of these may be there yet.
    pub(super) fn count(&self) -> usize {
        match self.more.get() {
            Some(more) => FEW + more.count(),
            None => self.added.load(Ordering::Acquire).min(FEW),
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&Slot> {
        match self.few.get(at) {
            Some(slot) => slot.get(),
            None => self.more.get()?.get(at - FEW),
        }
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Slot> {
        match self.few.get_mut(at) {
            Some(slot) => slot.get_mut(),
            None => self.more.get_mut()?.get_mut(at - FEW),
        }
    }

    /// Adds a slot; gives its number.
    pub(super) fn push(&self, slot: Slot) -> usize {
        let at = self.added.fetch_add(1, Ordering::AcqRel);
        match self.few.get(at) {
            Some(empty) => {
                // No other thread was given the number.
                let _ = empty.set(slot);
                at
            }
            None => FEW + self.more.get_or_init(Box::default).push(slot),
        }
    }

    /// Forgets the slots from that number on.
    pub(super) fn truncate(&mut self, count: usize) {
        let all = std::mem::take(self);
        let slots = all.few.into_iter().filter_map(OnceLock::into_inner);
        let more = all.more.into_inner().into_iter().flat_map(|more| *more);
        for slot in slots.chain(more).take(count) {
            self.push(slot);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        (0..self.count()).filter_map(|at| self.get(at))
    }
}
