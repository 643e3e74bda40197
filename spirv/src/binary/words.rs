//! The words of a module, viewed in place, and its header.

use std::borrow::Cow;

use bytes::Bytes;
use mlirbc_ir::{Error, Result};
use zerocopy::byteorder::{BE, ByteOrder, LE, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The first word of a module.
pub const MAGIC: u32 = 0x0723_0203;

/// How many words come before the instructions.
pub(crate) const HEADER: usize = 5;

/// A header as it lies in a file.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Layout<O: ByteOrder> {
    magic: U32<O>,
    version: U32<O>,
    generator: U32<O>,
    bound: U32<O>,
    schema: U32<O>,
}

/// The header of a module (SPIR-V 1.6, section 2.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Header {
    /// Major and minor number, in the third and second byte: `0x00010300` is 1.3.
    pub version: u32,
    /// What wrote the module: a registered tool in the upper half, its version in the lower.
    pub generator: u32,
    /// Every id is below it.
    pub bound: u32,
    /// Reserved: 0.
    pub schema: u32,
    /// Whether the words are big-endian.
    pub big_endian: bool,
}

impl Header {
    /// The header in these bytes.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let short = || Error::malformed(format!("a SPIR-V header has 20 bytes, not {}", bytes.len())).at(0);
        let (little, _) = Layout::<LE>::ref_from_prefix(bytes).map_err(|_| short())?;
        let (big, _) = Layout::<BE>::ref_from_prefix(bytes).map_err(|_| short())?;
        match (little.magic.get(), big.magic.get()) {
            (MAGIC, _) => Ok(little.header(false)),
            (_, MAGIC) => Ok(big.header(true)),
            (found, _) => {
                Err(Error::malformed(format!("expected the magic word {MAGIC:#010x}, found {found:#010x}")).at(0))
            }
        }
    }

    /// The header as words.
    pub(crate) fn words(&self) -> [u32; HEADER] {
        [MAGIC, self.version, self.generator, self.bound, self.schema]
    }
}

impl<O: ByteOrder> Layout<O> {
    fn header(&self, big_endian: bool) -> Header {
        Header {
            version: self.version.get(),
            generator: self.generator.get(),
            bound: self.bound.get(),
            schema: self.schema.get(),
            big_endian,
        }
    }
}

/// The words of a module in this machine's order: the bytes of the file where they lie well, else a copy.
pub(crate) enum Words {
    View(Bytes),
    Copy(Box<[u32]>),
}

impl Words {
    /// Reads the header, and views the rest.
    pub(crate) fn open(bytes: Bytes) -> Result<(Header, Self)> {
        let header = Header::read(&bytes)?;
        if !bytes.len().is_multiple_of(4) {
            let message = format!("a module is whole words, not {}", Error::counted(bytes.len(), "byte"));
            return Err(Error::malformed(message).at(bytes.len() as u64 & !3));
        }
        // Properties are numbered by word.
        if bytes.len() / 4 >= 1 << 31 {
            return Err(Error::malformed("2^31 words, or more"));
        }
        let swapped = header.big_endian != cfg!(target_endian = "big");
        let words = match (swapped, bytemuck::try_cast_slice::<u8, u32>(&bytes)) {
            (false, Ok(_)) => Words::View(bytes),
            (false, Err(_)) => Words::Copy(bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect()),
            (true, _) => {
                Words::Copy(bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word).swap_bytes()).collect())
            }
        };
        Ok((header, words))
    }

    #[inline]
    pub(crate) fn get(&self) -> &[u32] {
        match self {
            // It was cast before.
            Words::View(bytes) => bytemuck::try_cast_slice(bytes).unwrap_or_default(),
            Words::Copy(words) => words,
        }
    }
}

/// The bytes of words, in the order that the header says.
pub(crate) fn to_bytes(words: &mut [u32], big_endian: bool) -> Vec<u8> {
    if big_endian != cfg!(target_endian = "big") {
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    bytemuck::cast_slice(words).to_vec()
}

/// The bytes of a string that ends in these words, and how many words it takes; `None` where no zero closes it.
pub(crate) fn string(words: &[u32]) -> Option<(Cow<'_, [u8]>, usize)> {
    let last = words.iter().position(|&word| has_zero(word))?;
    let length = 4 * last + words[last].to_le_bytes().iter().position(|&byte| byte == 0)?;
    let bytes: Cow<'_, [u8]> = match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(&words[..=last])[..length].into(),
        false => words[..=last].iter().flat_map(|word| word.to_le_bytes()).take(length).collect(),
    };
    Some((bytes, last + 1))
}

/// How many words the string at the start of these takes.
pub(crate) fn string_words(words: &[u32]) -> Option<usize> {
    Some(words.iter().position(|&word| has_zero(word))? + 1)
}

/// Whether the words are one string, of which the last word is the only one with a zero.
#[inline]
pub(crate) fn is_string(words: &[u32]) -> bool {
    let Some((&last, others)) = words.split_last() else { return false };
    // All are looked at: a string is short, and a jump out of the loop costs more.
    has_zero(last) && !others.iter().fold(false, |found, &word| found | has_zero(word))
}

#[inline]
pub(crate) fn has_zero(word: u32) -> bool {
    word.wrapping_sub(0x0101_0101) & !word & 0x8080_8080 != 0
}

/// Whether what follows the zero in the last word of a string is zero, too.
pub(crate) fn is_filled_with_zeros(last: u32) -> bool {
    let zero = last.to_le_bytes().iter().position(|&byte| byte == 0).unwrap_or(3);
    u64::from(last) >> (8 * zero) == 0
}

/// Appends a string as words.
pub(crate) fn push_string(words: &mut Vec<u32>, string: &[u8]) {
    let (whole, rest) = string.as_chunks::<4>();
    words.extend(whole.iter().map(|bytes| u32::from_le_bytes(*bytes)));
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    words.push(u32::from_le_bytes(last));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_go_into_words_and_back() {
        for length in 0..20 {
            let text: Vec<u8> = (1..=length).collect();
            let mut words = Vec::new();
            push_string(&mut words, &text);
            assert_eq!(words.len(), usize::from(length) / 4 + 1);
            assert!(is_filled_with_zeros(words[words.len() - 1]));
            let count = words.len();
            words.push(7);
            assert_eq!(string(&words), Some((text.into(), count)));
            assert_eq!(string_words(&words), Some(count));
        }
        assert_eq!(string(&[0x4141_4141]), None);
        assert!(!is_filled_with_zeros(0x4100_4141));
        for word in [0, 0x0101_0101, 0x8080_8080, 0x0080_0101, 0x0100_0000, 0xff00_ffff, 0x7f7f_7f7f, 0x8000_0001] {
            assert_eq!(has_zero(word), word.to_le_bytes().contains(&0), "{word:#x}");
        }
    }

    #[test]
    fn words_that_do_not_lie_well_are_copied() {
        let mut file = vec![0];
        for word in [MAGIC, 0x10000, 0, 1, 0] {
            file.extend_from_slice(&u32::to_le_bytes(word));
        }
        for start in 0..2 {
            let bytes = Bytes::from(file.clone()).slice(1..);
            let moved = Bytes::from(bytes.to_vec());
            let (header, words) = Words::open(if start == 0 { bytes } else { moved }).expect("a module");
            assert_eq!(words.get(), header.words());
        }
    }
}
