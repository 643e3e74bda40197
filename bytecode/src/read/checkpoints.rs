//! Tables whose entries have no fixed size: found from the last checkpoint before them.

use std::sync::Arc;

use bytes::Bytes;
use mlirbc_ir::Result;

use super::guard::Guard;

/// A sequence of entries that is walked one by one from any state.
pub(crate) trait Sequence {
    /// Where the walk stands.
    type State: Copy;
    type Entry;

    /// Reads the entry at `state` and goes behind it.
    fn step(&self, state: &mut Self::State) -> Result<Self::Entry>;

    /// Goes over [`STRIDE`] entries at once, where it can see at a glance that all are well. Else changes nothing.
    fn stride(&self, state: &mut Self::State) -> bool {
        let _ = state;
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

/// States of a sequence at every 2^`log2`-th entry.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints<S> {
    states: States<S>,
    log2: u32,
    length: usize,
}

/// States that were saved, and who checks them.
#[derive(Clone, Debug)]
pub(crate) struct SavedStates {
    pub(crate) bytes: Bytes,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    /// Where they begin, for their guard.
    pub(crate) start: usize,
}

#[derive(Clone, Debug)]
enum States<S> {
    Walked(Vec<S>),
    /// Looked up in place.
    Saved(SavedStates),
}

/// Between two checkpoints made while reading: a few nanoseconds of walking.
const NEAR: u32 = 4;

/// Entries between two checkpoints made while reading.
pub(crate) const STRIDE: usize = 1 << NEAR;

impl<S: Copy + FixedState> Checkpoints<S> {
    /// Walks `length` entries from `start`; the state behind the last comes back.
    pub(crate) fn build<Q: Sequence<State = S>>(sequence: &Q, start: S, length: usize) -> Result<(Self, S)> {
        let mut states = Vec::with_capacity(length.div_ceil(STRIDE));
        let mut state = start;
        let mut left = length;
        while left > 0 {
            states.push(state);
            if left >= STRIDE && sequence.stride(&mut state) {
                left = left.saturating_sub(STRIDE);
                continue;
            }
            let some = left.min(STRIDE);
            for _ in 0..some {
                sequence.step(&mut state)?;
            }
            left = left.saturating_sub(some);
        }
        Ok((Checkpoints { states: States::Walked(states), log2: NEAR, length }, state))
    }

    /// Checkpoints that were saved, as many as `length` entries need.
    pub(crate) fn saved(states: SavedStates, log2: u32, length: usize) -> Self {
        Checkpoints { states: States::Saved(states), log2, length }
    }

    fn state(&self, number: usize) -> Result<Option<S>> {
        match &self.states {
            States::Walked(states) => Ok(states.get(number).copied()),
            States::Saved(saved) => {
                let at = number.saturating_mul(S::SIZE);
                let Some(bytes) = saved.bytes.get(at..at.saturating_add(S::SIZE)) else { return Ok(None) };
                if let Some(guard) = &saved.guard {
                    let at = saved.start.saturating_add(at);
                    guard.check(at..at.saturating_add(S::SIZE))?;
                }
                Ok(S::load(bytes))
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Every 2^`log2`-th state, to be saved.
    pub(crate) fn thin(&self, log2: u32) -> impl Iterator<Item = S> {
        let step = 1 << log2.saturating_sub(self.log2);
        (0..self.length.div_ceil(1 << self.log2)).step_by(step).filter_map(|number| self.state(number).ok().flatten())
    }

    /// The state before the entry; `None` past the last.
    pub(crate) fn seek<Q: Sequence<State = S>>(&self, sequence: &Q, index: usize) -> Result<Option<S>> {
        if index >= self.length {
            return Ok(None);
        }
        let Some(mut state) = self.state(index >> self.log2)? else { return Ok(None) };
        let mut left = index & !(usize::MAX << self.log2);
        while left > 0 {
            if left >= STRIDE && sequence.stride(&mut state) {
                left = left.saturating_sub(STRIDE);
            } else {
                sequence.step(&mut state)?;
                left = left.saturating_sub(1);
            }
        }
        Ok(Some(state))
    }

    /// The entry of that number; `None` past the last.
    pub(crate) fn get<Q: Sequence<State = S>>(&self, sequence: &Q, index: usize) -> Result<Option<Q::Entry>> {
        match self.seek(sequence, index)? {
            Some(mut state) => sequence.step(&mut state).map(Some),
            None => Ok(None),
        }
    }
}
