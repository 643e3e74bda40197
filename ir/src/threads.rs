//! Work on many things at once.

use std::sync::{Mutex, PoisonError};

/// How much work a thread is worth: about so many operations take as long as starting one.
const WORTH: usize = 512;

/// How often a thread comes for more, at least.
const TURNS: usize = 4;

/// Does `work` on each of the items, on as many threads as that and no more than they are worth, and gives what came of each in the
/// order of the items: it does not depend on the number of threads where `work` looks at its item alone. `weight` says how much work
/// an item is, in operations or what takes about as long: few large items are worth as many threads as many small ones. Each thread
/// has a state of its own that `start` makes.
///
/// ```
/// let numbers: Vec<u64> = (0..100).collect();
/// let squares = mlirbc_ir::threads::in_order(2, |_| 50, numbers, || (), |(), number| number * number);
/// assert_eq!(squares[99], 99 * 99);
/// ```
///
/// # Panics
/// Where `work` does.
pub fn in_order<T: Send, S, R: Send>(
    threads: usize,
    weight: impl Fn(&T) -> usize + Sync,
    items: Vec<T>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len());
    let whole = match threads {
        0 | 1 => 0,
        _ => items.iter().fold(0, |sum: usize, item| sum.saturating_add(weight(item))),
    };
    let threads = threads.min(whole / WORTH);
    if threads <= 1 {
        let mut state = start();
        return items.into_iter().map(|item| work(&mut state, item)).collect();
    }
    let share = whole / (threads * TURNS);
    let count = items.len();
    let left = Mutex::new((0, items.into_iter()));
    // Some of the items, and the number of the first.
    let take = || -> (usize, Vec<T>) {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, items) = &mut *left;
        let mut taken = Vec::new();
        let mut sum: usize = 0;
        while sum < share.max(1) {
            let Some(item) = items.next() else { break };
            sum = sum.saturating_add(weight(&item).max(1));
            taken.push(item);
        }
        (std::mem::replace(first, *first + taken.len()), taken)
    };
    let run = || {
        let mut state = start();
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        loop {
            let (first, items) = take();
            if items.is_empty() {
                return done;
            }
            done.push((first, items.into_iter().map(|item| work(&mut state, item)).collect()));
        }
    };
    let mut all: Vec<(usize, Vec<R>)> = Vec::new();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        all.extend(run());
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    all.sort_unstable_by_key(|(first, _)| *first);
    let mut results = Vec::with_capacity(count);
    all.into_iter().for_each(|(_, mut done)| results.append(&mut done));
    results
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Barrier, Mutex};

    use super::{WORTH, in_order};

    #[test]
    fn the_order_is_that_of_the_items() {
        for threads in [0, 1, 2, 3, 8] {
            for weight in [0, 1, WORTH, usize::MAX] {
                for count in [0, 1, 7, 100] {
                    let found = in_order(threads, |_| weight, (0..count).collect(), || 1, |add, item: u32| item + *add);
                    assert_eq!(found, (1..=count).collect::<Vec<_>>(), "{threads} threads, {weight} each");
                }
            }
        }
    }

    #[test]
    fn few_large_items_are_done_at_once() {
        // Each waits for the other: on one thread this would not end.
        let both = Barrier::new(2);
        let threads = Mutex::new(HashSet::new());
        in_order(
            2,
            |_| WORTH,
            vec![(), ()],
            || (),
            |(), ()| {
                both.wait();
                threads.lock().unwrap().insert(std::thread::current().id());
            },
        );
        assert_eq!(threads.lock().unwrap().len(), 2);
    }

    #[test]
    fn little_work_is_done_where_it_is_asked_for() {
        let here = std::thread::current().id();
        let found = in_order(8, |_| 1, (0..100).collect(), || (), |(), _: u32| std::thread::current().id());
        assert!(found.iter().all(|&thread| thread == here));
    }
}
