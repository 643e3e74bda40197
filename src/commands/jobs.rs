//! Several inputs at once: what each writes and says comes out in the order of the inputs.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use mlirbc::{Error, Result};

use super::held::{HELD, Held};
use super::output::{say, show};

/// How many inputs are worked on at once.
#[derive(clap::Args)]
pub(crate) struct Jobs {
    /// How many files are worked on at once; as many as there are cores, where it is not given. What comes out is the same
    #[arg(short, long, value_name = "COUNT")]
    jobs: Option<NonZeroUsize>,
}

/// So many inputs may be ahead of what is shown, each.
const AHEAD: usize = 16;

struct Turns {
    /// The next input that nobody has begun.
    next: usize,
    /// How many were shown.
    shown: usize,
    done: Vec<Option<(Held, Result<()>)>>,
}

fn lock(turns: &Mutex<Turns>) -> MutexGuard<'_, Turns> {
    turns.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// Runs `each` on every input. One that fails is reported, and the rest still run.
    pub(crate) fn run(&self, inputs: &[PathBuf], each: impl Fn(&Path) -> Result<()> + Sync) -> ExitCode {
        let cores = || std::thread::available_parallelism().ok();
        let jobs = self.jobs.or_else(cores).map_or(1, NonZeroUsize::get).min(inputs.len());
        if jobs < 2 || super::standard_twice(inputs).is_some() {
            return super::for_each_input(inputs, each);
        }
        let turns = Mutex::new(Turns { next: 0, shown: 0, done: inputs.iter().map(|_| None).collect() });
        let (changed, each) = (Condvar::new(), &each);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let (turns, changed) = (&turns, &changed);
                scope.spawn(move || {
                    loop {
                        let mut now = lock(turns);
                        while now.next < inputs.len() && now.next >= now.shown + jobs * AHEAD {
                            now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
                        }
                        let number = now.next;
                        let Some(input) = inputs.get(number) else { return };
                        now.next += 1;
                        drop(now);
                        HELD.set(Some(Held::default()));
                        // Who waits for its turn would wait for ever.
                        let result = catch_unwind(AssertUnwindSafe(|| each(input)));
                        let result = result.unwrap_or_else(|_| Err(Error::misuse("this build is wrong: see above")));
                        let held = HELD.take().unwrap_or_default();
                        if let Some(place) = lock(turns).done.get_mut(number) {
                            *place = Some((held, result));
                        }
                        changed.notify_all();
                    }
                });
            }
            let mut number = 0;
            super::for_each_input(inputs, |_| {
                let mut now = lock(&turns);
                let (held, result) = loop {
                    match now.done.get_mut(number).and_then(Option::take) {
                        Some(done) => break done,
                        None => now = changed.wait(now).unwrap_or_else(PoisonError::into_inner),
                    }
                };
                number += 1;
                now.shown = number;
                drop(now);
                changed.notify_all();
                held.messages.iter().for_each(say);
                if !held.out.is_empty() {
                    show(|out| Ok(out.write_all(&held.out)?))?;
                }
                result
            })
        })
    }
}
