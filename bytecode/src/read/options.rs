//! What a caller says about reading.

use std::sync::Arc;

use super::index::Index;
use crate::encoding::ReadCallbacks;
use crate::format::Guard;
use crate::limits::Limits;

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Bounds that the reader keeps to.
    pub limits: Limits,
    /// An index of the file, if one was kept.
    pub index: Option<Index>,
    /// Who checks bytes before they are read.
    pub guard: Option<Arc<dyn Guard>>,
    /// Decoders that go before those of the dialects.
    pub callbacks: ReadCallbacks,
}
