//! Counters.

use std::sync::atomic::{AtomicU64, Ordering};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Counter {
    Hits,
    Misses,
    Bad,
    Puts,
    Failed,
    Evicted,
    RemoteHits,
    RemoteFailed,
}

/// Counters of one opener, and how much of each has been written down.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    now: [AtomicU64; 8],
    saved: [AtomicU64; 8],
}

impl Counters {
    #[inline]
    pub(crate) fn add(&self, counter: Counter, number: u64) -> u64 {
        let now = self.now.get(counter as usize);
        now.map_or(0, |now| now.fetch_add(number, Ordering::Relaxed)).wrapping_add(number)
    }

    /// What has been counted since the last call.
    pub(crate) fn take_unsaved(&self) -> [u64; 8] {
        self.growth(|saved, now| saved.swap(now, Ordering::Relaxed))
    }

    /// What has been counted and not written down.
    pub(crate) fn unsaved(&self) -> [u64; 8] {
        self.growth(|saved, _| saved.load(Ordering::Relaxed))
    }

    /// How much each has grown since it was written down: `before` says how much that was.
    fn growth(&self, before: impl Fn(&AtomicU64, u64) -> u64) -> [u64; 8] {
        let mut growth = [0; 8];
        for ((growth, now), saved) in growth.iter_mut().zip(&self.now).zip(&self.saved) {
            let now = now.load(Ordering::Relaxed);
            *growth = now.saturating_sub(before(saved, now));
        }
        growth
    }
}

/// What a store holds, and how it has been used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of entries that can be got.
    pub entries: u64,
    /// Bytes that their records take.
    pub live_bytes: u64,
    /// Bytes that they do not take, as equal content of several entries is kept once.
    pub shared_bytes: u64,
    /// Bytes that all records take, what was replaced and removed among them.
    pub bytes: u64,
    /// Files in the directory.
    pub files: u64,
    /// Segments that are sealed.
    pub sealed: u64,
    /// Segments that may grow.
    pub active: u64,
    /// Runs that index sealed segments.
    pub runs: u64,
    /// Gets that found something, in all processes, as far as it has been written down.
    pub hits: u64,
    /// Gets that found nothing.
    pub misses: u64,
    /// Records, segments, runs or manifests that were found damaged.
    pub bad: u64,
    /// Puts.
    pub puts: u64,
    /// Operations of the system that failed and were got over.
    pub failed: u64,
    /// Entries that were evicted.
    pub evicted: u64,
    /// Gets that the remote tier answered.
    pub remote_hits: u64,
    /// Requests to the remote tier that failed.
    pub remote_failed: u64,
    /// Entries and their bytes by seconds since they were used: under a minute, an hour, a day, a week, more. Equal content counts for
    /// each of its entries here and in [`Stats::by_size`]: together, live and shared bytes.
    pub by_age: [(u64, u64); 5],
    /// Entries and their bytes by size: under 4 KiB, 64 KiB, 1 MiB, 16 MiB, more.
    pub by_size: [(u64, u64); 5],
}

/// Up to which age in seconds, exclusive, the rows of [`Stats::by_age`] reach, except the last.
pub const AGES: [u64; 4] = [60, 3600, 86_400, 604_800];
/// Up to which size in bytes, exclusive, the rows of [`Stats::by_size`] reach, except the last.
pub const SIZES: [u64; 4] = [4 << 10, 64 << 10, 1 << 20, 16 << 20];
