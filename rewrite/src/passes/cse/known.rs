//! Operations that were met and hold where others are looked at.

use hashbrown::HashTable;

use mlirbc_ir::OpId;

/// An operation that others like it are replaced by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    hash: u64,
    pub(super) op: OpId,
    /// How many operations before it in its block may change memory.
    pub(super) writes: u32,
}

/// Operations by what they are, in scopes: what is entered in one is gone when that ends.
#[derive(Debug, Default)]
pub(super) struct Known {
    table: HashTable<Entry>,
    /// What was entered, in order, and what that hides.
    entered: Vec<(Entry, Option<Entry>)>,
}

/// Where a scope begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope(usize);

impl Known {
    pub(super) fn begin(&self) -> Scope {
        Scope(self.entered.len())
    }

    /// Forgets what was entered in the scope.
    pub(super) fn end(&mut self, scope: Scope) {
        if scope.0 == 0 {
            self.table.clear();
            self.entered.clear();
            return;
        }
        while self.entered.len() > scope.0 {
            let Some((entry, hidden)) = self.entered.pop() else { return };
            if let Ok(mut place) = self.table.find_entry(entry.hash, |other| other.op == entry.op) {
                match hidden {
                    Some(hidden) => *place.get_mut() = hidden,
                    None => drop(place.remove()),
                }
            }
        }
    }

    /// The operation of that hash that `same` takes.
    pub(super) fn find(&self, hash: u64, mut same: impl FnMut(OpId) -> bool) -> Option<Entry> {
        self.table.find(hash, |entry| entry.hash == hash && same(entry.op)).copied()
    }

    /// Enters an operation, in the place of `hidden`, which [`Known::find`] found.
    pub(super) fn enter(&mut self, hash: u64, op: OpId, writes: u32, hidden: Option<Entry>) {
        let entry = Entry { hash, op, writes };
        let place = hidden.and_then(|hidden| self.table.find_mut(hash, |other| other.op == hidden.op));
        match place {
            Some(place) => *place = entry,
            None => drop(self.table.insert_unique(hash, entry, |entry| entry.hash)),
        }
        self.entered.push((entry, hidden));
    }
}
