//! One record: how it is written, and what is checked before any of it is given out.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "lengths are of what is in memory, or of a header that was found to fit its map"
)]

use std::io;
use std::ops::Range;

use bytes::Bytes;
use zerocopy::IntoBytes;

use crate::key::Key;
use crate::layout::{ALIGNMENT, BLOCK, END, MOST_ALIGNMENT, RECORD_MAGIC, RecordHeader, Trailer, UNIT};

/// What kind of bytes a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// MLIR bytecode.
    Bytecode,
    /// A SPIR-V module, as words.
    Spirv,
    /// Anything else.
    Other,
    /// A kind that this build does not know; its number in the record.
    Unknown(u8),
}

impl RecordKind {
    /// What the bytes seem to be, by their first four.
    pub fn of(bytes: &[u8]) -> RecordKind {
        match bytes {
            [b'M', b'L', 0xef, b'R', ..] => RecordKind::Bytecode,
            [0x03, 0x02, 0x23, 0x07, ..] | [0x07, 0x23, 0x02, 0x03, ..] => RecordKind::Spirv,
            _ => RecordKind::Other,
        }
    }

    pub(crate) fn number(self) -> u8 {
        match self {
            RecordKind::Bytecode => 1,
            RecordKind::Spirv => 2,
            RecordKind::Other => 3,
            RecordKind::Unknown(number) => number,
        }
    }

    pub(crate) fn from_number(number: u8) -> RecordKind {
        match number {
            1 => RecordKind::Bytecode,
            2 => RecordKind::Spirv,
            3 => RecordKind::Other,
            number => RecordKind::Unknown(number),
        }
    }
}

/// The kind of a record that stands for a removal.
pub(crate) const REMOVED: u8 = 0;

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) key: Key,
    /// `None`: a removal.
    pub(crate) kind: Option<RecordKind>,
    /// As in [`RecordHeader::form`].
    pub(crate) form: u8,
    pub(crate) value: &'a [u8],
    pub(crate) index: &'a [u8],
    pub(crate) meta: &'a [u8],
    /// What the value is to stand at a multiple of.
    pub(crate) alignment: u64,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    pub(crate) sequence: u64,
}

/// Up to this size a record is copied together and written by one call.
const TOGETHER: u64 = 256 << 10;

impl Draft<'_> {
    /// A removal.
    pub(crate) fn removal(key: Key, created: u64) -> Self {
        let (kind, form) = (None, RecordHeader::VALUE);
        Draft { key, kind, form, value: &[], index: &[], meta: &[], alignment: ALIGNMENT, created, sequence: 0 }
    }

    /// The header, except for its place; the value's place counts from `at`.
    fn header(&self, at: u64) -> RecordHeader {
        let alignment = self.alignment.clamp(ALIGNMENT, MOST_ALIGNMENT);
        let mut header = RecordHeader {
            magic: RECORD_MAGIC,
            check: 0.into(),
            sequence: self.sequence.into(),
            key: *self.key.as_bytes(),
            created: self.created.into(),
            length: (self.value.len() as u64).into(),
            index_length: (self.index.len() as u64).into(),
            meta_length: (self.meta.len() as u32).into(),
            units: 0.into(),
            body_at: 0.into(),
            meta_check: crc32fast::hash(self.meta).into(),
            body_check: 0.into(),
            kind: self.kind.map_or(REMOVED, RecordKind::number),
            form: self.form,
            unused: [0; 30],
            end: END,
        };
        let checks = if header.blocks() > 1 { 4 * header.blocks() } else { 0 };
        let body = (at + header.checks_at() + checks).next_multiple_of(alignment) - at;
        header.body_at = (body as u32).into();
        let size = (body + header.body_length() + size_of::<Trailer>() as u64).next_multiple_of(UNIT);
        header.units = ((size / UNIT) as u32).into();
        header
    }

    /// How many bytes it takes at most, wherever it stands.
    pub(crate) fn most_size(&self) -> u64 {
        self.header(0).size() + self.alignment.clamp(ALIGNMENT, MOST_ALIGNMENT)
    }

    /// How many bytes it takes at that place.
    pub(crate) fn size_at(&self, at: u64) -> u64 {
        self.header(at).size()
    }

    /// Writes it with `write_at`: all but the header first, and zeros behind it if they fit; then `before_publishing`;
    /// then the header.
    ///
    /// # Errors
    /// Where it cannot be written; what is there then is told in [`crate::layout`].
    pub(crate) fn write(
        &self,
        write_at: &mut dyn FnMut(u64, &[u8]) -> io::Result<()>,
        segment: u64,
        at: u64,
        capacity: u64,
        before_publishing: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let mut parts = self.lay_out(segment, at);
        let end = at + parts.header.size();
        if end + UNIT <= capacity {
            let last = if parts.after.is_empty() { &mut parts.before } else { &mut parts.after };
            last.resize(last.len() + UNIT as usize, 0);
        }
        write_at(at + UNIT, &parts.before)?;
        if !parts.after.is_empty() {
            let place = at + u64::from(parts.header.body_at.get());
            write_at(place, parts.value)?;
            write_at(place + parts.value.len() as u64, &parts.after)?;
        }
        before_publishing()?;
        write_at(at, parts.header.as_bytes())
    }

    /// Writes it to where only what comes next can be written, as the record at `at` of a segment.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn write_on(&self, out: &mut dyn io::Write, segment: u64, at: u64) -> io::Result<()> {
        let parts = self.lay_out(segment, at);
        [parts.header.as_bytes(), &parts.before, parts.value, &parts.after]
            .iter()
            .try_for_each(|part| out.write_all(part))
    }

    /// The bytes of the record at `at` of a segment.
    fn lay_out(&self, segment: u64, at: u64) -> LaidOut<'_> {
        let mut header = self.header(at);
        let (value_length, index_at) = (self.value.len(), header.index_at() as usize);
        let padding = [0; 8];
        // The body in pieces, which blocks cut as they like.
        let pieces = [self.value, padding.get(..index_at - value_length).unwrap_or_default(), self.index];
        let sums = block_sums(&pieces);
        let mut before = Vec::new();
        let small = header.size() <= TOGETHER;
        before.reserve_exact(if small { header.size() as usize } else { header.body_at.get() as usize });
        before.extend_from_slice(self.meta);
        before.resize((header.checks_at() - UNIT) as usize, 0);
        match sums.as_slice() {
            [one] => header.body_check = RecordHeader::turned(self.form, *one).into(),
            many => {
                many.iter().for_each(|sum| before.extend_from_slice(&sum.to_le_bytes()));
                let at = (header.checks_at() - UNIT) as usize;
                let sum = crc32fast::hash(before.get(at..).unwrap_or_default());
                header.body_check = RecordHeader::turned(self.form, sum).into();
            }
        }
        before.resize(header.body_at.get() as usize - UNIT as usize, 0);

        let mut after = Vec::new();
        let last = if small { &mut before } else { &mut after };
        if small {
            last.extend_from_slice(self.value);
        }
        last.extend_from_slice(pieces[1]);
        last.extend_from_slice(self.index);
        let written = if small { UNIT } else { u64::from(header.body_at.get()) + value_length as u64 };
        last.resize((header.size() - written) as usize - size_of::<Trailer>(), 0);
        last.extend_from_slice(Trailer::of(&header, segment, at).as_bytes());
        header.seal(segment, at);
        LaidOut { header, before, value: if small { &[] } else { self.value }, after }
    }
}

/// The bytes of a record: its parts follow each other in this order.
struct LaidOut<'a> {
    header: RecordHeader,
    before: Vec<u8>,
    /// Empty, as what comes after it, where all of it stands in `before`.
    value: &'a [u8],
    after: Vec<u8>,
}

/// A checksum for each block of the pieces put together; one for nothing.
fn block_sums(pieces: &[&[u8]]) -> Vec<u32> {
    let mut sums = Vec::new();
    let (mut hasher, mut left) = (crc32fast::Hasher::new(), BLOCK as usize);
    let mut open = true;
    for piece in pieces {
        let mut rest = *piece;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(left));
            hasher.update(now);
            open = true;
            left -= now.len();
            rest = later;
            if left == 0 {
                sums.push(std::mem::take(&mut hasher).finalize());
                (left, open) = (BLOCK as usize, false);
            }
        }
    }
    if open {
        sums.push(hasher.finalize());
    }
    sums
}

/// Where the parts of a record stand in the map of its segment.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) segment: u64,
    pub(crate) map: Bytes,
    pub(crate) at: u64,
    pub(crate) header: RecordHeader,
    /// Of an alias that was looked up: the record that it names.
    pub(crate) named: Option<Box<Record>>,
}

impl Record {
    pub(crate) fn key(&self) -> Key {
        Key::new(self.header.key)
    }

    /// The record that has the value of the key: itself, or the one that it names.
    pub(crate) fn content(&self) -> &Record {
        self.named.as_deref().unwrap_or(self)
    }

    /// The key of the record that an alias names; `None` where it is none, or damaged.
    pub(crate) fn target(&self) -> Option<Key> {
        let is_alias = self.header.form == RecordHeader::ALIAS && self.is_body_whole();
        let value = self.value();
        is_alias.then(|| (*value).try_into().ok().map(Key::new)).flatten()
    }

    fn range(&self, from: u64, length: u64) -> Range<usize> {
        let start = (self.at + from) as usize;
        start..start + length as usize
    }

    fn slice(&self, from: u64, length: u64) -> &[u8] {
        self.map.get(self.range(from, length)).unwrap_or_default()
    }

    /// The metadata, if it is what was written.
    pub(crate) fn meta(&self) -> Option<Bytes> {
        let length = u64::from(self.header.meta_length.get());
        if length == 0 {
            return (self.header.meta_check.get() == 0).then(Bytes::new);
        }
        let sum = crc32fast::hash(self.slice(UNIT, length));
        (sum == self.header.meta_check.get()).then(|| self.map.slice(self.range(UNIT, length)))
    }

    fn body_range(&self) -> Range<usize> {
        self.range(self.header.body_at.get().into(), self.header.body_length())
    }

    /// Its own value and index, unchecked.
    pub(crate) fn body(&self) -> Bytes {
        self.map.slice(self.body_range())
    }

    /// Its own value, unchecked.
    pub(crate) fn value(&self) -> Bytes {
        self.map.slice(self.range(self.header.body_at.get().into(), self.header.length.get()))
    }

    /// Whether its own value and index are what was written, all of them.
    pub(crate) fn is_body_whole(&self) -> bool {
        let body = self.map.get(self.body_range());
        body.zip(self.checks()).is_some_and(|(body, checks)| checks.agree(body))
    }

    /// The checks of all blocks, if they are what was written.
    pub(crate) fn checks(&self) -> Option<Checks> {
        match self.header.blocks() {
            0 | 1 => Some(Checks::One(self.header.body_sum())),
            blocks => {
                let range = self.range(self.header.checks_at(), 4 * blocks);
                let bytes = self.map.slice(range);
                (crc32fast::hash(&bytes) == self.header.body_sum()).then_some(Checks::Many(bytes))
            }
        }
    }

    /// What is to be written to have the same record elsewhere, with the value that an alias names in its place if that was
    /// looked up; `None` where it is damaged.
    pub(crate) fn parts(&self) -> Option<Parts> {
        self.is_whole().then(|| Parts {
            record: self.clone(),
            body: self.content().body(),
            meta: self.meta().unwrap_or_default(),
        })
    }

    /// Whether it has what `draft` would put, byte for byte.
    pub(crate) fn is(&self, draft: &Draft<'_>) -> bool {
        let (header, body) = (&self.content().header, self.content().body());
        let value = body.get(..header.length.get() as usize);
        let index = body.get(header.index_at() as usize..);
        header.kind == draft.kind.map_or(REMOVED, RecordKind::number)
            && value == Some(draft.value)
            && index == Some(draft.index)
            && self.meta().is_some_and(|meta| meta == draft.meta)
            && self.is_whole()
    }

    /// Whether every byte is what was written.
    pub(crate) fn is_whole(&self) -> bool {
        self.content().is_body_whole() && self.meta().is_some()
    }
}

/// A record to be written elsewhere.
#[derive(Debug)]
pub(crate) struct Parts {
    record: Record,
    body: Bytes,
    meta: Bytes,
}

impl Parts {
    pub(crate) fn draft(&self) -> Draft<'_> {
        let content = self.record.content();
        let header = &content.header;
        let part = |from: u64, to: u64| self.body.get(from as usize..to as usize).unwrap_or_default();
        let place = content.at + u64::from(header.body_at.get());
        Draft {
            key: self.record.key(),
            kind: (header.kind != REMOVED).then(|| RecordKind::from_number(header.kind)),
            form: if self.record.named.is_some() { RecordHeader::VALUE } else { header.form },
            value: part(0, header.length.get()),
            index: part(header.index_at(), header.body_length()),
            meta: &self.meta,
            // As it stands now, at least.
            alignment: (1 << place.trailing_zeros()).min(MOST_ALIGNMENT),
            created: self.record.header.created.get(),
            sequence: self.record.header.sequence.get(),
        }
    }
}

/// Checksums of the blocks of something.
#[derive(Clone, Debug)]
pub(crate) enum Checks {
    One(u32),
    Many(Bytes),
}

impl Checks {
    /// Checksums to be kept beside what they are of.
    pub(crate) fn of(bytes: &[u8]) -> Vec<u32> {
        block_sums(&[bytes])
    }

    /// Whether block `number` of `bytes` is what was written.
    pub(crate) fn agrees(&self, bytes: &[u8], number: usize) -> bool {
        let start = number * BLOCK as usize;
        let block = bytes.get(start..bytes.len().min(start + BLOCK as usize)).unwrap_or_default();
        let wanted = match self {
            Checks::One(sum) => (number == 0).then_some(*sum),
            Checks::Many(sums) => {
                sums.get(4 * number..).and_then(<[u8]>::first_chunk::<4>).map(|sum| u32::from_le_bytes(*sum))
            }
        };
        wanted == Some(crc32fast::hash(block))
    }

    /// Whether all of `bytes` is what was written.
    pub(crate) fn agree(&self, bytes: &[u8]) -> bool {
        (0..bytes.len().div_ceil(BLOCK as usize).max(1)).all(|number| self.agrees(bytes, number))
    }
}
