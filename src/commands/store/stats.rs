//! The figures of a store, as `mlirbc store stats` shows them.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mlirbc::store::{self, AGES, SIZES};
use mlirbc::{Error, Result};
use serde_json::{Value, json};

use super::{Place, human, print};

#[derive(clap::Args)]
pub(super) struct Stats {
    #[command(flatten)]
    place: Place,
    /// Set the counters back to zero, for all who use the store, and show nothing
    #[arg(short, long, conflicts_with = "json")]
    zero_stats: bool,
}

impl Stats {
    pub(super) fn run(self) -> Result<ExitCode> {
        if self.zero_stats {
            self.place.open_to_change()?.reset_stats()?;
            print("counters set to zero")?;
            return Ok(ExitCode::SUCCESS);
        }
        let start = Instant::now();
        let store = self.place.open()?;
        let opened = start.elapsed();
        let stats = store.stats()?;
        match self.place.json {
            true => print(to_json(&stats, opened))?,
            false => {
                print(format_args!("opened    in {:.1} ms\n{}", opened.as_secs_f64() * 1e3, tell(&stats).trim_end()))?
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Rows of a chart: a bar for the bytes of each.
fn chart(out: &mut String, title: &str, names: [&str; 5], rows: &[(u64, u64); 5]) {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    let _ = writeln!(out, "{title}");
    for (name, (entries, bytes)) in names.iter().zip(rows) {
        let bar = "#".repeat((bytes * 30).div_ceil(most) as usize);
        let _ = writeln!(out, "  {name:>10}  {bar:30}  {entries:>9}  {:>10}", human(*bytes));
    }
}

const AGE_NAMES: [&str; 5] = ["a minute", "an hour", "a day", "a week", "older"];
const SIZE_NAMES: [&str; 5] = ["< 4 KiB", "< 64 KiB", "< 1 MiB", "< 16 MiB", "larger"];

/// The figures, for people.
fn tell(stats: &store::Stats) -> String {
    let gets = stats.hits + stats.misses;
    let rate = stats.hits as f64 * 100.0 / gets.max(1) as f64;
    let mut text = format!(
        "entries   {}\nbytes     {} in records, {} of them live\nsaved     {}, as equal content is kept once\nfiles     {} ({} sealed and {}, {})\n\
         gets      {gets}\nhits      {}\nmisses    {}\nhit rate  {rate:.1} %\nputs      {}\nevicted   {}\ndamaged   {}\nfailed    {}\n",
        stats.entries,
        human(stats.bytes),
        human(stats.live_bytes),
        human(stats.shared_bytes),
        stats.files,
        stats.sealed,
        Error::counted(stats.active, "active segment"),
        Error::counted(stats.runs, "run"),
        stats.hits,
        stats.misses,
        stats.puts,
        stats.evicted,
        stats.bad,
        stats.failed,
    );
    if stats.remote_hits + stats.remote_failed > 0 {
        let (hits, failures) =
            (Error::counted(stats.remote_hits, "hit"), Error::counted(stats.remote_failed, "failure"));
        let _ = writeln!(text, "remote    {hits}, {failures}");
    }
    chart(&mut text, "used within                                       entries       bytes", AGE_NAMES, &stats.by_age);
    chart(
        &mut text,
        "size                                              entries       bytes",
        SIZE_NAMES,
        &stats.by_size,
    );
    text
}

/// The figures, for scripts; the store was opened in that time.
fn to_json(stats: &store::Stats, opened: Duration) -> Value {
    let rows = |limits: &[u64; 4], rows: &[(u64, u64); 5]| -> Vec<Value> {
        let limits = limits.iter().map(|limit| Some(*limit)).chain([None]);
        limits.zip(rows).map(|(below, row)| json!({ "below": below, "entries": row.0, "bytes": row.1 })).collect()
    };
    json!({
        "opened_us": opened.as_micros() as u64,
        "entries": stats.entries, "live_bytes": stats.live_bytes, "shared_bytes": stats.shared_bytes, "bytes": stats.bytes, "files": stats.files,
        "sealed": stats.sealed, "active": stats.active, "runs": stats.runs, "hits": stats.hits,
        "misses": stats.misses, "puts": stats.puts, "evicted": stats.evicted, "damaged": stats.bad,
        "failed": stats.failed, "remote_hits": stats.remote_hits, "remote_failed": stats.remote_failed,
        "by_age_s": rows(&AGES, &stats.by_age), "by_size": rows(&SIZES, &stats.by_size),
    })
}
