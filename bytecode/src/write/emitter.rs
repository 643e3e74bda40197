//! Primitives: what [`crate::read::Cursor`] reads.

use crate::encoding::varint_bytes;
use crate::read::PADDING;

/// Bytes being written, and the alignment that something in them asked for.
#[derive(Clone, Debug)]
pub(crate) struct Emitter {
    pub(crate) bytes: Vec<u8>,
    alignment: u64,
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
