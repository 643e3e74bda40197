//! Threads that want the same body take turns: one reads it, and the others find it there.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Where threads of one module wait for a body that another one reads.
#[derive(Debug, Default)]
pub(super) struct Turns {
    waiting: AtomicUsize,
    lock: Mutex<()>,
    over: Condvar,
}

/// The turn of this thread with one body, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    taken: &'t AtomicBool,
}

impl Turns {
    /// Waits until nobody else has the turn of which `taken` says whether somebody has it.
    #[inline]
    pub(super) fn take<'t>(&'t self, taken: &'t AtomicBool) -> Turn<'t> {
        if taken.swap(true, Ordering::SeqCst) {
            self.wait(taken);
        }
        Turn { turns: self, taken }
    }

    #[cold]
    fn wait(&self, taken: &AtomicBool) {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the last look: whoever ends a turn sees that somebody waits, or is seen to have ended it.
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while taken.swap(true, Ordering::SeqCst) {
            lock = self.over.wait(lock).unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Turn<'_> {
    #[inline]
    fn drop(&mut self) {
        self.taken.store(false, Ordering::SeqCst);
        if self.turns.waiting.load(Ordering::SeqCst) > 0 {
            // Not between the last look of one that waits and its sleep.
            drop(self.turns.lock.lock().unwrap_or_else(PoisonError::into_inner));
            self.turns.over.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::Turns;

    #[test]
    fn one_thread_at_a_time_has_the_turn() {
        let (turns, taken) = (Turns::default(), [const { AtomicBool::new(false) }; 2]);
        let (inside, count) = ([const { AtomicUsize::new(0) }; 2], AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (turns, taken, inside, count) = (&turns, &taken, &inside, &count);
                scope.spawn(move || {
                    for round in 0..2_000 {
                        let body = (thread + round) % 2;
                        let _turn = turns.take(&taken[body]);
                        assert_eq!(inside[body].fetch_add(1, Ordering::SeqCst), 0);
                        count.fetch_add(1, Ordering::SeqCst);
                        inside[body].fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), 16_000);
    }

    #[test]
    fn a_panic_ends_a_turn() {
        let (turns, taken) = (Turns::default(), AtomicBool::new(false));
        let panicked = std::thread::scope(|scope| {
            let turn = || {
                let _turn = turns.take(&taken);
                panic!("while reading");
            };
            scope.spawn(turn).join().is_err()
        });
        assert!(panicked);
        drop(turns.take(&taken));
    }
}
