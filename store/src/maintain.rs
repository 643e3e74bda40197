//! Sealing what is full, and evicting what was used least: both under the directory's `lock`.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::dir::{Dir, MOST_SCANNED, Writer, has_room, open_or_create, random};
use crate::disk::DiskFile;
use crate::key::Key;
use crate::layout::{MOST_ALIGNMENT, RunEntry, SealedRow, UNIT};
use crate::manifest::{self, Manifest};
use crate::options::Durability;
use crate::record::Draft;
use crate::run::{self, Row, newest};
use crate::segment::{self, Entry, Segment, Walk};
use crate::stats::Counter;
use crate::touch::{self, TOUCHED, TOUCHED_BEFORE};
use crate::view::{View, bytes_of};

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
    /// Whether somebody else was at it, so that nothing was done.
    pub busy: bool,
}

/// Segments whose records are at hand.
type Segments = HashMap<u64, Arc<Segment>>;

/// An active segment and the file that holds its lock.
type Locked = (Walk, Option<Box<dyn DiskFile>>);

/// One segment in the eyes of who evicts.
#[derive(Default)]
struct Load {
    end: u64,
    records: u64,
    sequence: u64,
    kept: u64,
    kept_entries: u64,
    live: u64,
}

fn row(entry: &Entry, segment: u64) -> Row {
    let removed = if entry.removed { RunEntry::REMOVED } else { 0 };
    let entry = RunEntry {
        fingerprint: entry.key.fingerprint().into(),
        sequence: entry.sequence.into(),
        used: entry.used.into(),
        segment: 0.into(),
        at: entry.at.into(),
        units: (entry.units | removed).into(),
    };
    Row { entry, segment }
}

fn is_removal(row: &Row) -> bool {
    row.entry.units.get() & RunEntry::REMOVED != 0
}

fn as_removal(row: &Row) -> Row {
    let units = (row.entry.units.get() | RunEntry::REMOVED).into();
    Row { entry: RunEntry { units, ..row.entry }, ..*row }
}

fn sealed_row(walk: &Walk) -> SealedRow {
    SealedRow {
        id: walk.segment.id.into(),
        end: walk.end.into(),
        records: (walk.entries.len() as u64).into(),
        sequence: walk.entries.iter().map(|entry| entry.sequence).min().unwrap_or(u64::MAX).into(),
    }
}

fn key_in(segments: &Segments) -> impl Fn(&Row) -> Option<Key> {
    |row| segments.get(&row.segment)?.record(row.entry.at.get()).map(|record| record.key())
}

/// All segments of a view.
fn segments_of(view: &View) -> Segments {
    let active = view.active.iter().map(|walk| (walk.segment.id, Arc::clone(&walk.segment)));
    view.sealed.iter().map(|(id, segment)| (*id, Arc::clone(segment))).chain(active).collect()
}

impl Dir {
    /// The directory's lock, if nobody has it.
    fn maintenance(&self) -> io::Result<Option<Box<dyn DiskFile>>> {
        let file = open_or_create(&*self.disk, "lock", 0)?;
        Ok(file.try_lock()?.then_some(file))
    }

    /// Locks active segments that `wanted` picks and nobody writes to, and goes over them to their very end.
    fn lock_active(&self, wanted: impl Fn(&View, &Walk) -> bool) -> io::Result<Vec<Locked>> {
        let view = self.view()?;
        let mut locked = Vec::new();
        for walk in view.active.iter().filter(|walk| wanted(&view, walk)) {
            if view.sealed.contains_key(&walk.segment.id) {
                // Scanned only because its run is gone: nobody writes to it.
                locked.push((walk.clone(), None));
                continue;
            }
            if !walk.segment.sound && walk.entries.is_empty() {
                // Its maker is still at it, or did not come to write its header.
                continue;
            }
            let file = match self.disk.open(&segment::name(walk.segment.id), true) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if file.try_lock()? && file.is_linked()? {
                let mut walk = walk.clone();
                walk.go_on(Some(file.data_end(walk.end)?));
                locked.push((walk, Some(file)));
            }
        }
        Ok(locked)
    }

    /// Seals segments that are full, and merges their index with those that are not much larger.
    pub(crate) fn seal(&self) -> io::Result<()> {
        let Some(_lock) = self.maintenance()? else { return Ok(()) };
        self.refresh(true)?;
        let (crowded, long) = {
            let view = self.view()?;
            (view.active.len() > 16, view.scanned() > MOST_SCANNED)
        };
        let locked = self.lock_active(|view, walk| {
            let least = walk.segment.map.len() as u64 / 16;
            let full = !has_room(walk, least) || long && walk.entries.len() > MOST_SCANNED / 16;
            crowded || full || view.sealed.contains_key(&walk.segment.id)
        })?;
        let view = self.view()?;
        let lost = view.manifest.lost || view.runs.len() < view.manifest.runs.len();
        if locked.is_empty() || (locked.len() < 2 && locked.iter().all(|(walk, _)| walk.entries.is_empty())) && !lost {
            return Ok(());
        }
        let segments = segments_of(&view);
        let mut rows: Vec<Row> = Vec::new();
        let mut covered: Vec<u64> = locked.iter().map(|(walk, _)| walk.segment.id).collect();
        for (walk, _) in &locked {
            rows.extend(walk.entries.iter().map(|entry| row(entry, walk.segment.id)));
        }
        let mut runs: Vec<_> = view.runs.iter().map(|run| (run.entries, run.id, Arc::clone(run))).collect();
        runs.sort_by_key(|run| (run.0, run.1));
        let mut kept: Vec<u64> = Vec::new();
        for (entries, id, run) in runs {
            if entries >= 4 * rows.len() as u64 {
                kept.push(id);
                continue;
            }
            let (more, lost) = run.all();
            self.counters.add(Counter::Bad, lost);
            rows.extend(more);
            covered.extend(&run.ids);
        }
        newest(&mut rows, key_in(&segments));
        let mut manifest = Manifest { number: view.manifest.number + 1, ..view.manifest.clone() };
        for (walk, _) in &locked {
            manifest.sealed.retain(|row| row.id.get() != walk.segment.id);
            manifest.sealed.push(sealed_row(walk));
        }
        drop(view);
        manifest.runs = kept;
        manifest.runs.push(self.write_run(&mut rows, covered)?);
        self.rotate_touched(&mut manifest.counters)?;
        self.publish(manifest)
    }

    /// Sets the notes of use aside once they are long, and forgets those that were set aside before.
    fn rotate_touched(&self, counters: &mut [u64; 8]) -> io::Result<()> {
        let long = match self.disk.open(TOUCHED, false) {
            Ok(file) => file.length()? > touch::MOST,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if !long {
            return Ok(());
        }
        touch::read(&*self.disk, TOUCHED_BEFORE, |row| {
            if let Some(counter) = usize::from(row.what).checked_sub(1).and_then(|at| counters.get_mut(at)) {
                *counter = counter.saturating_add(row.fingerprint.get());
            }
        })?;
        self.disk.rename(TOUCHED, TOUCHED_BEFORE)
    }

    /// Writes a run, which is on the disk when this returns.
    fn write_run(&self, rows: &mut [Row], covered: Vec<u64>) -> io::Result<u64> {
        let id = random();
        let bytes = run::Run::encode(id, rows, covered);
        let file = self.disk.create(&run::name(id), bytes.len() as u64)?;
        file.write_at(0, &bytes)?;
        file.sync()?;
        Ok(id)
    }

    /// Puts a manifest in the place of the last, and unlinks what nobody names any more.
    fn publish(&self, mut manifest: Manifest) -> io::Result<()> {
        const NEW: &str = "manifest.tmp";
        let names = self.disk.list()?;
        if names.iter().any(|name| name == NEW) {
            self.disk.remove(NEW)?;
        }
        manifest.retired.retain(|id| names.contains(&segment::name(*id)));
        let bytes = manifest.encode();
        for name in manifest::NAMES {
            let file = self.disk.create(NEW, bytes.len() as u64)?;
            file.write_at(0, &bytes)?;
            file.sync()?;
            self.disk.sync()?;
            self.disk.rename(NEW, name)?;
        }
        self.disk.sync()?;
        self.announce()?;
        self.sweep(&manifest)?;
        self.refresh(true)
    }

    /// Unlinks files without a meaning. The lock is held.
    fn sweep(&self, manifest: &Manifest) -> io::Result<()> {
        for name in self.disk.list()? {
            let useless = match (segment::id_of(&name, ".run"), segment::id_of(&name, ".seg")) {
                (Some(id), _) => !manifest.runs.contains(&id),
                (_, Some(id)) => manifest.retired.contains(&id),
                _ => name.ends_with(".tmp"),
            };
            if useless {
                self.disk.remove(&name)?;
            }
        }
        self.sweep_unmade(manifest)
    }

    /// Unlinks segments whose maker did not come to write their header, or only a part of it.
    fn sweep_unmade(&self, manifest: &Manifest) -> io::Result<()> {
        let known: HashSet<u64> = manifest.sealed.iter().map(|row| row.id.get()).collect();
        for name in self.disk.list()? {
            let Some(id) = segment::id_of(&name, ".seg").filter(|id| !known.contains(id)) else { continue };
            let walk = self.view()?.walk(id).cloned();
            if walk.as_ref().is_some_and(|walk| walk.segment.sound || !walk.entries.is_empty()) {
                continue;
            }
            // A maker locks before it writes, and makes another where somebody else has locked.
            let Ok(file) = self.disk.open(&name, true) else { continue };
            if !file.try_lock()? {
                continue;
            }
            let empty = match walk {
                Some(mut walk) => {
                    walk.go_on(Some(file.data_end(UNIT)?));
                    !walk.segment.is_sound_now() && walk.entries.is_empty() && walk.damaged == 0
                }
                // No segment, or one of a later format.
                None => file.length()? <= UNIT || file.data_end(0)? == 0,
            };
            if empty {
                self.disk.remove(&name)?;
            }
        }
        Ok(())
    }

    /// Brings the directory down to so many bytes and entries, giving up what was used least recently.
    pub(crate) fn collect(&self, target: (u64, u64), dry_run: bool) -> io::Result<Collected> {
        let _writer = self.release();
        let Some(_lock) = self.maintenance()? else { return Ok(Collected { busy: true, ..Collected::default() }) };
        self.refresh(true)?;
        let locked = self.lock_active(|_, _| true)?;
        let view = self.view()?;
        let segments = segments_of(&view);
        let bytes_before = view.bytes;

        // What may be given up, by segment; the rest is somebody's.
        let mut loads: HashMap<u64, Load> = HashMap::new();
        let mut rows: Vec<Row> = Vec::new();
        for sealed in &view.manifest.sealed {
            let (end, records, sequence) = (sealed.end.get(), sealed.records.get(), sealed.sequence.get());
            loads.insert(sealed.id.get(), Load { end, records, sequence, ..Load::default() });
        }
        for (walk, _) in &locked {
            let sealed = sealed_row(walk);
            let (end, records, sequence) = (walk.end, sealed.records.get(), sealed.sequence.get());
            loads.insert(walk.segment.id, Load { end, records, sequence, ..Load::default() });
            rows.extend(walk.entries.iter().map(|entry| row(entry, walk.segment.id)));
        }
        for run in &view.runs {
            let (more, lost) = run.all();
            self.counters.add(Counter::Bad, lost);
            rows.extend(more.into_iter().filter(|row| !locked.iter().any(|(walk, _)| walk.segment.id == row.segment)));
        }
        let pinned: Vec<&Walk> = view.active.iter().filter(|walk| !loads.contains_key(&walk.segment.id)).collect();
        let pinned_bytes: u64 = pinned.iter().map(|walk| walk.end).sum();
        let pinned_entries: u64 = pinned.iter().map(|walk| walk.entries.len() as u64).sum();
        let pinned_sequence = pinned.iter().map(|walk| sealed_row(walk).sequence.get()).min().unwrap_or(u64::MAX);
        let mut replaced: HashMap<u64, (Key, u64)> = HashMap::new();
        for entry in pinned.iter().flat_map(|walk| &walk.entries) {
            let newest = replaced.entry(entry.key.fingerprint()).or_insert((entry.key, entry.sequence));
            newest.1 = newest.1.max(entry.sequence);
        }
        drop(view);

        let mut manifest_counters = [0; 8];
        let used = self.used(&mut manifest_counters, dry_run)?;
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
        let (removals, mut live): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_removal);
        let entries_before = live.len() as u64 + pinned_entries;

        // The most recently used that fit are worth keeping.
        live.sort_unstable_by_key(|row| (u32::MAX - row.entry.used.get(), u64::MAX - row.entry.sequence.get()));
        let (mut bytes_left, mut entries_left) =
            (target.0.saturating_sub(pinned_bytes), target.1.saturating_sub(pinned_entries));
        let mut worth = 0;
        for row in &live {
            let bytes = bytes_of(row.entry.units.get());
            if bytes > bytes_left || entries_left == 0 {
                break;
            }
            (bytes_left, entries_left) = (bytes_left - bytes, entries_left - 1);
            worth += 1;
        }
        for (number, row) in live.iter().enumerate() {
            let Some(load) = loads.get_mut(&row.segment) else { continue };
            load.live += 1;
            if number < worth {
                load.kept += bytes_of(row.entry.units.get());
                load.kept_entries += 1;
            }
        }

        // Segments that hold least of it go first, until all fits.
        let mut order: Vec<(u64, u64)> =
            loads.iter().map(|(id, load)| ((load.kept << 16) / load.end.max(1), *id)).collect();
        order.sort_unstable();
        let mut bytes = loads.values().map(|load| load.end).sum::<u64>() + pinned_bytes;
        let mut entries = entries_before;
        let mut retired: HashSet<u64> = HashSet::new();
        let mut copied = 0;
        for (_, id) in order {
            let Some(load) = loads.get(&id) else { continue };
            let fits = bytes <= target.0 && entries <= target.1;
            if fits && load.kept > 0 {
                break;
            }
            // Copying costs as much as it keeps: little is gained from a segment that is nearly all kept.
            bytes = bytes.saturating_sub(load.end.saturating_sub(load.kept));
            entries -= load.live - load.kept_entries;
            copied += load.kept;
            retired.insert(id);
        }
        let done = Collected {
            bytes_before,
            bytes_after: bytes,
            entries_before,
            entries_after: entries,
            segments: retired.len() as u64,
            copied,
            busy: false,
        };
        if dry_run || (retired.is_empty() && locked.is_empty()) {
            return Ok(done);
        }

        let survivors = loads.iter().filter(|(id, _)| !retired.contains(id)).map(|(_, load)| load.sequence);
        let oldest = survivors.min().unwrap_or(u64::MAX).min(pinned_sequence);
        let mut staying: Vec<Row> = Vec::new();
        let mut moving: Vec<Row> = Vec::new();
        for (number, row) in live.into_iter().enumerate() {
            match retired.contains(&row.segment) {
                false => staying.push(row),
                true if number < worth => moving.push(row),
                // An older record of it must not show through.
                true if replaced.contains_key(&row.entry.fingerprint.get()) => moving.push(as_removal(&row)),
                true => {}
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
        moving.sort_unstable_by_key(|row| (row.segment, row.entry.at.get()));
        let (mut made, _holders) = self.copy(&segments, &moving, &mut staying)?;

        let view = self.view()?;
        let mut manifest = Manifest { number: view.manifest.number + 1, ..view.manifest.clone() };
        drop(view);
        let rows = loads.iter().filter(|(id, _)| !retired.contains(id)).map(|(id, load)| SealedRow {
            id: (*id).into(),
            end: load.end.into(),
            records: load.records.into(),
            sequence: load.sequence.into(),
        });
        manifest.sealed = rows.collect();
        manifest.sealed.append(&mut made);
        manifest.retired.extend(retired);
        for (counter, more) in manifest.counters.iter_mut().zip(manifest_counters) {
            *counter = counter.saturating_add(more);
        }
        if let Some(counter) = manifest.counters.get_mut(Counter::Evicted as usize) {
            *counter = counter.saturating_add(done.entries_before - done.entries_after);
        }
        let covered: Vec<u64> = manifest.sealed.iter().map(|row| row.id.get()).collect();
        manifest.runs = match covered.is_empty() {
            true => Vec::new(),
            false => vec![self.write_run(&mut staying, covered)?],
        };
        self.publish(manifest)?;
        match self.disk.remove(TOUCHED_BEFORE) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(done),
        }
    }

    /// When records were last used, by fingerprint; counters are added up.
    fn used(&self, counters: &mut [u64; 8], dry_run: bool) -> io::Result<HashMap<u64, u32>> {
        let mut used: HashMap<u64, u32> = HashMap::new();
        let mut take = |row: &crate::layout::TouchRow| match row.what {
            0 => {
                let time = used.entry(row.fingerprint.get()).or_default();
                *time = (*time).max(row.time.get());
            }
            what => {
                if let Some(counter) = counters.get_mut(usize::from(what) - 1) {
                    *counter = counter.saturating_add(row.fingerprint.get());
                }
            }
        };
        touch::read(&*self.disk, TOUCHED_BEFORE, &mut take)?;
        if dry_run {
            touch::read(&*self.disk, TOUCHED, &mut take)?;
            return Ok(used);
        }
        match self.disk.rename(TOUCHED, TOUCHED_BEFORE) {
            Ok(()) => touch::read(&*self.disk, TOUCHED_BEFORE, &mut take)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(used)
    }

    /// Copies records to new segments, which are on the disk when this returns. Where they stand now goes to `rows`.
    fn copy(
        &self,
        segments: &Segments,
        moving: &[Row],
        rows: &mut Vec<Row>,
    ) -> io::Result<(Vec<SealedRow>, Vec<Writer>)> {
        let mut made: Vec<SealedRow> = Vec::new();
        let mut holders: Vec<Writer> = Vec::new();
        let (mut at, mut capacity) = (0, 0);
        for (number, row) in moving.iter().enumerate() {
            let record = segments.get(&row.segment).and_then(|segment| segment.record(row.entry.at.get()));
            let Some(parts) = record.and_then(|record| record.parts()) else {
                self.counters.add(Counter::Bad, 1);
                continue;
            };
            let mut draft = parts.draft();
            if is_removal(row) {
                draft = Draft { kind: None, value: &[], index: &[], meta: &[], ..draft };
            }
            if holders.is_empty() || at + draft.size_at(at) > capacity {
                let left: u64 =
                    moving.iter().skip(number).map(|row| bytes_of(row.entry.units.get()) + MOST_ALIGNMENT).sum();
                let fitting = left.min(self.options.segment_bytes()).max(draft.size_at(UNIT));
                let writer = self.create(UNIT + fitting, Durability::Process)?;
                capacity = (UNIT + fitting).next_multiple_of(UNIT);
                at = UNIT;
                let start =
                    SealedRow { id: writer.id.into(), end: at.into(), records: 0.into(), sequence: u64::MAX.into() };
                made.push(start);
                holders.push(writer);
            }
            let (Some(writer), Some(sealed)) = (holders.last(), made.last_mut()) else { continue };
            draft.write(&mut |at, bytes| writer.file.write_at(at, bytes), writer.id, at, capacity, || Ok(()))?;
            let size = draft.size_at(at);
            let entry = RunEntry {
                at: ((at / UNIT) as u32).into(),
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
        for writer in &holders {
            writer.file.sync()?;
        }
        Ok((made, holders))
    }
}
