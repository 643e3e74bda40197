//! What a resource holds that may be large: looked at on demand.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::{Error, Result};

/// Checks a range of a blob.
type Check = dyn Fn(Range<usize>) -> Result<()> + Send + Sync;

/// Bytes of a resource. Where they come from a source with checksums of its own, they are checked when they are asked
/// for, and only those that are.
#[derive(Clone)]
pub struct Blob {
    bytes: Bytes,
    check: Option<Arc<Check>>,
}

impl Blob {
    /// Bytes that `check` is asked about before a range of them is given out.
    #[doc(hidden)]
    pub fn checked_by(bytes: Bytes, check: impl Fn(Range<usize>) -> Result<()> + Send + Sync + 'static) -> Self {
        Blob { bytes, check: Some(Arc::new(check)) }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All of the bytes.
    ///
    /// # Errors
    /// Where they are not what was written.
    pub fn bytes(&self) -> Result<&Bytes> {
        match &self.check {
            Some(check) if !self.is_empty() => check(0..self.len()).map(|()| &self.bytes),
            _ => Ok(&self.bytes),
        }
    }

    /// Some of the bytes; the others are not looked at.
    ///
    /// # Errors
    /// Where they are not what was written, or the range goes past the end.
    pub fn part(&self, range: Range<usize>) -> Result<Bytes> {
        if range.start > range.end || range.end > self.len() {
            return Err(Error::misuse(format!("{range:?} of a blob of {}", Error::counted(self.len(), "byte"))));
        }
        match &self.check {
            Some(check) if !range.is_empty() => check(range.clone())?,
            _ => {}
        }
        Ok(self.bytes.slice(range))
    }
}

impl From<Bytes> for Blob {
    fn from(bytes: Bytes) -> Self {
        Blob { bytes, check: None }
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

/// By their bytes, checked or not.
impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Blob {}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({})", Error::counted(self.len(), "byte"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_checked() {
        let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
        let noted = asked.clone();
        let blob = Blob::checked_by(Bytes::from_static(b"0123456789"), move |range| {
            noted.lock().unwrap().push(range.clone());
            if range.contains(&7) { Err(Error::malformed("damaged")) } else { Ok(()) }
        });
        assert_eq!(blob.len(), 10);
        assert!(asked.lock().unwrap().is_empty());
        assert_eq!(blob.part(2..5).unwrap(), "234");
        assert_eq!(blob.part(3..3).unwrap(), "");
        assert!(blob.bytes().is_err() && blob.part(6..8).is_err());
        assert_eq!(*asked.lock().unwrap(), [2..5, 0..10, 6..8]);
        assert!(blob.part(5..11).is_err());
        assert_eq!(Blob::from(b"0123456789".to_vec()), blob);
    }

    #[test]
    fn numbers_are_little_endian() {
        let blob = Blob::of(vec![1u16, 0x203, 4]);
        assert_eq!(blob, Blob::from(vec![1, 0, 3, 2, 4, 0]));
        assert_eq!(blob.numbers::<u16>(..).unwrap(), [1, 0x203, 4]);
        assert_eq!((blob.numbers::<i16>(1..2).unwrap(), blob.numbers::<u8>(4..=4).unwrap()), (vec![0x203], vec![4]));
        assert!(blob.numbers::<u16>(3..).unwrap().is_empty());
        assert!(blob.numbers::<u32>(..).is_err() && blob.numbers::<u16>(2..4).is_err());
        assert!(blob.numbers::<u16>(4..).is_err() && blob.numbers::<u64>(usize::MAX..=usize::MAX).is_err());
        assert_eq!(Blob::of(vec![true, false]).numbers::<bool>(..).unwrap(), [true, false]);
        assert!(blob.numbers::<bool>(..).is_err());
    }
}
