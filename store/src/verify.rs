//! Looking at every byte.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::{BTreeSet, HashMap};
use std::io;

use mlirbc_ir::{Error, ErrorKind, Result};

use crate::dir::{Dir, SUSPECTS};
use crate::key::Key;
use crate::last_use;
use crate::layout::{RecordHeader, RunEntry, UNIT};
use crate::record::Record;
use crate::record::RecordKind;
use crate::segment::Walk;
use crate::store::{Listed, Store};
use crate::view::{Found, FoundEntry};

/// What looking at every byte found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Records that are whole.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is damaged: in which file, where, and whose it is, if that is known.
    pub damage: Vec<Damage>,
}

/// An entry, and what it takes.
pub(crate) struct Held {
    pub(crate) listed: Listed,
    /// Bytes of its own record.
    pub(crate) own: u64,
    /// Of the record that it names: which one it is, and its bytes.
    pub(crate) content: Option<((u64, u32), u64)>,
}

/// Something that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: String,
    /// Where in it, in bytes.
    pub at: u64,
    /// The key of a record; of content that several keys share, there is one of these for each of them.
    pub key: Option<Key>,
    /// What is wrong.
    pub what: &'static str,
}

impl Store {
    /// Checks every record of the uppermost directory, those that were replaced among them, and forgets what had been set
    /// aside where it is gone.
    ///
    /// # Errors
    /// Where the directory cannot be read. Damage is no error.
    pub fn verify(&self) -> Result<Verified> {
        let dir = self.top();
        let verified =
            dir.verify().map_err(|error| Error::new(ErrorKind::Io, format!("the store: {error}")).caused_by(error))?;
        if !dir.options.read_only && verified.damage.is_empty() {
            let _ = dir.disk.remove(SUSPECTS);
        }
        Ok(verified)
    }
}

impl Dir {
    fn verify(&self) -> io::Result<Verified> {
        self.refresh(true)?;
        let view = self.view()?;
        let mut verified = Verified::default();
        let mut damage = |file: String, at, key, what| verified.damage.push(Damage { file, at, key, what });
        if view.manifest.damaged > 0 {
            damage("manifest".to_owned(), 0, None, "it or its copy is not what was written");
        }
        for id in &view.manifest.runs {
            let whole = view.runs.iter().find(|run| run.id == *id).is_some_and(|run| run.all().1 == 0);
            if !whole {
                damage(crate::sorted_run::name(*id), 0, None, "not what was written");
            }
        }
        let mut walks: Vec<Walk> = view.active.to_vec();
        for row in &view.manifest.sealed {
            let id = row.id.get();
            match view.sealed.get(&id) {
                None => damage(crate::segment::name(id), 0, None, "missing"),
                Some(_) if view.walk(id).is_some() => {}
                Some(segment) => {
                    let mut walk = Walk::new(segment.clone());
                    walk.resume(Some(row.end.get()));
                    if walk.end < row.end.get() {
                        damage(crate::segment::name(id), walk.end, None, "records are missing");
                    }
                    walks.push(walk);
                }
            }
        }
        // Keys by the content that they share: nobody knows the key of that.
        let mut sharing: HashMap<Key, BTreeSet<Key>> = HashMap::new();
        for (walk, entry) in walks.iter().flat_map(|walk| walk.entries.iter().map(move |entry| (walk, entry))) {
            let target = || walk.segment.record(entry.at)?.target();
            if let Some(target) = (entry.form == RecordHeader::ALIAS).then(target).flatten() {
                sharing.entry(target).or_default().insert(entry.key);
            }
        }
        let (mut records, mut bytes) = (0, 0);
        for walk in &walks {
            let name = crate::segment::name(walk.segment.id);
            if !walk.segment.sound && !walk.entries.is_empty() {
                damage(name.clone(), 0, None, "the segment's header");
            }
            for entry in &walk.entries {
                let at = u64::from(entry.at) * UNIT;
                match walk.segment.record(entry.at) {
                    Some(record) if record.is_whole() => {
                        records += 1;
                        bytes += record.header.size();
                    }
                    found => {
                        let what = if found.is_some() { "the record's bytes" } else { "the record's header" };
                        match sharing.get(&entry.key) {
                            Some(keys) => {
                                keys.iter()
                                    .for_each(|key| damage(name.clone(), at, Some(*key), "bytes that keys share"));
                            }
                            None if entry.form == RecordHeader::CONTENT => damage(name.clone(), at, None, what),
                            None => damage(name.clone(), at, Some(entry.key), what),
                        }
                    }
                }
            }
            let known = walk.entries.iter().filter(|entry| entry.bad).count() as u64;
            for _ in known..walk.damaged {
                damage(name.clone(), 0, None, "a record");
            }
        }
        (verified.records, verified.bytes) = (records, bytes);
        Ok(verified)
    }

    /// Every entry that can be got.
    pub(crate) fn list(&self) -> io::Result<Vec<Held>> {
        let mut used = std::collections::HashMap::new();
        for name in [last_use::TOUCHED_BEFORE, last_use::TOUCHED] {
            last_use::read(&*self.disk, name, |row| {
                if row.what == 0 {
                    used.insert(row.fingerprint.get(), row.time.get());
                }
            })?;
        }
        let view = self.view()?;
        let mut keys: Vec<(Key, u32)> = view.table().map(|(_, entry)| (entry.key, entry.used)).collect();
        for run in &view.runs {
            for row in run.all().0 {
                let removed = row.entry.units.get() & RunEntry::REMOVED != 0;
                let record = run.segment(&row.entry).and_then(|segment| segment.record(row.entry.place()));
                if let Some(record) = record.filter(|_| !removed) {
                    keys.push((record.key(), row.entry.used.get()));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup_by_key(|key| key.0);
        let listed = keys.into_iter().filter_map(|(key, time)| {
            let FoundEntry::Entry(own, named) = view.find_entry(&key) else { return None };
            let used = time.max(used.get(&key.fingerprint()).copied().unwrap_or(0));
            let (created, content) = (own.header.created.get(), named.unwrap_or(own).header);
            let (kind, length) = (RecordKind::from_number(content.kind), content.length.get());
            let content = named.map(|named| ((named.segment.id, named.at), named.header.size()));
            Some(Held { listed: Listed { key, kind, length, created, used }, own: own.header.size(), content })
        });
        Ok(listed.collect())
    }

    /// Whether there is a record of the key that counts, damaged or not.
    pub(crate) fn knows(&self, key: &Key) -> bool {
        self.view().is_ok_and(|view| match view.find(key) {
            Found::Nothing => false,
            Found::Record(.., header) => header.form != RecordHeader::CONTENT,
            Found::Bad(..) => true,
        })
    }

    /// Notes that a record's bytes are bad, or those that it names.
    pub(crate) fn set_aside_record(&self, record: &Record) {
        let bad = if record.meta().is_some() { record.content() } else { record };
        self.set_aside(bad.segment, (bad.at / UNIT) as u32, &record.key());
    }
}
