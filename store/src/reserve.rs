//! Room that is kept back, so that something can be removed and evicted when the disk is full.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "numbers of things in memory and sums of their lengths, all of them far below 2^63"
)]

use std::io;
use std::sync::atomic::Ordering;

use crate::dir::{Dir, SUSPECTS, open_or_create};
use crate::last_use::{TOUCHED, TOUCHED_BEFORE};

/// The file that takes the room. Its bytes have no meaning.
const RESERVE: &str = "reserve";
/// Bytes that are kept back at least, where there is room: for a manifest, a short run and a segment of what is moved.
const LEAST: u64 = 64 << 10;
/// What room is counted in.
const PAGE: u64 = 4 << 10;
/// What a record takes in a run, at most.
const EACH: u64 = 48;

/// How much evicting takes for the index of so many records and what goes with it.
pub(crate) fn index_size(records: u64) -> u64 {
    EACH * records + 4 * PAGE
}

impl Dir {
    /// Sees to it that as much is kept back as evicting would take. Of what there is room for, half is left to others, but for
    /// `before`, which was kept back until now. That nothing can be kept back is no failure of whatever was done before.
    pub(crate) fn keep_reserve(&self, before: u64) {
        let Ok(records) = self.view().map(|view| view.records()) else { return };
        let wanted = index_size(records).max(LEAST).next_power_of_two();
        if self.reserved.load(Ordering::Relaxed) >= wanted {
            return;
        }
        let keep = || {
            let file = open_or_create(&*self.disk, RESERVE, 0)?;
            let (has, room) = (file.length()?, self.disk.room()?);
            let size = wanted.min(has + (room / 2).max(room.min(before))).max(PAGE) / PAGE * PAGE;
            // From the start: who copied the file may have left out what it takes.
            file.allocate(0, size)
        };
        // Once is enough, until more is wanted.
        self.reserved.store(wanted, Ordering::Relaxed);
        let _: io::Result<()> = keep();
    }

    /// Does something on a full disk with the room that is kept back, and keeps back again what is left of it. It is told how
    /// much that is. Where there is nothing, notes go that can be done without.
    pub(crate) fn with_reserve<T>(&self, what: impl FnOnce(u64) -> io::Result<T>) -> io::Result<T> {
        let size = self.disk.open(RESERVE, false).and_then(|file| file.length()).unwrap_or(0);
        let names: &[&str] = if size > 0 { &[RESERVE] } else { &[SUSPECTS, TOUCHED_BEFORE, TOUCHED] };
        for name in names {
            // It may not be there.
            let _ = self.disk.remove(name);
        }
        let done = what(size);
        self.reserved.store(0, Ordering::Relaxed);
        self.keep_reserve(size);
        done
    }
}
