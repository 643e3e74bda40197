//! What the tests of the store share: a disk that fails when it is told to, values that tell where they belong.
#![allow(dead_code, reason = "each test uses a part")]

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use mlirbc_store::Key;
use mlirbc_store::disk::{Disk, DiskFile, Folder, Map};

/// A sequence of numbers that is the same in every run.
#[derive(Clone, Debug)]
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// How large a test is: `name` in the environment, or `usual`.
pub fn scale(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A directory for a test, in memory where the machine has such a place.
pub fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()),
        false => tempfile::tempdir(),
    }
    .expect("a folder")
}

pub fn key(number: u64) -> Key {
    Key::of(&number.to_le_bytes())
}

/// The value of a key at some version: no other key or version has it.
pub fn value(number: u64, version: u64, length: usize) -> Vec<u8> {
    let mut numbers = Numbers(number << 32 | version);
    let mut bytes = format!("{number}.{version}.{length}:").into_bytes();
    while bytes.len() < length {
        bytes.extend(numbers.next().to_le_bytes());
    }
    bytes.truncate(length.max(bytes.len().min(24)));
    bytes
}

/// How an operation of the disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It does nothing and says so.
    Refused,
    /// The disk is full: what takes room does nothing and says so. If that is deadly, it stays so until a file is removed,
    /// which gives room for a few operations.
    Full,
    /// A write stops after some of its bytes; anything else is done, and then said to have failed.
    Torn(u64),
}

/// When the disk fails.
#[derive(Debug, Default)]
pub struct Plan {
    /// Operations until the next failure; at 0 it happens.
    pub left: AtomicU64,
    pub armed: AtomicBool,
    pub fault: Mutex<Option<Fault>>,
    /// Whether nothing works any more once it has happened: the process is dead.
    pub deadly: AtomicBool,
    pub dead: AtomicBool,
    pub happened: AtomicBool,
    pub operations: AtomicU64,
    pub full: AtomicBool,
    /// How many operations there is room for while it is full.
    pub room: AtomicU64,
    /// How many failed for want of room.
    pub refused: AtomicU64,
    /// What is done when it happens.
    pub meanwhile: Meanwhile,
}

/// What another does in the middle of something.
#[derive(Default)]
pub struct Meanwhile(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl std::fmt::Debug for Meanwhile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meanwhile")
    }
}

impl Plan {
    pub fn arm(&self, after: u64, fault: Fault, deadly: bool) {
        self.left.store(after, Ordering::SeqCst);
        *self.fault.lock().unwrap() = Some(fault);
        self.deadly.store(deadly, Ordering::SeqCst);
        self.happened.store(false, Ordering::SeqCst);
        self.dead.store(false, Ordering::SeqCst);
        self.full.store(false, Ordering::SeqCst);
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Has another do something after so many operations, none of which fails.
    pub fn interrupt(&self, after: u64, what: impl FnOnce() + Send + 'static) {
        self.arm(after, Fault::Refused, false);
        *self.fault.lock().unwrap() = None;
        *self.meanwhile.0.lock().unwrap() = Some(Box::new(what));
    }

    fn step(&self) -> io::Result<Option<Fault>> {
        self.operations.fetch_add(1, Ordering::SeqCst);
        if self.dead.load(Ordering::SeqCst) {
            return Err(io::Error::other("dead"));
        }
        if !self.armed.load(Ordering::SeqCst) {
            return Ok(None);
        }
        if self.left.load(Ordering::SeqCst) > 0 {
            self.left.fetch_sub(1, Ordering::SeqCst);
            return Ok(None);
        }
        self.armed.store(false, Ordering::SeqCst);
        self.happened.store(true, Ordering::SeqCst);
        let meanwhile = self.meanwhile.0.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        let (fault, deadly) = (*self.fault.lock().unwrap(), self.deadly.load(Ordering::SeqCst));
        self.dead.store(deadly && fault != Some(Fault::Full), Ordering::SeqCst);
        self.full.store(deadly && fault == Some(Fault::Full), Ordering::SeqCst);
        Ok(fault)
    }

    /// As `step`, of something that takes room.
    fn step_of_writing(&self) -> io::Result<Option<Fault>> {
        let fault = match self.step()? {
            None if self.full.load(Ordering::SeqCst) => {
                let room = self.room.load(Ordering::SeqCst);
                self.room.store(room.saturating_sub(1), Ordering::SeqCst);
                (room == 0).then_some(Fault::Full)
            }
            fault => fault,
        };
        if fault == Some(Fault::Full) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(fault)
    }

    /// Does `run`, or fails.
    fn run<T>(&self, run: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.step()? {
            None | Some(Fault::Full) => run(),
            Some(Fault::Refused) => Err(io::Error::other("injected")),
            Some(Fault::Torn(_)) => {
                let _ = run();
                Err(io::Error::other("injected"))
            }
        }
    }
}

/// A directory whose operations fail as planned.
#[derive(Debug)]
pub struct Faulty {
    pub folder: Folder,
    pub plan: Arc<Plan>,
}

impl Faulty {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Faulty { folder: Folder::new(path), plan: Arc::default() }
    }

    fn file(&self, file: Box<dyn DiskFile>) -> Box<dyn DiskFile> {
        Box::new(FaultyFile { file, plan: self.plan.clone() })
    }
}

#[derive(Debug)]
struct FaultyFile {
    file: Box<dyn DiskFile>,
    plan: Arc<Plan>,
}

impl Disk for Faulty {
    fn list(&self) -> io::Result<Vec<String>> {
        self.plan.run(|| self.folder.list())
    }
    fn create(&self, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>> {
        match self.plan.step_of_writing()? {
            None | Some(Fault::Full) => self.folder.create(name, length).map(|file| self.file(file)),
            Some(Fault::Refused) => Err(io::Error::other("injected")),
            // Made, and without its length.
            Some(Fault::Torn(_)) => self.folder.create(name, 0).and(Err(io::Error::other("injected"))),
        }
    }
    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>> {
        self.plan.run(|| self.folder.open(name, write)).map(|file| self.file(file))
    }
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match self.plan.step_of_writing()? {
            None | Some(Fault::Full) => self.folder.append(name, bytes),
            Some(Fault::Refused) => Err(io::Error::other("injected")),
            Some(Fault::Torn(at)) => {
                self.folder.append(name, &bytes[..(at as usize) % (bytes.len() + 1)])?;
                Err(io::Error::other("injected"))
            }
        }
    }
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.plan.run(|| self.folder.rename(from, to))
    }
    fn remove(&self, name: &str) -> io::Result<()> {
        self.plan.run(|| self.folder.remove(name))?;
        self.plan.room.fetch_add(8, Ordering::SeqCst);
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        self.plan.run(|| self.folder.sync())
    }
    fn room(&self) -> io::Result<u64> {
        self.plan.run(|| self.folder.room())
    }
}

impl DiskFile for FaultyFile {
    fn length(&self) -> io::Result<u64> {
        self.plan.run(|| self.file.length())
    }
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        match self.plan.step_of_writing()? {
            None | Some(Fault::Full) => self.file.write_at(at, bytes),
            Some(Fault::Refused) => Err(io::Error::other("injected")),
            Some(Fault::Torn(end)) => {
                self.file.write_at(at, &bytes[..(end as usize) % (bytes.len() + 1)])?;
                Err(io::Error::other("injected"))
            }
        }
    }
    fn sync(&self) -> io::Result<()> {
        self.plan.run(|| self.file.sync())
    }
    fn try_lock(&self) -> io::Result<bool> {
        self.plan.run(|| self.file.try_lock())
    }
    fn is_linked(&self) -> io::Result<bool> {
        self.plan.run(|| self.file.is_linked())
    }
    fn data_end(&self, from: u64) -> io::Result<u64> {
        self.plan.run(|| self.file.data_end(from))
    }
    fn allocate(&self, from: u64, length: u64) -> io::Result<()> {
        match self.plan.step_of_writing()? {
            None | Some(Fault::Full) => self.file.allocate(from, length),
            Some(_) => Err(io::Error::other("injected")),
        }
    }
    fn map(&self) -> io::Result<Map> {
        self.plan.run(|| self.file.map())
    }
    fn backed(&self) -> io::Result<u64> {
        self.plan.run(|| self.file.backed())
    }
}
