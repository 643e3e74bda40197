//! Work on many things at once.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How much work a thread is worth: about so many operations take as long as starting one.
const WORTH: usize = 512;

/// A thread that comes for more gets one of so many parts of its share of what is left: all are done at about the same time, since little
/// is taken at once in the end.
const TURNS: usize = 2;

/// How much work is taken at once, at least.
const LEAST: usize = 64;

/// Does `work` on each of the items, on as many threads as that, and gives what came of each in the order of the items. For items that are
/// worth a thread, such as functions: [`in_order`] is told what each is worth, and has a state for each thread.
///
/// ```
/// let numbers: Vec<u64> = (0..100).collect();
/// let squares = mlirbc_ir::threads::map(2, numbers, |number| number * number);
/// assert_eq!(squares[99], 99 * 99);
/// ```
///
/// # Panics
/// Where `work` does.
pub fn map<T: Send, R: Send>(threads: usize, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    in_order(threads, |_| WORTH, items, || (), |(), item| work(item))
}

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
    let count = items.len();
    let mut shares = in_shares(threads, weight, items, start, work).into_iter();
    let mut results = shares.next().unwrap_or_default();
    results.reserve_exact(count - results.len());
    shares.for_each(|mut done| results.append(&mut done));
    results
}

/// As [`in_order`], but what came of the items is left in as many pieces as threads came for more: for those who look at it once, and need
/// not have it copied into one.
///
/// # Panics
/// Where `work` does.
pub fn in_shares<T: Send, S, R: Send>(
    threads: usize,
    weight: impl Fn(&T) -> usize + Sync,
    items: Vec<T>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<Vec<R>> {
    let threads = threads.min(items.len());
    let whole = match threads {
        0 | 1 => 0,
        _ => items.iter().fold(0, |sum: usize, item| sum.saturating_add(weight(item))),
    };
    let threads = threads.min(whole / WORTH);
    if threads <= 1 {
        let mut state = start();
        return vec![items.into_iter().map(|item| work(&mut state, item)).collect()];
    }
    let left = Mutex::new((0, whole, items.into_iter()));
    // Some of the items, and the number of the first.
    let take = || -> (usize, Vec<T>) {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, work, items) = &mut *left;
        let share = (*work / (threads * TURNS)).max(LEAST);
        let mut taken = Vec::with_capacity(items.len() / (threads * TURNS) + 1);
        let mut sum: usize = 0;
        while sum < share {
            let Some(item) = items.next() else { break };
            sum = sum.saturating_add(weight(&item).max(1));
            taken.push(item);
        }
        *work = work.saturating_sub(sum);
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
    all.into_iter().map(|(_, done)| done).collect()
}

/// Does both, `second` on another thread where that is worth one.
///
/// # Panics
/// Where one of them does.
pub fn both<A, B: Send>(at_once: bool, first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    if !at_once {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let second = scope.spawn(second);
        let first = first();
        match second.join() {
            Ok(second) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Items on their way through several threads.
struct Line<T, R> {
    items: std::vec::IntoIter<T>,
    /// What came of those that were begun and not asked for yet: the first is the next to be asked for.
    begun: VecDeque<Option<R>>,
    /// How many were asked for.
    taken: usize,
    /// Whether nobody asks for more.
    stopped: bool,
    /// Whether `work` panicked on a thread.
    failed: bool,
}

/// A [`Line`] that threads share.
struct Shared<T, R> {
    line: Mutex<Line<T, R>>,
    changed: Condvar,
    /// How many may be begun that were not asked for.
    most: usize,
}

/// Tells the others when it is dropped that no more will be asked for, or that what they wait for does not come.
struct Tell<'a, T, R>(&'a Shared<T, R>, fn(&mut Line<T, R>));

impl<T, R> Drop for Tell<'_, T, R> {
    fn drop(&mut self) {
        (self.1)(&mut self.0.lock());
        self.0.changed.notify_all();
    }
}

impl<T, R> Shared<T, R> {
    fn lock(&self) -> MutexGuard<'_, Line<T, R>> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, line: MutexGuard<'a, Line<T, R>>) -> MutexGuard<'a, Line<T, R>> {
        self.changed.wait(line).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item, with its number, if one may be begun.
    fn begin(&self, line: &mut Line<T, R>) -> Option<(usize, T)> {
        let item = if line.begun.len() < self.most { line.items.next() } else { None }?;
        line.begun.push_back(None);
        Some((line.taken + line.begun.len() - 1, item))
    }

    fn put(&self, at: usize, result: R) {
        let mut line = self.lock();
        let place = at - line.taken;
        if let Some(place) = line.begun.get_mut(place) {
            *place = Some(result);
        }
        drop(line);
        self.changed.notify_all();
    }

    /// Works until there is nothing left to begin.
    fn help(&self, mut work: impl FnMut(T) -> R) {
        let _failed = Tell(self, |line| line.failed |= std::thread::panicking());
        let mut line = self.lock();
        while !line.stopped && line.items.len() > 0 {
            match self.begin(&mut line) {
                Some((at, item)) => {
                    drop(line);
                    self.put(at, work(item));
                    line = self.lock();
                }
                None => line = self.wait(line),
            }
        }
    }

    /// What came of the next item: while that is not there, others are done here.
    fn next(&self, work: &mut impl FnMut(T) -> R) -> Option<R> {
        let mut line = self.lock();
        loop {
            match line.begun.pop_front() {
                Some(Some(result)) => {
                    line.taken += 1;
                    drop(line);
                    self.changed.notify_all();
                    return Some(result);
                }
                Some(None) => line.begun.push_front(None),
                None => {}
            }
            if let Some((at, item)) = self.begin(&mut line) {
                drop(line);
                self.put(at, work(item));
                line = self.lock();
            } else if line.begun.is_empty() || line.failed {
                return None;
            } else {
                line = self.wait(line);
            }
        }
    }
}

/// Does `work` on each of the items, on as many threads as that, and hands what came of each to `take`, which asks for one after the other in
/// the order of the items: it is on the way of one while others are done. No more than `most` of them wait to be asked for, at least one.
/// Each thread has a state of its own that `start` makes.
///
/// ```
/// let numbers: Vec<u64> = (0..100).collect();
/// let mut sum = 0;
/// mlirbc_ir::threads::ahead(2, 8, numbers, || (), |(), number| number * number, |next| {
///     while let Some(square) = next() {
///         sum += square;
///     }
/// });
/// assert_eq!(sum, 328_350);
/// ```
///
/// # Panics
/// Where `work` does, or `take`.
pub fn ahead<T: Send, S, R: Send, O>(
    threads: usize,
    most: usize,
    items: Vec<T>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    take: impl FnOnce(&mut dyn FnMut() -> Option<R>) -> O,
) -> O {
    let threads = threads.min(items.len());
    let mut state = start();
    let mut here = |item| work(&mut state, item);
    let mut items = items.into_iter();
    if threads <= 1 {
        return take(&mut || items.next().map(&mut here));
    }
    let line = Line { items, begun: VecDeque::new(), taken: 0, stopped: false, failed: false };
    let shared = Shared { line: Mutex::new(line), changed: Condvar::new(), most: most.max(1) };
    let there = || {
        let mut state = start();
        let work = &work;
        move |item| work(&mut state, item)
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| shared.help(there()));
        }
        let _stopped = Tell(&shared, |line| line.stopped = true);
        take(&mut || shared.next(&mut here))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::{Barrier, Mutex};

    use super::{WORTH, ahead, in_order};

    /// All that came of squaring so many numbers, as it was asked for.
    fn squares(threads: usize, most: usize, count: u64) -> Vec<u64> {
        let numbers = (0..count).collect();
        let all = |next: &mut dyn FnMut() -> Option<u64>| std::iter::from_fn(next).collect();
        ahead(threads, most, numbers, || (), |(), number: u64| number * number, all)
    }

    #[test]
    fn what_is_asked_for_comes_in_the_order_of_the_items() {
        for threads in [0, 1, 2, 3, 8] {
            for most in [0, 1, 2, 100] {
                for count in [0, 1, 2, 7, 100] {
                    let expected: Vec<u64> = (0..count).map(|number| number * number).collect();
                    assert_eq!(squares(threads, most, count), expected, "{threads} threads, {most} ahead");
                }
            }
        }
    }

    #[test]
    fn who_asks_for_no_more_ends_it() {
        for threads in [1, 2, 8] {
            let first = ahead(threads, 3, (0..1000).collect(), || (), |(), item: u32| item, |next| next());
            assert_eq!(first, Some(0));
        }
    }

    #[test]
    fn a_panic_in_one_thread_ends_all() {
        for threads in [1, 2, 8] {
            let work = |(): &mut (), item: u32| assert!(item != 50, "the fiftieth");
            let all = |next: &mut dyn FnMut() -> Option<()>| while next().is_some() {};
            let ended = catch_unwind(AssertUnwindSafe(|| ahead(threads, 4, (0..100).collect(), || (), work, all)));
            assert!(ended.is_err(), "{threads} threads");
        }
    }

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
