//! Entries in one file, to be carried elsewhere: a segment of its own.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::io::{BufWriter, Write};

use bytes::Bytes;
use mlirbc_ir::{Error, Result};
use zerocopy::{FromBytes, IntoBytes};

use crate::dir::{now, random};
use crate::key::Key;
use crate::layout::{RecordHeader, SEGMENT_MAGIC, SegmentHeader, UNIT};
use crate::record::{Draft, Record};
use crate::segment::{Segment, Walk};
use crate::store::Store;

/// What importing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Entries that were put.
    pub entries: u64,
    /// Records of the export that are damaged, and were left out.
    pub damaged: u64,
}

impl Store {
    /// Writes entries to `out`: those of `keys`, or all. How many there were. `each` is called once for each of them.
    ///
    /// What is written says at its beginning how long it is: an export that was cut short is told from a whole one. Each entry is
    /// written with its bytes, also where several have the same: importing keeps them once again.
    ///
    /// # Errors
    /// Where the store cannot be read or `out` cannot be written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use mlirbc_store::{Key, Store};
    /// let (from, to) = (Store::open(folder.path().join("a"))?, Store::open(folder.path().join("b"))?);
    /// from.put_bytes(&Key::of(b"source"), b"compiled", b"")?;
    /// let mut export = Vec::new();
    /// assert_eq!(from.export(None, &mut export, || ())?, 1);
    /// assert_eq!(to.import(export, || ())?.entries, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export(&self, keys: Option<&[Key]>, out: &mut dyn Write, mut each: impl FnMut()) -> Result<u64> {
        let keys = match keys {
            Some(keys) => keys.to_vec(),
            None => self.iter()?.map(|listed| listed.key).collect(),
        };
        let mut records = Vec::new();
        let mut length = UNIT;
        for record in keys.iter().filter_map(|key| self.peek(key)) {
            if let Some(parts) = record.parts() {
                length += parts.draft().size_at(length);
                records.push(record);
            }
        }
        let id = random();
        let mut out = BufWriter::new(out);
        out.write_all(SegmentHeader::new(id, length).as_bytes())?;
        let (mut at, mut written) = (UNIT, 0);
        for record in &records {
            each();
            let damaged = || Error::malformed(format!("the entry {} was damaged while it was exported", record.key()));
            let parts = record.parts().ok_or_else(damaged)?;
            let draft = Draft { sequence: written + 1, ..parts.draft() };
            draft.write_on(&mut out, id, at)?;
            at += draft.size_at(at);
            written += 1;
        }
        out.flush()?;
        Ok(written)
    }

    /// Puts the entries of an export, as [`Store::export`] wrote it. `each` is called once for each of them.
    ///
    /// # Errors
    /// Where the bytes are no export, or are less or more than it: then nothing is put. Where an entry cannot be put. What
    /// is damaged in an export of the right length is left out.
    pub fn import(&self, export: impl Into<Bytes>, mut each: impl FnMut()) -> Result<Imported> {
        let map = export.into();
        let id = whole_export(&map)?;
        let length = map.len() as u64;
        let segment = Segment::in_memory(id, map);
        let mut walk = Walk::new(segment.clone());
        walk.resume(Some(length));
        if walk.end != length {
            // Records end where the next begins, and the last where the export does.
            let what = "the export is damaged: there is no record here, and what should follow is not known";
            return Err(Error::malformed(what).at(walk.end));
        }
        let mut imported = Imported::default();
        for entry in &walk.entries {
            each();
            let is_value = |record: &Record| record.header.form == RecordHeader::VALUE;
            let parts = segment.record(entry.at).filter(is_value).and_then(|record| record.parts());
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

/// The id of an export that has the length that it says it has.
fn whole_export(bytes: &[u8]) -> Result<u64> {
    let length = bytes.len() as u64;
    let Ok((header, _)) = SegmentHeader::ref_from_prefix(bytes) else {
        let is_begun = !bytes.is_empty() && bytes.iter().zip(&SEGMENT_MAGIC).all(|(byte, magic)| byte == magic);
        return Err(Error::malformed(match is_begun {
            true => format!("the export was cut short: {length} of its first {UNIT} bytes are there"),
            false => "no export of a store".to_owned(),
        }));
    };
    if header.magic != SEGMENT_MAGIC {
        return Err(Error::malformed("no export of a store"));
    }
    if header.is_newer() {
        return Err(Error::malformed("this export was made by a later version"));
    }
    let said = header.length.get();
    if header.is_of(header.id.get(), length) {
        return Ok(header.id.get());
    }
    Err(Error::malformed(match header.is_of(header.id.get(), said) {
        false => "the beginning of the export is damaged".to_owned(),
        true if length < said => format!("the export was cut short: {length} of {said} bytes are there"),
        true => format!("{} behind its end, which is at {said}", Error::counted(length - said, "byte")),
    }))
}
