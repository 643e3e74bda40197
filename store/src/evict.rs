//! Evicting what was used least, and giving back what was replaced and removed: under the directory's `lock`.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::{HashMap, HashSet};
use std::io;

use crate::dir::{Dir, Writer, is_full};
use crate::key::Key;
use crate::last_use::{self, TOUCHED, TOUCHED_BEFORE};
use crate::layout::{MOST_ALIGNMENT, RunEntry, SealedRow, TouchRow, UNIT};
use crate::maintain::{Segments, key_in, remove_if_there, row, sealed_row, segments_of};
use crate::manifest::Manifest;
use crate::options::Durability;
use crate::record::Draft;
use crate::reserve::index_size;
use crate::segment::Walk;
use crate::sorted_run::{Row, newest};
use crate::stats::Counter;
use crate::view::bytes_of;
use crate::worth::{Item, Items, Pinned};

/// What evicting did, or would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Bytes of records before.
    pub bytes_before: u64,
    /// Bytes of records after.
    pub bytes_after: u64,
    /// Entries before.
    pub entries_before: u64,
    /// Entries after.
    pub entries_after: u64,
    /// Segments that were given up.
    pub segments: u64,
    /// Bytes that were copied out of them.
    pub copied: u64,
    /// Entries that were given up although they fit, as the disk was full and had no room to move them to.
    pub unmoved: u64,
    /// Whether another process was evicting, so that nothing was done.
    pub busy: bool,
}

/// Segments that were made for what is moved, and who holds their locks.
#[derive(Default)]
struct Made {
    rows: Vec<SealedRow>,
    holders: Vec<Writer>,
}

/// One segment in the eyes of who evicts.
#[derive(Default)]
struct SegmentUse {
    end: u64,
    records: u64,
    sequence: u64,
    kept: u64,
    kept_entries: u64,
    live: u64,
}

/// What a row says of when something was used, or of what was counted.
fn note(used: &mut HashMap<u64, u32>, counters: &mut [u64; 8], row: &TouchRow) {
    if row.what == 0 {
        let time = used.entry(row.fingerprint.get()).or_default();
        *time = (*time).max(row.time.get());
    }
    last_use::count(counters, row);
}

fn is_removal(row: &Row) -> bool {
    row.entry.units.get() & RunEntry::REMOVED != 0
}

fn as_removal(row: &Row) -> Row {
    let units = (row.entry.units.get() | RunEntry::REMOVED).into();
    Row { entry: RunEntry { units, at: row.entry.place().into(), ..row.entry }, ..*row }
}

impl Dir {
    /// Brings the directory down to so many bytes and entries, giving up what was used least recently.
    ///
    /// On a full disk there is the room that is kept back. What cannot be moved to that, of what should stay, is given up.
    pub(crate) fn collect(&self, target: (u64, u64), dry_run: bool) -> io::Result<Collected> {
        match self.try_collect(target, dry_run, None) {
            Err(error) if is_full(&error) && !dry_run => self.with_reserve(|room| self.collect_within(target, room)),
            done => {
                if !dry_run {
                    self.keep_reserve(0);
                }
                done
            }
        }
    }

    /// As [`Dir::collect`], with so many bytes of room on the disk, and no more.
    pub(crate) fn collect_within(&self, target: (u64, u64), room: u64) -> io::Result<Collected> {
        self.try_collect(target, false, Some(room))
    }

    fn try_collect(&self, target: (u64, u64), dry_run: bool, room: Option<u64>) -> io::Result<Collected> {
        let _writer = self.release();
        let Some(_lock) = self.maintenance()? else { return Ok(Collected { busy: true, ..Collected::default() }) };
        self.refresh(true)?;
        let locked = self.lock_active(|_, _| true)?;
        let view = self.view()?;
        let segments = segments_of(&view, &locked);
        let bytes_before = view.bytes;

        // What may be given up, by segment; the rest is in use.
        let mut loads: HashMap<u64, SegmentUse> = HashMap::new();
        let mut rows: Vec<Row> = Vec::new();
        for sealed in &view.manifest.sealed {
            let (end, records, sequence) = (sealed.end.get(), sealed.records.get(), sealed.sequence.get());
            loads.insert(sealed.id.get(), SegmentUse { end, records, sequence, ..SegmentUse::default() });
        }
        for (walk, _) in &locked {
            let sealed = sealed_row(walk);
            let (end, records, sequence) = (walk.end, sealed.records.get(), sealed.sequence.get());
            loads.insert(walk.segment.id, SegmentUse { end, records, sequence, ..SegmentUse::default() });
            rows.extend(walk.entries.iter().map(|entry| row(entry, walk.segment.id)));
        }
        for run in &view.runs {
            let (more, lost) = run.all();
            self.counters.add(Counter::Bad, lost);
            rows.extend(more.into_iter().filter(|row| !locked.iter().any(|(walk, _)| walk.segment.id == row.segment)));
        }
        let pinned: Vec<&Walk> = view.active.iter().filter(|walk| !loads.contains_key(&walk.segment.id)).collect();
        let pinned_sequence = pinned.iter().map(|walk| sealed_row(walk).sequence.get()).min().unwrap_or(u64::MAX);
        let mut replaced: HashMap<u64, (Key, u64)> = HashMap::new();
        for entry in pinned.iter().flat_map(|walk| &walk.entries) {
            let newest = replaced.entry(entry.key.fingerprint()).or_insert((entry.key, entry.sequence));
            newest.1 = newest.1.max(entry.sequence);
        }
        let pinned = Pinned::of(&pinned);
        let mut counters = view.manifest.counters;
        drop(view);

        let used = self.used(&mut counters, dry_run)?;
        let key = key_in(&segments);
        newest(&mut rows, &key);
        rows.retain(|row| match replaced.get(&row.entry.fingerprint.get()) {
            Some((by, sequence)) => *sequence < row.entry.sequence.get() || key(row).is_some_and(|own| own != *by),
            None => true,
        });
        for row in &mut rows {
            if let Some(time) = used.get(&row.entry.fingerprint.get()) {
                row.entry.used = row.entry.used.get().max(*time).into();
            }
        }
        let (removals, live): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_removal);
        let mut items = Items::new(live, &segments, &pinned);
        let entries_before = items.entries() + pinned.entries;

        // The most recently used that fit are worth keeping.
        items.keep(target.0.saturating_sub(pinned.bytes), target.1.saturating_sub(pinned.entries));
        for item in &items.all {
            let Some(load) = loads.get_mut(&item.row.segment) else { continue };
            load.live += u64::from(item.is_entry());
            if item.kept {
                load.kept += item.bytes();
                load.kept_entries += u64::from(item.is_entry());
            }
        }

        // Segments that hold least of it go first, until all fits, and those that are mostly waste.
        let mut order: Vec<(u64, u64)> =
            loads.iter().map(|(id, load)| ((load.kept << 16) / load.end.max(1), *id)).collect();
        order.sort_unstable();
        let is_full = room.is_some();
        let mut room = room.map_or(u64::MAX, |room| room.saturating_sub(index_size(items.all.len() as u64)));
        let mut done = Collected {
            bytes_before,
            bytes_after: loads.values().map(|load| load.end).sum::<u64>() + pinned.bytes,
            entries_before,
            entries_after: entries_before,
            ..Collected::default()
        };
        let mut retired: HashSet<u64> = HashSet::new();
        // Of those, whose records that should stay have no room to be moved to.
        let mut unmovable: HashSet<u64> = HashSet::new();
        for (_, id) in order {
            let Some(load) = loads.get(&id) else { continue };
            let fits = done.bytes_after <= target.0 && done.entries_after <= target.1;
            let moves = load.kept <= room;
            // Copying costs as much as it keeps: little is gained from a segment that is nearly all kept.
            let is_waste = load.kept == 0 || moves && load.kept <= load.end / 2;
            if fits && !is_waste {
                continue;
            }
            let (kept, kept_entries) = if moves { (load.kept, load.kept_entries) } else { (0, 0) };
            if !moves {
                unmovable.insert(id);
            }
            room -= kept;
            done.bytes_after = done.bytes_after.saturating_sub(load.end.saturating_sub(kept));
            done.entries_after -= load.live - kept_entries;
            done.copied += kept;
            done.segments += 1;
            retired.insert(id);
        }
        items.settle(|item| {
            let segment = item.row.segment;
            !retired.contains(&segment) || item.kept && !unmovable.contains(&segment)
        });
        // With entries elsewhere whose content went.
        let entries = items.all.iter().filter(|item| item.is_entry());
        done.entries_after = entries.clone().filter(|item| item.stays).count() as u64 + pinned.entries;
        done.unmoved = entries.filter(|item| item.kept && !item.stays).count() as u64;
        // Where nothing goes, what is active is sealed at least, if there is room for that.
        if dry_run || (retired.is_empty() && (locked.is_empty() || is_full)) {
            return Ok(done);
        }

        let survivors = loads.iter().filter(|(id, _)| !retired.contains(id)).map(|(_, load)| load.sequence);
        let oldest = survivors.min().unwrap_or(u64::MAX).min(pinned_sequence);
        let mut staying: Vec<Row> = Vec::new();
        let mut moving: Vec<Row> = Vec::new();
        let contents = items.contents_staying();
        for Item { row, stays, .. } in items.all {
            match retired.contains(&row.segment) {
                false if stays => staying.push(row),
                true if stays => moving.push(row),
                // An older record of it must not show through.
                _ if replaced.contains_key(&row.entry.fingerprint.get()) => moving.push(as_removal(&row)),
                _ => {}
            }
        }
        for row in removals {
            match retired.contains(&row.segment) {
                false => staying.push(row),
                // What it removed may still be somewhere.
                true if oldest < row.entry.sequence.get() => moving.push(row),
                true => {}
            }
        }
        moving.sort_unstable_by_key(|row| (row.segment, row.entry.place()));
        let mut made = Made::default();
        let copied = self.copy(&segments, &moving, &mut staying, &mut made);
        self.all_or_nothing(&made.rows, || {
            copied?;
            let view = self.view()?;
            let mut manifest = Manifest { number: view.manifest.number + 1, ..view.manifest.clone() };
            drop(view);
            let rows = loads.iter().filter(|(id, _)| !retired.contains(id)).map(|(id, load)| SealedRow {
                id: (*id).into(),
                end: load.end.into(),
                records: load.records.into(),
                sequence: load.sequence.into(),
            });
            manifest.sealed = rows.chain(made.rows.iter().copied()).collect();
            manifest.retired.extend(&retired);
            manifest.counters = counters;
            if let Some(counter) = manifest.counters.get_mut(Counter::Evicted as usize) {
                *counter = counter.saturating_add(done.entries_before - done.entries_after);
            }
            let covered: Vec<u64> = manifest.sealed.iter().map(|row| row.id.get()).collect();
            manifest.runs = match covered.is_empty() {
                true => Vec::new(),
                false => vec![self.write_run(&mut staying, covered, contents)?],
            };
            self.publish(manifest)
        })?;
        remove_if_there(&*self.disk, TOUCHED_BEFORE)?;
        Ok(done)
    }

    /// When records were last used, by fingerprint; what was counted is added to `counters`.
    fn used(&self, counters: &mut [u64; 8], dry_run: bool) -> io::Result<HashMap<u64, u32>> {
        let mut used: HashMap<u64, u32> = HashMap::new();
        // What was set aside before and not added up, as nothing was evicted then, goes first; what came since stays where it is.
        let is_set_aside = match self.disk.open(TOUCHED_BEFORE, false) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if !dry_run && !is_set_aside {
            match self.disk.rename(TOUCHED, TOUCHED_BEFORE) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        last_use::read(&*self.disk, TOUCHED_BEFORE, |row| note(&mut used, counters, row))?;
        let mut later = [0; 8];
        last_use::read(&*self.disk, TOUCHED, |row| note(&mut used, &mut later, row))?;
        Ok(used)
    }

    /// Copies records to new segments, which are on the disk when this returns. Where they stand now goes to `rows`.
    fn copy(&self, segments: &Segments, moving: &[Row], rows: &mut Vec<Row>, made: &mut Made) -> io::Result<()> {
        let (mut at, mut capacity) = (0, 0);
        for (number, row) in moving.iter().enumerate() {
            let record = segments.get(&row.segment).and_then(|segment| segment.record(row.entry.place()));
            let Some(parts) = record.and_then(|record| record.parts()) else {
                self.counters.add(Counter::Bad, 1);
                continue;
            };
            let mut draft = parts.draft();
            if is_removal(row) {
                draft = Draft { sequence: draft.sequence, ..Draft::removal(draft.key, draft.created) };
            }
            if made.rows.is_empty() || at + draft.size_at(at) > capacity {
                let left: u64 =
                    moving.iter().skip(number).map(|row| bytes_of(row.entry.units.get()) + MOST_ALIGNMENT).sum();
                let fitting = left.min(self.options.segment_bytes()).max(draft.size_at(UNIT));
                let writer = self.create(UNIT + fitting, Durability::Process)?;
                capacity = (UNIT + fitting).next_multiple_of(UNIT);
                at = UNIT;
                let start =
                    SealedRow { id: writer.id.into(), end: at.into(), records: 0.into(), sequence: u64::MAX.into() };
                made.rows.push(start);
                made.holders.push(writer);
            }
            let (Some(writer), Some(sealed)) = (made.holders.last_mut(), made.rows.last_mut()) else { continue };
            writer.take_room((at + draft.size_at(at) + UNIT).min(capacity), capacity)?;
            draft.write(&mut |at, bytes| writer.file.write_at(at, bytes), writer.id, at, capacity, || Ok(()))?;
            let size = draft.size_at(at);
            let entry = RunEntry {
                at: ((at / UNIT) as u32 | row.entry.at.get() & RunEntry::SHARED).into(),
                units: ((size / UNIT) as u32 | row.entry.units.get() & RunEntry::REMOVED).into(),
                ..row.entry
            };
            rows.push(Row { entry, segment: writer.id });
            at += size;
            *sealed = SealedRow {
                end: at.into(),
                records: (sealed.records.get() + 1).into(),
                sequence: sealed.sequence.get().min(draft.sequence).into(),
                ..*sealed
            };
        }
        made.holders.iter().try_for_each(|writer| writer.file.sync())
    }
}
