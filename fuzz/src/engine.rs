//! What a fuzzing engine needs beside a target: inputs changed by what they are made of, and how many of these are taken.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::{Outcome, Random, target};

/// How many inputs that were taken are kept to mix others with.
const POOL: usize = 64;
/// Of so many inputs that are refused one is worth keeping: errors lie behind errors, and yet most of what an engine tries is
/// to be taken.
const KEPT: u64 = 64;
/// Of so many changes one is the engine's own.
const ENGINE: u32 = 6;
/// How often it is said how many inputs are taken.
const PERIOD: Duration = Duration::from_secs(1);

/// A target under an engine.
#[derive(Debug)]
pub struct Session {
    target: &'static str,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Inputs that were taken.
    pool: Vec<Vec<u8>>,
    /// Whether the next input was changed, and is not one of those to begin with.
    is_changed: bool,
    changed: u64,
    accepted: u64,
    said: Option<Instant>,
}

impl Session {
    /// A session of the target of that name.
    pub const fn new(target: &'static str) -> Self {
        let state = State { pool: Vec::new(), is_changed: false, changed: 0, accepted: 0, said: None };
        Session { target, state: Mutex::new(state) }
    }

    /// Runs one input. Says whether it is worth keeping.
    ///
    /// # Panics
    /// Where the target's oracle does not hold.
    pub fn run(&self, input: &[u8]) -> bool {
        let target = target(self.target).unwrap_or_else(|| panic!("no target {}", self.target));
        let outcome = (target.run)(input);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let accepted = outcome == Outcome::Accepted;
        if std::mem::take(&mut state.is_changed) {
            state.changed += 1;
            state.accepted += u64::from(accepted);
        }
        if accepted {
            let at = hash(input) as usize % POOL;
            match state.pool.get_mut(at) {
                Some(known) => *known = input.to_vec(),
                None => state.pool.push(input.to_vec()),
            }
        }
        if state.said.is_none_or(|said| said.elapsed() > PERIOD) {
            state.said = Some(Instant::now());
            eprintln!("share: {} of {}", state.accepted, state.changed);
        }
        outcome != Outcome::Refused || hash(input).is_multiple_of(KEPT)
    }

    /// Another input, of `most` bytes at most; `None` where the engine is to make it.
    pub fn mutate(&self, input: &[u8], most: usize, seed: u32) -> Option<Vec<u8>> {
        let target = target(self.target)?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_changed = true;
        if seed.is_multiple_of(ENGINE) {
            return None;
        }
        let mut random = Random::new(u64::from(seed));
        let other = match state.pool.len() {
            0 => input,
            length => &state.pool[random.below(length)],
        };
        target.change(&mut random, input, other).filter(|changed| !changed.is_empty() && changed.len() <= most)
    }
}

fn hash(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}

/// The program of a target under libFuzzer.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! program {
    ($target:ident) => {
        static SESSION: $crate::engine::Session = $crate::engine::Session::new(stringify!($target));

        libfuzzer_sys::fuzz_target!(|data: &[u8]| -> libfuzzer_sys::Corpus {
            match SESSION.run(data) {
                true => libfuzzer_sys::Corpus::Keep,
                false => libfuzzer_sys::Corpus::Reject,
            }
        });

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            match SESSION.mutate(&data[..size], max_size, seed) {
                Some(changed) => {
                    data[..changed.len()].copy_from_slice(&changed);
                    changed.len()
                }
                None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
            }
        });
    };
}
