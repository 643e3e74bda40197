//! `mlirbc store`

mod bounds;
mod exchange;
mod prefix;
mod stats;

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::ProgressBar;
use mlirbc::store::{Durability, Key, Listed, Options, RecordKind, Store};
use mlirbc::{Error, Result};
use serde_json::json;

use self::bounds::{Bounds, Gc, KeptLimits};
use self::exchange::{Export, Import};
use self::prefix::Prefix;
use self::stats::Stats;
use super::Session;

/// Keep compiled modules in a directory, shared by every process of the machine
#[derive(clap::Args)]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Keep files; prints the key of each
    ///
    /// The directory is made if it is not there; one that has other files in it is refused. What a key has already is not
    /// written again, and what another key has, from 16 KiB on, takes a small record and no more.
    #[command(after_help = "Examples:
  mlirbc store put --store cache model.mlirbc             prints its key: the digest of its bytes
  mlirbc store put --store cache *.mlirbc --meta nightly
  mlirbc store put --store cache --max-bytes 8G --sync model.mlirbc
  mlirbc store put --shared --store /var/cache/mlirbc model.mlirbc   in a directory that several users write to")]
    Put(Put),
    /// Get what was put; exit code 3 where there is nothing
    #[command(after_help = "Examples:
  mlirbc store get --store cache KEY -o model.mlirbc
  mlirbc store get --store cache KEY | mlirbc print -
  mlirbc store get --store cache --layer /usr/share/cache KEY    looks there, too")]
    Get(Get),
    /// Ask for keys; exit code 3 where nothing has one of them
    ///
    /// Every byte of an entry is checked: what is damaged is not there.
    #[command(after_help = "Examples:
  mlirbc store contains --store cache KEY && echo hit
  mlirbc store contains --store cache --json KEY KEY    a line for each")]
    Contains(Contains),
    /// Show the bounds that the store keeps, or set them
    ///
    /// They count for all who open the store and name none themselves.
    #[command(after_help = "Examples:
  mlirbc store limits --store cache
  mlirbc store limits --store cache --max-bytes 2G --max-entries 10000")]
    Limits(KeptLimits),
    /// List entries
    ///
    /// Every byte is checked, so that what is listed can be got. Where that takes too long, `--quick` reads no entry.
    #[command(after_help = "Examples:
  mlirbc store ls --store cache            a line for each: key, kind, number of bytes, what was put beside it
  mlirbc store ls --store cache 3f2a --sort used
  mlirbc store ls --store cache --json     one JSON object a line
  mlirbc store ls --store cache --quick")]
    Ls(Ls),
    /// Show what is there and how it has been used
    ///
    /// Gets, hits, misses, puts and their like are counted by all who use the store, and shown as far as they have written them
    /// down: when they close it, and every few thousand hits.
    #[command(after_help = "Examples:
  mlirbc store stats --store cache
  mlirbc store stats --store cache --json
  mlirbc store stats --store cache --zero-stats    counts from zero, before a build; what was used when stays")]
    Stats(Stats),
    /// Evict what was used least recently
    ///
    /// What was removed or replaced gives back its room where that is at least half of a file. Works on a full disk: some room
    /// is kept back for it.
    #[command(after_help = "Examples:
  mlirbc store gc --store cache --max-bytes 2G             down to that
  mlirbc store gc --store cache --max-entries 1000 --dry-run
  mlirbc store gc --store cache --older-than 30d           what was not used for a month
  mlirbc store gc --store cache --max-bytes 0              everything goes")]
    Gc(Gc),
    /// Check every byte
    #[command(after_help = "Examples:
  mlirbc store verify --store cache
  mlirbc store verify --store cache --json    what is damaged, in which file and whose it is

Exit codes: 0 nothing is damaged, 1 something is.")]
    Verify(Verify),
    /// Write entries to one file
    #[command(after_help = "Examples:
  mlirbc store export --store cache -o all.export
  mlirbc store export --store cache -o two.export KEY KEY    exit code 3 where nothing has a key")]
    Export(Export),
    /// Put the entries of a file that `export` wrote
    ///
    /// A file that was cut short is refused whole.
    #[command(after_help = "Examples:
  mlirbc store import --store cache all.export
  mlirbc store export --store cache -o - | mlirbc store import --store other -")]
    Import(Import),
    /// Remove entries; exit code 3 where nothing has a key
    #[command(after_help = "Examples:
  mlirbc store remove --store cache KEY
  mlirbc store remove --store cache KEY KEY && mlirbc store gc --store cache")]
    Remove(Remove),
}

/// Where the store is.
#[derive(clap::Args)]
struct Place {
    /// Directory of the store
    #[arg(long, value_name = "DIR", env = "MLIRBC_STORE")]
    store: PathBuf,
    /// Take a directory that other users may write to
    #[arg(long)]
    shared: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An object store behind the directory.
#[derive(clap::Args)]
struct Away {
    /// Object store behind the directory, for several machines: s3://BUCKET/PREFIX, gs://, az://, https:// or file:///
    /// (in builds with the feature `remote`)
    #[arg(long, value_name = "URL", env = "MLIRBC_STORE_REMOTE")]
    remote: Option<String>,
    /// Setting of its client, as endpoint=URL; those of the environment (AWS_..., GOOGLE_..., AZURE_...) are used anyhow
    #[arg(long, value_name = "NAME=VALUE", requires = "remote")]
    remote_setting: Vec<String>,
    /// Seconds that are waited for it at most
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_negative_numbers = true)]
    remote_timeout: u16,
}

#[cfg(feature = "remote")]
impl Away {
    fn time(&self) -> std::time::Duration {
        std::time::Duration::from_secs(self.remote_timeout.into())
    }

    /// The store with what is behind it.
    fn behind(&self, store: Store) -> Result<Store> {
        use mlirbc::store::remote::{Remote, RemoteOptions};
        let Some(url) = &self.remote else { return Ok(store) };
        let mut options = RemoteOptions::new().get_timeout(self.time()).close_timeout(self.time());
        for setting in &self.remote_setting {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| Error::misuse(format!("no NAME=VALUE: {setting}")))?;
            options = options.setting(name, value);
        }
        Ok(store.with_remote(Remote::open_with(url, options)?))
    }

    /// Waits until all is sent, and says what was not: that is no failure of what was put.
    fn finish(&self, store: &Store) {
        let left = store.flush_remote(self.time());
        if let Some(url) = self.remote.as_ref().filter(|_| left > 0) {
            super::say(format_args!("{url}: {} not sent", Error::counted(left, "entry")));
        }
    }
}

#[cfg(not(feature = "remote"))]
impl Away {
    fn behind(&self, store: Store) -> Result<Store> {
        match self.remote {
            Some(_) => Err(Error::misuse("this build knows no object stores: build it with `--features remote`")),
            None => Ok(store),
        }
    }

    fn finish(&self, _: &Store) {}
}

#[derive(clap::Args)]
struct Put {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    away: Away,
    #[command(flatten)]
    bounds: Bounds,
    /// Key of the only file, 64 hexadecimal digits; without it, the digest of the bytes
    #[arg(long, value_name = "HEX")]
    key: Option<Key>,
    /// Text to keep beside the module, which `ls` shows; the name of the file where none is given
    #[arg(long, value_name = "TEXT")]
    meta: Option<String>,
    /// Return only when it is on the disk
    #[arg(long)]
    sync: bool,
    /// Files: bytecode, .spv, or anything
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Get {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    away: Away,
    /// Key, or the first digits of it, at least four
    key: Prefix,
    /// Where the bytes go
    #[arg(short, long, default_value = "-")]
    output: PathBuf,
    /// Further stores to look into, which are only read
    #[arg(long, value_name = "DIR")]
    layer: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Ls {
    #[command(flatten)]
    place: Place,
    /// Only keys that begin with these digits
    #[arg(value_name = "PREFIX")]
    prefix: Option<Prefix>,
    /// Which come first
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Sort::Key)]
    sort: Sort,
    /// Read no entry: what is damaged is listed as well, and what was put beside modules is not shown
    #[arg(long)]
    quick: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Sort {
    /// In the order of the keys
    Key,
    /// What was used last
    Used,
    /// The largest
    Bytes,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    place: Place,
}

#[derive(clap::Args)]
struct Remove {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    away: Away,
    /// Keys, or the first digits of each, at least four
    #[arg(required = true)]
    keys: Vec<Prefix>,
}

#[derive(clap::Args)]
struct Contains {
    #[command(flatten)]
    place: Place,
    /// Keys, or the first digits of each, at least four
    #[arg(required = true)]
    keys: Vec<Prefix>,
}

impl Place {
    fn options(&self) -> Options {
        mlirbc::store_options().shared(self.shared)
    }

    /// The store, to read: as one who may write where that is allowed, so that uses are noted.
    fn open(&self) -> Result<Store> {
        self.open_to_fill(false)
    }

    /// The store, which has to be there, to change it.
    fn open_to_change(&self) -> Result<Store> {
        self.must_be_there()?;
        Store::open_with(&self.store, self.options())
    }

    fn must_be_there(&self) -> Result<()> {
        match self.store.is_dir() {
            true => Ok(()),
            false => Err(super::about(&self.store, "no such store")),
        }
    }

    /// The store, to read; where what comes from elsewhere is to be kept, it is made.
    fn open_to_fill(&self, make: bool) -> Result<Store> {
        if !make {
            self.must_be_there()?;
        }
        Store::open_with(&self.store, self.options())
            .or_else(|_| Store::open_with(&self.store, self.options().read_only(true)))
    }
}

/// A bar on a terminal, where there is something to wait for.
fn progress(count: u64) -> ProgressBar {
    if count < 64 { ProgressBar::hidden() } else { ProgressBar::new(count) }
}

fn print(line: impl std::fmt::Display) -> Result<()> {
    super::show(|out| Ok(writeln!(out, "{line}")?))
}

impl StoreCommand {
    pub(crate) fn run(self, _: &Session) -> Result<ExitCode> {
        match self.what {
            What::Put(command) => command.run(),
            What::Get(command) => command.run(),
            What::Contains(command) => command.run(),
            What::Limits(command) => command.run(),
            What::Ls(command) => command.run(),
            What::Stats(command) => command.run(),
            What::Gc(command) => command.run(),
            What::Verify(command) => command.run(),
            What::Export(command) => command.run(),
            What::Import(command) => command.run(),
            What::Remove(command) => command.run(),
        }
    }
}

impl Put {
    fn run(self) -> Result<ExitCode> {
        if self.key.is_some() && self.files.len() > 1 {
            return Ok(super::wrong_usage("one key is for one file"));
        }
        if let Some(refused) = super::standard_twice(&self.files) {
            return Ok(refused);
        }
        let durability = if self.sync { Durability::Power } else { Durability::Process };
        let options = self.bounds.apply(self.place.options()).durability(durability);
        let store = self.away.behind(Store::open_with(&self.place.store, options)?)?;
        let code = super::for_each_input(&self.files, |path| {
            let bytes = super::read_bytes(path)?;
            let key = self.key.unwrap_or_else(|| Key::of(&bytes));
            // What a key has is not written once more for another name of the file.
            let is_there = self.meta.is_none() && self.key.is_none() && store.is_whole(&key);
            if !is_there {
                let name = super::shown_name(path, "");
                store.put_bytes(&key, &bytes, self.meta.as_ref().unwrap_or(&name).as_bytes())?;
            }
            match self.place.json {
                true => print(json!({ "key": key.to_string(), "file": path.display().to_string() })),
                false => print(key),
            }
        });
        self.away.finish(&store);
        Ok(code)
    }
}

/// What a kind of entry is called in output.
fn name_of(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Bytecode => "bytecode",
        RecordKind::Spirv => "spirv",
        RecordKind::Other => "other",
        _ => "unknown",
    }
}

impl Get {
    fn run(self) -> Result<ExitCode> {
        let mut store = self.away.behind(self.place.open_to_fill(self.away.remote.is_some())?)?;
        for layer in &self.layer {
            store = store.with_layer(layer)?;
        }
        let Some(key) = self.key.find(&store)? else { return Ok(prefix::missing(&self.key)) };
        let Some(value) = store.get_bytes(&key)? else { return Ok(prefix::missing(&self.key)) };
        if self.place.json {
            super::say(json!({
                "key": key.to_string(),
                "kind": name_of(value.kind),
                "bytes": value.bytes.len(),
                "meta": String::from_utf8_lossy(&value.meta),
                "created_ms": value.created,
            }));
        }
        super::write_to(&self.output, |out| Ok(out.write_all(&value.bytes)?))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Ls {
    fn run(self) -> Result<ExitCode> {
        let store = self.place.open()?;
        let wanted = |entry: &Listed| self.prefix.as_ref().is_none_or(|prefix| prefix.is_of(&entry.key));
        let mut entries: Vec<Listed> = store.iter()?.filter(wanted).collect();
        let all = entries.len();
        if !self.quick {
            let bar = progress(all as u64);
            entries.retain(|entry| {
                bar.inc(1);
                store.is_whole(&entry.key)
            });
            bar.finish_and_clear();
        }
        let damaged = all - entries.len();
        match self.sort {
            Sort::Key => entries.sort_unstable_by_key(|entry| entry.key),
            Sort::Used => entries.sort_unstable_by_key(|entry| (std::cmp::Reverse(entry.used), entry.key)),
            Sort::Bytes => entries.sort_unstable_by_key(|entry| (std::cmp::Reverse(entry.length), entry.key)),
        }
        super::show(|out| {
            for entry in entries {
                let (key, kind) = (entry.key.to_string(), name_of(entry.kind));
                let meta = if self.quick { None } else { store.meta(&entry.key) };
                let meta = meta.as_deref().map(String::from_utf8_lossy);
                match self.place.json {
                    true => {
                        let line = json!({
                            "key": key, "kind": kind, "bytes": entry.length,
                            "created_ms": entry.created, "used_s": entry.used, "meta": meta,
                        });
                        writeln!(out, "{line}")?;
                    }
                    false => {
                        let meta = meta.unwrap_or_default();
                        let line = format!("{key}  {kind:8}  {:>12}  {}", entry.length, super::visible(&meta));
                        writeln!(out, "{}", line.trim_end().replace('\n', " "))?;
                    }
                }
            }
            Ok(())
        })?;
        if damaged > 0 {
            super::say(format_args!(
                "damaged and not listed: {}; `store verify` says more",
                Error::counted(damaged, "entry")
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A number of bytes for people.
fn human(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let place = (bytes.max(1).ilog2() as usize / 10).min(4);
    match place {
        0 => format!("{bytes} B"),
        _ => format!("{:.1} {}", bytes as f64 / f64::powi(1024.0, place as i32), units[place]),
    }
}

impl Verify {
    fn run(self) -> Result<ExitCode> {
        let verified = self.place.open()?.verify()?;
        let damage = verified.damage.iter();
        match self.place.json {
            true => print(json!({
                "records": verified.records,
                "bytes": verified.bytes,
                "damage": damage
                    .map(|damage| json!({
                        "file": damage.file, "at": damage.at, "what": damage.what,
                        "key": damage.key.map(|key| key.to_string()),
                    }))
                    .collect::<Vec<_>>(),
            }))?,
            false => {
                for damage in damage {
                    let key = damage.key.map_or_else(String::new, |key| format!(", key {key}"));
                    print(format_args!("{} at {}: {}{key}", damage.file, damage.at, damage.what))?;
                }
                print(format_args!(
                    "{}, {}: {} damaged",
                    Error::counted(verified.records, "record"),
                    human(verified.bytes),
                    verified.damage.len()
                ))?;
            }
        }
        Ok(ExitCode::from(u8::from(!verified.damage.is_empty())))
    }
}

impl Contains {
    fn run(self) -> Result<ExitCode> {
        let store = self.place.open()?;
        let mut missed = 0;
        for wanted in &self.keys {
            let key = wanted.find(&store)?.filter(|key| store.is_whole(key));
            missed += u8::from(key.is_none());
            if self.place.json {
                let name = key.map_or_else(|| wanted.to_string(), |key| key.to_string());
                print(json!({ "key": name, "contained": key.is_some() }))?;
            } else if key.is_none() {
                prefix::missing(wanted);
            }
        }
        Ok(ExitCode::from(if missed > 0 { 3 } else { 0 }))
    }
}

impl Remove {
    fn run(self) -> Result<ExitCode> {
        let store = match self.away.remote {
            Some(_) => Store::open_with(&self.place.store, self.place.options())?,
            None => self.place.open_to_change()?,
        };
        let store = self.away.behind(store)?;
        let mut missed = 0;
        for key in &self.keys {
            let is_removed = key.find(&store)?.map(|key| store.remove(&key)).transpose()? == Some(true);
            if !is_removed {
                prefix::missing(key);
                missed += 1;
            }
        }
        self.away.finish(&store);
        Ok(ExitCode::from(if missed > 0 { 3 } else { 0 }))
    }
}
