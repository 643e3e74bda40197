//! What the caller of a reader or writer puts before the encodings of the dialects.

use std::fmt;
use std::sync::Arc;

use mlirbc_ir::{Attribute, Result, Type};

use super::{EntryReader, EntryWriter};

pub(crate) type Read<T> = Arc<dyn Fn(&mut EntryReader<'_, '_>, &str) -> Result<Option<T>> + Send + Sync>;
pub(crate) type Write<T> = Arc<dyn Fn(T, &mut EntryWriter<'_>) -> Written + Send + Sync>;

/// Decoders that are tried, in order, on every entry with an encoding before that of its dialect.
///
/// Each gets a reader at the first byte of the entry, and the name of the dialect that the entry is filed under. An error
/// ends the reading of the entry; a value is taken if all bytes of the entry were read; `None` leaves it to the next.
/// Entries in text never get here.
#[derive(Clone, Default)]
pub struct ReadCallbacks {
    pub(crate) attributes: Vec<Read<Attribute>>,
    pub(crate) types: Vec<Read<Type>>,
}

impl ReadCallbacks {
    /// Adds a decoder of attributes.
    #[must_use]
    pub fn attribute(
        mut self,
        read: impl Fn(&mut EntryReader<'_, '_>, &str) -> Result<Option<Attribute>> + Send + Sync + 'static,
    ) -> Self {
        self.attributes.push(Arc::new(read));
        self
    }

    /// Adds a decoder of types.
    #[must_use]
    pub fn ty(
        mut self,
        read: impl Fn(&mut EntryReader<'_, '_>, &str) -> Result<Option<Type>> + Send + Sync + 'static,
    ) -> Self {
        self.types.push(Arc::new(read));
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.types.is_empty()
    }
}

/// What an encoder of [`WriteCallbacks`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing: the next one is tried, and the encoding of the dialect in the end. What was written does not count.
    NotMine,
    /// All of the entry.
    Entry,
    /// All of the entry, which is to be filed under the dialect of that name instead of its own.
    Under(String),
}

/// Encoders that are tried, in order, on every attribute and type before the encoding of its dialect.
///
/// As with [`DialectEncoding`](super::DialectEncoding), each is called more than once for an entry and must do the same
/// every time.
#[derive(Clone, Default)]
pub struct WriteCallbacks {
    pub(crate) attributes: Vec<Write<Attribute>>,
    pub(crate) types: Vec<Write<Type>>,
}

impl WriteCallbacks {
    /// Adds an encoder of attributes.
    #[must_use]
    pub fn attribute(
        mut self,
        write: impl Fn(Attribute, &mut EntryWriter<'_>) -> Written + Send + Sync + 'static,
    ) -> Self {
        self.attributes.push(Arc::new(write));
        self
    }

    /// Adds an encoder of types.
    #[must_use]
    pub fn ty(mut self, write: impl Fn(Type, &mut EntryWriter<'_>) -> Written + Send + Sync + 'static) -> Self {
        self.types.push(Arc::new(write));
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.types.is_empty()
    }
}

impl fmt::Debug for ReadCallbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReadCallbacks({} of attributes, {} of types)", self.attributes.len(), self.types.len())
    }
}

impl fmt::Debug for WriteCallbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WriteCallbacks({} of attributes, {} of types)", self.attributes.len(), self.types.len())
    }
}
