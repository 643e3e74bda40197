//! How many parts composites are taken apart into: an instruction of a few words may load, copy or repeat thousands, and a module has many
//! instructions.

use std::sync::atomic::{AtomicU64, Ordering};

use mlirbc_rewrite::NoMatch;

/// An operation is taken apart into so many parts at most.
const OF_ONE: u64 = 4096;

/// So many parts of an operation are not counted.
const FREE: u64 = 64;

/// So many parts that are counted are made in all.
const OF_ALL: u64 = 1 << 19;

/// So many elements of a constant count as one part: they are no operations.
const ELEMENTS: u64 = 4;

/// A vector has so many elements at most where these are looked at one after the other.
const LANES: u64 = 64;

/// What is left for all operations together.
#[derive(Debug)]
pub(super) struct Parts {
    left: AtomicU64,
}

impl Default for Parts {
    fn default() -> Self {
        Parts { left: AtomicU64::new(OF_ALL) }
    }
}

impl Parts {
    /// What one operation may be taken apart into.
    pub(super) fn of_one(&self) -> OfOne<'_> {
        OfOne { all: self, taken: 0 }
    }

    /// Takes the elements of a constant.
    ///
    /// # Errors
    /// No match where too many were taken.
    pub(super) fn take_elements(&self, count: u64) -> Result<(), NoMatch> {
        self.take(count.div_ceil(ELEMENTS))
    }

    fn take(&self, count: u64) -> Result<(), NoMatch> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
        if taken.is_err() {
            // Nothing else is made, so that it is known to be used up.
            self.left.store(0, Ordering::Relaxed);
            return Err(NoMatch::Reason("all that is taken apart has too many parts"));
        }
        Ok(())
    }

    /// Whether nothing is left.
    pub(super) fn are_used_up(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// Begins anew.
    pub(super) fn refill(&self) {
        self.left.store(OF_ALL, Ordering::Relaxed);
    }
}

/// What is left for one operation.
pub(super) struct OfOne<'p> {
    all: &'p Parts,
    taken: u64,
}

impl OfOne<'_> {
    /// Takes so many parts.
    ///
    /// # Errors
    /// No match where they are too many.
    pub(super) fn take(&mut self, count: u64) -> Result<(), NoMatch> {
        let before = self.taken;
        self.taken = before.saturating_add(count);
        if self.taken > OF_ONE {
            return Err(NoMatch::Reason("what is taken apart has too many parts"));
        }
        match self.taken.max(FREE) - before.max(FREE) {
            0 => Ok(()),
            counted => self.all.take(counted),
        }
    }
}

/// How many elements a vector has that are looked at one after the other.
///
/// # Errors
/// No match where they are too many.
pub(super) fn few(lanes: u64) -> Result<u32, NoMatch> {
    let few = Some(lanes).filter(|&lanes| lanes <= LANES).and_then(|lanes| u32::try_from(lanes).ok());
    few.ok_or(NoMatch::Reason("a vector has too many elements"))
}
