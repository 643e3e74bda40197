//! Blocks of a large value, checked when they are first touched.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "a range that is asked for lies within the value, as its reader has checked"
)]

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use mlirbc_bytecode::Guard;
use mlirbc_ir::{Error, Result};

use crate::layout::BLOCK;
use crate::mutex::lock;
use crate::record::{Checks, Record};

/// A value with its index, and which of its blocks have been checked.
#[derive(Debug)]
pub(crate) struct Blocks {
    body: Bytes,
    checks: Checks,
    checked: Vec<AtomicU64>,
    counts: Arc<BlockCounts>,
    /// The record's segment and place.
    record: (u64, u64),
}

/// How many blocks were checked, and how many of them were bad.
#[derive(Debug, Default)]
pub(crate) struct BlockCounts {
    pub(crate) checked: AtomicU64,
    pub(crate) bad: AtomicU64,
    /// Records that bad ones were found in, after they had been given out.
    bad_records: Mutex<HashSet<(u64, u64)>>,
}

impl BlockCounts {
    /// Whether a bad block was found in a record.
    pub(crate) fn is_bad(&self, record: (u64, u64)) -> bool {
        self.bad.load(Ordering::Relaxed) > 0 && lock(&self.bad_records).contains(&record)
    }
}

/// The part of a value that begins at `start`, under the same checks.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) blocks: Arc<Blocks>,
    pub(crate) start: usize,
}

impl Blocks {
    pub(crate) fn new(record: &Record, checks: Checks, counts: Arc<BlockCounts>) -> Self {
        let body = record.body();
        let words = body.len().div_ceil(BLOCK as usize).div_ceil(64);
        Blocks {
            body,
            checks,
            checked: (0..words).map(|_| AtomicU64::new(0)).collect(),
            counts,
            record: (record.segment, record.at),
        }
    }
}

impl Guard for Part {
    fn check(&self, range: Range<usize>) -> Result<usize> {
        let (start, end) = (self.start + range.start, self.start + range.end.max(range.start + 1));
        let (size, blocks) = (BLOCK as usize, &self.blocks);
        let last = (end - 1) / size;
        for number in start / size..=last {
            let (Some(word), bit) = (blocks.checked.get(number / 64), 1 << (number % 64)) else { continue };
            if word.load(Ordering::Relaxed) & bit != 0 {
                continue;
            }
            blocks.counts.checked.fetch_add(1, Ordering::Relaxed);
            if !blocks.checks.agrees(&blocks.body, number) {
                lock(&blocks.counts.bad_records).insert(blocks.record);
                blocks.counts.bad.fetch_add(1, Ordering::Relaxed);
                let at = (number * size).saturating_sub(self.start) as u64;
                return Err(Error::malformed("the store's copy is damaged: a checksum does not agree").at(at));
            }
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(((last + 1) * size).min(blocks.body.len()) - self.start)
    }
}
