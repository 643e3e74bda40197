//! Work on many things at once.

use std::sync::{Mutex, PoisonError};

/// Does `work` on each of the items, on as many threads as that, and gives what came of each in the order of the items: it does not
/// depend on the number of threads where `work` looks at its item alone. Each thread takes `share` items at a time, and works with a
/// state of its own that `start` makes.
///
/// ```
/// let squares = mlirbc_ir::threads::in_order(2, 8, (0..100u64).collect(), || (), |(), number| number * number);
/// assert_eq!(squares[99], 99 * 99);
/// ```
///
/// # Panics
/// Where `work` does.
pub fn in_order<T: Send, S, R: Send>(
    threads: usize,
    share: usize,
    items: Vec<T>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    let share = share.max(1);
    let threads = threads.min(items.len().div_ceil(share));
    if threads <= 1 {
        let mut state = start();
        return items.into_iter().map(|item| work(&mut state, item)).collect();
    }
    let count = items.len();
    let left = Mutex::new(items.into_iter().enumerate());
    let take = || -> Vec<(usize, T)> {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        left.by_ref().take(share).collect()
    };
    let run = || {
        let mut state = start();
        let mut done = Vec::new();
        loop {
            let items = take();
            if items.is_empty() {
                return done;
            }
            done.extend(items.into_iter().map(|(at, item)| (at, work(&mut state, item))));
        }
    };
    let mut all: Vec<(usize, R)> = Vec::with_capacity(count);
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
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn the_order_is_that_of_the_items() {
        for threads in [0, 1, 2, 3, 8] {
            for count in [0, 1, 7, 100] {
                let found = in_order(threads, 3, (0..count).collect(), || 1, |add, item: u32| item + *add);
                assert_eq!(found, (1..=count).collect::<Vec<_>>(), "{threads} threads");
            }
        }
    }
}
