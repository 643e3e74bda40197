//! What one opener of a directory knows of it: every segment mapped, what is active scanned.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::hint::black_box;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable, hash_table};

use crate::disk::{Disk, DiskFile};
use crate::key::Key;
use crate::layout::{RecordHeader, RunEntry, UNIT};
use crate::manifest::Manifest;
use crate::record::Record;
use crate::segment::{self, Entry, Segment, SmallValue, Walk};
use crate::sorted_run::{self, Run};

/// The file whose bytes change when files come or go.
pub(crate) const GENERATION: &str = "generation";

/// Whether only a store has a file of that name. The first file of each is [`GENERATION`].
pub(crate) fn is_of_a_store(name: &str) -> bool {
    name == GENERATION || [".seg", ".run"].iter().any(|kind| segment::id_of(name, kind).is_some())
}

/// A directory at one moment.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) manifest: Manifest,
    pub(crate) runs: Vec<Arc<Run>>,
    /// All segments that are sealed, by id.
    pub(crate) sealed: HashMap<u64, Arc<Segment>>,
    pub(crate) active: Vec<Walk>,
    /// The newest record of each key in an active segment. Whoever puts chooses keys, which need not be digests: the hash has a
    /// seed that differs from process to process and is not shown to anyone, and where all keys met all the same, a look-up would
    /// go over the few thousand records that are left to be scanned, and no more.
    table: HashTable<Place>,
    /// Where small values stand that were got already, from wherever they are: all that getting one again takes, so that only its
    /// bytes are left to come from memory. Of keys with a newer record it has nothing.
    known: HashTable<KnownValue>,
    /// The maps that those are in.
    known_maps: Vec<(u64, Bytes)>,
    hasher: DefaultHashBuilder,
    /// How many records of the table are content.
    contents: u64,
    /// The highest sequence number seen.
    pub(crate) sequence: u64,
    generation_map: Option<Bytes>,
    /// What the generation was before the directory was listed.
    generation: u64,
    /// Runs, manifests and segments that were not what they should be.
    pub(crate) damaged: u64,
    /// Bytes of records.
    pub(crate) bytes: u64,
}

/// A record in the table. Each look-up comes to another one, which no cache holds: two of them share a line, and what a look-up
/// does not need is left to [`Entry`].
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Place {
    /// Of the key.
    hash: u64,
    sequence: u64,
    /// Which of the active segments.
    walk: u32,
    /// Which of its records.
    number: u32,
    /// In units.
    at: u32,
    /// Whether it is no removal, and was not damaged when it was met.
    live: bool,
}

/// How many small values are remembered: 4 MiB.
const MOST_KNOWN: usize = 64 << 10;

/// A value of one block that was found, checked and given out. It has a line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct KnownValue {
    key: Key,
    value: SmallValue,
    /// Which of the maps.
    map: u32,
}

/// What is known of a key.
pub(crate) enum Found<'v> {
    /// Never put, or removed.
    Nothing,
    /// In that segment at that place, with that header.
    Record(&'v Segment, u32, &'v RecordHeader),
    /// There is one, and it is damaged; in that segment at that place.
    Bad(u64, u32),
}

/// What is known of an entry.
pub(crate) enum FoundEntry<'v> {
    /// None: never put, or removed; or what it named is gone.
    Nothing,
    /// Its record, and where that is an alias, the record that it names.
    Entry(Standing<'v>, Option<Standing<'v>>),
    /// Its record, or what that names, is damaged; in that segment at that place.
    Bad(u64, u32),
}

/// A record where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Standing<'v> {
    pub(crate) segment: &'v Segment,
    pub(crate) at: u32,
    pub(crate) header: &'v RecordHeader,
}

impl Standing<'_> {
    pub(crate) fn record(&self) -> Record {
        self.segment.record_of(self.at, self.header)
    }
}

impl View {
    /// Looks at the directory, keeping what is mapped already.
    pub(crate) fn load(disk: &dyn Disk, old: Option<&View>) -> io::Result<View> {
        // What a manifest names may be gone when it is opened: then there is a newer one.
        for _ in 0..8 {
            if let Some(view) = Self::try_load(disk, old, false)? {
                return Ok(view);
            }
        }
        Ok(Self::try_load(disk, old, true)?.unwrap_or_default())
    }

    fn try_load(disk: &dyn Disk, old: Option<&View>, whatever: bool) -> io::Result<Option<View>> {
        let mut view = View::default();
        view.generation_map = match old.and_then(|old| old.generation_map.clone()) {
            Some(map) => Some(map),
            None => map_generation(disk)?,
        };
        view.generation = view.generation_now();
        view.manifest = Manifest::read(disk)?;
        view.damaged += view.manifest.damaged;
        let names = disk.list()?;
        let present: HashSet<u64> = names.iter().filter_map(|name| segment::id_of(name, ".seg")).collect();

        let mut scan: HashSet<u64> = HashSet::new();
        let ids: Vec<u64> = view.manifest.sealed.iter().map(|row| row.id.get()).collect();
        for id in ids {
            if let Some(segment) = old.and_then(|old| old.mapped(id)) {
                view.sealed.insert(id, segment.settled());
                continue;
            }
            match open_segment(disk, id)? {
                Opened::Segment(segment) => {
                    view.damaged += u64::from(!segment.sound);
                    view.sealed.insert(id, segment);
                }
                Opened::Gone if !whatever => return Ok(None),
                Opened::Gone | Opened::Other => view.damaged += 1,
            }
        }
        let mut covered: HashSet<u64> = HashSet::new();
        let runs = view.manifest.runs.clone();
        for id in runs {
            let known = old.and_then(|old| old.runs.iter().find(|run| run.id == id));
            let run = match known {
                Some(run) => Some(Arc::clone(run)),
                None => match disk.open(&sorted_run::name(id), false) {
                    Ok(file) => Run::open(id, file.map()?.bytes).map(|mut run| {
                        run.segments = run.ids.iter().map(|id| view.sealed.get(id).cloned()).collect();
                        Arc::new(run)
                    }),
                    Err(error) if error.kind() == io::ErrorKind::NotFound && !whatever => return Ok(None),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                    Err(error) => return Err(error),
                },
            };
            match run {
                Some(run) => {
                    covered.extend(&run.ids);
                    view.sequence = view.sequence.max(run.sequence);
                    view.runs.push(run);
                }
                None => view.damaged += 1,
            }
        }
        // What no sound run knows is scanned.
        scan.extend(view.sealed.keys().filter(|id| !covered.contains(id)));
        if view.damaged > 0 && view.runs.len() < view.manifest.runs.len() {
            // A run may hold only the newest records of its segments, or none: which it covered is not known any more.
            scan.extend(view.sealed.keys());
        }
        let retired: HashSet<u64> = view.manifest.retired.iter().copied().collect();
        scan.extend(present.iter().filter(|id| !view.sealed.contains_key(*id) && !retired.contains(id)));

        for id in scan {
            // One that was mapped before its maker wrote its header is mapped again, and one that could not be mapped.
            let is_settled = |walk: &&Walk| {
                let segment = &walk.segment;
                segment.id == id && segment.live && (segment.sound || !segment.is_sound_now())
            };
            if let Some(walk) = old.and_then(|old| old.active.iter().find(is_settled)) {
                let mut walk = walk.clone();
                walk.resume(None);
                view.active.push(walk);
                continue;
            }
            let file = match disk.open(&segment::name(id), false) {
                Ok(file) => file,
                // The process that took it away says so in the next manifest.
                Err(error) if error.kind() == io::ErrorKind::NotFound => match whatever {
                    true => continue,
                    false => return Ok(None),
                },
                // Its maker, another user, has not opened it to others yet, and says so afterwards.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
                Err(error) => return Err(error),
            };
            let file: Arc<dyn DiskFile> = file.into();
            let Some(segment) = Segment::open(id, file.clone(), true)? else { continue };
            let mut walk = Walk::new(segment);
            walk.resume(None);
            // Behind the last record there is nothing, or something that ended in the middle, or damage.
            let data_end = file.data_end(walk.end)?;
            if data_end > walk.end.next_multiple_of(4096) || walk.has_rest() {
                walk.resume(Some(data_end));
            }
            // One without records may not have been finished.
            let unsound = !walk.segment.sound && !walk.entries.is_empty();
            view.damaged += walk.damaged + u64::from(unsound);
            view.active.push(walk);
        }
        view.active.sort_by_key(|walk| walk.segment.id);
        view.rebuild();
        Ok(Some(view))
    }

    /// Makes the table anew.
    fn rebuild(&mut self) {
        self.known.clear();
        self.known_maps.clear();
        self.contents = 0;
        self.table = HashTable::with_capacity(self.scanned());
        (0..self.active.len()).for_each(|walk| self.enter(walk, 0));
        let sealed: u64 = self.manifest.sealed.iter().map(|row| row.end.get()).sum();
        let scanned: u64 =
            self.active.iter().filter(|walk| !self.sealed.contains_key(&walk.segment.id)).map(|walk| walk.end).sum();
        self.bytes = sealed + scanned;
    }

    fn generation_now(&self) -> u64 {
        let map = self.generation_map.as_deref();
        map.and_then(|map| black_box(map).first_chunk::<8>()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Whether files may have come or gone since the directory was listed.
    #[inline]
    pub(crate) fn is_outdated(&self) -> bool {
        self.generation_now() != self.generation
    }

    /// Whether an active segment has grown.
    #[inline]
    pub(crate) fn has_more(&self) -> bool {
        self.active.iter().any(Walk::has_more)
    }

    /// Takes in what active segments have grown by.
    pub(crate) fn resume(&mut self) {
        for number in 0..self.active.len() {
            let Some(walk) = self.active.get_mut(number).filter(|walk| walk.has_more()) else { continue };
            let (known, before) = (walk.entries.len(), walk.end);
            walk.resume(None);
            self.bytes += walk.end - before;
            self.enter(number, known);
        }
    }

    /// Enters the records of an active segment in the table, from that one on.
    fn enter(&mut self, walk: usize, from: usize) {
        let View { active, table, known, hasher, contents, .. } = self;
        let Some(entries) = active.get(walk).map(|walk| &walk.entries) else { return };
        for (number, entry) in entries.iter().enumerate().skip(from) {
            self.sequence = self.sequence.max(entry.sequence);
            let hash = hasher.hash_one(entry.key);
            if let Ok(old) = known.find_entry(hash, |known| known.key == entry.key) {
                old.remove();
            }
            let place = Place {
                hash,
                sequence: entry.sequence,
                walk: walk as u32,
                number: number as u32,
                at: entry.at,
                live: !entry.removed && !entry.bad,
            };
            let same = |other: &Place| {
                other.hash == hash && other.entry(active).is_some_and(|(_, other)| other.key == entry.key)
            };
            match table.entry(hash, same, |place| place.hash) {
                hash_table::Entry::Occupied(mut known) if known.get().sequence <= place.sequence => {
                    *known.get_mut() = place;
                }
                hash_table::Entry::Occupied(_) => {}
                hash_table::Entry::Vacant(vacant) => {
                    *contents += u64::from(entry.form == RecordHeader::CONTENT);
                    vacant.insert(place);
                }
            }
        }
    }

    /// Adds a segment that this opener has made or taken over.
    pub(crate) fn add(&mut self, walk: Walk) {
        self.active.retain(|other| other.segment.id != walk.segment.id);
        self.active.push(walk);
        self.rebuild();
    }

    /// The walk over an active segment.
    pub(crate) fn walk(&self, id: u64) -> Option<&Walk> {
        self.active.iter().find(|walk| walk.segment.id == id)
    }

    fn mapped(&self, id: u64) -> Option<Arc<Segment>> {
        let active = || self.walk(id).map(|walk| Arc::clone(&walk.segment));
        self.sealed.get(&id).cloned().or_else(active)
    }

    /// Number of records of active segments.
    pub(crate) fn scanned(&self) -> usize {
        self.active.iter().map(|walk| walk.entries.len()).sum()
    }

    /// Number of records that count, removals among them, and at most a few more.
    pub(crate) fn records(&self) -> u64 {
        self.runs.iter().map(|run| run.entries).sum::<u64>() + self.table.len() as u64
    }

    /// As [`View::records`], without content.
    pub(crate) fn entries(&self) -> u64 {
        let contents = self.runs.iter().map(|run| run.contents).sum::<u64>() + self.contents;
        self.records().saturating_sub(contents)
    }

    /// The value of a key that was given out before, checked again.
    #[inline]
    pub(crate) fn known_value(&self, key: &Key) -> Option<Bytes> {
        let known = self.known.find(self.hasher.hash_one(key), |known| known.key == *key)?;
        known.value.checked(&self.known_maps.get(known.map as usize)?.1)
    }

    /// Remembers where the value of a key stands, if what it finds by now is still the record at that place of that segment.
    pub(crate) fn remember(&mut self, key: &Key, place: (u64, u32), value: SmallValue) {
        let map = match self.find(key) {
            Found::Record(segment, at, _) if (segment.id, at) == place => segment.map.clone(),
            _ => return,
        };
        if self.known.len() >= MOST_KNOWN {
            return;
        }
        let View { known, known_maps, hasher, .. } = self;
        let position = known_maps.iter().position(|(id, _)| *id == place.0).unwrap_or_else(|| {
            known_maps.push((place.0, map));
            known_maps.len() - 1
        });
        let value = KnownValue { key: *key, value, map: position as u32 };
        let hash = hasher.hash_one(key);
        known.entry(hash, |known| known.key == *key, |known| hasher.hash_one(known.key)).insert(value);
    }

    /// What the table has of a key, and its sequence number.
    #[inline]
    fn find_active(&self, key: &Key) -> Option<(u64, Found<'_>)> {
        let hash = self.hasher.hash_one(key);
        let mut found = None;
        self.table.find(hash, |place| {
            found = (place.hash == hash).then(|| self.at_place(place, key)).flatten();
            found.is_some()
        });
        found
    }

    /// What is at a place, if that is of the key.
    #[inline]
    fn at_place(&self, place: &Place, key: &Key) -> Option<(u64, Found<'_>)> {
        let segment = &self.active.get(place.walk as usize)?.segment;
        if place.live {
            let same =
                |header: &&RecordHeader| header.key == *key.as_bytes() && header.sequence.get() == place.sequence;
            if let Some(header) = segment.header(place.at).filter(same) {
                return Some((place.sequence, Found::Record(segment, place.at, header)));
            }
        }
        // Removed, damaged, or another key with this hash.
        let (_, entry) = place.entry(&self.active).filter(|(_, entry)| entry.key == *key)?;
        let found = if entry.removed { Found::Nothing } else { Found::Bad(segment.id, place.at) };
        Some((place.sequence, found))
    }

    /// The newest record of a key.
    pub(crate) fn find(&self, key: &Key) -> Found<'_> {
        let mut best = self.find_active(key);
        for run in &self.runs {
            // All that it has is older.
            if best.as_ref().is_some_and(|best| best.0 >= run.sequence) {
                continue;
            }
            let Some(entries) = run.find(key.fingerprint()) else {
                // It may have had the newest.
                best = Some((run.sequence, Found::Bad(run.id, u32::MAX)));
                continue;
            };
            for entry in entries {
                let sequence = entry.sequence.get();
                if best.as_ref().is_some_and(|best| best.0 >= sequence) {
                    break;
                }
                let Some(segment) = run.segment(entry) else { continue };
                let (at, units) = (entry.place(), entry.units.get());
                let found = match segment.header(at) {
                    // Another key with this fingerprint.
                    Some(header) if header.key != *key.as_bytes() => continue,
                    Some(header) if header.sequence.get() != sequence => Found::Bad(segment.id, at),
                    Some(_) if units & RunEntry::REMOVED != 0 => Found::Nothing,
                    Some(header) => Found::Record(segment, at, header),
                    None => Found::Bad(segment.id, at),
                };
                best = Some((sequence, found));
                break;
            }
        }
        best.map_or(Found::Nothing, |(_, found)| found)
    }

    /// The entry of a key. One step is followed, from an alias to content: nothing goes round in circles.
    pub(crate) fn find_entry(&self, key: &Key) -> FoundEntry<'_> {
        let own = match self.find(key) {
            Found::Nothing => return FoundEntry::Nothing,
            Found::Bad(segment, at) => return FoundEntry::Bad(segment, at),
            Found::Record(segment, at, header) => Standing { segment, at, header },
        };
        match own.header.form {
            RecordHeader::VALUE => FoundEntry::Entry(own, None),
            RecordHeader::ALIAS => match own.record().target().map(|target| self.find(&target)) {
                None => FoundEntry::Bad(own.segment.id, own.at),
                Some(Found::Record(segment, at, header)) if header.form == RecordHeader::CONTENT => {
                    FoundEntry::Entry(own, Some(Standing { segment, at, header }))
                }
                Some(Found::Bad(segment, at)) => FoundEntry::Bad(segment, at),
                Some(Found::Record(..) | Found::Nothing) => FoundEntry::Nothing,
            },
            _ => FoundEntry::Nothing,
        }
    }

    /// The newest record of every key of active segments.
    pub(crate) fn table(&self) -> impl Iterator<Item = (&Arc<Segment>, &Entry)> {
        self.table.iter().filter_map(|place| place.entry(&self.active))
    }
}

impl Place {
    /// All that is known of the record, and its segment.
    fn entry<'v>(&self, active: &'v [Walk]) -> Option<(&'v Arc<Segment>, &'v Entry)> {
        let walk = active.get(self.walk as usize)?;
        Some((&walk.segment, walk.entries.get(self.number as usize)?))
    }
}

fn map_generation(disk: &dyn Disk) -> io::Result<Option<Bytes>> {
    for _ in 0..4 {
        let map = match disk.open(GENERATION, false) {
            Ok(file) => file.map()?.bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if map.len() >= 8 {
            return Ok(Some(map));
        }
        // Its maker is about to write to it, or has ended.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Ok(None)
}

enum Opened {
    Segment(Arc<Segment>),
    Gone,
    Other,
}

fn open_segment(disk: &dyn Disk, id: u64) -> io::Result<Opened> {
    match disk.open(&segment::name(id), false) {
        Ok(file) => Ok(Segment::open(id, file.into(), false)?.map_or(Opened::Other, Opened::Segment)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Opened::Gone),
        Err(error) => Err(error),
    }
}

/// The bytes that a place in units is at.
pub(crate) fn bytes_of(units: u32) -> u64 {
    u64::from(units & !RunEntry::REMOVED) * UNIT
}
