//! A segment of the store: what is damaged is a miss, and nothing comes out whose checksum does not hold.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_store::disk::{Disk, DiskFile, Map};
use mlirbc_store::{Key, Options, Store};

use crate::{Outcome, Random, Seed, inputs};

/// How long a segment is, however much of it the input says.
const LENGTH: usize = 32 << 10;
/// How many letters the name of a segment's file has.
const NAME: usize = 16;

/// Inputs to begin with: the name of a segment's file, then its bytes as the store wrote them.
pub fn seeds() -> Vec<Seed> {
    (0..4).map(|number| (format!("{number}.seg"), segment(number))).collect()
}

/// A segment with a few values; the key of each is made of it.
fn segment(number: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    let store = Store::open_with(&path, Options::new().segment_length(LENGTH as u64)).expect("a new store");
    let mut random = Random::new(number);
    for length in [0, 1, 100, 1_000] {
        let value = random.bytes(length);
        store.put_bytes(&Key::of(&value), &value, &random.bytes(length % 7)).expect("put");
    }
    let (_, file) = &inputs::bytecode()[number as usize % 4];
    store.put_bytes(&Key::of(file), file, b"meta").expect("put");
    store.remove(&Key::of(b"")).expect("removed");
    let entries = std::fs::read_dir(&path).expect("the store's folder").map(|entry| entry.expect("an entry").path());
    let segment = entries.filter(|path| path.extension().is_some_and(|extension| extension == "seg")).min();
    let segment = segment.expect("a segment");
    let mut bytes = segment.file_stem().expect("a name").to_string_lossy().into_owned().into_bytes();
    bytes.extend(std::fs::read(&segment).expect("the segment"));
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes.truncate(used);
    bytes
}

/// Opens a store that holds this segment alone, and gets everything that it lists.
pub fn run(data: &[u8]) -> Outcome {
    let Some((name, bytes)) = data.split_at_checked(NAME) else { return Outcome::Refused };
    let Ok(name) = std::str::from_utf8(name) else { return Outcome::Refused };
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().max(LENGTH), 0);
    let bytes = Bytes::from(bytes);
    let disk = Arc::new(OneFile { name: format!("{name}.seg"), bytes: bytes.clone() });
    let Ok(store) = Store::on(disk, Options::new().read_only(true)) else { return Outcome::Refused };
    let verified = store.verify().map_or(0, |verified| verified.records);
    let mut got = 0;
    let listed: Vec<_> = store.iter().map(Iterator::collect).unwrap_or_default();
    for listed in listed {
        // A module is opened, or is none; either is well.
        let _ = store.get(&mlirbc_dialects::context(), &listed.key);
        let Ok(Some(value)) = store.get_bytes(&listed.key) else { continue };
        got += 1;
        assert_eq!(value.bytes.len() as u64, listed.length);
        if Key::of(&value.bytes) != listed.key {
            // Made up, with the checksums that the store would give it: then what its header counts is there.
            assert!(is_checked(&bytes, &value.bytes), "other bytes than were put, and their checksum does not hold");
        }
    }
    assert!(got <= verified, "{got} values come out, {verified} records are whole");
    if got > 0 { Outcome::Accepted } else { Outcome::Refused }
}

/// Whether the checksum of a value stands somewhere in the segment: of the value, or filled up to eight bytes. An index
/// behind it, which is counted with it, no value of the seeds has.
fn is_checked(segment: &[u8], value: &[u8]) -> bool {
    let mut filled = value.to_vec();
    filled.resize(value.len().next_multiple_of(8), 0);
    [value, &filled].iter().any(|bytes| {
        // That of content is the other way round.
        let sum = crc32fast::hash(bytes);
        let sums = [sum, !sum].map(u32::to_le_bytes);
        segment.windows(4).any(|window| sums.iter().any(|sum| window == sum))
    })
}

/// A directory with one file, which cannot be changed.
#[derive(Debug)]
struct OneFile {
    name: String,
    bytes: Bytes,
}

#[derive(Debug)]
struct OpenFile(Bytes);

fn read_only<T>() -> io::Result<T> {
    Err(io::ErrorKind::ReadOnlyFilesystem.into())
}

impl Disk for OneFile {
    fn list(&self) -> io::Result<Vec<String>> {
        Ok(vec![self.name.clone()])
    }
    fn create(&self, _: &str, _: u64) -> io::Result<Box<dyn DiskFile>> {
        read_only()
    }
    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>> {
        match (name == self.name, write) {
            (true, false) => Ok(Box::new(OpenFile(self.bytes.clone()))),
            (true, true) => read_only(),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
    fn append(&self, _: &str, _: &[u8]) -> io::Result<()> {
        read_only()
    }
    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        read_only()
    }
    fn remove(&self, _: &str) -> io::Result<()> {
        read_only()
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
    fn room(&self) -> io::Result<u64> {
        Ok(0)
    }
}

impl DiskFile for OpenFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
    fn write_at(&self, _: u64, _: &[u8]) -> io::Result<()> {
        read_only()
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
    fn try_lock(&self) -> io::Result<bool> {
        Ok(false)
    }
    fn is_linked(&self) -> io::Result<bool> {
        Ok(true)
    }
    fn data_end(&self, _: u64) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
    fn allocate(&self, _: u64, _: u64) -> io::Result<()> {
        read_only()
    }
    fn map(&self) -> io::Result<Map> {
        Ok(Map { bytes: self.0.clone(), live: true })
    }
    fn backed(&self) -> io::Result<u64> {
        Ok(u64::MAX)
    }
}
