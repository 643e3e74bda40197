//! What several dialects share.

pub(crate) mod branches;
pub(crate) mod cases;
pub(crate) mod constants;
pub(crate) mod dense;
pub(crate) mod effects;
pub(super) mod iterators;
pub(crate) mod layouts;
pub(crate) mod memrefs;
pub(crate) mod mixed;
pub(crate) mod patterns;
pub(crate) mod regions;
pub(crate) mod reshapes;
pub(super) mod sizes;
pub(crate) mod speculation;
pub(crate) mod types;
pub(super) mod values;
