//! `mlirbc bench --threads`

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use bytes::Bytes;
use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::verify::verify_module_with;
use mlirbc::rewrite::{Pipeline, RunOptions};
use mlirbc::{Error, Result};
use serde_json::{Map, Value, json};

use super::{median, timed};
use crate::commands::Session;

/// What is timed, in this order.
const STAGES: [&str; 5] = ["load", "decode", "verify", "passes", "write"];

/// What the passes are.
const PIPELINE: &str = "builtin.module(canonicalize,cse)";

/// Milliseconds that each stage takes.
type Times = [f64; STAGES.len()];

/// One row of the result.
struct Row {
    /// How many threads, or how many processes of one thread.
    count: usize,
    processes: bool,
    times: Times,
}

/// Times the stages with each number of threads and, where that is asked for, as many processes at once.
pub(super) fn measure(
    session: &Session,
    path: &Path,
    bytes: &Bytes,
    counts: &[usize],
    reps: u32,
    processes: bool,
) -> Result<Value> {
    let mut rows = Vec::new();
    for &count in counts {
        rows.push(Row { count, processes: false, times: in_threads(session, bytes, count, reps)? });
        if processes && count > 1 {
            rows.push(Row { count, processes: true, times: in_processes(path, count, reps)? });
        }
    }
    let first = rows.first().filter(|row| row.count == 1).map(|row| row.times);
    let rows: Vec<Value> = rows.iter().map(|row| row.json(first)).collect();
    Ok(json!({ "pipeline": PIPELINE, "rows": rows }))
}

impl Row {
    /// With how many times as much is done in the same time as one thread does, where that was timed.
    fn json(&self, one: Option<Times>) -> Value {
        let mut row = Map::new();
        row.insert(if self.processes { "processes" } else { "threads" }.to_owned(), json!(self.count));
        // Each process does all of it.
        let work = if self.processes { self.count as f64 } else { 1.0 };
        for (at, stage) in STAGES.iter().enumerate() {
            row.insert(format!("{stage}_ms"), json!(self.times[at]));
            if let Some(one) = one {
                row.insert(format!("{stage}_factor"), json!(work * one[at] / self.times[at]));
            }
        }
        Value::Object(row)
    }
}

/// The medians of some repetitions, none of which has seen the file before.
fn in_threads(session: &Session, bytes: &Bytes, threads: usize, reps: u32) -> Result<Times> {
    let mut times: [Vec<f64>; STAGES.len()] = Default::default();
    let pipeline =
        Pipeline::parse(PIPELINE, &mlirbc::opt::registry()).map_err(|error| Error::misuse(error.to_string()))?;
    for _ in 0..reps {
        let [load, decode, verify, passes, write] = &mut times;
        let context = session.context()?;
        let mut module = bytecode::read(&context, bytes.clone())?;
        timed(load, || module.load_all_with(threads))?;
        timed(decode, || bytecode::decode_all_with(&module, threads))?;
        timed(verify, || {
            let mut first = None;
            verify_module_with(&module, threads, &mut |error| {
                first.get_or_insert(error);
            })?;
            first.map_or(Ok(()), Err)
        })?;
        timed(passes, || pipeline.run_with(&mut module, RunOptions::new().verify_each(false).threads(threads)))?;
        let options = WriteOptions::like(&module).threads(threads);
        timed(write, || bytecode::write(&module, &options))?;
    }
    Ok(times.map(|mut times| median(&mut times)))
}

/// Means of what as many processes of this program take that all run at once, each on one thread.
fn in_processes(path: &Path, count: usize, reps: u32) -> Result<Times> {
    let program = std::env::current_exe()?;
    let start = || {
        let mut command = Command::new(&program);
        command.arg("bench").arg(path).args(["--json", "--threads", "1", "--reps", &reps.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
    };
    let children: Vec<Child> = (0..count).map(|_| start()).collect::<std::io::Result<_>>()?;
    let mut sums = Times::default();
    for child in children {
        let output = child.wait_with_output()?;
        let figures: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        for (sum, stage) in sums.iter_mut().zip(STAGES) {
            let time = figures["rows"][0][format!("{stage}_ms")].as_f64();
            *sum += time.ok_or_else(|| Error::misuse("another process of this program could not time the file"))?;
        }
    }
    Ok(sums.map(|sum| sum / count as f64))
}

/// The result as a table: milliseconds, and behind them how many times as much was done as by one thread.
pub(super) fn table(figures: &Value) -> String {
    let mut text = format!("{:14}", "");
    for stage in STAGES {
        let _ = write!(text, "{:>16}", format!("{stage}_ms"));
    }
    text.push('\n');
    for row in figures["rows"].as_array().into_iter().flatten() {
        let of = ["threads", "processes"].into_iter().find_map(|of| Some((of, row[of].as_u64()?)));
        let (of, count) = of.unwrap_or_default();
        let _ = write!(text, "{of:10}{count:>4}");
        for stage in STAGES {
            let time = row[format!("{stage}_ms")].as_f64().unwrap_or_default();
            let factor = row[format!("{stage}_factor")].as_f64();
            let factor = factor.map_or_else(String::new, |factor| format!("{factor:.2}"));
            let _ = write!(text, "{time:>10.1}{factor:>6}");
        }
        text.push('\n');
    }
    text
}
