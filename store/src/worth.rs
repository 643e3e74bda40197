//! What is worth keeping: entries by when they were used, and content as long as an entry that is kept names it.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::{HashMap, HashSet};

use crate::key::Key;
use crate::layout::RecordHeader;
use crate::maintain::Segments;
use crate::segment::Walk;
use crate::sorted_run::Row;
use crate::view::bytes_of;

/// What segments with a writer have, which stay as they are.
#[derive(Default)]
pub(crate) struct Pinned {
    pub(crate) bytes: u64,
    pub(crate) entries: u64,
    contents: HashSet<Key>,
    /// Content that they name, wherever it is.
    named: HashSet<Key>,
}

impl Pinned {
    pub(crate) fn of(walks: &[&Walk]) -> Self {
        let mut pinned = Pinned::default();
        for walk in walks {
            pinned.bytes += walk.end;
            for entry in &walk.entries {
                match entry.form {
                    RecordHeader::CONTENT => {
                        pinned.contents.insert(entry.key);
                        continue;
                    }
                    RecordHeader::ALIAS => {
                        pinned.named.extend(walk.segment.record(entry.at).and_then(|record| record.target()));
                    }
                    _ => {}
                }
                pinned.entries += 1;
            }
        }
        pinned
    }
}

/// What a record is to who evicts.
#[derive(Clone, Copy)]
enum Role {
    /// An entry; where it is an alias, of that content, if it does not stay anyhow.
    Entry(Option<usize>),
    /// Content.
    Content(usize),
    /// An alias whose content is gone, or nothing that this build knows: no entry.
    Dead,
}

/// A record.
pub(crate) struct Item {
    pub(crate) row: Row,
    role: Role,
    /// Whether it is worth keeping.
    pub(crate) kept: bool,
    /// Whether it stays.
    pub(crate) stays: bool,
}

/// Content, with the places of its properties in [`Items`].
struct Content {
    bytes: u64,
    kept: bool,
    stays: bool,
    is_pinned: bool,
}

/// The newest records of all keys, but for removals.
pub(crate) struct Items {
    pub(crate) all: Vec<Item>,
    contents: Vec<Content>,
}

impl Item {
    /// Whether it is an entry of a user.
    pub(crate) fn is_entry(&self) -> bool {
        matches!(self.role, Role::Entry(_))
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes_of(self.row.entry.units.get())
    }
}

impl Items {
    /// Of shared records, and of no others, the header is read.
    pub(crate) fn new(rows: Vec<Row>, segments: &Segments, pinned: &Pinned) -> Self {
        let mut contents: Vec<Content> = Vec::new();
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut aliases: Vec<(usize, Key)> = Vec::new();
        let mut all: Vec<Item> = Vec::with_capacity(rows.len());
        for row in rows {
            let mut item = Item { row, role: Role::Entry(None), kept: false, stays: false };
            if row.entry.is_shared() {
                let record = segments.get(&row.segment).and_then(|segment| segment.record(row.entry.place()));
                item.role = Role::Dead;
                match record.as_ref().map(|record| record.header.form) {
                    Some(RecordHeader::CONTENT) => {
                        let key = record.map(|record| record.key());
                        let is_pinned = key.is_some_and(|key| pinned.named.contains(&key));
                        item.role = Role::Content(contents.len());
                        places.extend(key.map(|key| (key, contents.len())));
                        contents.push(Content { bytes: item.bytes(), kept: false, stays: false, is_pinned });
                    }
                    Some(RecordHeader::ALIAS) => {
                        aliases.extend(record.and_then(|record| record.target()).map(|target| (all.len(), target)));
                    }
                    // Of a form that this build does not know, or damaged.
                    _ => {}
                }
            }
            all.push(item);
        }
        for (number, target) in aliases {
            let content = places.get(&target).copied();
            if let Some(item) = all.get_mut(number)
                && (content.is_some() || pinned.contents.contains(&target))
            {
                item.role = Role::Entry(content);
            }
        }
        Items { all, contents }
    }

    /// How many entries of users there are.
    pub(crate) fn entries(&self) -> u64 {
        self.all.iter().filter(|item| item.is_entry()).count() as u64
    }

    /// Keeps the most recently used that fit. Content takes its room once, with the first entry that names it.
    pub(crate) fn keep(&mut self, mut bytes_left: u64, mut entries_left: u64) {
        self.all.sort_unstable_by_key(|item| {
            let entry = &item.row.entry;
            (u32::MAX - entry.used.get(), u64::MAX - entry.sequence.get())
        });
        let Items { all, contents } = self;
        for content in contents.iter_mut().filter(|content| content.is_pinned) {
            content.kept = content.bytes <= bytes_left;
            bytes_left -= if content.kept { content.bytes } else { 0 };
        }
        for item in all.iter_mut() {
            let Role::Entry(content) = item.role else { continue };
            let content = content.and_then(|number| contents.get_mut(number)).filter(|content| !content.kept);
            let bytes = item.bytes() + content.as_ref().map_or(0, |content| content.bytes);
            if bytes > bytes_left || entries_left == 0 {
                break;
            }
            (bytes_left, entries_left) = (bytes_left - bytes, entries_left - 1);
            item.kept = true;
            if let Some(content) = content {
                content.kept = true;
            }
        }
        for item in all {
            if let Role::Content(number) = item.role {
                item.kept = contents.get(number).is_some_and(|content| content.kept);
            }
        }
    }

    /// What stays: what `may_stay` says, but for aliases whose content does not, and what is dead.
    pub(crate) fn settle(&mut self, may_stay: impl Fn(&Item) -> bool) {
        let Items { all, contents } = self;
        for item in all.iter_mut() {
            item.stays = may_stay(item) && !matches!(item.role, Role::Dead);
            if let Role::Content(number) = item.role
                && let Some(content) = contents.get_mut(number)
            {
                content.stays = item.stays;
            }
        }
        for item in all {
            if let Role::Entry(Some(number)) = item.role {
                item.stays &= contents.get(number).is_some_and(|content| content.stays);
            }
        }
    }

    /// How much of what stays is content.
    pub(crate) fn contents_staying(&self) -> u64 {
        self.contents.iter().filter(|content| content.stays).count() as u64
    }
}
