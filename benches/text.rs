//! Printing and parsing modules as text, and verifying them, beside `mlir-opt`: `cargo bench -p mlirbc-benches --bench text`.
//!
//! The modules are those that the generator makes; `MLIRBC_BENCH_SIZES` names other sizes of bytecode. Both sides run in one
//! thread, from the bytes of a file to the bytes of another, and both verify what they read; `mlir-opt` pays for its start as
//! well, which does not count in large files. Where there is no `mlir-opt-22`, only this crate is timed.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mlirbc::bytecode::{WriteOptions, decode_all, read, write};
use mlirbc::ir::verify::verify_edits;
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module};
use mlirbc_testing::{Shape, generate, sizes, tool};

const SIZES: &str = "1M,20M";
const TIMES: usize = 5;
const PEER: &str = "mlir-opt-22";

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn checked(mut module: Module) -> Outcome<Module> {
    decode_all(&module)?;
    let mut wrong = Vec::new();
    verify_edits(&mut module, 1, &mut |error| wrong.push(error.to_string()))?;
    if wrong.is_empty() { Ok(module) } else { Err(wrong.join("\n").into()) }
}

fn from_bytecode(bytes: &[u8]) -> Outcome<Module> {
    checked(read(&Context::new(), bytes.to_vec())?)
}

fn from_text(bytes: &[u8]) -> Outcome<Module> {
    checked(parse_module(&Context::new(), bytes, &ParseOptions::new())?)
}

fn to_text(module: &Module, generic: bool) -> Outcome<Vec<u8>> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text)?;
    Ok(text)
}

/// The middle of several times.
fn median(mut run: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let start = Instant::now();
        run()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[TIMES / 2])
}

/// What `mlir-opt` takes from a file to nowhere.
fn peer(file: &std::path::Path, arguments: &[&str]) -> Outcome<Duration> {
    median(|| {
        let mut command = Command::new(PEER);
        command.arg("--mlir-disable-threading").arg(file).args(["-o", "/dev/null"]).args(arguments);
        match command.stdout(Stdio::null()).status()?.success() {
            true => Ok(()),
            false => Err(format!("{PEER} fails").into()),
        }
    })
}

fn line(name: &str, what: &str, ours: Duration, theirs: Option<Duration>) {
    let ours = ours.as_secs_f64();
    match theirs.map(|theirs| theirs.as_secs_f64()) {
        Some(theirs) => println!(
            "{name:16} {what:24} {:9.1} ms   {PEER} {:9.1} ms   {:5.1} times",
            ours * 1e3,
            theirs * 1e3,
            theirs / ours
        ),
        None => println!("{name:16} {what:24} {:9.1} ms", ours * 1e3),
    }
}

fn all(shape: Shape, name: &str, size: usize, beside: bool) -> Outcome<()> {
    let name = format!("{}-{name}", shape.name());
    let bytes = write(&generate(&Context::new(), shape, size)?, &WriteOptions::default())?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("module");
    let timed = |what: &str, input: &[u8], arguments: &[&str], run: &dyn Fn(&[u8]) -> Outcome<()>| {
        std::fs::write(&file, input)?;
        let ours = median(|| run(input))?;
        let theirs = if beside { Some(peer(&file, arguments)?) } else { None };
        line(&name, what, ours, theirs);
        Outcome::Ok(())
    };
    timed("bytecode to text", &bytes, &[], &|input| to_text(&from_bytecode(input)?, false).map(drop))?;
    let generic = ["--mlir-print-op-generic"];
    timed("bytecode to generic text", &bytes, &generic, &|input| to_text(&from_bytecode(input)?, true).map(drop))?;
    let module = read(&Context::new(), bytes)?;
    let to_bytecode = |input: &[u8]| {
        write(&from_text(input)?, &WriteOptions::default())?;
        Ok(())
    };
    timed("text to bytecode", &to_text(&module, false)?, &["--emit-bytecode"], &to_bytecode)?;
    timed("generic text to bytecode", &to_text(&module, true)?, &["--emit-bytecode"], &to_bytecode)
}

fn main() -> Outcome<()> {
    let beside = tool(PEER, "the peer of the benchmark of text");
    for shape in [Shape::Functions, Shape::Nested] {
        for (name, size) in sizes(SIZES) {
            all(shape, &name, size, beside)?;
        }
    }
    Ok(())
}
