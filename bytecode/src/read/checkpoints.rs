//! Tables whose entries have no fixed size: found from the last checkpoint before them.

use mlirbc_ir::Result;

/// A sequence of entries that is walked one by one from any state.
pub(crate) trait Sequence {
    /// Where the walk stands.
    type State: Copy;
    type Entry;

    /// Reads the entry at `state` and goes behind it.
    fn step(&self, state: &mut Self::State) -> Result<Self::Entry>;
}

/// States of a sequence at every 2^`log2`-th entry.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints<S> {
    states: Vec<S>,
    log2: u32,
    length: usize,
}

/// Between two checkpoints made while reading: a few nanoseconds of walking.
const NEAR: u32 = 4;

impl<S: Copy> Checkpoints<S> {
    /// Walks `length` entries from `start`. `each` sees every entry; the state behind the last comes back.
    pub(crate) fn build<Q: Sequence<State = S>>(
        sequence: &Q,
        start: S,
        length: usize,
        mut each: impl FnMut(usize, &Q::Entry) -> Result<()>,
    ) -> Result<(Self, S)> {
        let mut states = Vec::with_capacity((length >> NEAR) + 1);
        let mut state = start;
        for at in 0..length {
            if at & ((1 << NEAR) - 1) == 0 {
                states.push(state);
            }
            let entry = sequence.step(&mut state)?;
            each(at, &entry)?;
        }
        Ok((Checkpoints { states, log2: NEAR, length }, state))
    }

    /// Checkpoints that were saved.
    pub(crate) fn saved(states: Vec<S>, log2: u32, length: usize) -> Option<Self> {
        (states.len() == length.div_ceil(1 << log2)).then_some(Checkpoints { states, log2, length })
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Every 2^`log2`-th state, to be saved.
    pub(crate) fn thin(&self, log2: u32) -> impl Iterator<Item = S> {
        self.states.iter().step_by(1 << log2.saturating_sub(self.log2)).copied()
    }

    /// The state before the entry; `None` past the last.
    pub(crate) fn seek<Q: Sequence<State = S>>(&self, sequence: &Q, index: usize) -> Result<Option<S>> {
        if index >= self.length {
            return Ok(None);
        }
        let Some(&state) = self.states.get(index >> self.log2) else { return Ok(None) };
        let mut state = state;
        for _ in 0..index & ((1 << self.log2) - 1) {
            sequence.step(&mut state)?;
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
