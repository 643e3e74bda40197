//! Passes, beside those of `mlir-opt`: `cargo bench -p mlirbc-benches --bench passes`.
//!
//! Each pass runs on the small modules of the reference corpus that were made for it, one after the other, and on modules that the
//! generator makes, of which `MLIRBC_BENCH_SIZES` names other sizes. What is timed is the pass alone, on one thread, without
//! reading and verifying. Where there is `mlir-opt-22`, the line before says how long its pass takes on the same files, by its own
//! clock, and how many times as long that is. Without `MLIRBC_SHARED` the corpus is left out.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytes::Bytes;
use criterion::{BenchmarkId, Criterion};
use mlirbc::bytecode::{WriteOptions, read, write};
use mlirbc::rewrite::{Pipeline, RunOptions};
use mlirbc::{Context, Result};
use mlirbc_testing::{PEER, Shape, corpus, generate, peer_passes, sizes, tool};

const SIZES: &str = "1M";
/// How often the peer is asked; the middle of its answers counts.
const TIMES: usize = 5;

/// Each pass, and the folder of the corpus whose modules it runs on.
const PASSES: [(&str, &str); 4] =
    [("canonicalize", "canonicalize"), ("cse", "cse"), ("sccp", "canonicalize"), ("inline", "symbol-dce")];

/// Some files of one name.
struct Input {
    name: String,
    paths: Vec<PathBuf>,
    modules: Vec<Bytes>,
}

impl Input {
    fn new(name: String, paths: Vec<PathBuf>) -> Result<Self> {
        let modules = paths.iter().map(|path| Ok(std::fs::read(path)?.into())).collect::<Result<_>>()?;
        Ok(Input { name, paths, modules })
    }

    /// The time that the pass takes on all of the files.
    fn run(&self, pipeline: &Pipeline) -> Result<Duration> {
        let mut total = Duration::ZERO;
        for bytes in &self.modules {
            let context = Context::new();
            let mut module = read(&context, bytes.clone())?;
            module.load_all()?;
            let start = Instant::now();
            pipeline.run_with(&mut module, RunOptions::new().verify_each(false))?;
            total += start.elapsed();
        }
        Ok(total)
    }

    /// The same of the peer. `None` where it does not say so of a file.
    fn peer(&self, pipeline: &str) -> Option<Duration> {
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..TIMES {
            times.push(self.paths.iter().map(|path| peer_passes(path, pipeline)).sum::<Option<Duration>>()?);
        }
        times.sort();
        times.get(TIMES / 2).copied()
    }
}

fn all(criterion: &mut Criterion) -> Result<()> {
    let beside = tool(PEER, "the passes of mlir-opt");
    let work = tempfile::tempdir()?;
    let mut generated = Vec::new();
    for (name, size) in sizes(SIZES) {
        let path = work.path().join(&name);
        std::fs::write(&path, write(&generate(&Context::new(), Shape::Functions, size)?, &WriteOptions::default())?)?;
        generated.push((format!("functions-{name}"), path));
    }
    for (pass, folder) in PASSES {
        let text = format!("builtin.module({pass})");
        let pipeline = Pipeline::parse(&text, &mlirbc::opt::registry())
            .map_err(|error| mlirbc::Error::misuse(error.to_string()))?;
        let mut inputs = Vec::new();
        if let Some(paths) = corpus(&format!("passes/{folder}"), "the corpus") {
            inputs.push(Input::new(format!("corpus-{folder}"), paths)?);
        }
        for (name, path) in &generated {
            inputs.push(Input::new(name.clone(), vec![path.clone()])?);
        }
        for input in inputs {
            if let Some(theirs) = beside.then(|| input.peer(&text)).flatten() {
                let mut ours = (0..TIMES).map(|_| input.run(&pipeline)).collect::<Result<Vec<_>>>()?;
                ours.sort();
                let [ours, theirs] = [ours[TIMES / 2], theirs].map(|time| time.as_secs_f64() * 1e3);
                println!("{pass}/{}: {ours:.3} ms, {PEER} {theirs:.3} ms, {:.1} times", input.name, theirs / ours);
            }
            let mut group = criterion.benchmark_group(pass);
            group.bench_with_input(BenchmarkId::from_parameter(&input.name), &input, |bencher, input| {
                bencher.iter_custom(|times| {
                    (0..times).map(|_| input.run(&pipeline).expect("the pass runs on these modules")).sum()
                });
            });
            group.finish();
        }
    }
    Ok(())
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    if let Err(error) = all(&mut criterion) {
        eprintln!("{error}");
        std::process::exit(1);
    }
    criterion.final_summary();
}
