//! What the assembly of several dialects shares.

pub(super) mod sizes;
