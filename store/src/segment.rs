//! A segment as readers see it: mapped, and walked from record to record.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "places within the map, and records that were found to end within it"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use bytes::Bytes;
use zerocopy::FromBytes;

use crate::disk::{DiskFile, Map};
use crate::key::Key;
use crate::layout::{END, RECORD_MAGIC, RecordHeader, SegmentHeader, Trailer, UNIT};
use crate::record::{REMOVED, Record};

/// A mapped segment.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) id: u64,
    pub(crate) map: Bytes,
    /// Whether its own header is what it should be.
    pub(crate) sound: bool,
    /// Whether what is appended shows up in the map. Else it is not to be appended to through this.
    pub(crate) live: bool,
    /// Up to where the map may be touched, as far as that is known.
    backed: AtomicU64,
    /// Asked where the map may be touched by now, while it may grow and where it may not be touched everywhere.
    file: Option<Arc<dyn DiskFile>>,
}

/// What a walk knows of one record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) sequence: u64,
    /// Seconds since 1970.
    pub(crate) used: u32,
    /// In units.
    pub(crate) at: u32,
    /// In units.
    pub(crate) units: u32,
    pub(crate) removed: bool,
    /// As in [`RecordHeader::form`]; of a removal, a plain one.
    pub(crate) form: u8,
    /// Its header is damaged; key and number are known from its end.
    pub(crate) bad: bool,
}

/// What stands in one place of a segment.
enum Step {
    Record(Entry),
    /// Damage up to `end`, and whose it is if that is known.
    Damage {
        end: u64,
        entry: Option<Entry>,
    },
    End,
}

/// Where the value of a record of one block stands in the map of its segment. That of an alias or of content is never what was
/// written: its checksum is the other way round, which costs those who look for values nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallValue {
    at: u64,
    length: u32,
    /// Of the value with its index.
    body_length: u32,
    body_check: u32,
}

/// Walks the records of a segment that may still grow.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) segment: Arc<Segment>,
    /// Where the last record ends.
    pub(crate) end: u64,
    /// Every record met so far.
    pub(crate) entries: Vec<Entry>,
    /// Places that were damaged.
    pub(crate) damaged: u64,
    /// What stood behind the last record when it was last found to be none.
    seen: Option<[u8; UNIT as usize]>,
}

/// The name of a segment's file.
pub(crate) fn name(id: u64) -> String {
    format!("{id:016x}.seg")
}

/// The id in a file's name.
pub(crate) fn id_of(name: &str, extension: &str) -> Option<u64> {
    let digits = name.strip_suffix(extension)?;
    (digits.len() == 16).then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

impl Segment {
    /// Maps a segment, which may still grow or not; `None` where the file is none, or of a later format.
    pub(crate) fn open(id: u64, file: Arc<dyn DiskFile>, grows: bool) -> std::io::Result<Option<Arc<Segment>>> {
        let Map { bytes: map, live } = file.map()?;
        let Ok((header, _)) = SegmentHeader::ref_from_prefix(&map) else { return Ok(None) };
        if header.is_newer() {
            return Ok(None);
        }
        let sound = header.is_of(id, map.len() as u64);
        let backed = file.backed()?;
        let file = (grows && backed < map.len() as u64).then_some(file);
        Ok(Some(Arc::new(Segment { id, map, sound, live, backed: backed.into(), file })))
    }

    /// A segment that is in memory.
    pub(crate) fn in_memory(id: u64, bytes: Bytes) -> Arc<Segment> {
        Arc::new(Segment { id, map: bytes, sound: true, live: false, backed: u64::MAX.into(), file: None })
    }

    /// The segment, which is sealed by now and will not grow.
    pub(crate) fn settled(self: Arc<Self>) -> Arc<Segment> {
        let Some(Ok(backed)) = self.file.as_ref().map(|file| file.backed()) else { return self };
        let Segment { id, sound, live, .. } = *self;
        Arc::new(Segment { id, map: self.map.clone(), sound, live, backed: backed.into(), file: None })
    }

    /// Whether the map may be touched up to `end`.
    #[inline]
    fn is_backed(&self, end: u64) -> bool {
        end <= self.backed.load(Ordering::Relaxed) || self.is_backed_now(end)
    }

    #[cold]
    fn is_backed_now(&self, end: u64) -> bool {
        let Some(Ok(backed)) = self.file.as_ref().map(|file| file.backed()) else { return false };
        self.backed.fetch_max(backed, Ordering::Relaxed);
        end <= backed
    }

    /// Whether its header is what it should be by now: it may have been mapped before its maker wrote it.
    pub(crate) fn is_sound_now(&self) -> bool {
        let header = SegmentHeader::ref_from_prefix(black_box(&*self.map));
        header.is_ok_and(|(header, _)| header.is_of(self.id, self.map.len() as u64))
    }

    /// The record at a place, in units; `None` where there is none that is whole as far as its header goes.
    pub(crate) fn record(&self, at: u32) -> Option<Record> {
        self.header(at).map(|header| self.record_of(at, header))
    }

    /// The header of the record at a place, in units, where it is whole.
    #[inline]
    pub(crate) fn header(&self, at: u32) -> Option<&RecordHeader> {
        RecordHeader::read(self.id, &self.map, u64::from(at) * UNIT)
    }

    /// The record at a place, of which that is the header.
    #[inline]
    pub(crate) fn record_of(&self, at: u32, header: &RecordHeader) -> Record {
        Record { segment: self.id, map: self.map.clone(), at: u64::from(at) * UNIT, header: *header, named: None }
    }

    fn slot(&self, at: u64) -> Option<&[u8; UNIT as usize]> {
        // Who writes a record writes zeros behind it first: nothing was ever written in a hole.
        let end = at.saturating_add(UNIT);
        if end > self.map.len() as u64 || !self.is_backed(end) {
            return None;
        }
        // Others write here: what was read before says nothing.
        black_box(&*self.map).get(at as usize..)?.first_chunk()
    }

    fn step(&self, at: u64, data_end: Option<u64>) -> Step {
        let Some(slot) = self.slot(at) else { return Step::End };
        fence(Ordering::Acquire);
        if let Some(header) = RecordHeader::read(self.id, &self.map, at) {
            return Step::Record(entry(header, at));
        }
        // Only who looks for damage looks further.
        let Some(data_end) = data_end else { return Step::End };
        let is_damaged = is_damaged(slot);
        let was_whole = slot.ends_with(&END) || is_damaged;
        let last = data_end.min(self.map.len() as u64);
        let mut end = at + UNIT;
        while end <= last {
            // Where the header's page is lost, its end may still be there, before the next header.
            let trailer = || Trailer::read(self.id, &self.map, at, end).map(|trailer| bad_entry(trailer, at));
            let is_next = end < data_end && RecordHeader::read(self.id, &self.map, end).is_some();
            let entry = if was_whole || is_next { trailer() } else { None };
            if is_next || entry.is_some() {
                return Step::Damage { end, entry };
            }
            end += UNIT;
        }
        match is_damaged {
            true => Step::Damage { end: (last - last % UNIT).max(at + UNIT), entry: None },
            false => Step::End,
        }
    }
}

impl SmallValue {
    /// That of the record at a place, in units, of which that is the header; `None` where it has more than one block.
    pub(crate) fn of(at: u32, header: &RecordHeader) -> Option<Self> {
        (header.blocks() <= 1).then(|| SmallValue {
            at: u64::from(at) * UNIT + u64::from(header.body_at.get()),
            length: header.length.get() as u32,
            body_length: header.body_length() as u32,
            body_check: header.body_check.get(),
        })
    }

    /// Its bytes, if they and the index are what was written.
    #[inline]
    pub(crate) fn checked(&self, map: &Bytes) -> Option<Bytes> {
        let body = map.get(self.at as usize..)?.get(..self.body_length as usize)?;
        let value = body.get(..self.length as usize)?;
        (crc32fast::hash(body) == self.body_check).then(|| map.slice_ref(value))
    }
}

/// Whether the place of a header holds what no write leaves there, be it finished or not: of the bytes that are the same in every
/// header, each is written or still zero.
fn is_damaged(slot: &[u8; UNIT as usize]) -> bool {
    let begin = slot.iter().zip(RECORD_MAGIC);
    let end = slot.iter().skip(UNIT as usize - END.len()).zip(END);
    begin.chain(end).any(|(&found, wanted)| found != 0 && found != wanted)
}

fn entry(header: &RecordHeader, at: u64) -> Entry {
    Entry {
        key: Key::new(header.key),
        sequence: header.sequence.get(),
        used: (header.created.get() / 1000) as u32,
        at: (at / UNIT) as u32,
        units: header.units.get(),
        removed: header.kind == REMOVED,
        form: if header.kind == REMOVED { RecordHeader::VALUE } else { header.form },
        bad: false,
    }
}

/// What the end of a record says of it.
fn bad_entry(trailer: &Trailer, at: u64) -> Entry {
    Entry {
        key: Key::new(trailer.key),
        sequence: trailer.sequence.get(),
        used: 0,
        at: (at / UNIT) as u32,
        units: trailer.units.get(),
        removed: false,
        form: RecordHeader::VALUE,
        bad: true,
    }
}

impl Walk {
    pub(crate) fn new(segment: Arc<Segment>) -> Self {
        Walk { segment, end: UNIT, entries: Vec::new(), damaged: 0, seen: None }
    }

    /// Whether something stands behind the last record that was not looked at.
    #[inline]
    pub(crate) fn has_more(&self) -> bool {
        match self.segment.slot(self.end) {
            None => false,
            Some(slot) => match &self.seen {
                None => slot.first_chunk::<8>() != Some(&[0; 8]),
                Some(seen) => slot != seen,
            },
        }
    }

    /// Whether the place behind the last record is not empty.
    pub(crate) fn has_rest(&self) -> bool {
        self.segment.slot(self.end).is_some_and(|slot| *slot != [0; UNIT as usize])
    }

    /// Goes over the records that were appended since the last time. Where `data_end` is given, also over damage.
    pub(crate) fn resume(&mut self, data_end: Option<u64>) {
        loop {
            let before = self.segment.slot(self.end).copied();
            match self.segment.step(self.end, data_end) {
                Step::Record(entry) => {
                    self.entries.push(entry);
                    self.end += u64::from(entry.units) * UNIT;
                }
                Step::Damage { end, entry } => {
                    // A header that is being written just now is none.
                    if (0..3).any(|_| {
                        std::thread::sleep(std::time::Duration::from_micros(200));
                        RecordHeader::read(self.segment.id, &self.segment.map, self.end).is_some()
                    }) {
                        continue;
                    }
                    self.damaged += 1;
                    self.entries.extend(entry);
                    self.end = end;
                }
                Step::End => {
                    self.seen = before.filter(|slot| *slot != [0; UNIT as usize]);
                    return;
                }
            }
        }
    }

    /// Whether a record of `size` bytes fits behind the last.
    pub(crate) fn has_room(&self, size: u64) -> bool {
        self.end.checked_add(size).is_some_and(|end| end <= self.segment.map.len() as u64)
    }
}
