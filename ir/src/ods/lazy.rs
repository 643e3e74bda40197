//! The part of a definition that is decoded when first asked for.

use std::sync::{Arc, OnceLock};

use super::definition::OpDetails;
use super::table::OpTable;

/// [`OpDetails`], or where in a table they are.
#[derive(Clone, Default)]
pub(crate) struct Lazy {
    cell: OnceLock<Arc<OpDetails>>,
    source: Option<(OpTable, usize)>,
}

impl Lazy {
    pub(crate) fn at(table: OpTable, offset: usize) -> Self {
        Lazy { cell: OnceLock::new(), source: Some((table, offset)) }
    }

    pub(crate) fn get(&self) -> &Arc<OpDetails> {
        self.cell.get_or_init(|| {
            // A table is checked whole before it is used, so this finds what it looks for.
            let found = self.source.as_ref().and_then(|(table, offset)| table.details(*offset));
            Arc::new(found.unwrap_or_default())
        })
    }
}

impl From<OpDetails> for Lazy {
    fn from(details: OpDetails) -> Self {
        Lazy { cell: OnceLock::from(Arc::new(details)), source: None }
    }
}

impl PartialEq for Lazy {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Lazy {}

impl std::fmt::Debug for Lazy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}
