//! One directory, open: looking up, and the one writer that this opener may have in it.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use zerocopy::IntoBytes;

use crate::blocks::BlockCounts;
use crate::disk::{Disk, DiskFile};
use crate::key::Key;
use crate::last_use::Touches;
use crate::layout::{RecordHeader, SegmentHeader, UNIT};
use crate::limits::Limits;
use crate::mutex::lock;
use crate::options::{Durability, Options};
use crate::record::{Draft, Record};
use crate::segment::{self, Segment, SmallValue, Walk};
use crate::stats::{Counter, Counters};
use crate::view::{Found, FoundEntry, GENERATION, View};

/// Records that a segment holds at most: who opens the directory scans those that are active, a millisecond for each
/// two thousand records.
const MOST_RECORDS: usize = 4 << 10;
/// Records that all active segments hold together, before the fuller ones are sealed.
pub(crate) const MOST_SCANNED: usize = 6 << 10;
/// Segments that are left active, full or not, before what is full is sealed.
const MOST_ACTIVE: usize = 24;
/// The file that bad records are noted in.
pub(crate) const SUSPECTS: &str = "suspects";
/// How far a writer takes room on the disk ahead of what it writes.
const AHEAD: u64 = 256 << 10;

/// A directory, open.
#[derive(Debug)]
pub(crate) struct Dir {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) options: Options,
    view: RwLock<View>,
    pub(crate) writer: Mutex<Option<Writer>>,
    pub(crate) counters: Counters,
    pub(crate) touches: Touches,
    /// Of large values.
    pub(crate) blocks: Arc<BlockCounts>,
    /// Records found bad, by segment and place: told once.
    bad: Mutex<HashSet<(u64, u32)>>,
    /// How many bytes there were when eviction last did not help.
    pub(crate) gave_up_at: AtomicU64,
    /// How many records were left to be scanned when sealing last did not help.
    left_scanned: AtomicUsize,
    generation: Mutex<Option<Box<dyn DiskFile>>>,
    /// Whether names may have been made that are not on the disk yet.
    names_unsynced: AtomicBool,
    /// How much room is kept back, as far as this opener knows.
    pub(crate) reserved: AtomicU64,
}

/// An active segment that this opener holds the lock of.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) file: Box<dyn DiskFile>,
    pub(crate) id: u64,
    /// Up to where room on the disk was taken.
    taken: u64,
}

impl Writer {
    /// Sees to it that there is room on the disk up to `end`, and takes some more at once, up to `most`.
    pub(crate) fn take_room(&mut self, end: u64, most: u64) -> io::Result<()> {
        if end <= self.taken {
            return Ok(());
        }
        let (from, ahead) = (self.taken, end.next_multiple_of(AHEAD).min(most).max(end));
        let taken = match self.file.allocate(from, ahead - from) {
            Err(error) if is_full(&error) && ahead > end => self.file.allocate(from, end - from).map(|()| end),
            other => other.map(|()| ahead),
        };
        self.taken = taken?;
        self.lay_out(from);
        Ok(())
    }

    /// Writes zeros from `from` to where room was taken. Nothing stands there yet: what is written at once lies in few, large pages of
    /// the system's cache, which cost those who read through a map less to look up than many small ones do. Where touching a hole takes
    /// room, all of it may be touched only once it was written to, and nothing is gained.
    fn lay_out(&self, from: u64) {
        if self.taken > from && self.file.backed().is_ok_and(|backed| backed == u64::MAX) {
            // It is for speed alone.
            let _ = self.file.write_at(from, &vec![0; (self.taken - from) as usize]);
        }
    }
}

/// Whether something failed since the disk is full, or as much of it as the user may have.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// A number that is not in use.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one((std::process::id(), SystemTime::now()))
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

impl Dir {
    pub(crate) fn open(disk: Arc<dyn Disk>, options: Options) -> io::Result<Dir> {
        let generation = match options.read_only {
            true => None,
            false => {
                let file = open_or_create(&*disk, GENERATION, 8)?;
                // Its maker may not have come to give it its length, or to write to it.
                if file.length()? < 8 || file.data_end(0)? == 0 {
                    file.write_at(0, &random().to_le_bytes())?;
                }
                Some(file)
            }
        };
        let view = View::load(&*disk, None)?;
        let options = options.within(Limits::read(&*disk));
        Ok(Dir {
            disk,
            options,
            view: RwLock::new(view),
            writer: Mutex::new(None),
            counters: Counters::default(),
            touches: Touches::default(),
            blocks: Arc::default(),
            bad: Mutex::default(),
            gave_up_at: AtomicU64::new(0),
            left_scanned: AtomicUsize::new(0),
            generation: Mutex::new(generation),
            names_unsynced: AtomicBool::new(true),
            reserved: AtomicU64::new(0),
        })
    }

    pub(crate) fn read_view(&self) -> RwLockReadGuard<'_, View> {
        self.view.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The directory as it is now.
    pub(crate) fn view(&self) -> io::Result<RwLockReadGuard<'_, View>> {
        let view = self.read_view();
        if !view.is_outdated() && !view.has_more() {
            return Ok(view);
        }
        drop(view);
        self.refresh(false)?;
        Ok(self.read_view())
    }

    /// The highest sequence number that has been seen.
    #[cfg(feature = "remote")]
    pub(crate) fn sequence(&self) -> u64 {
        self.view().map_or(0, |view| view.sequence)
    }

    /// Looks again at what others have done.
    pub(crate) fn refresh(&self, all: bool) -> io::Result<()> {
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        if all || view.is_outdated() {
            *view = View::load(&*self.disk, Some(&view))?;
        }
        view.resume();
        Ok(())
    }

    /// The newest record of a key, with what it names. One that is damaged is told of, and is none.
    pub(crate) fn find(&self, key: &Key) -> Option<Record> {
        let Ok(view) = self.view() else {
            self.counters.add(Counter::Failed, 1);
            return None;
        };
        // Both in one view: what an alias names stays in it, whatever becomes of the directory.
        let (segment, at) = match view.find_entry(key) {
            FoundEntry::Entry(own, named) => {
                let named = named.map(|named| Box::new(named.record()));
                return Some(Record { named, ..own.record() });
            }
            FoundEntry::Nothing => return None,
            FoundEntry::Bad(segment, at) => (segment, at),
        };
        drop(view);
        self.set_aside(segment, at, key);
        None
    }

    /// What `take` makes of the newest record of a key, of its segment, place and header. Nobody puts meanwhile: it must not
    /// take long.
    #[inline]
    pub(crate) fn find_as<T>(&self, key: &Key, take: impl FnOnce(&Segment, u32, &RecordHeader) -> T) -> Option<T> {
        let Ok(view) = self.view() else {
            // What cannot be looked at now is a miss.
            self.counters.add(Counter::Failed, 1);
            return None;
        };
        let (segment, at) = match view.find(key) {
            Found::Record(segment, at, header) => return Some(take(segment, at, header)),
            Found::Nothing => return None,
            Found::Bad(segment, at) => (segment, at),
        };
        drop(view);
        self.set_aside(segment, at, key);
        None
    }

    /// The value of a key where it has one block and is what was written; else its newest record, of which that is not known.
    #[inline]
    pub(crate) fn find_small(&self, key: &Key) -> Option<Result<Bytes, Box<Record>>> {
        if let Some(known) = self.view().ok().and_then(|view| view.known_value(key)) {
            return Some(Ok(known));
        }
        let found = self.find_as(key, |segment, at, header| {
            let small = SmallValue::of(at, header);
            match small.and_then(|small| Some((small, small.checked(&segment.map)?))) {
                Some((small, value)) => Ok(((segment.id, at), small, value)),
                None => Err(Box::new(segment.record_of(at, header))),
            }
        })?;
        match found {
            // An alias, which names what is looked for, or content, which is no entry.
            Err(record) if record.header.form != RecordHeader::VALUE => {
                return self.find(key).map(|record| Err(Box::new(record)));
            }
            _ => {}
        }
        Some(found.map(|(place, small, value)| {
            // Where others are at work it is left to the next time.
            if let Ok(mut view) = self.view.try_write() {
                view.remember(key, place, small);
            }
            value
        }))
    }

    /// Notes that a record is bad.
    pub(crate) fn set_aside(&self, segment: u64, at: u32, key: &Key) {
        self.counters.add(Counter::Bad, 1);
        if !lock(&self.bad).insert((segment, at)) || self.options.read_only {
            return;
        }
        let line = format!("{segment:016x} {at} {key}\n");
        if self.disk.append(SUSPECTS, line.as_bytes()).is_err() {
            self.counters.add(Counter::Failed, 1);
        }
    }

    /// Adds a record. Where its sequence number is 0, it gets one that makes it the newest.
    ///
    /// A removal gets through on a full disk as well, with the room that is kept back; then what is not needed goes.
    pub(crate) fn put(&self, draft: &Draft<'_>, durability: Durability) -> io::Result<()> {
        match self.try_put(draft, durability) {
            Err(error) if draft.kind.is_none() && is_full(&error) => self.with_reserve(|_| {
                self.try_put(draft, durability)?;
                if self.collect_within(self.options.bounds(), 0).is_err() {
                    self.counters.add(Counter::Failed, 1);
                }
                Ok(())
            })?,
            written => written?,
        }
        self.keep_bounds();
        self.keep_reserve(0);
        Ok(())
    }

    fn try_put(&self, draft: &Draft<'_>, durability: Durability) -> io::Result<()> {
        let mut writer = lock(&self.writer);
        drop(self.view()?);
        let written = match draft.is_shared() {
            true => self.put_shared(&mut writer, draft, durability),
            false => self.put_one(&mut writer, draft, durability).map(drop),
        };
        if written.is_err() {
            // What is behind the last record is not known any more: the next writer of the segment looks.
            *writer = None;
            let _ = self.refresh(true);
        }
        written
    }

    /// Writes one record. Where it has a segment of its own, who holds the lock of that.
    pub(crate) fn put_one(
        &self,
        writer: &mut Option<Writer>,
        draft: &Draft<'_>,
        durability: Durability,
    ) -> io::Result<Option<Writer>> {
        if self.is_large(draft) {
            return self.put_alone(draft, durability).map(Some);
        }
        self.room(writer, draft.most_size(), durability)?;
        self.append(writer, draft, durability)?;
        Ok(None)
    }

    /// Whether it has a segment of its own.
    pub(crate) fn is_large(&self, draft: &Draft<'_>) -> bool {
        draft.most_size() > self.options.segment_bytes() / 8
    }

    pub(crate) fn append(
        &self,
        writer: &mut Option<Writer>,
        draft: &Draft<'_>,
        durability: Durability,
    ) -> io::Result<()> {
        let Some(writer) = writer else { return Err(io::Error::other("no segment to write to")) };
        let (at, capacity, sequence) = {
            let view = self.read_view();
            let walk = view.walk(writer.id).ok_or_else(|| io::Error::other("the segment is gone"))?;
            (walk.end, walk.segment.map.len() as u64, number_of(draft, &view))
        };
        self.write(writer, at, capacity, &Draft { sequence, ..*draft }, durability)
    }

    fn write(
        &self,
        writer: &mut Writer,
        at: u64,
        capacity: u64,
        draft: &Draft<'_>,
        durability: Durability,
    ) -> io::Result<()> {
        writer.take_room((at + draft.size_at(at) + UNIT).min(capacity), capacity)?;
        let (file, id) = (&*writer.file, writer.id);
        draft.write(&mut |at, bytes| file.write_at(at, bytes), id, at, capacity, || match durability {
            Durability::Process => Ok(()),
            Durability::Power => {
                file.sync()?;
                self.sync_names()
            }
        })?;
        if durability == Durability::Power {
            file.sync()?;
        }
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        view.resume();
        match view.walk(id).is_some_and(|walk| walk.end > at) {
            true => Ok(()),
            false => Err(io::Error::other("what was written is not there")),
        }
    }

    fn sync_names(&self) -> io::Result<()> {
        if self.names_unsynced.swap(false, Ordering::Relaxed) {
            self.disk.sync().inspect_err(|_| self.names_unsynced.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    }

    /// A large record gets a segment of its own.
    fn put_alone(&self, draft: &Draft<'_>, durability: Durability) -> io::Result<Writer> {
        let length = UNIT + draft.size_at(UNIT);
        let mut writer = self.create(length, durability)?;
        let sequence = number_of(draft, &self.read_view());
        let draft = Draft { sequence, ..*draft };
        let written = self.write(&mut writer, UNIT, length, &draft, durability);
        if written.is_err() {
            // It takes no more.
            let _ = self.disk.remove(&segment::name(writer.id));
        }
        written.map(|()| writer)
    }

    /// Sees to it that the writer has a segment with room.
    pub(crate) fn room(&self, writer: &mut Option<Writer>, size: u64, durability: Durability) -> io::Result<()> {
        if let Some(writer) = writer
            && self.read_view().walk(writer.id).is_some_and(|walk| has_room(walk, size))
        {
            return Ok(());
        }
        if writer.take().is_some() {
            self.seal_when_worth();
            drop(self.view()?);
        }
        *writer = match self.adopt(size)? {
            Some(adopted) => Some(adopted),
            None => Some(self.create(self.options.segment_bytes(), durability)?),
        };
        Ok(())
    }

    /// Takes over an active segment without a writer.
    fn adopt(&self, size: u64) -> io::Result<Option<Writer>> {
        let mut candidates: Vec<(usize, u64)> = {
            let view = self.read_view();
            let fit = |walk: &&Walk| {
                has_room(walk, size) && walk.segment.sound && !view.sealed.contains_key(&walk.segment.id)
            };
            // Which segments are sealed is not known where the manifest is not.
            let known = !view.manifest.lost;
            let fitting = view.active.iter().filter(|walk| known && fit(walk));
            fitting.map(|walk| (walk.entries.len(), walk.segment.id)).collect()
        };
        // The fullest first: few are worth sealing then, instead of many that hold little.
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        for (_, id) in candidates {
            let file = match self.disk.open(&segment::name(id), true) {
                Ok(file) => file,
                Err(error) if is_not_ours(&error) => continue,
                Err(error) => return Err(error),
            };
            if !file.try_lock()? || !file.is_linked()? {
                continue;
            }
            // The last holder of the lock may have sealed it.
            self.refresh(true)?;
            let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
            let Some(walk) = view.walk(id).filter(|_| !view.sealed.contains_key(&id)) else { continue };
            let walk = self.as_it_is_now(walk)?;
            let Some(mut walk) = walk.filter(|walk| walk.segment.live) else { continue };
            walk.resume(Some(file.data_end(walk.end)?));
            let (fits, taken) = (has_room(&walk, size), walk.end);
            view.add(walk);
            drop(view);
            if fits {
                // Its maker may not have come to say so.
                self.notify()?;
                return Ok(Some(Writer { file, id, taken }));
            }
        }
        Ok(None)
    }

    /// The walk over a segment that this opener has locked: it may have been read at another time, instead of mapped.
    pub(crate) fn as_it_is_now(&self, walk: &Walk) -> io::Result<Option<Walk>> {
        if walk.segment.live {
            return Ok(Some(walk.clone()));
        }
        let id = walk.segment.id;
        let segment = Segment::open(id, self.disk.open(&segment::name(id), false)?.into(), true)?;
        Ok(segment.map(Walk::new))
    }

    /// Makes a segment.
    pub(crate) fn create(&self, length: u64, durability: Durability) -> io::Result<Writer> {
        // Who sweeps or evicts may take a segment away before it is locked: then another is made.
        for _ in 0..64 {
            if let Some(writer) = self.try_create(length, durability)? {
                return Ok(writer);
            }
        }
        Err(io::Error::other("new segments are taken away"))
    }

    fn try_create(&self, length: u64, durability: Durability) -> io::Result<Option<Writer>> {
        let id = random();
        let length = length.next_multiple_of(UNIT);
        let name = segment::name(id);
        let file = self.disk.create(&name, length)?;
        self.names_unsynced.store(true, Ordering::Relaxed);
        let ready = || {
            if !file.try_lock()? || !file.is_linked()? {
                return Ok(false);
            }
            file.write_at(0, SegmentHeader::new(id, length).as_bytes())?;
            if durability == Durability::Power {
                file.sync()?;
                self.sync_names()?;
            }
            // Mapped by a file of its own: a map would keep the lock of the one it was made from.
            let segment = Segment::open(id, self.disk.open(&name, false)?.into(), true)?;
            let segment = segment.ok_or_else(|| io::Error::other("a new segment is none"))?;
            self.view.write().unwrap_or_else(PoisonError::into_inner).add(Walk::new(segment));
            self.notify()?;
            Ok(true)
        };
        let made = ready();
        if made.is_err() {
            let _ = self.disk.remove(&name);
        }
        made.map(|made| made.then_some(Writer { file, id, taken: UNIT }))
    }

    /// Tells all openers that files came or went.
    pub(crate) fn notify(&self) -> io::Result<()> {
        match &*lock(&self.generation) {
            Some(file) => file.write_at(0, &random().to_le_bytes()),
            None => Ok(()),
        }
    }

    /// Lets go of the segment that is being written to.
    pub(crate) fn release(&self) -> MutexGuard<'_, Option<Writer>> {
        let mut writer = lock(&self.writer);
        *writer = None;
        writer
    }

    /// Lets go of the segment that is being written to where it holds much of what is scanned.
    fn release_when_worth(&self) {
        let mut writer = lock(&self.writer);
        let own = writer.as_ref().and_then(|writer| Some(self.read_view().walk(writer.id)?.entries.len()));
        if own.is_some_and(|own| own > MOST_SCANNED / 4) {
            *writer = None;
        }
    }

    /// Seals what is full, once there is much of it. That it fails is counted; it can be done later.
    fn seal_when_worth(&self) {
        if self.seal().is_err() {
            self.counters.add(Counter::Failed, 1);
        }
    }

    /// Evicts where there is too much.
    fn keep_bounds(&self) {
        let (bytes, entries, active, scanned) = {
            let view = self.read_view();
            (view.bytes, view.entries(), view.active.len(), view.scanned())
        };
        let over = bytes > self.options.most_bytes() || entries > self.options.most_entries();
        let gave_up_at = self.gave_up_at.load(Ordering::Relaxed);
        let is_worth_it = gave_up_at == 0 || bytes + entries > gave_up_at + self.options.most_bytes() / 64;
        if over && is_worth_it {
            let target = self.options.target();
            let worked = self.collect(target, false);
            let left = self.read_view();
            let still = left.bytes > self.options.most_bytes() || left.entries() > self.options.most_entries();
            self.gave_up_at.store(if still { left.bytes + left.entries() } else { 0 }, Ordering::Relaxed);
            if worked.is_err() {
                self.counters.add(Counter::Failed, 1);
            }
        } else if active > MOST_ACTIVE {
            self.seal_when_worth();
        } else if scanned > MOST_SCANNED.max(self.left_scanned.load(Ordering::Relaxed) + MOST_SCANNED / 8) {
            self.release_when_worth();
            self.seal_when_worth();
            // What others write to stays: there is no use in trying at each put.
            self.left_scanned.store(self.read_view().scanned(), Ordering::Relaxed);
        }
    }
}

/// The sequence number of a record to be written.
fn number_of(draft: &Draft<'_>, view: &View) -> u64 {
    match draft.sequence {
        0 => view.sequence.saturating_add(1),
        number => number,
    }
}

/// Whether a segment takes another record of that size.
pub(crate) fn has_room(walk: &Walk, size: u64) -> bool {
    walk.has_room(size) && walk.entries.len() < MOST_RECORDS
}

/// Whether a file could not be opened since it is gone, or since it is another user's who has not opened it to others.
pub(crate) fn is_not_ours(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
}

/// A file of that length, made if it is not there.
pub(crate) fn open_or_create(disk: &dyn Disk, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>> {
    for attempt in 0..4 {
        match disk.open(name, true) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Its maker, another user, may be about to open it to others.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && attempt < 3 => {
                std::thread::sleep(std::time::Duration::from_millis(1));
                continue;
            }
            opened => return opened,
        }
        match disk.create(name, length) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
    Err(io::Error::other(format!("{name} comes and goes")))
}
