//! The manifest: which segments are sealed, which runs index them, which segments are given up.

#![expect(clippy::arithmetic_side_effects, reason = "a number of files: two")]

use zerocopy::{FromBytes, IntoBytes};

use crate::disk::Disk;
use crate::layout::{FORMAT, MANIFEST_MAGIC, ManifestHeader, SealedRow};

/// The names of the manifest's files: the second is looked into where the first is damaged.
pub(crate) const NAMES: [&str; 2] = ["manifest", "manifest.copy"];

/// Where what its checksum is of begins, right behind it.
const CHECKED: usize = 16;
/// No segment is as long.
const LIMIT: u64 = 1 << 40;

/// What the manifest says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) number: u64,
    pub(crate) sealed: Vec<SealedRow>,
    pub(crate) runs: Vec<u64>,
    pub(crate) retired: Vec<u64>,
    pub(crate) counters: [u64; 8],
    /// Files that were damaged.
    pub(crate) damaged: u64,
    /// Whether there were files, and all of them were damaged.
    pub(crate) lost: bool,
}

impl Manifest {
    /// Reads the manifest, or its copy. Where both are torn, they say nothing.
    pub(crate) fn read(disk: &dyn Disk) -> std::io::Result<Manifest> {
        let mut damaged = 0;
        for name in NAMES {
            let bytes = match disk.open(name, false) {
                Ok(file) => file.map()?.bytes,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match Self::decode(&bytes) {
                Some(manifest) => return Ok(Manifest { damaged, ..manifest }),
                None => damaged += 1,
            }
        }
        Ok(Manifest { lost: damaged > 0, damaged, ..Manifest::default() })
    }

    fn decode(bytes: &[u8]) -> Option<Manifest> {
        let (header, rest) = ManifestHeader::ref_from_prefix(bytes).ok()?;
        let sound = header.magic == MANIFEST_MAGIC
            && header.format.get() == FORMAT
            && header.check.get() == crc32fast::hash(bytes.get(CHECKED..)?);
        if !sound {
            return None;
        }
        let count = |number: u64| usize::try_from(number).ok();
        let (sealed, rest) = <[SealedRow]>::ref_from_prefix_with_elems(rest, count(header.sealed.get())?).ok()?;
        if sealed.iter().any(|row| row.end.get() >= LIMIT || row.records.get() >= LIMIT) {
            return None;
        }
        let (runs, rest) = rest.split_at_checked(count(header.runs.get())?.checked_mul(8)?)?;
        let retired = rest.get(..count(header.retired.get())?.checked_mul(8)?)?;
        let ids = |bytes: &[u8]| bytes.as_chunks::<8>().0.iter().map(|id| u64::from_le_bytes(*id)).collect();
        Some(Manifest {
            number: header.number.get(),
            sealed: sealed.to_vec(),
            runs: ids(runs),
            retired: ids(retired),
            counters: header.counters.map(|counter| counter.get()),
            damaged: 0,
            lost: false,
        })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let header = ManifestHeader {
            magic: MANIFEST_MAGIC,
            format: FORMAT.into(),
            check: 0.into(),
            number: self.number.into(),
            sealed: (self.sealed.len() as u64).into(),
            runs: (self.runs.len() as u64).into(),
            retired: (self.retired.len() as u64).into(),
            counters: self.counters.map(Into::into),
        };
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend_from_slice(self.sealed.as_bytes());
        for id in self.runs.iter().chain(&self.retired) {
            bytes.extend_from_slice(&id.to_le_bytes());
        }
        let check = crc32fast::hash(bytes.get(CHECKED..).unwrap_or_default());
        let place = bytes.get_mut(CHECKED - 4..CHECKED).unwrap_or_default();
        place.copy_from_slice(&check.to_le_bytes());
        bytes
    }
}
