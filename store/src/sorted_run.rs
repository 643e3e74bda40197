//! Runs: sorted indices of sealed segments, looked up in place.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of 32 bits, and places that were compared with the length of the map"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use zerocopy::{FromBytes, IntoBytes};

use crate::key::Key;
use crate::layout::{BLOCK, FORMAT, RUN_MAGIC, RunEntry, RunHeader};
use crate::record::Checks;
use crate::segment::Segment;

/// A mapped run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) id: u64,
    pub(crate) entries: u64,
    /// About how many of them are of content.
    pub(crate) contents: u64,
    pub(crate) sequence: u64,
    /// The run's segments by their numbers in it; `None` where one is gone.
    pub(crate) segments: Vec<Option<Arc<Segment>>>,
    pub(crate) ids: Vec<u64>,
    fan_out: u32,
    /// Fan-out and entries.
    body: Bytes,
    checks: Checks,
    /// Blocks that have been checked.
    checked: Vec<AtomicU64>,
}

/// An entry of a run to be, with the segment that its record is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) entry: RunEntry,
    pub(crate) segment: u64,
}

/// The name of a run's file.
pub(crate) fn name(id: u64) -> String {
    format!("{id:016x}.run")
}

/// Where entries begin behind a fan-out of that size.
fn entries_at(fan_out: u32) -> usize {
    (4 * ((1usize << fan_out) + 1)).next_multiple_of(size_of::<RunEntry>())
}

/// Which bucket a fingerprint falls into.
fn bucket(fingerprint: u64, fan_out: u32) -> usize {
    match fan_out {
        0 => 0,
        bits => (fingerprint >> (64 - bits)) as usize,
    }
}

impl Run {
    /// The bytes of a run of these rows, which are all that count of these segments; so many of them are content.
    pub(crate) fn encode(id: u64, rows: &mut [Row], mut ids: Vec<u64>, contents: u64) -> Vec<u8> {
        rows.sort_unstable_by_key(|row| (row.entry.fingerprint.get(), u64::MAX - row.entry.sequence.get()));
        ids.sort_unstable();
        ids.dedup();
        let fan_out = (rows.len() as u64 / 4).checked_ilog2().unwrap_or(0).min(28);

        let mut body = Vec::with_capacity(entries_at(fan_out) + size_of_val(rows));
        let mut next = 0;
        for bucket_number in 0..=1usize << fan_out {
            while rows.get(next).is_some_and(|row| bucket(row.entry.fingerprint.get(), fan_out) < bucket_number) {
                next += 1;
            }
            body.extend_from_slice(&(next as u32).to_le_bytes());
        }
        // The last number is that of all rows.
        body.truncate(body.len() - 4);
        body.extend_from_slice(&(rows.len() as u32).to_le_bytes());
        body.resize(entries_at(fan_out), 0);
        let mut sequence = 0;
        for row in rows.iter() {
            sequence = sequence.max(row.entry.sequence.get());
            let number = ids.binary_search(&row.segment).unwrap_or_default();
            body.extend_from_slice(RunEntry { segment: (number as u32).into(), ..row.entry }.as_bytes());
        }

        let mut tables: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
        tables.extend(Checks::of(&body).iter().flat_map(|sum| sum.to_le_bytes()));
        let mut header = RunHeader {
            magic: RUN_MAGIC,
            format: FORMAT.into(),
            check: 0.into(),
            id: id.into(),
            entries: (rows.len() as u64).into(),
            segments: (ids.len() as u32).into(),
            fan_out: fan_out.into(),
            sequence: sequence.into(),
            blocks_check: crc32fast::hash(&tables).into(),
            contents: contents.into(),
            unused: [0; 68],
        };
        header.check = header.sum().into();
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend_from_slice(&tables);
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        // Once more at the end: without them nothing else is found.
        let front = bytes.clone();
        bytes.extend_from_slice(&body);
        bytes.extend_from_slice(&front);
        bytes
    }

    /// A run over its bytes; `None` where neither its beginning nor its end is what was written.
    pub(crate) fn open(id: u64, map: Bytes) -> Option<Run> {
        Self::open_at(id, &map, 0).or_else(|| {
            // How long the front is follows from the length of all: it stands at both ends, of a multiple of 64 each.
            let at = |front: usize| map.len().checked_sub(front).filter(|at| *at >= front);
            (2..1 << 16).map_while(|count| at(64 * count)).find_map(|at| Self::open_at(id, &map, at))
        })
    }

    /// A run whose front stands at `at`.
    fn open_at(id: u64, map: &Bytes, at: usize) -> Option<Run> {
        let (header, rest) = RunHeader::ref_from_prefix(map.get(at..)?).ok()?;
        let sound = header.magic == RUN_MAGIC
            && header.format.get() == FORMAT
            && header.check.get() == header.sum()
            && header.id.get() == id
            && header.fan_out.get() <= 28;
        if !sound {
            return None;
        }
        let (entries, fan_out) = (header.entries.get(), header.fan_out.get());
        let length = entries.checked_mul(size_of::<RunEntry>() as u64)?.checked_add(entries_at(fan_out) as u64)?;
        let blocks = length.div_ceil(BLOCK);
        let ids_length = 8 * u64::from(header.segments.get());
        let tables = rest.get(..usize::try_from(ids_length.checked_add(blocks.checked_mul(4)?)?).ok()?)?;
        if crc32fast::hash(tables) != header.blocks_check.get() {
            return None;
        }
        let (ids, sums) = tables.split_at(ids_length as usize);
        let start = (size_of::<RunHeader>() + tables.len()).next_multiple_of(64);
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        if end > map.len() {
            return None;
        }
        let ids: Vec<u64> = ids.as_chunks::<8>().0.iter().map(|id| u64::from_le_bytes(*id)).collect();
        Some(Run {
            id,
            entries,
            contents: header.contents.get().min(entries),
            sequence: header.sequence.get(),
            segments: vec![None; ids.len()],
            ids,
            fan_out,
            checks: Checks::Many(map.slice_ref(sums)),
            checked: (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            body: map.slice(start..end),
        })
    }

    /// Bytes of the body, checked when they are first touched.
    fn bytes(&self, at: usize, length: usize) -> Option<&[u8]> {
        let bytes = self.body.get(at..at.checked_add(length)?)?;
        let last = (at + length.max(1) - 1) / BLOCK as usize;
        for block in at / BLOCK as usize..=last {
            let (word, bit) = (self.checked.get(block / 64)?, 1 << (block % 64));
            if word.load(Ordering::Relaxed) & bit == 0 {
                if !self.checks.agrees(&self.body, block) {
                    return None;
                }
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
        Some(bytes)
    }

    fn rows(&self, from: usize, to: usize) -> Option<&[RunEntry]> {
        let size = size_of::<RunEntry>();
        let bytes = self.bytes(entries_at(self.fan_out) + from * size, to.checked_sub(from)? * size)?;
        <[RunEntry]>::ref_from_bytes(bytes).ok()
    }

    /// Entries with that fingerprint, the newest first; `None` where the run is damaged there.
    pub(crate) fn find(&self, fingerprint: u64) -> Option<&[RunEntry]> {
        let at = 4 * bucket(fingerprint, self.fan_out);
        let (from, to) = self.bytes(at, 8)?.split_at(4);
        let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)) as usize;
        let rows = self.rows(number(from), number(to).min(self.entries as usize))?;
        let (start, end) = match rows.len() {
            // A bucket holds a few, except where fingerprints are not spread out.
            0..16 => {
                let start = rows.iter().position(|row| row.fingerprint.get() >= fingerprint).unwrap_or(rows.len());
                let more = rows.get(start..)?.iter().take_while(|row| row.fingerprint.get() == fingerprint).count();
                (start, start + more)
            }
            _ => (
                rows.partition_point(|row| row.fingerprint.get() < fingerprint),
                rows.partition_point(|row| row.fingerprint.get() <= fingerprint),
            ),
        };
        rows.get(start..end)
    }

    /// Every entry with its segment, and how many are lost since their block is damaged.
    pub(crate) fn all(&self) -> (Vec<Row>, u64) {
        let (mut rows, mut lost, mut at) = (Vec::with_capacity(self.entries as usize), 0, 0);
        let (size, start) = (size_of::<RunEntry>(), entries_at(self.fan_out));
        while at < self.entries as usize {
            // Up to the end of the block: entries do not go over it.
            let rest = (BLOCK as usize - (start + at * size) % BLOCK as usize) / size;
            let end = (at + rest).min(self.entries as usize);
            match self.rows(at, end) {
                Some(some) => rows.extend(some.iter().filter_map(|entry| {
                    let segment = *self.ids.get(entry.segment.get() as usize)?;
                    Some(Row { entry: *entry, segment })
                })),
                None => lost += (end - at) as u64,
            }
            at = end;
        }
        (rows, lost)
    }

    /// The segment that an entry is in.
    pub(crate) fn segment(&self, entry: &RunEntry) -> Option<&Arc<Segment>> {
        self.segments.get(entry.segment.get() as usize)?.as_ref()
    }
}

/// Sorts rows, and leaves only the newest of each key. `key` reads a record's key; where it cannot, equal fingerprints
/// count as equal keys.
pub(crate) fn newest(rows: &mut Vec<Row>, key: impl Fn(&Row) -> Option<Key>) {
    rows.sort_unstable_by_key(|row| (row.entry.fingerprint.get(), u64::MAX - row.entry.sequence.get()));
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    let mut start = 0;
    for row in rows.iter() {
        if kept.get(start).is_some_and(|first| first.entry.fingerprint != row.entry.fingerprint) {
            start = kept.len();
        }
        let known = kept.get(start..).unwrap_or_default();
        let replaced = !known.is_empty() && {
            let own = key(row);
            own.is_none() || known.iter().any(|other| key(other).is_none_or(|other| Some(other) == own))
        };
        if !replaced {
            kept.push(*row);
        }
    }
    *rows = kept;
}
