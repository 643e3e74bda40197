//! One entry as an object of its own: a segment that holds one record, as [`Store::export`](crate::Store::export) writes.

#![expect(clippy::arithmetic_side_effects, reason = "a place in an object that is in memory")]

use bytes::Bytes;
use zerocopy::{FromBytes, IntoBytes};

use crate::key::Key;
use crate::layout::{MOST_ALIGNMENT, RecordHeader, SegmentHeader, UNIT};
use crate::record::{Draft, REMOVED, Record};

/// The bytes of an object; `None` where the record is damaged. Equal records give equal objects.
pub(crate) fn pack(record: &Record) -> Option<Vec<u8>> {
    let parts = record.parts()?;
    let draft = Draft { sequence: 1, ..parts.draft() };
    let id = draft.key.fingerprint();
    let length = UNIT + draft.size_at(UNIT);
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    let header = SegmentHeader::new(id, length);
    bytes.get_mut(..UNIT as usize)?.copy_from_slice(header.as_bytes());
    let mut write_at = |at: u64, part: &[u8]| {
        let place = bytes.get_mut(at as usize..at as usize + part.len());
        place.ok_or(std::io::ErrorKind::WriteZero)?.copy_from_slice(part);
        Ok(())
    };
    draft.write(&mut write_at, id, UNIT, length, || Ok(())).ok()?;
    Some(bytes)
}

/// The record of a key in an object that has arrived; `None` where a byte of it is not what was packed under that key.
pub(crate) fn unpack(key: &Key, bytes: Bytes) -> Option<Record> {
    let id = key.fingerprint();
    let length = bytes.len() as u64;
    let (front, _) = SegmentHeader::ref_from_prefix(&bytes).ok()?;
    if !front.is_of(id, length) {
        return None;
    }
    let header = *RecordHeader::read(id, &bytes, UNIT)?;
    let is_value = header.kind != REMOVED && header.form == RecordHeader::VALUE;
    let fits = header.key == *key.as_bytes() && is_value && UNIT + header.size() == length;
    let record = Record { segment: id, map: bytes, at: UNIT, header, named: None };
    (fits && record.is_whole()).then_some(record)
}

/// The pieces put together, where values are aligned as in a map.
pub(crate) fn join(pieces: &[Bytes]) -> Bytes {
    let length: usize = pieces.iter().map(Bytes::len).sum();
    let mut bytes: Vec<u8> = Vec::with_capacity(length + MOST_ALIGNMENT as usize);
    let skipped = bytes.as_ptr().align_offset(MOST_ALIGNMENT as usize).min(MOST_ALIGNMENT as usize);
    bytes.resize(skipped, 0);
    pieces.iter().for_each(|piece| bytes.extend_from_slice(piece));
    Bytes::from(bytes).slice(skipped..)
}
