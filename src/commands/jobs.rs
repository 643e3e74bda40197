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

/// So many inputs are taken together at most: to wake another thread takes as long as a small file.
const TOGETHER: usize = 8;

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
        let together = (inputs.len() / (jobs * TOGETHER)).clamp(1, TOGETHER);
        let turns = Mutex::new(Turns { next: 0, shown: 0, done: inputs.iter().map(|_| None).collect() });
        // Something was done; something was shown.
        let (done, shown, each) = (Condvar::new(), Condvar::new(), &each);
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                let (turns, done, shown) = (&turns, &done, &shown);
                scope.spawn(move || {
                    loop {
                        let mut now = lock(turns);
                        while now.next < inputs.len() && now.next >= now.shown + jobs * AHEAD {
                            now = shown.wait(now).unwrap_or_else(PoisonError::into_inner);
                        }
                        let first = now.next;
                        let Some(rest) = inputs.get(first..).filter(|rest| !rest.is_empty()) else { return };
                        let taken = rest.get(..together).unwrap_or(rest);
                        now.next += taken.len();
                        drop(now);
                        let made: Vec<_> = taken.iter().map(|input| held_back(each, input)).collect();
                        let mut now = lock(turns);
                        for (place, made) in now.done.iter_mut().skip(first).zip(made) {
                            *place = Some(made);
                        }
                        drop(now);
                        done.notify_one();
                    }
                });
            }
            let mut number = 0;
            super::for_each_input(inputs, |_| {
                let mut now = lock(&turns);
                let (held, result) = loop {
                    match now.done.get_mut(number).and_then(Option::take) {
                        Some(made) => break made,
                        None => now = done.wait(now).unwrap_or_else(PoisonError::into_inner),
                    }
                };
                number += 1;
                now.shown = number;
                drop(now);
                // Who waits has all of [`AHEAD`] before it, which is more than one turn of this.
                if number % together == 0 {
                    shown.notify_all();
                }
                held.messages.iter().for_each(say);
                if !held.out.is_empty() {
                    show(|out| Ok(out.write_all(&held.out)?))?;
                }
                result
            })
        })
    }
}

/// Works on an input, and holds back what it writes and says.
fn held_back(each: &(impl Fn(&Path) -> Result<()> + Sync), input: &Path) -> (Held, Result<()>) {
    HELD.set(Some(Held::default()));
    // Who waits for its turn would wait for ever.
    let result = catch_unwind(AssertUnwindSafe(|| each(input)));
    let result = result.unwrap_or_else(|_| Err(Error::misuse("this build is wrong: see above")));
    (HELD.take().unwrap_or_default(), result)
}
