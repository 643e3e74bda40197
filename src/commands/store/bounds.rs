//! What a store is bounded by, and evicting: `mlirbc store limits` and `gc`.

use std::io::IsTerminal;
use std::process::ExitCode;

use indicatif::ProgressBar;
use mlirbc::store::{Key, Limits, Options, Store};
use mlirbc::{Error, Result};
use serde_json::json;

use super::{Place, human, print};

#[derive(clap::Args)]
pub(super) struct Bounds {
    /// Most bytes that the store may take, as 500M or 8G
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_negative_numbers = true)]
    max_bytes: Option<u64>,
    /// Most entries that the store may have
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true,
          value_parser = clap::builder::RangedI64ValueParser::<u64>::new().range(0..))]
    max_entries: Option<u64>,
}

#[derive(clap::Args)]
pub(super) struct KeptLimits {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    bounds: Bounds,
}

#[derive(clap::Args)]
pub(super) struct Gc {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    bounds: Bounds,
    /// First remove what was not used for so long, as 12h or 30d
    #[arg(long, value_name = "TIME", value_parser = age)]
    older_than: Option<u64>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// A time with a unit, in seconds: 90s, 12h, 30d.
fn age(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "w" => 7 * 24 * 60 * 60,
        unit => return Err(format!("no unit of time: {unit}; there are s, m, h, d and w")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("no time: {text}"))?;
    number.checked_mul(unit).ok_or_else(|| format!("too long: {text}"))
}

/// A number of bytes with a unit: 500M, 8G.
fn bytes(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "K" | "k" | "KiB" => 10,
        "M" | "m" | "MiB" => 20,
        "G" | "g" | "GiB" => 30,
        "T" | "t" | "TiB" => 40,
        unit => return Err(format!("no unit of bytes: {unit}; there are K, M, G and T, each 1024 of the one before")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("no number of bytes: {text}"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("too many bytes: {text}"))
}

impl Bounds {
    pub(super) fn apply(&self, mut options: Options) -> Options {
        if let Some(bytes) = self.max_bytes {
            options = options.max_bytes(bytes);
        }
        if let Some(entries) = self.max_entries {
            options = options.max_entries(entries);
        }
        options
    }
}

impl Gc {
    pub(super) fn run(self) -> Result<ExitCode> {
        let store = self.place.open_to_change()?;
        let spinner = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        spinner.set_message("evicting");
        spinner.enable_steady_tick(std::time::Duration::from_millis(100));
        let old = self.old(&store)?;
        if !self.dry_run {
            old.iter().try_for_each(|key| store.remove(key).map(drop))?;
        }
        let done = store.gc(self.bounds.max_bytes, self.bounds.max_entries, self.dry_run)?;
        spinner.finish_and_clear();
        match self.place.json {
            true => print(json!({
                "bytes_before": done.bytes_before, "bytes_after": done.bytes_after,
                "entries_before": done.entries_before, "entries_after": done.entries_after,
                "segments": done.segments, "copied": done.copied, "unmoved": done.unmoved,
                "busy": done.busy, "dry_run": self.dry_run, "old": old.len(),
            }))?,
            false if done.busy => print("another process is evicting")?,
            false => print(format_args!(
                "{}, {} -> {}, {}",
                Error::counted(done.entries_before, "entry"),
                human(done.bytes_before),
                Error::counted(done.entries_after, "entry"),
                human(done.bytes_after)
            ))?,
        }
        if self.older_than.is_some() && !self.place.json {
            print(format_args!("not used for so long: {}", Error::counted(old.len(), "entry")))?;
        }
        if done.unmoved > 0 {
            let unmoved = Error::counted(done.unmoved, "entry");
            super::super::say(format_args!("the disk is full: given up as there was no room to move it to: {unmoved}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Gc {
    /// What was not used for as long as is asked for.
    fn old(&self, store: &Store) -> Result<Vec<Key>> {
        let Some(age) = self.older_than else { return Ok(Vec::new()) };
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let since = now.map_or(0, |now| now.as_secs()).saturating_sub(age);
        Ok(store.iter()?.filter(|entry| u64::from(entry.used) <= since).map(|entry| entry.key).collect())
    }
}

impl KeptLimits {
    pub(super) fn run(self) -> Result<ExitCode> {
        let Bounds { max_bytes, max_entries } = self.bounds;
        let store =
            if max_bytes.or(max_entries).is_some() { self.place.open_to_change()? } else { self.place.open()? };
        let kept = store.limits();
        let limits = Limits { max_bytes: max_bytes.or(kept.max_bytes), max_entries: max_entries.or(kept.max_entries) };
        if limits != kept {
            store.keep_limits(limits)?;
        }
        if self.place.json {
            print(json!({ "max_bytes": limits.max_bytes, "max_entries": limits.max_entries }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let shown = |limit: Option<String>| limit.unwrap_or_else(|| "as usual".to_owned());
        let (bytes, entries) = (limits.max_bytes.map(human), limits.max_entries.map(|count| count.to_string()));
        print(format_args!("bytes     {}\nentries   {}", shown(bytes), shown(entries)))?;
        Ok(ExitCode::SUCCESS)
    }
}
