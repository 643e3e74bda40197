//! The store: layers of directories, and modules in them.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use mlirbc_bytecode::{BytecodeFile, Guard, Index, ReadOptions};
use mlirbc_ir::{Context, Error, ErrorKind, Module, Result};

use crate::blocks::{Blocks, Part};
use crate::dir::{Dir, now};
use crate::disk::{Disk, Folder};
use crate::evict::Collected;
use crate::key::Key;
use crate::layout::{BLOCK, RecordHeader};
use crate::limits::Limits;
use crate::maintain::WAITS;
use crate::options::Options;
use crate::record::{Draft, Record, RecordKind};
use crate::stats::Counter;

/// Compiled modules, kept on disk.
///
/// It may be shared by threads, and opened by any number of processes, and more than once by one.
#[derive(Debug)]
pub struct Store {
    dir: Dir,
    layers: Vec<Dir>,
    #[cfg(feature = "remote")]
    remote: Option<crate::remote::Remote>,
}

/// A value of the store: bytes that have been checked.
#[derive(Clone, Debug)]
pub struct Value {
    /// What they are.
    pub kind: RecordKind,
    /// The bytes: a view of the store's map, which stays whole whatever becomes of the store.
    pub bytes: Bytes,
    /// What was put beside them.
    pub meta: Bytes,
    /// When they were put, in milliseconds since 1970.
    pub created: u64,
}

/// What is known of an entry without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub key: Key,
    /// What kind of bytes it is.
    pub kind: RecordKind,
    /// Length of the value in bytes.
    pub length: u64,
    /// When it was put, in milliseconds since 1970.
    pub created: u64,
    /// When it was last used as far as that is known, in seconds since 1970.
    pub used: u32,
}

fn io(path: &str) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::new(ErrorKind::Io, format!("{path}: {error}")).caused_by(error)
}

pub(crate) fn about(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the store: {error}")).caused_by(error)
}

impl Store {
    /// Opens the store in a directory, which is made if it is not there, with the usual [`Options`].
    ///
    /// # Errors
    /// Where the directory cannot be made or read, others may write to it, or it is on another machine.
    ///
    /// ```
    /// use mlirbc_store::{Key, Store};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path().join("cache");
    /// # let compiled = include_bytes!("../../fixtures/arith.mlirbc");
    /// let store = Store::open(&folder)?;
    /// let key = Key::builder().part("source", "...").part("options", "-O2").finish();
    /// let context = mlirbc_dialects::context();
    /// assert!(store.get(&context, &key)?.is_none());
    /// store.put_bytes(&key, compiled, b"")?;
    /// let module = store.get(&context, &key)?.ok_or("it was put")?;
    /// assert!(module.symbol("f")?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Store> {
        Self::open_with(path, Options::new())
    }

    /// Opens the store in a directory.
    ///
    /// # Errors
    /// Where the directory cannot be made or read, others may write to it, it is on another machine, or it has files of
    /// other kinds and no store.
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Store> {
        let path = path.as_ref();
        Ok(Self::over(Self::dir(path, options)?))
    }

    fn dir(path: &Path, options: Options) -> Result<Dir> {
        let name = path.display().to_string();
        if !options.read_only {
            Folder::make(path, options.shared).map_err(io(&name))?;
        }
        if !options.shared && Folder::is_open_to_others(path).map_err(io(&name))? {
            return Err(Error::misuse(format!("{name}: other users may write to this directory")));
        }
        if !options.read_only && !options.network && Folder::is_remote(path) {
            return Err(Error::misuse(format!("{name}: this directory is on another machine")));
        }
        let folder = match options.shared {
            true => Folder::shared(path).map_err(io(&name))?,
            false => Folder::new(path),
        };
        let names = folder.list().map_err(io(&name))?;
        if !names.is_empty() && !names.iter().any(|name| crate::view::is_of_a_store(name)) {
            return Err(Error::misuse(format!("{name}: this directory has other files in it, and no store")));
        }
        Dir::open(Arc::new(folder), options).map_err(io(&name))
    }

    /// Opens a store over any [`Disk`].
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn on(disk: Arc<dyn Disk>, options: Options) -> Result<Store> {
        Ok(Self::over(Dir::open(disk, options).map_err(about)?))
    }

    fn over(dir: Dir) -> Store {
        Store {
            dir,
            layers: Vec::new(),
            #[cfg(feature = "remote")]
            remote: None,
        }
    }

    /// Adds a directory below those that are there: looked into where they have nothing, and never written to.
    ///
    /// # Errors
    /// Where the directory cannot be read, or others may write to it.
    pub fn with_layer(mut self, path: impl AsRef<Path>) -> Result<Store> {
        let options = self.dir.options.clone().read_only(true);
        self.layers.push(Self::dir(path.as_ref(), options)?);
        Ok(self)
    }

    /// Opens the module of a key; `None` where there is none that is whole.
    ///
    /// Only its header is read. A module of up to 64 KiB is checked as one. Of a larger one, each block of 64 KiB is checked
    /// when it is first touched, those of its resources too. A block that is found bad then is an error for the one that touches
    /// it; it is counted, and from then on the key is a miss, so that the module is put anew. [`Store::get_bytes`] checks
    /// all of it first.
    ///
    /// # Errors
    /// Where what was put is no module, or not one of this version.
    pub fn get(&self, context: &Context, key: &Key) -> Result<Option<Module>> {
        let find = |dir: &Dir| Some(dir.find_small(key)?.map(|bytes| (bytes, None)));
        let Some((bytes, options)) = self.look_up(key, find, |dir, record| self.checked(dir, record)) else {
            return Ok(None);
        };
        let usual = ReadOptions::default();
        mlirbc_bytecode::read_with(context, bytes, options.as_deref().unwrap_or(&usual)).map(Some)
    }

    /// The bytes of a key, all of them checked; `None` where there are none that are whole.
    ///
    /// # Errors
    /// None yet; what the disk fails to read is a miss.
    pub fn get_bytes(&self, key: &Key) -> Result<Option<Value>> {
        Ok(self.look_up(
            key,
            |dir| Some(Err(Box::new(dir.find(key)?))),
            |_, record| record.is_whole().then(|| value(record)).flatten(),
        ))
    }

    /// What the uppermost directory that has a record of a key finds, or what `take` makes of that record; else what `take` makes of
    /// the remote tier's. Where it makes nothing of it, the record is damaged.
    fn look_up<T>(
        &self,
        key: &Key,
        find: impl Fn(&Dir) -> Option<Result<T, Box<Record>>>,
        take: impl Fn(&Dir, &Record) -> Option<T>,
    ) -> Option<T> {
        if let Some((dir, found)) = self.dirs().find_map(|dir| Some((dir, find(dir)?))) {
            match found.or_else(|record| take(dir, &record).ok_or(record)) {
                Ok(taken) => {
                    self.hit(dir, key);
                    return Some(taken);
                }
                Err(record) => dir.set_aside_record(&record),
            }
        }
        if let Some(taken) = self.fetch(key).and_then(|record| take(&self.dir, &record)) {
            self.hit(&self.dir, key);
            return Some(taken);
        }
        self.dir.counters.add(Counter::Misses, 1);
        None
    }

    fn hit(&self, dir: &Dir, key: &Key) {
        let hits = self.dir.counters.add(Counter::Hits, 1);
        if !dir.options.read_only {
            dir.touches.note(key.fingerprint());
        }
        if hits.is_multiple_of(4096) {
            self.save_touches();
        }
    }

    fn save_touches(&self) {
        let dir = &self.dir;
        if dir.options.read_only {
            return;
        }
        if self.write_touches(false).is_err() {
            dir.counters.add(Counter::Failed, 1);
        }
    }

    /// Writes down what was used and counted; or that all that was counted is forgotten.
    pub(crate) fn write_touches(&self, forget: bool) -> std::io::Result<()> {
        let dir = &self.dir;
        dir.touches.save(&*dir.disk, (now() / 1000) as u32, dir.counters.take_unsaved(), forget)
    }

    /// The record of a key, not counted as a use.
    pub(crate) fn peek(&self, key: &Key) -> Option<Record> {
        self.dirs().find_map(|dir| dir.find(key))
    }

    /// What was put beside the value of a key, which is not counted as a use. `None` where there is none, or it is damaged.
    pub fn meta(&self, key: &Key) -> Option<Bytes> {
        self.peek(key)?.meta()
    }

    /// The directories, the uppermost first.
    fn dirs(&self) -> impl Iterator<Item = &Dir> {
        std::iter::once(&self.dir).chain(&self.layers)
    }

    /// The newest record of a key in the uppermost layer that has one.
    fn record(&self, key: &Key) -> Option<(&Dir, Record)> {
        self.dirs().find_map(|dir| Some((dir, dir.find(key)?)))
    }

    /// The bytes of a module: checked, or with how to open it so that they are checked when they are first touched.
    fn checked(&self, dir: &Dir, record: &Record) -> Option<(Bytes, Option<Box<ReadOptions>>)> {
        let record = record.content();
        if record.header.blocks() <= 1 {
            return record.is_body_whole().then(|| (record.value(), None));
        }
        let (body, checks) = (record.body(), record.checks()?);
        if dir.blocks.is_bad((record.segment, record.at)) {
            return None;
        }
        let blocks = Arc::new(Blocks::new(record, checks, dir.blocks.clone()));
        let part = |start: u64| Arc::new(Part { blocks: blocks.clone(), start: start as usize });
        // What opening reads is checked now: where it is bad, that is a miss.
        part(0).check(0..1).ok()?;
        let index = match record.header.index_length.get() {
            0 => None,
            _ => {
                let at = record.header.index_at();
                Some(Index::open_bound(body.slice(at as usize..), part(at)).ok()?)
            }
        };
        let options = ReadOptions::new().index(index).guard(part(0));
        Some((record.value(), Some(Box::new(options))))
    }

    /// How many blocks of 64 KiB of large modules this opener has checked: what lazy loading saves can be counted.
    pub fn blocks_checked(&self) -> u64 {
        self.dir.blocks.checked.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Whether there is an entry of that key. It may turn out to be damaged when it is got.
    pub fn contains(&self, key: &Key) -> bool {
        self.dirs().any(|dir| dir.find(key).is_some())
    }

    /// Whether there is an entry of that key, and every byte of it is what was put. That is no use of it.
    pub fn is_whole(&self, key: &Key) -> bool {
        let Some((dir, record)) = self.record(key) else { return false };
        let whole = record.is_whole();
        if !whole {
            dir.set_aside_record(&record);
        }
        whole
    }

    /// Puts bytes, of a kind that is told by their beginning. What the key has already is not written again: that is a use of
    /// it, and it keeps its time. From 16 KiB on, bytes that another key has already take a small record for this key, and no more
    /// ([`Stats::shared_bytes`](crate::Stats::shared_bytes)).
    ///
    /// Bytecode of more than 64 KiB is kept with its [`Index`], so that one symbol is found without reading the rest, where
    /// [`Options::context`] knows the operations around it. Less is one block, which is read and checked as a whole anyhow.
    ///
    /// # Errors
    /// Where they begin as bytecode and its header is malformed, they are longer than the store may grow, or the disk
    /// fails; then what had the key still has it.
    pub fn put_bytes(&self, key: &Key, bytes: impl AsRef<[u8]>, meta: &[u8]) -> Result<()> {
        let bytes = bytes.as_ref();
        self.put_kind(key, RecordKind::of(bytes), bytes, meta)
    }

    /// Puts bytes of a kind.
    ///
    /// # Errors
    /// As [`Store::put_bytes`].
    pub fn put_kind(&self, key: &Key, kind: RecordKind, bytes: &[u8], meta: &[u8]) -> Result<()> {
        self.put_known(key, kind, bytes, meta, self.dir.options.context)
    }

    /// Puts bytes of a kind, whose dialects a context knows.
    pub(crate) fn put_known(
        &self,
        key: &Key,
        kind: RecordKind,
        bytes: &[u8],
        meta: &[u8],
        context: impl FnOnce() -> Context,
    ) -> Result<()> {
        self.writable()?;
        let (mut index, mut alignment) = (None, 64);
        if kind == RecordKind::Bytecode {
            // In less than a block there is nothing to find.
            if bytes.len() as u64 > BLOCK {
                let module = mlirbc_bytecode::read(&context(), Bytes::copy_from_slice(bytes))?;
                index = Some(Index::build(&module)?);
            }
            alignment = BytecodeFile::alignment(bytes)?;
        }
        let draft = Draft {
            key: *key,
            kind: Some(kind),
            form: RecordHeader::VALUE,
            value: bytes,
            index: index.as_ref().map_or(&[], |index| index.as_bytes()),
            meta,
            alignment,
            created: now(),
            sequence: 0,
        };
        self.put_draft(&draft)
    }

    /// Puts a record, and has it sent to the remote tier.
    pub(crate) fn put_draft(&self, draft: &Draft<'_>) -> Result<()> {
        self.writable()?;
        if draft.most_size() > self.dir.options.most_bytes() / 2 || draft.meta.len() > 1 << 20 {
            return Err(Error::misuse("the value is too large for this store"));
        }
        self.dir.counters.add(Counter::Puts, 1);
        let durability = self.dir.options.durability;
        match self.dir.has(draft, durability) {
            true => self.dir.touches.note(draft.key.fingerprint()),
            false => self.dir.put(draft, durability).map_err(|error| {
                self.dir.counters.add(Counter::Failed, 1);
                about(error)
            })?,
        }
        self.send_behind(&draft.key);
        Ok(())
    }

    pub(crate) fn writable(&self) -> Result<()> {
        match self.dir.options.read_only {
            true => Err(Error::misuse("the store is open only to be read")),
            false => Ok(()),
        }
    }

    /// Removes the entry of a key; whether there was one. One of a layer below shows through again.
    ///
    /// That works on a full disk as well, as some room is kept back for it. A large entry that is not sealed yet gives back its
    /// room at once, if no other key has the same bytes; others when [`Store::gc`] runs.
    ///
    /// # Errors
    /// Where the disk fails; then the entry is still there.
    pub fn remove(&self, key: &Key) -> Result<bool> {
        self.writable()?;
        self.delete_behind(key);
        if !self.dir.knows(key) {
            return Ok(false);
        }
        let draft = Draft::removal(*key, now());
        let removed = self.dir.find(key);
        self.dir.put(&draft, self.dir.options.durability).map_err(about)?;
        if removed.is_some_and(|record| self.dir.unlink_removed(&record).is_err()) {
            // It takes room until it is evicted.
            self.dir.counters.add(Counter::Failed, 1);
        }
        Ok(true)
    }

    /// Every entry, of the uppermost directory and those below, in no order. Their bytes are not read: some may turn out to be
    /// damaged when they are got ([`Store::is_whole`]).
    ///
    /// # Errors
    /// Where a directory cannot be read.
    pub fn iter(&self) -> Result<impl Iterator<Item = Listed> + use<>> {
        let mut seen = std::collections::HashSet::new();
        let mut all = Vec::new();
        for dir in self.dirs() {
            let listed = dir.list().map_err(about)?;
            all.extend(listed.into_iter().map(|held| held.listed).filter(|listed| seen.insert(listed.key)));
        }
        Ok(all.into_iter())
    }

    /// Evicts down to so many bytes and entries, of the uppermost directory, and gives back what was replaced and removed
    /// where that is at least half of a file.
    ///
    /// What stays is moved together, and room for that is kept back on the disk. Where the disk is full, and what should
    /// stay is more than that, some of it is given up as well ([`Collected::unmoved`]).
    ///
    /// # Errors
    /// Where the disk fails; what is there then is whole.
    pub fn gc(&self, max_bytes: Option<u64>, max_entries: Option<u64>, dry_run: bool) -> Result<Collected> {
        self.writable()?;
        self.save_touches();
        let usual = self.dir.options.bounds();
        let target = (max_bytes.unwrap_or(usual.0), max_entries.unwrap_or(usual.1));
        let mut done = self.dir.collect(target, dry_run).map_err(about)?;
        // Who puts has the lock for a moment, who evicts for longer.
        for _ in 0..WAITS {
            if !done.busy {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
            done = self.dir.collect(target, dry_run).map_err(about)?;
        }
        Ok(done)
    }

    /// The bounds that are kept with the store.
    pub fn limits(&self) -> Limits {
        Limits::read(&*self.dir.disk)
    }

    /// Keeps bounds with the store, in the place of those that are kept: for all who open it from now on and name none themselves.
    ///
    /// # Errors
    /// Where the store is opened to read only, or the disk fails.
    ///
    /// ```
    /// use mlirbc_store::{Limits, Options, Store};
    /// # let folder = tempfile::tempdir().unwrap();
    /// let store = Store::open(folder.path())?;
    /// store.keep_limits(Limits { max_bytes: Some(1 << 30), max_entries: None })?;
    /// assert_eq!(Store::open(folder.path())?.limits().max_bytes, Some(1 << 30));
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn keep_limits(&self, limits: Limits) -> Result<()> {
        self.writable()?;
        limits.write(&*self.dir.disk).map_err(about)
    }

    pub(crate) fn top(&self) -> &Dir {
        &self.dir
    }
}

/// A value of a record whose body is whole.
fn value(record: &Record) -> Option<Value> {
    Some(Value {
        kind: RecordKind::from_number(record.content().header.kind),
        bytes: record.content().value(),
        meta: record.meta()?,
        created: record.header.created.get(),
    })
}

impl Drop for Store {
    fn drop(&mut self) {
        self.close_remote();
        self.save_touches();
    }
}

#[cfg(feature = "remote")]
impl Store {
    /// Adds a remote tier: asked for what the directories do not have, sent what is put.
    ///
    /// What is removed here is removed there when there is time; until then, or where that fails, it is found again. Only
    /// `get` and `get_bytes` ask it: to have an entry means to have it here.
    #[must_use]
    pub fn with_remote(mut self, remote: crate::remote::Remote) -> Store {
        self.remote = Some(remote);
        self
    }

    /// Waits until all that was put or removed has got to the remote tier or was given up, or for that long; how many
    /// entries of this opener have not got there. Closing the store waits as well, as long as the tier's options say.
    pub fn flush_remote(&self, time: std::time::Duration) -> u64 {
        let (left, unsent) = self.remote.as_ref().map_or((0, 0), |remote| remote.flush(time));
        left.saturating_add(unsent)
    }

    /// The record that the remote tier has of a key, which from now on stands in the directory.
    fn fetch(&self, key: &Key) -> Option<Record> {
        let remote = self.remote.as_ref()?;
        // Whatever is put meanwhile is newer. What is damaged is not.
        let seen = self.dir.sequence().max(1).saturating_add(self.dir.knows(key).into());
        let record = remote.get(key);
        self.count_remote();
        let record = record?;
        self.dir.counters.add(Counter::RemoteHits, 1);
        if !self.dir.options.read_only
            && let Some(parts) = record.parts()
        {
            let draft = Draft { sequence: seen, ..parts.draft() };
            let fits = draft.most_size() <= self.dir.options.most_bytes() / 2;
            // That it cannot be kept is no reason not to give it.
            if fits && self.dir.put(&draft, crate::Durability::Process).is_err() {
                self.dir.counters.add(Counter::Failed, 1);
            }
        }
        Some(self.dir.find(key).unwrap_or(record))
    }

    fn send_behind(&self, key: &Key) {
        if let Some(remote) = &self.remote
            && let Some(record) = self.dir.find(key)
        {
            remote.put(record);
            self.count_remote();
        }
    }

    fn delete_behind(&self, key: &Key) {
        if let Some(remote) = &self.remote {
            remote.delete(key);
            self.count_remote();
        }
    }

    pub(crate) fn count_remote(&self) {
        if let Some(remote) = &self.remote {
            self.dir.counters.add(Counter::RemoteFailed, remote.take_failed());
        }
    }

    fn close_remote(&mut self) {
        if let Some(remote) = &mut self.remote {
            remote.close();
        }
        self.count_remote();
    }
}

#[cfg(not(feature = "remote"))]
impl Store {
    #[inline]
    fn fetch(&self, _: &Key) -> Option<Record> {
        None
    }

    fn send_behind(&self, _: &Key) {}

    fn delete_behind(&self, _: &Key) {}

    pub(crate) fn count_remote(&self) {}

    fn close_remote(&mut self) {}
}
