//! Primitives: what [`crate::read::Cursor`] reads.

use crate::encoding::varint_bytes;
use crate::read::PADDING;

/// Bytes being written, and the alignment that something in them asked for.
#[derive(Clone, Debug)]
pub(crate) struct Emitter {
    pub(crate) bytes: Vec<u8>,
    alignment: u64,
}

/// A few integers on their way to an [`Emitter`]: appended as one, which is cheaper than each alone.
pub(crate) struct Burst {
    bytes: [u8; Burst::ROOM],
    length: usize,
}

impl Burst {
    /// How many integers fit.
    pub(crate) const INTEGERS: usize = 24;
    /// Each takes five bytes at most, and is written as eight.
    const ROOM: usize = 5 * Burst::INTEGERS + 8;

    #[inline]
    pub(crate) fn new() -> Self {
        Burst { bytes: [0; Burst::ROOM], length: 0 }
    }

    /// One of at most [`Burst::INTEGERS`]: what is more is an error of the caller's, and left out.
    #[inline]
    pub(crate) fn varint(&mut self, value: u32) {
        let length = (38 - (value | 1).leading_zeros() as usize) / 7;
        let word = (u64::from(value) << 1 | 1) << (length - 1);
        if let Some(room) = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut::<8>) {
            *room = word.to_le_bytes();
            self.length += length;
        }
    }

    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        if let Some(room) = self.bytes.get_mut(self.length) {
            *room = byte;
            self.length += 1;
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// A section being written in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenSection {
    start: usize,
    guess: usize,
}

impl Default for Emitter {
    fn default() -> Self {
        Emitter { bytes: Vec::new(), alignment: 1 }
    }
}

impl Emitter {
    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    #[inline]
    pub(crate) fn varint(&mut self, value: u64) {
        if value < 128 {
            self.bytes.push((value as u8) << 1 | 1);
        } else {
            let (bytes, length) = varint_bytes(value);
            self.bytes.extend_from_slice(&bytes[..length]);
        }
    }

    #[inline]
    pub(crate) fn varint_with_flag(&mut self, value: u64, flag: bool) {
        self.varint(value << 1 | u64::from(flag));
    }


    pub(crate) fn blob(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Says that what is in here stands at multiples of `alignment`.
    pub(crate) fn ask_for_alignment(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
    }

    /// Pads up to a multiple of `alignment`, a power of two; 0 and 1 pad nothing.
    pub(crate) fn align(&mut self, alignment: u64) {
        if alignment > 1 {
            while self.bytes.len() as u64 % alignment != 0 {
                self.bytes.push(PADDING);
            }
            self.alignment = self.alignment.max(alignment);
        }
    }

    /// Begins a section whose content is written right here. `guess` is how many bytes its length may take; a wrong guess
    /// costs a move of the content. Nothing in it may ask for alignment.
    pub(crate) fn begin_section(&mut self, id: u8, guess: usize) -> OpenSection {
        self.byte(id);
        let start = self.bytes.len();
        self.bytes.resize(start + guess, 0);
        OpenSection { start, guess }
    }

    /// Ends a section that [`Emitter::begin_section`] began.
    pub(crate) fn end_section(&mut self, section: OpenSection) {
        let OpenSection { start, guess } = section;
        let content = start + guess;
        let (length, size) = varint_bytes((self.bytes.len() - content) as u64);
        let end = self.bytes.len();
        if size > guess {
            self.bytes.resize(end + size - guess, 0);
            self.bytes.copy_within(content..end, start + size);
        } else if size < guess {
            self.bytes.copy_within(content..end, start + size);
            self.bytes.truncate(end + size - guess);
        }
        self.bytes[start..start + size].copy_from_slice(&length[..size]);
    }

    /// Appends a section: id, length, padding where its content asked for alignment, content.
    pub(crate) fn section(&mut self, id: u8, content: &Emitter) {
        let at = self.bytes.len();
        self.byte(id);
        self.varint(content.bytes.len() as u64);
        if content.alignment > 1 {
            if self.bytes.len() as u64 % content.alignment != 0 {
                self.varint(content.alignment);
                self.align(content.alignment);
                self.bytes[at] |= 0x80;
            }
            self.alignment = self.alignment.max(content.alignment);
        }
        self.bytes.extend_from_slice(&content.bytes);
    }
}
