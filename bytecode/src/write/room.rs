//! The room that all passes of writing a module take, which the next module has again.

use super::ledger::Ledger;
use super::operation::Sheets;
use super::properties::Blobs;

/// The room of one module.
#[derive(Default)]
pub(crate) struct Room {
    pub(crate) ledger: Box<Ledger>,
    pub(crate) blobs: Blobs,
    pub(crate) sheets: Sheets,
}

impl Room {
    /// Makes it ready for the next module, after one that was written; `false` where it is better let go of.
    pub(crate) fn clear(&mut self) -> bool {
        if self.ledger.is_large() {
            return false;
        }
        self.ledger.name_keys.iter().for_each(|key| self.sheets.forget(key.name));
        self.ledger.clear();
        self.blobs.clear();
        true
    }
}
