//! What a store holds and how it has been used, in figures.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::collections::HashSet;
use std::io;
use std::sync::atomic::Ordering;

use mlirbc_ir::Result;

use crate::dir::{Dir, now};
use crate::last_use;
use crate::stats::{AGES, Counter, SIZES, Stats};
use crate::store::{Store, about};
use crate::verify::Held;

impl Store {
    /// What the uppermost directory holds, and how it has been used.
    ///
    /// # Errors
    /// Where the directory cannot be read.
    pub fn stats(&self) -> Result<Stats> {
        self.count_remote();
        let mut stats = self.top().stats().map_err(about)?;
        let now = (now() / 1000) as u32;
        let mut contents = HashSet::new();
        for Held { listed, own, content } in self.top().list().map_err(about)? {
            stats.entries += 1;
            stats.live_bytes += own;
            let mut bytes = own;
            if let Some((place, more)) = content {
                bytes += more;
                match contents.insert(place) {
                    true => stats.live_bytes += more,
                    false => stats.shared_bytes += more,
                }
            }
            let age = u64::from(now.saturating_sub(listed.used));
            let place = |limits: &[u64; 4], value| limits.iter().position(|&limit| value < limit).unwrap_or(4);
            let rows = [stats.by_age.get_mut(place(&AGES, age)), stats.by_size.get_mut(place(&SIZES, listed.length))];
            for row in rows.into_iter().flatten() {
                row.0 += 1;
                row.1 += bytes;
            }
        }
        Ok(stats)
    }

    /// Sets the counters of the uppermost directory back to zero, for all who use it: [`Stats::hits`] and those behind it, but not what
    /// is known to be damaged now. When entries were used, which decides what is evicted, stays.
    ///
    /// What other openers have counted and not written down yet counts from then on.
    ///
    /// # Errors
    /// Where the store is opened to read only, another process is evicting, or the disk fails; then nothing is forgotten.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use mlirbc_store::{Key, Store};
    /// let store = Store::open(folder.path())?;
    /// assert!(store.get_bytes(&Key::of(b"source"))?.is_none());
    /// assert_eq!(store.stats()?.misses, 1);
    /// store.reset_stats()?;
    /// assert_eq!(store.stats()?.misses, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset_stats(&self) -> Result<()> {
        self.writable()?;
        let Some(_lock) = self.top().maintenance_soon().map_err(about)? else {
            return Err(about(std::io::Error::other("another process is evicting")));
        };
        self.count_remote();
        self.write_touches(true).map_err(about)
    }
}

impl Dir {
    /// What the directory holds, without going over its entries.
    fn stats(&self) -> io::Result<Stats> {
        let files = self.disk.list()?.len() as u64;
        let view = self.view()?;
        let mut counters = view.manifest.counters;
        for name in [last_use::TOUCHED_BEFORE, last_use::TOUCHED] {
            last_use::read(&*self.disk, name, |row| last_use::count(&mut counters, row))?;
        }
        for (counter, more) in counters.iter_mut().zip(self.counters.unsaved()) {
            *counter = counter.saturating_add(more);
        }
        let of = |counter: Counter| counters.get(counter as usize).copied().unwrap_or_default();
        Ok(Stats {
            bytes: view.bytes,
            files,
            sealed: view.sealed.len() as u64,
            active: view.active.len() as u64,
            runs: view.runs.len() as u64,
            hits: of(Counter::Hits),
            misses: of(Counter::Misses),
            bad: of(Counter::Bad) + view.damaged + self.blocks.bad.load(Ordering::Relaxed),
            puts: of(Counter::Puts),
            failed: of(Counter::Failed),
            evicted: of(Counter::Evicted),
            remote_hits: of(Counter::RemoteHits),
            remote_failed: of(Counter::RemoteFailed),
            ..Stats::default()
        })
    }
}
