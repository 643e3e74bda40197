//! The machine loses power at every operation of a recorded run; of what was not synced, any part may be on the disk.
//!
//! `MLIRBC_STORE_CUTS=50 cargo test --release -p mlirbc-store --test all power::` tries fifty disks for every operation.

use crate::common;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use common::{Numbers, folder, key, scale, value};
use mlirbc_store::disk::{Disk, DiskFile, Folder, Map};
use mlirbc_store::{Durability, Options, Store};

const KEYS: u64 = 24;

/// What was done to the disk.
#[derive(Clone, Debug)]
enum Event {
    Create(String, usize),
    Length(usize, u64),
    Write(usize, u64, Vec<u8>),
    Append(usize, Vec<u8>),
    SyncFile(usize),
    Rename(String, String),
    Remove(String),
    SyncNames,
    /// From here on this key may have this value, or none.
    Begin(u64, Option<Vec<u8>>),
    /// The operation returned.
    End(u64),
    /// Eviction begins.
    Evict,
}

#[derive(Debug, Default)]
struct Log {
    events: Vec<Event>,
    names: HashMap<String, usize>,
    files: usize,
}

/// A directory that writes down what is done to it.
#[derive(Debug)]
struct Recorded {
    folder: Folder,
    log: Arc<Mutex<Log>>,
}

#[derive(Debug)]
struct RecordedFile {
    file: Box<dyn DiskFile>,
    number: usize,
    log: Arc<Mutex<Log>>,
}

impl Recorded {
    fn file(&self, name: &str, file: Box<dyn DiskFile>) -> Box<dyn DiskFile> {
        let number = self.log.lock().unwrap().names[name];
        Box::new(RecordedFile { file, number, log: self.log.clone() })
    }
}

impl Log {
    fn made(&mut self, name: &str) -> usize {
        self.files += 1;
        self.names.insert(name.to_owned(), self.files);
        self.events.push(Event::Create(name.to_owned(), self.files));
        self.files
    }
}

impl Disk for Recorded {
    fn list(&self) -> io::Result<Vec<String>> {
        self.folder.list()
    }
    fn create(&self, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>> {
        let file = self.folder.create(name, length)?;
        {
            let mut log = self.log.lock().unwrap();
            let number = log.made(name);
            log.events.push(Event::Length(number, length));
        }
        Ok(self.file(name, file))
    }
    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>> {
        let file = self.folder.open(name, write)?;
        Ok(self.file(name, file))
    }
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.folder.append(name, bytes)?;
        let mut log = self.log.lock().unwrap();
        let number = match log.names.get(name) {
            Some(number) => *number,
            None => log.made(name),
        };
        log.events.push(Event::Append(number, bytes.to_vec()));
        Ok(())
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.folder.rename(from, to)?;
        let mut log = self.log.lock().unwrap();
        let number = log.names.remove(from).expect("a file");
        log.names.insert(to.to_owned(), number);
        log.events.push(Event::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(name)?;
        let mut log = self.log.lock().unwrap();
        log.names.remove(name);
        log.events.push(Event::Remove(name.to_owned()));
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        self.log.lock().unwrap().events.push(Event::SyncNames);
        Ok(())
    }
    fn room(&self) -> io::Result<u64> {
        self.folder.room()
    }
}

impl DiskFile for RecordedFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(at, bytes)?;
        self.log.lock().unwrap().events.push(Event::Write(self.number, at, bytes.to_vec()));
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        self.log.lock().unwrap().events.push(Event::SyncFile(self.number));
        Ok(())
    }
    fn try_lock(&self) -> io::Result<bool> {
        self.file.try_lock()
    }
    fn is_linked(&self) -> io::Result<bool> {
        self.file.is_linked()
    }
    fn data_end(&self, from: u64) -> io::Result<u64> {
        self.file.data_end(from)
    }
    fn allocate(&self, from: u64, length: u64) -> io::Result<()> {
        // Nothing can be read from room that is only taken.
        self.file.allocate(from, length)
    }
    fn map(&self) -> io::Result<Map> {
        self.file.map()
    }
    fn backed(&self) -> io::Result<u64> {
        self.file.backed()
    }
}

/// What is on the disk for sure, and what may be.
#[derive(Default)]
struct Image {
    files: HashMap<usize, Vec<u8>>,
    names: BTreeMap<String, usize>,
    /// Changes of files that were not synced.
    data: Vec<Event>,
    /// Changes of names that were not synced.
    renames: Vec<Event>,
    /// Where an append goes: lengths as the running system sees them.
    lengths: HashMap<usize, usize>,
}

fn apply_data(files: &mut HashMap<usize, Vec<u8>>, event: &Event, keep: impl Fn(usize) -> bool) {
    match event {
        Event::Length(number, length) => files.entry(*number).or_default().resize(*length as usize, 0),
        Event::Write(number, at, bytes) => {
            let file = files.entry(*number).or_default();
            if file.len() < *at as usize + bytes.len() {
                file.resize(*at as usize + bytes.len(), 0);
            }
            for (offset, byte) in bytes.iter().enumerate() {
                let place = *at as usize + offset;
                // A sector is written whole or not at all.
                if keep(place / 512) {
                    file[place] = *byte;
                }
            }
        }
        _ => {}
    }
}

fn apply_name(names: &mut BTreeMap<String, usize>, event: &Event) {
    match event {
        Event::Create(name, number) => {
            names.insert(name.clone(), *number);
        }
        Event::Rename(from, to) => {
            if let Some(number) = names.remove(from) {
                names.insert(to.clone(), number);
            }
        }
        Event::Remove(name) => {
            names.remove(name);
        }
        _ => {}
    }
}

impl Image {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Length(number, length) => {
                self.lengths.insert(*number, *length as usize);
                self.data.push(event.clone());
            }
            Event::Write(number, at, bytes) => {
                let length = self.lengths.entry(*number).or_default();
                *length = (*length).max(*at as usize + bytes.len());
                self.data.push(event.clone());
            }
            Event::Append(number, bytes) => {
                let length = self.lengths.entry(*number).or_default();
                self.data.push(Event::Write(*number, *length as u64, bytes.clone()));
                *length += bytes.len();
            }
            Event::SyncFile(number) => {
                let files = &mut self.files;
                self.data.retain(|event| match event {
                    Event::Length(other, _) | Event::Write(other, ..) if other == number => {
                        apply_data(files, event, |_| true);
                        false
                    }
                    _ => true,
                });
            }
            Event::Create(..) | Event::Rename(..) | Event::Remove(..) => self.renames.push(event.clone()),
            Event::SyncNames => self.renames.drain(..).for_each(|event| apply_name(&mut self.names, &event)),
            Event::Begin(..) | Event::End(..) | Event::Evict => {}
        }
    }

    /// A disk that may be left: `how` 0: nothing that was not synced, 1: everything, else some of it.
    fn left(&self, how: u64, numbers: &mut Numbers) -> Left {
        let (mut files, mut names) = (self.files.clone(), self.names.clone());
        let whole = how % 3 != 2;
        let keep = |numbers: &mut Numbers| match how {
            0 => false,
            1 => true,
            _ => numbers.below(2) == 0,
        };
        // Which of two writes to one place comes last stays as it was: the kernel keeps one page for both.
        for event in &self.data {
            if keep(numbers) {
                let salt = numbers.next();
                apply_data(&mut files, event, |sector| whole || Numbers(salt ^ sector as u64).next() & 1 == 0);
            }
        }
        for event in &self.renames {
            if keep(numbers) {
                apply_name(&mut names, event);
            }
        }
        // No file has two names.
        names.into_iter().map(|(name, number)| (name, files.remove(&number).unwrap_or_default())).collect()
    }
}

/// What a disk holds: files by name.
type Left = BTreeMap<String, Vec<u8>>;

fn write_down(left: &Left, path: &Path) {
    for (name, bytes) in left {
        std::fs::write(path.join(name), bytes).expect("a file");
    }
}

/// What may be found of a key.
#[derive(Clone, Default)]
struct Expected {
    value: Option<Vec<u8>>,
    begun: Option<Option<Vec<u8>>>,
    evictable: bool,
}

#[test]
fn power_is_lost_at_every_operation() {
    run(false, None);
}

#[test]
fn power_is_lost_while_entries_are_evicted() {
    run(true, None);
}

/// Content that has segments of its own.
#[test]
fn power_is_lost_while_equal_content_is_put() {
    run(true, Some(8 << 10));
}

/// Content that stands beside other records.
#[test]
fn power_is_lost_while_small_equal_content_is_put() {
    run(true, Some(160 << 10));
}

/// What is there already is not written again, but it is synced.
#[test]
fn an_equal_put_is_as_durable_as_asked_for() {
    let options = Options::new().segment_length(8 << 10);
    let (recording, left) = (folder(), folder());
    let log = Arc::new(Mutex::new(Log::default()));
    let disk = Arc::new(Recorded { folder: Folder::new(recording.path()), log: log.clone() });
    let store = |durability| Store::on(disk.clone(), options.clone().durability(durability)).expect("a store");
    let leave = |left: &Path| {
        let mut image = Image::default();
        log.lock().unwrap().events.iter().for_each(|event| image.take(event));
        write_down(&image.left(0, &mut Numbers(0)), left);
        let store = Store::on(Arc::new(Folder::new(left)), options.clone()).expect("a store");
        (0..2)
            .map(|number| store.get_bytes(&key(number)).unwrap().map(|value| value.bytes.to_vec()))
            .collect::<Vec<_>>()
    };
    // Beside others, and with a segment of its own.
    let values = [value(0, 0, 500), value(1, 0, 5000)];
    for (number, bytes) in (0..).zip(&values) {
        store(Durability::Process).put_bytes(&key(number), bytes, b"").expect("a put");
    }
    assert_eq!(leave(left.path()), [None, None], "nothing was synced");
    for (number, bytes) in (0..).zip(&values) {
        let written = log.lock().unwrap().events.iter().filter(|event| matches!(event, Event::Write(..))).count();
        store(Durability::Power).put_bytes(&key(number), bytes, b"").expect("a put");
        let events = &log.lock().unwrap().events;
        assert_eq!(events.iter().filter(|event| matches!(event, Event::Write(..))).count(), written);
    }
    assert_eq!(leave(left.path()), values.map(Some));
}

/// The values of all keys.
type Values = Vec<Option<Vec<u8>>>;

/// Opens a store on a disk that was left, reads all keys, and goes on with one more.
fn resume(left: &Left, options: &Options, context: &dyn Fn() -> String) -> Values {
    let folder = folder();
    write_down(left, folder.path());
    let store = Store::on(Arc::new(Folder::new(folder.path())), options.clone())
        .unwrap_or_else(|error| panic!("{}: {error}", context()));
    let get = |number| store.get_bytes(&key(number)).expect("a get").map(|value| value.bytes.to_vec());
    let values = (0..KEYS).map(get).collect();
    store.put_bytes(&key(99), b"new", b"").unwrap_or_else(|error| panic!("{}: {error}", context()));
    assert_eq!(get(99).as_deref(), Some(&b"new"[..]));
    values
}

/// With segments of that length, and content that several keys have, where one is given.
fn run(evicts: bool, equal: Option<u64>) {
    let max_bytes = if evicts { if equal.is_some() { 384 << 10 } else { 96 << 10 } } else { 1 << 30 };
    let segment = equal.unwrap_or(8 << 10);
    let options = Options::new().durability(Durability::Power).segment_length(segment).max_bytes(max_bytes);
    let recording = folder();
    let log = Arc::new(Mutex::new(Log::default()));
    let mut numbers = Numbers(7);
    let begin = |event| log.lock().unwrap().events.push(event);
    let disk = Arc::new(Recorded { folder: Folder::new(recording.path()), log: log.clone() });
    for _ in 0..4 {
        let store = Store::on(disk.clone(), options.clone()).expect("a store");
        for version in 0..scale("MLIRBC_STORE_CUT_OPERATIONS", if equal.is_some() { 30 } else { 80 }) {
            let number = numbers.below(KEYS);
            match numbers.below(10) {
                0 => {
                    begin(Event::Begin(number, None));
                    store.remove(&key(number)).expect("a removal");
                    begin(Event::End(number));
                }
                1 if evicts && numbers.below(6) == 0 => {
                    begin(Event::Evict);
                    store.gc(Some(40 << 10), None, false).expect("eviction");
                }
                _ => {
                    let length = if numbers.below(8) == 0 { 3000 } else { numbers.below(900) };
                    let mut new = value(number, version, length as usize);
                    if equal.is_some() && numbers.below(2) == 0 {
                        new = value(100 + numbers.below(3), 0, 16_384);
                    }
                    begin(Event::Begin(number, Some(new.clone())));
                    if evicts {
                        begin(Event::Evict);
                    }
                    store.put_bytes(&key(number), &new, b"").expect("a put");
                    begin(Event::End(number));
                }
            }
        }
    }
    let events = std::mem::take(&mut log.lock().unwrap().events);
    let disks = scale("MLIRBC_STORE_CUTS", if mlirbc_testing::is_whole() { 3 } else { 1 });
    let (mut image, mut expected) = (Image::default(), vec![Expected::default(); KEYS as usize]);
    let (mut cuts, mut found) = (0, 0);
    // What was found on the disks of this operation and of the one before: most operations leave one of these again.
    let mut seen: Vec<Vec<(Left, Values)>> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        image.take(event);
        match event {
            Event::Begin(number, new) => expected[*number as usize].begun = Some(new.clone()),
            Event::End(number) => {
                let expected = &mut expected[*number as usize];
                let value = expected.begun.take().expect("it began");
                *expected = Expected { value, begun: None, evictable: false };
                continue;
            }
            Event::Evict => expected.iter_mut().for_each(|expected| expected.evictable = true),
            _ => {}
        }
        seen.truncate(1);
        seen.insert(0, Vec::new());
        for how in 0..disks {
            let left = image.left(how, &mut numbers);
            let context = || format!("power lost at operation {at} of {}, disk {how}: {event:.80?}", events.len());
            // They differ in what was written last, if at all.
            let known = seen.iter().flatten().find(|(known, _)| known.iter().rev().eq(left.iter().rev()));
            let values = match known {
                Some((_, values)) => values.clone(),
                None => resume(&left, &options, &context),
            };
            for (number, (got, expected)) in values.iter().zip(&expected).enumerate() {
                found += u64::from(got.is_some());
                let fits = *got == expected.value
                    || expected.begun.as_ref() == Some(got)
                    || (got.is_none() && expected.evictable);
                assert!(fits, "{}: key {number}: {:?}", context(), got.as_ref().map(Vec::len));
            }
            seen[0].push((left, values));
            cuts += 1;
        }
    }
    println!("{} operations, {cuts} disks, {found} values found", events.len());
    assert!(cuts > 333 * disks && found > cuts, "{cuts} disks, {found} values");
}
