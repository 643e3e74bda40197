//! Blobs as numbers.

use std::ops::{Bound, RangeBounds};

use super::Number;
use crate::blob::Blob;
use crate::error::{Error, Result};

/// # As numbers
impl Blob {
    /// The little-endian bytes of numbers, which are not copied.
    ///
    /// ```
    /// use mlirbc_ir::Blob;
    ///
    /// let blob = Blob::of(vec![0.5f32, 1.5, 2.5]);
    /// assert_eq!(blob.len(), 12);
    /// assert_eq!(blob.numbers::<f32>(..2)?, [0.5, 1.5]);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn of<N: Number>(numbers: Vec<N>) -> Self {
        N::into_bytes(numbers).into()
    }

    /// Some of the numbers that the bytes are, each little-endian: `0..4`, or `..` for all. The bytes of others are not looked at.
    ///
    /// # Errors
    /// As [`Blob::part`], and where the bytes are no such numbers.
    pub fn numbers<N: Number>(&self, range: impl RangeBounds<usize>) -> Result<Vec<N>> {
        let size = size_of::<N>();
        let (start, end) = (range.start_bound().cloned(), range.end_bound().cloned());
        let start = match start {
            Bound::Included(start) => Some(start),
            Bound::Excluded(before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match end {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(end) => Some(end),
            Bound::Unbounded => Some(self.len().div_ceil(size)),
        };
        let at = |number: Option<usize>| number.and_then(|number| number.checked_mul(size)).unwrap_or(usize::MAX);
        let bytes = self.part(at(start)..at(end))?;
        let numbers: Option<Vec<N>> = bytes.chunks_exact(size).map(N::from_bytes).collect();
        numbers.ok_or_else(|| Error::malformed("the bytes of a truth value are neither 0 nor 1"))
    }
}
