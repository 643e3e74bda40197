//! What a caller says about reading.

use std::sync::Arc;

use super::index::Index;
use crate::encoding::ReadCallbacks;
use crate::format::Guard;
use crate::limits::Limits;

/// How to read a file.
///
/// ```
/// use mlirbc_bytecode::{Limits, ReadOptions};
///
/// let mut limits = Limits::default();
/// limits.region_depth = 64;
/// let options = ReadOptions::new().limits(limits);
/// assert_eq!(options.limits.region_depth, 64);
/// ```
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

impl ReadOptions {
    /// The usual limits, and nothing else.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`ReadOptions::limits`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`ReadOptions::index`].
    #[must_use]
    pub fn index(mut self, index: impl Into<Option<Index>>) -> Self {
        self.index = index.into();
        self
    }

    /// Sets [`ReadOptions::guard`].
    #[must_use]
    pub fn guard(mut self, guard: Arc<dyn Guard>) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Sets [`ReadOptions::callbacks`].
    #[must_use]
    pub fn callbacks(mut self, callbacks: ReadCallbacks) -> Self {
        self.callbacks = callbacks;
        self
    }
}
