//! Primitives: what [`crate::format::Cursor`] reads.

use std::io::{self, Write};
use std::num::NonZeroU64;

use bytes::Bytes;

use crate::encoding::varint_bytes;
use crate::format::PADDING;

/// Bytes being written, and the alignment that something in them asked for.
#[derive(Clone, Debug)]
pub(crate) struct Emitter {
    /// All but what is shared.
    pub(crate) bytes: Vec<u8>,
    /// What is written from where it stands, each before the byte of `bytes` of that number.
    shared: Vec<(usize, Bytes)>,
    shared_length: usize,
    alignment: u64,
}

/// Blobs of so many bytes are shared, not copied.
const SHARED: usize = 1 << 12;

/// Up to seven bytes, kept to be written many times: in the highest byte stands how many they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded(NonZeroU64);

impl Coded {
    #[inline]
    fn of(bytes: u64, length: u64) -> Self {
        Coded(NonZeroU64::new(bytes | length << 56).unwrap_or(NonZeroU64::MIN))
    }

    /// An integer in its shortest form.
    #[inline]
    pub(crate) fn new(value: u32) -> Self {
        let (bytes, length) = coded(value);
        Self::of(bytes, length.into())
    }

    /// A byte as it is.
    #[inline]
    pub(crate) fn byte(byte: u8) -> Self {
        Self::of(byte.into(), 1)
    }

    /// Both in turn as one, where they are not more than seven bytes.
    #[inline]
    pub(crate) fn then(self, next: Coded) -> Option<Coded> {
        let (bytes, length) = (self.0.get() << 8 >> 8, self.0.get() >> 56);
        let (more, count) = (next.0.get() << 8 >> 8, next.0.get() >> 56);
        (length + count <= 7).then(|| Self::of(bytes | more << (8 * length), length + count))
    }
}

/// Five bytes at most, and how many.
#[inline]
fn coded(value: u32) -> (u64, u32) {
    // Seven bits a byte: a multiplication and a shift that agree with the division up to 32 bits.
    let length = ((value | 1).ilog2() * 9 + 73) >> 6;
    ((u64::from(value) << 1 | 1) << (length - 1), length)
}

/// Bytes on their way to an [`Emitter`], handed on many at a time: to copy what has only just been written means to wait for it.
pub(crate) struct Pending {
    bytes: [u8; Pending::ROOM],
    length: u32,
}

impl Pending {
    const ROOM: usize = 512;

    /// How many bytes may stay: eight integers of five bytes each fit behind them, the last written as eight.
    const FEW: u32 = Self::ROOM as u32 - 8 - 7 * 5;

    pub(crate) fn new() -> Self {
        Pending { bytes: [0; Self::ROOM], length: 0 }
    }

    /// Begins integers that are written together.
    #[inline]
    pub(crate) fn burst(&mut self, emitter: &mut Emitter) -> Burst<'_> {
        let length = self.length;
        let mut burst = Burst { pending: self, length };
        burst.relieve(emitter);
        burst
    }

    /// Hands on all that is there.
    #[inline]
    pub(crate) fn flush(&mut self, emitter: &mut Emitter) {
        emitter.bytes.extend_from_slice(&self.bytes[..self.length as usize]);
        self.length = 0;
    }
}

/// A few integers that are written together: see [`Burst::keep`].
///
/// There is always room for eight of them after [`Burst::relieve`]. Their length stands apart until they are kept, so that the compiler need
/// not have it in memory.
pub(crate) struct Burst<'p> {
    pending: &'p mut Pending,
    length: u32,
}

impl Burst<'_> {
    #[inline]
    fn put(&mut self, word: u64, length: u32) {
        let at = self.length as usize;
        self.pending.bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
        self.length += length;
    }

    #[inline]
    pub(crate) fn varint(&mut self, value: u32) {
        let (word, length) = coded(value);
        self.put(word, length);
    }

    #[inline]
    pub(crate) fn coded(&mut self, value: Coded) {
        let word = value.0.get();
        self.put(word, (word >> 56) as u32);
    }

    /// Hands on what is there, if it is much.
    #[inline]
    pub(crate) fn relieve(&mut self, emitter: &mut Emitter) {
        if self.length > Pending::FEW {
            self.pending.length = std::mem::take(&mut self.length);
            self.pending.flush(emitter);
        }
    }

    /// How many bytes there are that were not handed on.
    #[inline]
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// Leaves them to be handed on, and says how many there are now that were not.
    #[inline]
    pub(crate) fn keep(self) -> u32 {
        self.pending.length = self.length;
        self.length
    }
}

/// How many bytes the length of a section takes that has about so many bytes: for [`Emitter::begin_section`].
pub(crate) fn length_guess(bytes: usize) -> usize {
    varint_bytes(bytes as u64).1
}

/// A section being written in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenSection {
    start: usize,
    guess: usize,
    /// How many bytes were shared before it.
    shared: usize,
}

impl Default for Emitter {
    fn default() -> Self {
        Emitter { bytes: Vec::new(), shared: Vec::new(), shared_length: 0, alignment: 1 }
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

    /// How many bytes there are, shared ones too.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.shared_length
    }

    /// Appends bytes, which are not copied where they are many.
    pub(crate) fn share(&mut self, bytes: &Bytes) {
        if bytes.len() < SHARED {
            return self.bytes.extend_from_slice(bytes);
        }
        self.shared.push((self.bytes.len(), bytes.clone()));
        self.shared_length += bytes.len();
    }

    /// How far it has been written: for [`Emitter::rewind`].
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.bytes.len(), self.shared.len())
    }

    /// Takes away all that was written since.
    pub(crate) fn rewind(&mut self, (bytes, shared): (usize, usize)) {
        self.bytes.truncate(bytes);
        self.shared_length -= self.shared.drain(shared..).map(|shared| shared.1.len()).sum::<usize>();
    }

    /// All of the bytes, in pieces.
    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.shared.iter().map(|shared| shared.0));
        let ends = self.shared.iter().map(|shared| shared.0).chain([self.bytes.len()]);
        let shared = self.shared.iter().map(|shared| &*shared.1).chain([&[][..]]);
        starts.zip(ends).zip(shared).flat_map(|((start, end), shared)| [&self.bytes[start..end], shared])
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        if self.shared.is_empty() {
            return self.bytes;
        }
        let mut whole = Vec::with_capacity(self.len());
        self.pieces().for_each(|piece| whole.extend_from_slice(piece));
        whole
    }

    pub(crate) fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        self.pieces().try_for_each(|piece| to.write_all(piece))
    }

    /// Says that what is in here stands at multiples of `alignment`.
    pub(crate) fn ask_for_alignment(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
    }

    /// Pads up to a multiple of `alignment`, a power of two; 0 and 1 pad nothing.
    pub(crate) fn align(&mut self, alignment: u64) {
        if alignment > 1 {
            let missing = (self.len() as u64).next_multiple_of(alignment) - self.len() as u64;
            self.bytes.resize(self.bytes.len() + missing as usize, PADDING);
            self.alignment = self.alignment.max(alignment);
        }
    }

    /// Begins a section whose content is written right here. `guess` is how many bytes its length may take; a wrong guess
    /// costs a move of the content. Nothing in it may ask for alignment.
    pub(crate) fn begin_section(&mut self, id: u8, guess: usize) -> OpenSection {
        self.byte(id);
        let start = self.bytes.len();
        self.bytes.resize(start + guess, 0);
        OpenSection { start, guess, shared: self.shared_length }
    }

    /// Ends a section that [`Emitter::begin_section`] began.
    pub(crate) fn end_section(&mut self, section: OpenSection) {
        let OpenSection { start, guess, shared } = section;
        let content = start + guess;
        let (length, size) = varint_bytes((self.bytes.len() - content + self.shared_length - shared) as u64);
        self.fill_gap(start, guess, &length[..size]);
    }

    /// Puts `bytes` in the place of the `gap` bytes at `start`: what follows is moved where these are not as many.
    pub(crate) fn fill_gap(&mut self, start: usize, gap: usize, bytes: &[u8]) {
        let end = self.bytes.len();
        let moved = start + gap..end;
        if bytes.len() > gap {
            self.bytes.resize(end + bytes.len() - gap, 0);
        }
        if bytes.len() != gap {
            self.bytes.copy_within(moved, start + bytes.len());
        }
        self.bytes.truncate(end + bytes.len() - gap);
        self.bytes[start..][..bytes.len()].copy_from_slice(bytes);
        for (at, _) in self.shared.iter_mut().rev().take_while(|(at, _)| *at >= start + gap) {
            *at = *at + bytes.len() - gap;
        }
    }

    /// Appends a section: id, length, padding where its content asked for alignment, content.
    pub(crate) fn section(&mut self, id: u8, content: &Emitter) {
        let at = self.bytes.len();
        self.byte(id);
        self.varint(content.len() as u64);
        if content.alignment > 1 {
            if !(self.len() as u64).is_multiple_of(content.alignment) {
                self.varint(content.alignment);
                self.align(content.alignment);
                self.bytes[at] |= 0x80;
            }
            self.alignment = self.alignment.max(content.alignment);
        }
        let start = self.bytes.len();
        self.shared.extend(content.shared.iter().map(|(at, bytes)| (start + at, bytes.clone())));
        self.shared_length += content.shared_length;
        self.bytes.extend_from_slice(&content.bytes);
    }
}
