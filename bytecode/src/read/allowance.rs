//! What decoding may make beyond the bytes of the file.

use std::sync::atomic::{AtomicU64, Ordering};

use mlirbc_ir::{Error, Result};

use crate::limits::Limits;

/// Bytes that are left to be made of what the file holds once: see [`Limits::expansion`].
#[derive(Debug)]
pub(crate) struct Allowance(AtomicU64);

impl Allowance {
    pub(crate) fn new(limits: Limits, length: usize) -> Self {
        Allowance(AtomicU64::new(limits.expansion.saturating_add((length as u64).saturating_mul(4))))
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    /// Where fewer are left.
    #[inline]
    pub(crate) fn take(&self, bytes: u64) -> Result<()> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        if taken.is_ok() { Ok(()) } else { Err(exhausted()) }
    }
}

#[cold]
fn exhausted() -> Error {
    Error::malformed("the file's entries ask for many times the memory of the file: see `Limits::expansion`")
}
