//! Tables whose entries have no fixed size: found from the last checkpoint before them.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use crate::format::Guard;
use bytes::Bytes;
use mlirbc_ir::Result;

/// A sequence of entries that is walked one by one from any state.
pub(crate) trait Sequence {
    /// Where the walk stands.
    type State: Copy;
    type Entry: Clone;

    /// Reads the entry at `state` and goes behind it.
    fn step(&self, state: &mut Self::State) -> Result<Self::Entry>;

    /// A checkpoint is made at every 2^`NEAR`-th entry while reading.
    const NEAR: u32 = 4;

    /// Goes over `count` times [`STRIDE`] entries at once, where it can see at a glance that all are well. Else changes
    /// nothing.
    fn strides(&self, state: &mut Self::State, count: usize) -> bool {
        let _ = (state, count);
        false
    }
}

/// A state that is saved in a fixed number of bytes.
pub(crate) trait FixedState: Sized {
    const SIZE: usize;
    fn save(&self, to: &mut Vec<u8>);
    /// The state in the first [`FixedState::SIZE`] bytes.
    fn load(from: &[u8]) -> Option<Self>;
}

impl FixedState for u64 {
    const SIZE: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(self.to_le_bytes());
    }
    fn load(from: &[u8]) -> Option<Self> {
        from.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes))
    }
}

/// States of a sequence at every 2^`log2`-th entry, or all entries of a short one.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints<S, E> {
    states: States<S, E>,
    log2: u32,
    length: usize,
    last: Last<S>,
}

/// The states behind entries that were found last: mostly the next one that is wanted stands not far behind one of them.
#[derive(Debug)]
struct Last<S>(OnceLock<Box<Mutex<Behind<S>>>>);

/// The number of an entry and the state behind the one before it, a few times.
type Behind<S> = [Option<(usize, S)>; PLACES];

/// So many are kept, each for checkpoints of its own: entries of several kinds are wanted by turns.
const PLACES: usize = 8;

/// No more entries than two to this are kept themselves.
const SHORT: u32 = 9;

impl<S> Default for Last<S> {
    fn default() -> Self {
        Last(OnceLock::new())
    }
}

impl<S> Clone for Last<S> {
    fn clone(&self) -> Self {
        Last::default()
    }
}

/// States that were saved, and who checks them.
#[derive(Clone, Debug)]
pub(crate) struct SavedStates {
    pub(crate) bytes: Bytes,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    /// Where they begin, for their guard.
    pub(crate) start: usize,
    /// One stands for every 2^this-th entry.
    pub(crate) log2: u32,
}

impl SavedStates {
    /// Some of the bytes, checked; `None` past the end.
    pub(crate) fn get(&self, range: Range<usize>) -> Result<Option<&[u8]>> {
        let Some(bytes) = self.bytes.get(range.clone()) else { return Ok(None) };
        if let Some(guard) = &self.guard
            && !range.is_empty()
        {
            guard.check(self.start.saturating_add(range.start)..self.start.saturating_add(range.end))?;
        }
        Ok(Some(bytes))
    }

    /// The state of that number; `None` past the last.
    pub(crate) fn state<S: FixedState>(&self, number: usize) -> Result<Option<S>> {
        let at = number.saturating_mul(S::SIZE);
        Ok(self.get(at..at.saturating_add(S::SIZE))?.and_then(S::load))
    }
}

#[derive(Clone, Debug)]
enum States<S, E> {
    Walked(Vec<S>),
    /// The first state, and all entries.
    Short(S, Vec<E>),
    /// Looked up in place.
    Saved(Box<SavedStates>),
}

/// Entries that a sequence may go over at once.
pub(crate) const STRIDE: usize = 16;

/// Goes over so many entries.
fn walk<Q: Sequence>(sequence: &Q, state: &mut Q::State, mut left: usize) -> Result<()> {
    while left > 0 {
        if left >= STRIDE && sequence.strides(state, 1) {
            left = left.saturating_sub(STRIDE);
        } else {
            sequence.step(state)?;
            left = left.saturating_sub(1);
        }
    }
    Ok(())
}

impl<S: Copy + FixedState, E: Clone> Checkpoints<S, E> {
    /// Walks `length` entries from `start`, with room for those of a short table; the state behind the last comes back.
    pub(crate) fn build<Q: Sequence<State = S, Entry = E>>(
        sequence: &Q,
        start: S,
        length: usize,
        mut room: Vec<E>,
    ) -> Result<(Self, S)> {
        let mut state = start;
        if length <= 1 << SHORT {
            room.reserve(length);
            for _ in 0..length {
                room.push(sequence.step(&mut state)?);
            }
            let states = States::Short(start, room);
            return Ok((Checkpoints { states, log2: SHORT, length, last: Last::default() }, state));
        }
        let near = 1 << Q::NEAR;
        let mut states = Vec::with_capacity(length.div_ceil(near));
        let mut left = length;
        while left > 0 {
            states.push(state);
            let some = left.min(near);
            if some < near || !sequence.strides(&mut state, near / STRIDE) {
                walk(sequence, &mut state, some)?;
            }
            left = left.saturating_sub(some);
        }
        Ok((Checkpoints { states: States::Walked(states), log2: Q::NEAR, length, last: Last::default() }, state))
    }

    /// Checkpoints that were saved, as many as `length` entries need.
    pub(crate) fn saved(states: SavedStates, length: usize) -> Self {
        Checkpoints { log2: states.log2, states: States::Saved(Box::new(states)), length, last: Last::default() }
    }

    fn state(&self, number: usize) -> Result<Option<S>> {
        match &self.states {
            States::Walked(states) => Ok(states.get(number).copied()),
            States::Short(start, _) => Ok((number == 0).then_some(*start)),
            States::Saved(saved) => saved.state(number),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The entries, where the table is short.
    #[inline]
    pub(crate) fn short(&self) -> Option<&[E]> {
        match &self.states {
            States::Short(_, entries) => Some(entries),
            _ => None,
        }
    }

    /// The room that the entries of a short table stood in, empty.
    pub(crate) fn into_room(self) -> Vec<E> {
        match self.states {
            States::Short(_, mut entries) => {
                entries.clear();
                entries
            }
            _ => Vec::new(),
        }
    }

    /// Every 2^`log2`-th state, to be saved.
    pub(crate) fn thin(&self, log2: u32) -> impl Iterator<Item = S> {
        let step = 1 << log2.saturating_sub(self.log2);
        (0..self.length.div_ceil(1 << self.log2)).step_by(step).filter_map(|number| self.state(number).ok().flatten())
    }

    /// Goes over all entries.
    pub(crate) fn walk<Q: Sequence<State = S, Entry = E>>(
        &self,
        sequence: &Q,
        mut each: impl FnMut(Q::Entry),
    ) -> Result<()> {
        if let Some(entries) = self.short() {
            entries.iter().cloned().for_each(each);
            return Ok(());
        }
        let Some(mut state) = self.seek(sequence, 0)? else { return Ok(()) };
        for _ in 0..self.length {
            each(sequence.step(&mut state)?);
        }
        Ok(())
    }

    /// The state before the entry; `None` past the last.
    pub(crate) fn seek<Q: Sequence<State = S, Entry = E>>(&self, sequence: &Q, index: usize) -> Result<Option<S>> {
        if index >= self.length {
            return Ok(None);
        }
        let Some(mut state) = self.state(index >> self.log2)? else { return Ok(None) };
        walk(sequence, &mut state, index & !(usize::MAX << self.log2))?;
        Ok(Some(state))
    }

    /// The entry of that number; `None` past the last. `next` is where an entry was left before, and where this one is.
    pub(crate) fn get_next<Q: Sequence<State = S, Entry = E>>(
        &self,
        sequence: &Q,
        index: usize,
        next: &mut Option<(usize, S)>,
    ) -> Result<Option<Q::Entry>> {
        if let Some(entries) = self.short() {
            return Ok(entries.get(index).cloned());
        }
        let state = match *next {
            // Not farther before the entry than its checkpoint.
            Some((at, mut state)) if at <= index && index < self.length && at >> self.log2 == index >> self.log2 => {
                walk(sequence, &mut state, index.saturating_sub(at))?;
                Some(state)
            }
            _ => self.seek(sequence, index)?,
        };
        let Some(mut state) = state else { return Ok(None) };
        let entry = sequence.step(&mut state)?;
        *next = Some((index.saturating_add(1), state));
        Ok(Some(entry))
    }

    /// The entry of that number; `None` past the last.
    #[inline]
    pub(crate) fn get<Q: Sequence<State = S, Entry = E>>(
        &self,
        sequence: &Q,
        index: usize,
    ) -> Result<Option<Q::Entry>> {
        match self.short() {
            Some(entries) => Ok(entries.get(index).cloned()),
            None => self.get_near_last(sequence, index),
        }
    }

    fn get_near_last<Q: Sequence<State = S, Entry = E>>(&self, sequence: &Q, index: usize) -> Result<Option<Q::Entry>> {
        // Another thread may be looking at it: then it is of no use here.
        match self.last.0.get_or_init(|| Box::new(Mutex::new([const { None }; PLACES]))).try_lock() {
            Ok(mut last) => match last.get_mut((index >> self.log2) % PLACES) {
                Some(last) => self.get_next(sequence, index, last),
                None => self.get_next(sequence, index, &mut None),
            },
            Err(_) => self.get_next(sequence, index, &mut None),
        }
    }
}

#[cfg(test)]
mod tests {
    use mlirbc_ir::Result;

    use super::{Checkpoints, Sequence};

    /// Entry `n` is the sum of all numbers up to `n`.
    struct Sums;

    impl Sequence for Sums {
        type State = u64;
        type Entry = u64;

        fn step(&self, state: &mut u64) -> Result<u64> {
            // How many entries there were, and their sum.
            let (count, sum) = (*state >> 32, *state & 0xffff_ffff);
            *state = count.saturating_add(1) << 32 | sum.saturating_add(count);
            Ok(sum.saturating_add(count))
        }
    }

    #[test]
    fn entries_are_the_same_in_any_order() {
        for count in [1, 300, 512, 513, 1000] {
            let (table, _) = Checkpoints::build(&Sums, 0, count, Vec::new()).unwrap();
            let (mut at, mut next) = (0, None);
            for step in 1..4 * count {
                let sum = at as u64 * (at as u64 + 1) / 2;
                assert_eq!(table.get(&Sums, at).unwrap(), Some(sum), "{at}");
                assert_eq!(table.get_next(&Sums, at, &mut next).unwrap(), Some(sum), "{at}");
                at = (at + [1, 2, 997, step][step % 4]) % count;
            }
            assert_eq!(table.get(&Sums, count).unwrap(), None);
            assert_eq!(table.thin(10).count(), 1);
        }
    }
}
