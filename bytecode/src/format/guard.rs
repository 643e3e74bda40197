//! Who checks bytes before they are read.

use std::fmt::Debug;
use std::ops::Range;

use bytes::Bytes;
use mlirbc_ir::Result;

/// Checks parts of a file when they are first looked at: for files whose bytes have checksums of their own.
pub trait Guard: Debug + Send + Sync {
    /// Checks at least these bytes; returns up to where bytes from the range's start on are good, its end at least.
    ///
    /// # Errors
    /// Where they are not what was written.
    fn check(&self, range: Range<usize>) -> Result<usize>;
}

/// The bytes of a file, and their guard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data<'a> {
    bytes: &'a [u8],
    guard: Option<&'a dyn Guard>,
}

impl<'a> Data<'a> {
    pub(crate) fn new(bytes: &'a [u8], guard: Option<&'a dyn Guard>) -> Self {
        Data { bytes, guard }
    }

    /// All bytes, looked at or not.
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    #[inline]
    pub(crate) fn is_guarded(self) -> bool {
        self.guard.is_some()
    }

    /// The byte at a place, where it may be looked at at once.
    #[inline]
    pub(crate) fn unguarded(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied().filter(|_| self.guard.is_none())
    }

    /// Checks a range; up to where bytes are good.
    pub(crate) fn check(self, range: Range<usize>) -> Result<usize> {
        match self.guard {
            Some(guard) => guard.check(range),
            None => Ok(self.bytes.len()),
        }
    }

    /// The bytes of a range, checked; nothing where it goes past the end.
    #[inline]
    pub(crate) fn get(self, range: Range<usize>) -> Result<Option<&'a [u8]>> {
        let Some(bytes) = self.bytes.get(range.clone()) else { return Ok(None) };
        if self.guard.is_some() && !range.is_empty() {
            self.check(range)?;
        }
        Ok(Some(bytes))
    }
}

impl<'a> From<&'a [u8]> for Data<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Data { bytes, guard: None }
    }
}

impl<'a> From<&'a Vec<u8>> for Data<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Data { bytes, guard: None }
    }
}

impl<'a> From<&'a Bytes> for Data<'a> {
    fn from(bytes: &'a Bytes) -> Self {
        Data { bytes, guard: None }
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Data<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Data { bytes, guard: None }
    }
}
