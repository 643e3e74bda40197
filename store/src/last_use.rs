//! When records were used: noted in memory, written down in batches.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::disk::Disk;
use crate::layout::TouchRow;

/// The file that batches are appended to.
pub(crate) const TOUCHED: &str = "touched";
/// What that file is called once it has grown, until the next time.
pub(crate) const TOUCHED_BEFORE: &str = "touched.before";
/// How long the file may grow.
pub(crate) const MOST: u64 = 4 << 20;

/// Records used and not written down. Where two of them meet in a place, one is forgotten: it is a hint, not a ledger.
#[derive(Debug)]
pub(crate) struct Touches {
    places: Vec<AtomicU64>,
}

impl Default for Touches {
    fn default() -> Self {
        Touches { places: (0..4096).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl Touches {
    #[inline]
    pub(crate) fn note(&self, fingerprint: u64) {
        if let Some(place) = self.places.get(fingerprint as usize % 4096) {
            place.store(fingerprint, Ordering::Relaxed);
        }
    }

    /// Writes down what was noted, and counters; behind them, where they are to be forgotten, that they are.
    pub(crate) fn save(&self, disk: &dyn Disk, now: u32, counters: [u64; 8], forget: bool) -> io::Result<()> {
        let used = self.places.iter().map(|place| place.swap(0, Ordering::Relaxed)).filter(|&used| used != 0);
        let mut rows: Vec<TouchRow> = used.map(|used| TouchRow::new(used, now, 0)).collect();
        let counters = counters.into_iter().zip(1..).filter(|(number, _)| *number > 0);
        rows.extend(counters.map(|(number, what)| TouchRow::new(number, now, what)));
        rows.extend(forget.then(|| TouchRow::new(0, now, TouchRow::FORGET)));
        match rows.is_empty() {
            true => Ok(()),
            false => disk.append(TOUCHED, rows.as_bytes()),
        }
    }
}

/// Counters as they are behind a row. Rows are to be gone over in the order in which they were written.
pub(crate) fn count(counters: &mut [u64; 8], row: &TouchRow) {
    if row.what == TouchRow::FORGET {
        *counters = [0; 8];
    } else if let Some(counter) = usize::from(row.what).checked_sub(1).and_then(|at| counters.get_mut(at)) {
        *counter = counter.saturating_add(row.fingerprint.get());
    }
}

/// Calls `each` with every row that was written down.
pub(crate) fn read(disk: &dyn Disk, name: &str, mut each: impl FnMut(&TouchRow)) -> io::Result<()> {
    let bytes = match disk.open(name, false) {
        Ok(file) => file.map()?.bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    // A batch may end in the middle of a row: the next one follows at any place.
    let mut rest = &*bytes;
    while let Ok((row, behind)) = TouchRow::ref_from_prefix(rest) {
        let whole = row.is_whole();
        if whole {
            each(row);
        }
        rest = if whole { behind } else { rest.get(1..).unwrap_or_default() };
    }
    Ok(())
}
