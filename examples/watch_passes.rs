//! An instrument, which says how many operations each pass leaves of those that there were: `cargo run --example watch_passes`.

use std::sync::{Mutex, PoisonError};

use mlirbc::Result;
use mlirbc::rewrite::{Instrument, PassRun, Pipeline, RunOptions};

/// The sizes of what passes run on, as they were before: a pass that runs others is not done when those begin.
#[derive(Default)]
struct Sizes(Mutex<Vec<usize>>);

fn size(run: &PassRun<'_>) -> Result<usize> {
    Ok(run.op()?.walk()?.count())
}

impl Instrument for Sizes {
    fn before_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        let before = size(run)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(before);
        Ok(())
    }

    fn after_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let (pass, op, after) = (run.pass().to_owned(), run.op()?.path(), size(run)?);
        Ok(writeln!(run.output(), "{pass} {op}: {before} operations became {after}")?)
    }
}

fn main() -> Result<()> {
    let context = mlirbc::Context::new();
    let mut module = mlirbc::open(&context, "fixtures/arith.mlirbc")?;
    let pipeline = Pipeline::parse("builtin.module(func.func(canonicalize,cse),symbol-dce)", &mlirbc::opt::registry());
    let pipeline = pipeline.map_err(|error| mlirbc::Error::misuse(error.to_string()))?;
    pipeline.run_with(&mut module, RunOptions::new().instrument(Sizes::default()))?;
    Ok(())
}
