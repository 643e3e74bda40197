//! What stands on the disk, and why each step of a write may be the last.
//!
//! # A store is one directory
//!
//! ```text
//! 5d0c..9e.seg   a segment: records one behind the other, then a hole up to its fixed length
//! 77a1..04.run   a sorted index of the records of some segments, looked up in place
//! manifest       which segments are sealed, which runs index them, which segments are given up; replaced by a rename
//! manifest.copy  the same once more, written after it
//! generation     8 bytes that change whenever files came or went
//! lock           locked to seal, merge or evict
//! touched        when records were used, and counters: appended in batches
//! limits         bounds for those who name none: lines of text, replaced by a rename
//! suspects       records that were found bad: appended, read by `verify`
//! reserve        room on the disk that is kept back; its bytes have no meaning
//! *.tmp          being written; without a meaning, removed by the next who holds `lock`
//! ```
//!
//! Names of segments and runs are random. A segment that the manifest names neither as sealed nor as given up is
//! **active**: readers scan it, and one writer at a time, who holds a lock of the file, appends to it. A **sealed** one
//! is never written to again.
//!
//! ```text
//! segment   [header, 128][record][record] ... [zeros]            all records at multiples of 128 bytes
//! record    [header, 128][metadata][checks][..][value][..][index][..][trailer, 64]
//! run       [front][fan-out: 2^k numbers][entries, 32 bytes each, by fingerprint][front]
//! front     [header, 128][names of the segments][checks]
//! ```
//!
//! A record's header holds its key, lengths, a sequence number, and two checksums (CRC-32): of itself, seeded with the
//! segment's name and the record's place, so that nothing copied from elsewhere is taken for a record; and of the value
//! with its index, in blocks of 64 KiB (*checks*: one a block, in the header where it is only one). A removal is a record
//! without a value. Values stand where their resources are aligned, at least at a multiple of 64. One that is large has
//! a segment of its own. All numbers are little-endian.
//!
//! # Which record counts
//!
//! The one with the highest sequence number. A writer takes one more than the highest that it can see, and looks at
//! every active segment first: what was put after another put returned, by whichever process, has a higher number.
//!
//! # How a reader finds what others have just written
//!
//! All is mapped. A segment has its full length from the start (a hole takes no space), so that a record that is
//! appended shows up in the map. Before each look-up, a reader looks at the 128 bytes behind the last record that it
//! knows of each active segment: zeros, or the header of the next. It also looks at `generation`, and lists the directory
//! again where that has changed. Neither takes a system call or a lock.
//!
//! In a file system in memory (`tmpfs`) a hole takes a page when it is touched through a map, and a process that touches
//! one ends where there is none left. So there a reader looks behind a record only where something was written: who writes a
//! record writes zeros behind it first. Where the last page of zeros is a hole all the same, since the file was copied by
//! what leaves out zeros, it asks the system, at each look-up, whether that is still so. A file with holes before its end is such
//! a copy: they get their room when it is mapped, or it is read instead. What was read does not show what is appended, so
//! no writer appends to it through that; one that locks it reads it again.
//!
//! # The steps of a put, and what is there if it ends after each
//!
//! 0. *What the key has already* is looked at. Where that is what is put, byte for byte, nothing is written. With
//!    [`Power`](crate::Durability::Power) its segment and the directory are synced, as the writer that put it may not have asked for that.
//! 1. *A segment.* The writer keeps the one it has; or locks an active one that is not locked and not full, the
//!    fullest first; or creates one under a random name, sets its length, locks it, writes its header, and then changes
//!    `generation`. **Ends here:** an empty segment, which the next writer takes. **Ends before its header is whole:** a
//!    file without a meaning. Sealing or evicting takes it away, if it is not locked; a maker whose file is taken
//!    away before it has locked it sees that, and makes another.
//! 2. *Everything but the header*, and 128 zeros behind it. Room on the disk is taken first, a little more than that: where
//!    there is none, nothing has been written, and nothing has been taken. **Ends here, or in the middle:** the header's place is still
//!    zero: the segment ends there for readers, and the next writer writes over what follows.
//! 3. With [`Power`](crate::Durability::Power): the file is synced, and the directory if the segment is new.
//! 4. *The header*: the record is published. It lies within one page. **Ends in the middle:** its checksum is wrong and
//!    its last four bytes are not there: the segment still ends there. **The machine loses power:** the header may be on
//!    the disk without the rest (never with `Power`); then the checksum of the value is wrong, which is a miss.
//! 5. With `Power`: the file is synced again. The put returns.
//!
//! With [`Process`](crate::Durability::Process) all of it is in the kernel's hands after step 4, and survives the end of
//! the process however it comes. With `Power` it is on the disk. Nothing of this is undone by what others do: the locks
//! go with their process, and a new writer starts behind the last whole record.
//!
//! A removal is put in the same way. Where what it removes is a plain value that has a segment of its own that is active, that is locked and unlinked
//! then, after the removal is synced: no older record of the key comes back.
//!
//! # Equal content
//!
//! A value of 16 KiB or more stands once, under however many keys it was put. It is *content* then: a record whose key is a digest
//! (256 bits, in a domain of its own) of its kind, value and index. The record of each key that it was put under is an *alias*: its value is
//! that digest; its time and its metadata are those of its own key. A byte of the header says which of the three a record is. The
//! checksum of the value of what is no plain one is the other way round, each bit of it: who looks for small values needs no other look, and
//! an older build, which knows nothing of this, takes such a record for a damaged one. There it is a miss, and evicting gives it up.
//!
//! One step is followed, from an alias to content: an alias that names anything else is a miss, as one that names what is gone. Content alone is
//! no entry: it is not listed, counted, got or removed by its key. Content that is there is named only where all of it is whole and, byte for
//! byte, what is put.
//!
//! A put looks at what the key has, and then writes the content, if that is not there, and the alias behind it, each in the steps above. **Ends
//! in between:** the key has what it had. Of content that nothing names the next put of it makes use, and evicting gives it up before anything
//! else. Nobody evicts it before it is named:
//!
//! - What is there is named under `lock`, when the manifest in force was looked at, and the file that the content is in is there. With
//!   `Power` that is synced first. Who waits a tenth of a second for `lock` in vain writes the content once more, which is newer then.
//! - What is written is in a segment whose lock the writer holds until the alias is there as well. Who evicts leaves such a segment alone.
//!
//! Two who put the same content at once may both write it; one of them is waste then, as what was replaced. Exports, objects of the remote
//! tier and the layers below have a value for each key.
//!
//! Who evicts gives to the first entry that is kept the room of its content as well, and to others that name that only the room of their alias.
//! Content that a segment with a writer names is in use. An alias whose content goes is left out of the index. **Ends after the rename:** it
//! names what is gone, should the index be lost, and is a miss.
//!
//! Where what a removal removes names content that has a segment of its own that is active, that is unlinked under `lock`, if no other
//! alias names it.
//!
//! # Sealing
//!
//! What is active is scanned when the directory is opened, so it is kept short: a segment is full with its bytes or with
//! 4,096 records, and sealed then. Once there are more than 24 active segments, or more than 6,144 records in them, those
//! without a writer are sealed as they are, all or the fuller ones; a writer lets go of its own if it is one of
//! those.
//!
//! Under `lock`, of segments that are locked as well: a run is written (and merged with runs that are not much larger),
//! then `manifest.tmp`, which is renamed to `manifest`, then the copy in the same way, then `generation` changes, then
//! files that no manifest names are unlinked. Each is synced before the next, whatever the level: what a run has left out,
//! since it was replaced or evicted, must not come back. **Ends anywhere before the rename:** files without a meaning.
//! **After it:** readers that have not noticed go on with their maps, which stay whole. **Fails before the rename:** the
//! manifest that is in force is read again, and what was made and is not named there is unlinked, before the locks go.
//!
//! # Evicting
//!
//! Under `lock`: the records worth keeping of segments that hold few of them are copied to a new segment, with their
//! sequence numbers, and synced. Then the manifest names the old segments as given up, with one run over all that stays;
//! then they are unlinked. Where a segment with a writer has an older record of what is evicted, a removal is
//! left in its place. **Ends before the rename:** some records are there twice, alike. **After it:** segments that are
//! given up are ignored, and unlinked by the next. Readers that have them mapped keep the old bytes. **Fails before the
//! rename:** as with sealing; copies are unlinked while they are locked, so that nothing was added to them.
//!
//! # Counters
//!
//! Each opener counts in memory, and appends what it has counted to `touched`, with what it used. Counters are what the manifest
//! says and the rows behind it, one after the other. When `touched` is set aside or forgotten, its rows are added up in the manifest.
//!
//! They are set back to zero by one row, which says that what was counted before it is forgotten; notes of use stay. It is
//! appended under `lock`, so that nobody adds up rows meanwhile. **Ends before that:** nothing has happened. **In the middle:** no
//! row is there that is whole, and those that follow are found. What other openers have counted and not written down yet counts from
//! then on. An older build knows no such row and counts as if it were not there.
//!
//! # A full disk
//!
//! Evicting takes room, for a manifest, a run, and what is moved. As much as the first two take, and at least 64 KiB, is kept back in
//! `reserve`: taken after a put and after evicting, while half of what is left stays for others. Where a removal or an eviction fails for
//! want of room, `reserve` is unlinked, it is tried again, and `reserve` is made anew. **Ends in between:** the next makes it.
//! What should stay and is more than there is room to move is given up. Without `reserve`, notes of use and of
//! damage go instead, and what was counted since they were added up last: that is enough to give up everything. Where there is no room for `manifest.copy`, it is unlinked, as
//! the last one would be wrong.
//!
//! # Users
//!
//! Files are written by their user alone, and read as the umask says. In a store that is opened as shared they get the
//! permissions of the directory, and its group, right after they are made. A process that opens one before that may not, and takes it
//! for one that is not there yet: its maker changes `generation` afterwards.
//!
//! # What opening and getting take
//!
//! Opening maps every file, scans what is active, and checks the fronts of runs: of what is sealed it reads nothing. A
//! look-up reads one place of the fan-out and the few entries beside it for each run, of which there are about as many as
//! the logarithm of the entries to base 4, and one record's header. Blocks of runs are checked when they are first read.
//!
//! # An export
//!
//! A segment of exactly the length that its records take, whatever their number. Its header, which is checked, says how long it is,
//! and its last record ends there: what was cut off, or added, shows before anything is put.
//!
//! # An object of the remote tier
//!
//! With the feature `remote`: a segment of its own that holds one record, of exactly that length. Its id is the key's
//! fingerprint and its sequence number 1, so that equal entries are equal objects. All of it is checked when it arrives.
//! It is put with the highest number that was seen before it was asked for: what was put meanwhile is newer.
//!
//! # Damage
//!
//! A value of one block is checked when it is got: where it is damaged, that is a miss. Blocks of a larger one are checked
//! when they are touched. Where one is found bad then, touching it is an error, as the module is at work already;
//! from then on it is a miss for this opener, until it is put anew.
//!
//! A header that was not written whole is zeros from some byte on: where its first or last four bytes are anything else, it is
//! damaged. What is behind a damaged header is found: a record says where it ends at its end as well. Its *trailer* repeats key
//! and number, so that a damaged record is a miss for its key, and not a reason to give out an older value. A damaged
//! block of a run is a miss for the keys in it; its front stands at both ends. Where `manifest` is damaged, its copy
//! counts. Where both are, or the copy is not there, every segment is scanned as if it were active, and what had been evicted may come back.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "lengths are compared with 2^48 before they are added up; all else has 32 bits"
)]

use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// What records stand at multiples of, and are counted in.
pub(crate) const UNIT: u64 = 128;
/// Bytes that one checksum covers.
pub(crate) const BLOCK: u64 = 64 << 10;
/// What a value stands at a multiple of at least.
pub(crate) const ALIGNMENT: u64 = 64;
/// What a value can stand at a multiple of at most: a page, as maps begin at one.
pub(crate) const MOST_ALIGNMENT: u64 = 4096;
/// The last word of every header that was written whole.
pub(crate) const END: [u8; 4] = *b"\nEND";
/// The number of this format.
pub(crate) const FORMAT: u32 = 1;

/// The first bytes of a segment.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct SegmentHeader {
    pub(crate) magic: [u8; 8],
    pub(crate) format: U32,
    /// Of all, with zeros here.
    pub(crate) check: U32,
    pub(crate) id: U64,
    pub(crate) length: U64,
    pub(crate) unused: [u8; 96],
}

/// The first bytes of a record.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct RecordHeader {
    pub(crate) magic: [u8; 4],
    /// Of the segment's id, the record's place, and the bytes behind this up to `end`.
    pub(crate) check: U32,
    pub(crate) sequence: U64,
    pub(crate) key: [u8; 32],
    /// Milliseconds since 1970.
    pub(crate) created: U64,
    /// Of the value.
    pub(crate) length: U64,
    /// Of the index, which stands behind the value at a multiple of 8.
    pub(crate) index_length: U64,
    pub(crate) meta_length: U32,
    /// Of the whole record.
    pub(crate) units: U32,
    /// Where the value stands, from the record's start.
    pub(crate) body_at: U32,
    /// Of the metadata.
    pub(crate) meta_check: U32,
    /// Of the only block, or of the checks of all; each bit of it the other way round in what is no plain value.
    pub(crate) body_check: U32,
    pub(crate) kind: u8,
    /// [`RecordHeader::VALUE`], [`RecordHeader::ALIAS`] or [`RecordHeader::CONTENT`].
    pub(crate) form: u8,
    pub(crate) unused: [u8; 30],
    pub(crate) end: [u8; 4],
}

/// The last bytes of a record.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Trailer {
    pub(crate) magic: [u8; 4],
    /// As of the header.
    pub(crate) check: U32,
    pub(crate) sequence: U64,
    pub(crate) key: [u8; 32],
    pub(crate) units: U32,
    pub(crate) unused: [u8; 12],
}

/// The first bytes of a run.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct RunHeader {
    pub(crate) magic: [u8; 8],
    pub(crate) format: U32,
    /// Of the bytes behind it.
    pub(crate) check: U32,
    pub(crate) id: U64,
    /// Number of entries, content among them.
    pub(crate) entries: U64,
    /// Number of segments, whose ids stand behind the checks.
    pub(crate) segments: U32,
    /// The fan-out has 2^this numbers, and one more.
    pub(crate) fan_out: U32,
    /// The highest of its records.
    pub(crate) sequence: U64,
    /// Of the checks of all blocks; blocks begin behind the checks.
    pub(crate) blocks_check: U32,
    /// About how many of the entries are content, which is no entry of a user.
    pub(crate) contents: U64,
    pub(crate) unused: [u8; 68],
}

/// One record in a run.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct RunEntry {
    pub(crate) fingerprint: U64,
    pub(crate) sequence: U64,
    /// When it was last used, in seconds since 1970.
    pub(crate) used: U32,
    /// Which of the run's segments.
    pub(crate) segment: U32,
    /// In units; the highest bit marks an alias or content.
    pub(crate) at: U32,
    /// In units; the highest bit marks a removal.
    pub(crate) units: U32,
}

/// The first bytes of the manifest; rows follow.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct ManifestHeader {
    pub(crate) magic: [u8; 8],
    pub(crate) format: U32,
    /// Of all bytes behind it.
    pub(crate) check: U32,
    /// One more than that of the manifest before it.
    pub(crate) number: U64,
    pub(crate) sealed: U64,
    pub(crate) runs: U64,
    pub(crate) retired: U64,
    pub(crate) counters: [U64; 8],
}

/// A sealed segment.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct SealedRow {
    pub(crate) id: U64,
    /// Where its records end.
    pub(crate) end: U64,
    /// Records, removals and what has been replaced among them.
    pub(crate) records: U64,
    /// The lowest of its records.
    pub(crate) sequence: U64,
}

/// A batch entry of `touched`.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct TouchRow {
    /// A key's fingerprint; or, where `what` is not 0, a counter's growth.
    pub(crate) fingerprint: U64,
    /// In seconds since 1970.
    pub(crate) time: U32,
    /// 0: used; [`TouchRow::FORGET`]; else the number of a counter and 1.
    pub(crate) what: u8,
    /// Of the bytes before.
    pub(crate) check: [u8; 3],
}

pub(crate) const SEGMENT_MAGIC: [u8; 8] = *b"MLBCSEG\x01";
pub(crate) const RUN_MAGIC: [u8; 8] = *b"MLBCRUN\x01";
pub(crate) const MANIFEST_MAGIC: [u8; 8] = *b"MLBCMAN\x01";
pub(crate) const RECORD_MAGIC: [u8; 4] = *b"MLBR";
pub(crate) const TRAILER_MAGIC: [u8; 4] = *b"MLBT";

const _: () = {
    assert!(size_of::<SegmentHeader>() == UNIT as usize);
    assert!(size_of::<RecordHeader>() == UNIT as usize);
    assert!(size_of::<Trailer>() == 64);
    assert!(size_of::<RunHeader>() == 128);
    assert!(size_of::<RunEntry>() == 32);
    assert!(size_of::<TouchRow>() == 16);
};

impl SegmentHeader {
    pub(crate) fn new(id: u64, length: u64) -> Self {
        let mut header = SegmentHeader {
            magic: SEGMENT_MAGIC,
            format: FORMAT.into(),
            check: 0.into(),
            id: id.into(),
            length: length.into(),
            unused: [0; 96],
        };
        header.check = header.sum().into();
        header
    }

    fn sum(&self) -> u32 {
        crc32fast::hash(SegmentHeader { check: 0.into(), ..*self }.as_bytes())
    }

    /// Whether it is the header of the segment of that id and length, of a format that this build knows.
    pub(crate) fn is_of(&self, id: u64, length: u64) -> bool {
        self.magic == SEGMENT_MAGIC
            && self.format.get() == FORMAT
            && self.check.get() == self.sum()
            && (self.id.get(), self.length.get()) == (id, length)
    }

    /// Whether it is whole, and of a later format.
    pub(crate) fn is_newer(&self) -> bool {
        self.magic == SEGMENT_MAGIC && self.check.get() == self.sum() && self.format.get() > FORMAT
    }
}

/// A checksum that is right in one place of one segment only.
fn sum_at(segment: u64, at: u64, bytes: &[u8]) -> u32 {
    // Put together first: the sum of one piece of more than 128 bytes takes less time than that of two short ones.
    let place = u128::from(at) << 64 | u128::from(segment);
    let mut all = [0; 16 + size_of::<RecordHeader>()];
    let (front, behind) = all.split_at_mut(16);
    front.copy_from_slice(&place.to_le_bytes());
    behind.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
    crc32fast::hash(all.split_at(16 + bytes.len()).0)
}

impl RecordHeader {
    /// Sets the checksum for that place.
    pub(crate) fn seal(&mut self, segment: u64, at: u64) {
        self.check = self.sum(segment, at).into();
    }

    fn sum(&self, segment: u64, at: u64) -> u32 {
        sum_at(segment, at, self.as_bytes().get(8..124).unwrap_or_default())
    }

    /// The header at `at`, where all of it is right: lengths fit each other and the segment.
    pub(crate) fn read(segment: u64, map: &[u8], at: u64) -> Option<&Self> {
        let bytes = map.get(usize::try_from(at).ok()?..)?;
        let (header, _) = Self::ref_from_prefix(bytes).ok()?;
        let fits = header.magic == RECORD_MAGIC
            && header.check.get() == header.sum(segment, at)
            && header.end_of_parts().is_some_and(|end| end <= header.size())
            && at.checked_add(header.size()).is_some_and(|end| end <= map.len() as u64);
        fits.then_some(header)
    }

    /// The value, with its index, is that of the key.
    pub(crate) const VALUE: u8 = 0;
    /// The value is the key of a record that has what is that of the key.
    pub(crate) const ALIAS: u8 = 1;
    /// The value, with its index, is that of keys whose records name this one.
    pub(crate) const CONTENT: u8 = 2;

    /// The checksum of the body, or of the checks of its blocks.
    pub(crate) fn body_sum(&self) -> u32 {
        Self::turned(self.form, self.body_check.get())
    }

    /// A checksum as a record of that form has it, and back.
    pub(crate) fn turned(form: u8, sum: u32) -> u32 {
        if form == Self::VALUE { sum } else { !sum }
    }

    /// Length of the whole record.
    pub(crate) fn size(&self) -> u64 {
        u64::from(self.units.get()) * UNIT
    }

    /// Where the index stands, from the value's start.
    pub(crate) fn index_at(&self) -> u64 {
        match self.index_length.get() {
            0 => self.length.get(),
            _ => self.length.get().next_multiple_of(8),
        }
    }

    /// Length of value and index with what is between them.
    pub(crate) fn body_length(&self) -> u64 {
        self.index_at() + self.index_length.get()
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.body_length().div_ceil(BLOCK)
    }

    /// Where the checks of blocks stand, from the record's start.
    pub(crate) fn checks_at(&self) -> u64 {
        UNIT + u64::from(self.meta_length.get()).next_multiple_of(4)
    }

    /// Where the trailer may begin at the earliest; `None` where lengths cannot be.
    fn end_of_parts(&self) -> Option<u64> {
        let limit = 1 << 48;
        if self.length.get() > limit || self.index_length.get() > limit {
            return None;
        }
        let checks = if self.blocks() > 1 { 4 * self.blocks() } else { 0 };
        let body = u64::from(self.body_at.get());
        (body >= self.checks_at() + checks).then(|| body + self.body_length() + 64)
    }
}

impl Trailer {
    pub(crate) fn of(header: &RecordHeader, segment: u64, at: u64) -> Self {
        let mut trailer = Trailer {
            magic: TRAILER_MAGIC,
            check: 0.into(),
            sequence: header.sequence,
            key: header.key,
            units: header.units,
            unused: [0; 12],
        };
        trailer.check = trailer.sum(segment, at).into();
        trailer
    }

    fn sum(&self, segment: u64, at: u64) -> u32 {
        sum_at(segment, at, self.as_bytes().get(8..).unwrap_or_default())
    }

    /// The trailer in the last bytes before `end`, of a record that begins at `at`.
    pub(crate) fn read(segment: u64, map: &[u8], at: u64, end: u64) -> Option<&Self> {
        let bytes = map.get(..usize::try_from(end).ok()?)?;
        let (_, trailer) = Self::ref_from_suffix(bytes).ok()?;
        let fits = trailer.magic == TRAILER_MAGIC
            && at + u64::from(trailer.units.get()) * UNIT == end
            && trailer.check.get() == trailer.sum(segment, at);
        fits.then_some(trailer)
    }
}

impl RunHeader {
    pub(crate) fn sum(&self) -> u32 {
        crc32fast::hash(self.as_bytes().get(16..).unwrap_or_default())
    }
}

impl RunEntry {
    /// In `units`.
    pub(crate) const REMOVED: u32 = 1 << 31;
    /// In `at`.
    pub(crate) const SHARED: u32 = 1 << 31;

    /// Where the record stands, in units.
    pub(crate) fn place(&self) -> u32 {
        self.at.get() & !Self::SHARED
    }

    /// Whether it is an alias or content.
    pub(crate) fn is_shared(&self) -> bool {
        self.at.get() & Self::SHARED != 0
    }
}

impl TouchRow {
    /// What was counted before is forgotten. No counter has this number.
    pub(crate) const FORGET: u8 = u8::MAX;

    pub(crate) fn new(fingerprint: u64, time: u32, what: u8) -> Self {
        let mut row = TouchRow { fingerprint: fingerprint.into(), time: time.into(), what, check: [0; 3] };
        row.check = row.sum();
        row
    }

    fn sum(&self) -> [u8; 3] {
        let [a, b, c, _] = crc32fast::hash(self.as_bytes().get(..13).unwrap_or_default()).to_le_bytes();
        [a, b, c]
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.check == self.sum()
    }
}
