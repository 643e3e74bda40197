//! What is done under the directory's `lock`: sealing what is full, and what sealing and evicting share.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use crate::dir::{Dir, MOST_SCANNED, has_room, is_full, is_not_ours, open_or_create, random};
use crate::disk::{Disk, DiskFile};
use crate::key::Key;
use crate::last_use::{self, TOUCHED, TOUCHED_BEFORE};
use crate::layout::{RecordHeader, RunEntry, SealedRow, UNIT};
use crate::manifest::{self, Manifest};
use crate::segment::{self, Entry, Segment, Walk};
use crate::sorted_run::{self, Row, newest};
use crate::stats::Counter;
use crate::view::View;

/// How many milliseconds the lock is waited for by those who cannot do without it.
pub(crate) const WAITS: u32 = 100;

/// Segments whose records are at hand.
pub(crate) type Segments = HashMap<u64, Arc<Segment>>;

/// An active segment and the file that holds its lock.
pub(crate) type Locked = (Walk, Option<Box<dyn DiskFile>>);

pub(crate) fn row(entry: &Entry, segment: u64) -> Row {
    let removed = if entry.removed { RunEntry::REMOVED } else { 0 };
    let shared = if entry.form == RecordHeader::VALUE { 0 } else { RunEntry::SHARED };
    let entry = RunEntry {
        fingerprint: entry.key.fingerprint().into(),
        sequence: entry.sequence.into(),
        used: entry.used.into(),
        segment: 0.into(),
        at: (entry.at | shared).into(),
        units: (entry.units | removed).into(),
    };
    Row { entry, segment }
}

pub(crate) fn sealed_row(walk: &Walk) -> SealedRow {
    SealedRow {
        id: walk.segment.id.into(),
        end: walk.end.into(),
        records: (walk.entries.len() as u64).into(),
        sequence: walk.entries.iter().map(|entry| entry.sequence).min().unwrap_or(u64::MAX).into(),
    }
}

pub(crate) fn key_in(segments: &Segments) -> impl Fn(&Row) -> Option<Key> {
    |row| segments.get(&row.segment)?.record(row.entry.place()).map(|record| record.key())
}

pub(crate) fn remove_if_there(disk: &dyn Disk, name: &str) -> io::Result<()> {
    disk.remove(name).or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// All segments of a view, those that are locked as they are now.
pub(crate) fn segments_of(view: &View, locked: &[Locked]) -> Segments {
    let active = view.active.iter().chain(locked.iter().map(|(walk, _)| walk));
    let active = active.map(|walk| (walk.segment.id, Arc::clone(&walk.segment)));
    view.sealed.iter().map(|(id, segment)| (*id, Arc::clone(segment))).chain(active).collect()
}

impl Dir {
    /// The directory's lock, if it is free.
    pub(crate) fn maintenance(&self) -> io::Result<Option<Box<dyn DiskFile>>> {
        let file = open_or_create(&*self.disk, "lock", 0)?;
        Ok(file.try_lock()?.then_some(file))
    }

    /// The directory's lock, also where another gives it back in a moment.
    pub(crate) fn maintenance_soon(&self) -> io::Result<Option<Box<dyn DiskFile>>> {
        for _ in 0..WAITS {
            if let Some(lock) = self.maintenance()? {
                return Ok(Some(lock));
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        self.maintenance()
    }

    /// Locks active segments that `wanted` picks and that have no writer, and goes over them to their very end.
    pub(crate) fn lock_active(&self, wanted: impl Fn(&View, &Walk) -> bool) -> io::Result<Vec<Locked>> {
        let view = self.view()?;
        let mut locked = Vec::new();
        for walk in view.active.iter().filter(|walk| wanted(&view, walk)) {
            if view.sealed.contains_key(&walk.segment.id) {
                // Scanned only because its run is gone: it has no writer.
                locked.push((walk.clone(), None));
                continue;
            }
            if !walk.segment.sound && walk.entries.is_empty() {
                // Its maker is still at it, or did not come to write its header.
                continue;
            }
            let file = match self.disk.open(&segment::name(walk.segment.id), true) {
                Ok(file) => file,
                Err(error) if is_not_ours(&error) => continue,
                Err(error) => return Err(error),
            };
            if file.try_lock()?
                && file.is_linked()?
                && let Some(mut walk) = self.as_it_is_now(walk)?
            {
                walk.resume(Some(file.data_end(walk.end)?));
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
        let segments = segments_of(&view, &locked);
        let mut rows: Vec<Row> = Vec::new();
        let mut covered: Vec<u64> = locked.iter().map(|(walk, _)| walk.segment.id).collect();
        let mut contents = 0;
        for (walk, _) in &locked {
            rows.extend(walk.entries.iter().map(|entry| row(entry, walk.segment.id)));
            contents += walk.entries.iter().filter(|entry| entry.form == RecordHeader::CONTENT).count() as u64;
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
            contents += run.contents;
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
        self.all_or_nothing(&[], || {
            manifest.runs.push(self.write_run(&mut rows, covered, contents)?);
            self.rotate_touched(&mut manifest.counters)?;
            self.publish(manifest)
        })
    }

    /// Does what ends in a new manifest. Where it fails before that, what was made for it goes, `segments` among it: on a
    /// full disk the room is wanted.
    pub(crate) fn all_or_nothing(
        &self,
        segments: &[SealedRow],
        publish: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let published = publish();
        if published.is_err() {
            // That this fails, too, leaves files without a meaning, or records twice.
            let _ = self.take_away(segments);
        }
        published
    }

    /// Unlinks what the manifest that is in force does not name. The lock is held.
    fn take_away(&self, segments: &[SealedRow]) -> io::Result<()> {
        self.refresh(true)?;
        let manifest = self.view()?.manifest.clone();
        if manifest.lost {
            return Ok(());
        }
        // It may be in force and not on the disk.
        self.disk.sync()?;
        for row in segments {
            if !manifest.sealed.iter().any(|sealed| sealed.id == row.id) {
                self.disk.remove(&segment::name(row.id.get()))?;
            }
        }
        self.sweep(&manifest)?;
        self.notify()?;
        self.refresh(true)
    }

    /// Sets the notes of use aside once they are long, and forgets those that were set aside before.
    fn rotate_touched(&self, counters: &mut [u64; 8]) -> io::Result<()> {
        let long = match self.disk.open(TOUCHED, false) {
            Ok(file) => file.length()? > last_use::MOST,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if !long {
            return Ok(());
        }
        last_use::read(&*self.disk, TOUCHED_BEFORE, |row| last_use::count(counters, row))?;
        self.disk.rename(TOUCHED, TOUCHED_BEFORE)
    }

    /// Writes a run, which is on the disk when this returns.
    pub(crate) fn write_run(&self, rows: &mut [Row], covered: Vec<u64>, contents: u64) -> io::Result<u64> {
        let id = random();
        let bytes = sorted_run::Run::encode(id, rows, covered, contents);
        let file = self.disk.create(&sorted_run::name(id), bytes.len() as u64)?;
        file.allocate(0, bytes.len() as u64)?;
        file.write_at(0, &bytes)?;
        file.sync()?;
        Ok(id)
    }

    /// Puts a manifest in the place of the last, and unlinks what it no longer names.
    pub(crate) fn publish(&self, mut manifest: Manifest) -> io::Result<()> {
        const NEW: &str = "manifest.tmp";
        let names = self.disk.list()?;
        if names.iter().any(|name| name == NEW) {
            self.disk.remove(NEW)?;
        }
        manifest.retired.retain(|id| names.contains(&segment::name(*id)));
        let bytes = manifest.encode();
        let put = |name: &str| {
            let file = self.disk.create(NEW, bytes.len() as u64)?;
            file.write_at(0, &bytes)?;
            file.sync()?;
            self.disk.sync()?;
            self.disk.rename(NEW, name)?;
            self.disk.sync()
        };
        let [first, copy] = manifest::NAMES;
        put(first)?;
        match put(copy) {
            // The last one would be wrong. None is made until there is room.
            Err(error) if is_full(&error) => {
                self.counters.add(Counter::Failed, 1);
                remove_if_there(&*self.disk, copy)?;
                self.disk.sync()?;
            }
            done => done?,
        }
        self.notify()?;
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
            // A maker locks before it writes, and makes another where it is locked already.
            let Ok(file) = self.disk.open(&name, true) else { continue };
            if !file.try_lock()? {
                continue;
            }
            let empty = match walk {
                Some(mut walk) => {
                    walk.resume(Some(file.data_end(UNIT)?));
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
}
