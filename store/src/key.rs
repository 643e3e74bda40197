//! Keys: 256-bit digests.

use std::fmt;
use std::str::FromStr;

use mlirbc_ir::{Error, Result};

/// What a module is found by: a 256-bit digest that the caller makes, or that [`Key::builder`] makes of parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// A key that is the digest given.
    pub const fn new(digest: [u8; 32]) -> Self {
        Key(digest)
    }

    /// The digest (BLAKE3) of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Key(blake3::hash(bytes).into())
    }

    /// The digest of several parts: what decides what a module is, such as its source and the version of what compiles it. Where each part
    /// ends counts, and their order: [`Key::builder`] gives them names, too.
    ///
    /// ```
    /// use mlirbc_store::Key;
    /// let source = String::from("func.func @f()");
    /// let key = Key::of_parts([&source, env!("CARGO_PKG_VERSION")]);
    /// assert_ne!(key, Key::of_parts([source + env!("CARGO_PKG_VERSION")]));
    /// ```
    pub fn of_parts(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        parts.into_iter().fold(Self::builder(), |key, part| key.part("", part)).finish()
    }

    /// A key of named parts: source, options, compiler version.
    ///
    /// ```
    /// use mlirbc_store::Key;
    /// let key = Key::builder().part("source", "func.func @f()").part("options", "-O2").finish();
    /// assert_ne!(key, Key::builder().part("source", "func.func @f()-O2").finish());
    /// assert_eq!(key.to_string().parse::<Key>()?, key);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn builder() -> KeyBuilder {
        KeyBuilder(blake3::Hasher::new())
    }

    /// The digest.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A hash of the key that is the same in every process and version: what sorted indices are in the order of.
    pub(crate) fn fingerprint(&self) -> u64 {
        let (words, _) = self.0.as_chunks::<8>();
        words.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
            let mixed = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mixed ^ (mixed >> 32)
        })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl FromStr for Key {
    type Err = Error;

    /// # Errors
    /// Where the text is not 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || Error::misuse("a key is 64 hexadecimal digits");
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return Err(wrong());
        }
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(pairs) {
            let digit = |digit: u8| char::from(digit).to_digit(16).ok_or_else(wrong);
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Key(digest))
    }
}

/// Makes a [`Key`] of named parts.
#[derive(Clone, Debug)]
pub struct KeyBuilder(blake3::Hasher);

impl KeyBuilder {
    /// Adds a part. Names, lengths and the order of parts count: no two sequences of parts run into each other.
    #[must_use]
    pub fn part(mut self, name: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> Self {
        for bytes in [name.as_ref(), bytes.as_ref()] {
            self.0.update(&(bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        self
    }

    /// The key.
    pub fn finish(self) -> Key {
        Key(self.0.finalize().into())
    }
}
