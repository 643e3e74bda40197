//! Values that stand once, under however many keys they were put: "Equal content" in [`crate::layout`] says how.

use std::io;

use crate::dir::{Dir, Writer};
use crate::key::Key;
use crate::layout::{ALIGNMENT, RecordHeader, UNIT};
use crate::manifest::Manifest;
use crate::mutex::lock;
use crate::options::Durability;
use crate::record::{Draft, Record, RecordKind};
use crate::segment;
use crate::sorted_run::Row;
use crate::view::Found;

/// From how many bytes on a value is content, to which keys are aliases. What is smaller is found in one step.
const FROM: usize = 16 << 10;
/// What makes keys of content none that a user would choose.
const DOMAIN: &str = "mlirbc-store: kind, value and index of content";

/// The key of what is put.
fn content_key(draft: &Draft<'_>) -> Key {
    let mut hasher = blake3::Hasher::new_derive_key(DOMAIN);
    hasher.update(&[draft.kind.map_or(0, RecordKind::number)]);
    for part in [draft.value, draft.index] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    Key::new(hasher.finalize().into())
}

impl Draft<'_> {
    /// Whether it is put as an alias of its content.
    pub(crate) fn is_shared(&self) -> bool {
        self.kind.is_some() && self.form == RecordHeader::VALUE && self.value.len() >= FROM
    }
}

impl Dir {
    /// Puts an alias, and the content that it names if that is not there. Nobody may evict content between the time it is found or
    /// written and the time it is named: the lock of the directory is held then, or that of the segment that it was written to.
    pub(crate) fn put_shared(
        &self,
        writer: &mut Option<Writer>,
        draft: &Draft<'_>,
        durability: Durability,
    ) -> io::Result<()> {
        let content = Draft { key: content_key(draft), form: RecordHeader::CONTENT, meta: &[], sequence: 0, ..*draft };
        let alias = Draft {
            form: RecordHeader::ALIAS,
            value: content.key.as_bytes(),
            index: &[],
            alignment: ALIGNMENT,
            ..*draft
        };
        if let Some(known) = self.find_content(&content)
            && let Some(_lock) = self.maintenance_soon()?
            && self.is_still_there(&known, &content, durability)?
        {
            return self.put_one(writer, &alias, durability).map(drop);
        }
        if self.is_large(&content) {
            let _holder = self.put_one(writer, &content, durability)?;
            return self.put_one(writer, &alias, durability).map(drop);
        }
        self.room(writer, content.most_size().saturating_add(alias.most_size()), durability)?;
        self.append(writer, &content, durability)?;
        self.append(writer, &alias, durability)
    }

    /// The content that is to be put, where it is there, byte for byte.
    fn find_content(&self, wanted: &Draft<'_>) -> Option<Record> {
        let record = match self.view().ok()?.find(&wanted.key) {
            Found::Record(segment, at, header) => segment.record_of(at, header),
            Found::Nothing | Found::Bad(..) => return None,
        };
        let is_content = record.header.form == RecordHeader::CONTENT;
        (is_content && record.is(wanted) && !self.is_known_bad(&record)).then_some(record)
    }

    /// Whether content that was found is there now that the lock of the directory is held, and as durable as asked for.
    fn is_still_there(&self, found: &Record, wanted: &Draft<'_>, durability: Durability) -> io::Result<bool> {
        self.catch_up()?;
        let Some(now) = self.find_content_at(&wanted.key) else { return Ok(false) };
        let place = (found.segment, found.at);
        let record = if now == place { Some(found.clone()) } else { self.find_content(wanted) };
        let Some(record) = record else { return Ok(false) };
        // Who took its file away may not have come to say so.
        let file = match self.disk.open(&segment::name(record.segment), false) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        if durability == Durability::Power {
            file.sync()?;
            self.disk.sync()?;
        }
        Ok(true)
    }

    fn find_content_at(&self, key: &Key) -> Option<(u64, u64)> {
        match self.view().ok()?.find(key) {
            Found::Record(segment, at, header) if header.form == RecordHeader::CONTENT => {
                Some((segment.id, u64::from(at).saturating_mul(UNIT)))
            }
            _ => None,
        }
    }

    /// Sees to it that the view is of the manifest in force: who published that may not have come to say so. The lock is held.
    fn catch_up(&self) -> io::Result<()> {
        let known = self.view()?.manifest.number;
        match Manifest::read(&*self.disk)?.number == known {
            true => Ok(()),
            false => self.refresh(true),
        }
    }

    /// Whether a block of the value was found bad after it had been given out.
    fn is_known_bad(&self, record: &Record) -> bool {
        let content = record.content();
        self.blocks.is_bad((content.segment, content.at))
    }

    /// Whether what `draft` would put is there, byte for byte, and as durable as asked for.
    pub(crate) fn has(&self, draft: &Draft<'_>, durability: Durability) -> bool {
        let Some(record) = self.find(&draft.key) else { return false };
        if !record.is(draft) || self.is_known_bad(&record) {
            return false;
        }
        // The writer that put it may not have asked for as much.
        let segments = [record.segment, record.content().segment];
        let sync = |segment: &u64| self.disk.open(&segment::name(*segment), false)?.sync();
        durability == Durability::Process || segments.iter().try_for_each(sync).and_then(|()| self.disk.sync()).is_ok()
    }

    /// Gives back the room of what has been removed, where that had a segment of its own, which takes no more, and no other key
    /// has the same content.
    pub(crate) fn unlink_removed(&self, record: &Record) -> io::Result<()> {
        let Some(content) = &record.named else { return self.unlink_alone(record) };
        if !self.is_alone(content) {
            return Ok(());
        }
        let Some(_lock) = self.maintenance_soon()? else { return Ok(()) };
        self.catch_up()?;
        match self.is_named(&content.key())? {
            true => Ok(()),
            false => self.unlink_alone(content),
        }
    }

    /// Whether a record that is not sealed has a segment of its own.
    fn is_alone(&self, record: &Record) -> bool {
        let view = self.read_view();
        let walk = view.walk(record.segment).filter(|_| !view.sealed.contains_key(&record.segment));
        walk.is_some_and(|walk| walk.entries.len() == 1 && walk.end == walk.segment.map.len() as u64)
    }

    /// Whether an entry may name that content.
    fn is_named(&self, content: &Key) -> io::Result<bool> {
        let view = self.view()?;
        let names_it = |record: &Record| {
            let place = (record.segment, record.at);
            let is_newest = || {
                matches!(view.find(&record.key()), Found::Record(segment, at, _)
                    if (segment.id, u64::from(at).saturating_mul(UNIT)) == place)
            };
            record.target().as_ref() == Some(content) && is_newest()
        };
        let mut active = view.table().filter(|(_, entry)| entry.form == RecordHeader::ALIAS);
        if active.any(|(segment, entry)| segment.record(entry.at).as_ref().is_some_and(names_it)) {
            return Ok(true);
        }
        Ok(view.runs.iter().any(|run| {
            let (rows, lost) = run.all();
            let record = |row: &Row| run.segment(&row.entry)?.record(row.entry.place());
            lost > 0
                || rows.iter().filter(|row| row.entry.is_shared()).filter_map(record).any(|record| names_it(&record))
        }))
    }

    /// As [`Dir::unlink_removed`], of the record that has the value.
    fn unlink_alone(&self, record: &Record) -> io::Result<()> {
        if !self.is_alone(record) {
            return Ok(());
        }
        let name = segment::name(record.segment);
        let file = self.disk.open(&name, true)?;
        if !file.try_lock()? || !file.is_linked()? {
            return Ok(());
        }
        // Without its removal on the disk, an older record of the key might come back.
        match &*lock(&self.writer) {
            Some(writer) => writer.file.sync()?,
            None => return Ok(()),
        }
        self.disk.sync()?;
        self.disk.remove(&name)?;
        self.notify()?;
        self.refresh(true)
    }
}
