//! How much folding may make.

use std::cell::Cell;

/// The most elements of constants that folding makes in one body, splats aside. Each operation on a constant of many elements makes
/// another one: without a bound, a small file could fill the memory.
const ELEMENTS: u64 = 1 << 24;

/// What is left of it.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Default for Budget {
    fn default() -> Self {
        Budget(Cell::new(ELEMENTS))
    }
}

impl Budget {
    /// Begins anew.
    pub(crate) fn reset(&self) {
        self.0.set(ELEMENTS);
    }

    /// Takes so many elements from what is left. Whether there were as many.
    pub(super) fn take(&self, elements: u64) -> bool {
        match self.0.get().checked_sub(elements) {
            Some(left) => {
                self.0.set(left);
                true
            }
            None => false,
        }
    }
}
