//! Entries in one file, to be carried elsewhere: a segment of its own.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::path::Path;

use mlirbc_ir::{Error, ErrorKind, Result};
use zerocopy::{FromBytes, IntoBytes};

use crate::dir::{now, random};
use crate::disk::{Disk, Folder};
use crate::key::Key;
use crate::layout::{SegmentHeader, UNIT};
use crate::record::Draft;
use crate::segment::{Segment, Walk};
use crate::store::Store;

/// What importing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Entries that were put.
    pub entries: u64,
    /// Records of the file that are damaged, and were left out.
    pub damaged: u64,
}

impl Store {
    /// Writes entries to a file, which appears whole or not at all: those of `keys`, or all. How many there were.
    ///
    /// # Errors
    /// Where the store cannot be read or the file cannot be written.
    pub fn export(&self, keys: Option<&[Key]>, path: impl AsRef<Path>, mut each: impl FnMut()) -> Result<u64> {
        let path = path.as_ref();
        let failed = |error: std::io::Error| Error::new(ErrorKind::Io, format!("{}: {error}", path.display()));
        let keys = match keys {
            Some(keys) => keys.to_vec(),
            None => self.iter()?.map(|listed| listed.key).collect(),
        };
        let records: Vec<_> = keys.iter().filter_map(|key| self.peek(key)).collect();
        // Where each will stand, so that the file has its length from the start.
        let mut end = UNIT;
        for record in &records {
            if let Some(parts) = record.parts() {
                end += parts.draft().size_at(end);
            }
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name().ok_or_else(|| Error::misuse("no name for the file"))?.to_string_lossy();
        let folder = Folder::new(parent);
        let (id, temporary) = (random(), format!(".{name}.{:016x}.tmp", random()));
        let mut write = || {
            let file = folder.create(&temporary, end)?;
            file.write_at(0, SegmentHeader::new(id, end).as_bytes())?;
            let (mut at, mut written) = (UNIT, 0);
            for record in &records {
                each();
                let Some(parts) = record.parts() else { continue };
                let draft = Draft { sequence: written + 1, ..parts.draft() };
                draft.write(&mut |at, bytes| file.write_at(at, bytes), id, at, end, || Ok(()))?;
                at += draft.size_at(at);
                written += 1;
            }
            file.sync()?;
            folder.rename(&temporary, &name)?;
            Ok(written)
        };
        write().map_err(|error| {
            let _ = folder.remove(&temporary);
            failed(error)
        })
    }

    /// Puts the entries of a file that [`Store::export`] wrote.
    ///
    /// # Errors
    /// Where the file is no export, or an entry cannot be put. What is damaged in it is left out.
    pub fn import(&self, path: impl AsRef<Path>, mut each: impl FnMut()) -> Result<Imported> {
        let path = path.as_ref();
        let map = crate::map_file(path)?;
        let id = SegmentHeader::ref_from_prefix(&map).map_or(0, |(header, _)| header.id.get());
        let length = map.len() as u64;
        let segment = std::sync::Arc::new(Segment { id, map, sound: true });
        let mut walk = Walk::new(segment.clone());
        walk.go_on(Some(length));
        if walk.entries.is_empty() && length > UNIT {
            return Err(Error::malformed(format!("{}: no export of a store", path.display())));
        }
        let mut imported = Imported::default();
        for entry in &walk.entries {
            each();
            let parts = segment.record(entry.at).and_then(|record| record.parts());
            match parts {
                Some(parts) => {
                    self.put_draft(&Draft { created: now(), sequence: 0, ..parts.draft() })?;
                    imported.entries += 1;
                }
                None => imported.damaged += 1,
            }
        }
        imported.damaged += walk.damaged - walk.entries.iter().filter(|entry| entry.bad).count() as u64;
        Ok(imported)
    }
}
