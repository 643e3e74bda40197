//! What the assembly of several dialects shares.

pub(crate) mod cases;
pub(crate) mod constants;
pub(crate) mod functions;
pub(super) mod iterators;
pub(crate) mod memrefs;
pub(crate) mod regions;
pub(super) mod sizes;
pub(crate) mod types;
pub(super) mod values;
