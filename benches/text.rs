//! Printing and parsing modules as text, and verifying them, beside `mlir-opt`: `cargo bench -p mlirbc-benches --bench text`.
//!
//! The modules are those that the generator makes; `MLIRBC_BENCH_SIZES` names other sizes of bytecode. Then come the largest files
//! of the reference corpus, where `MLIRBC_SHARED` says that there is one. Both sides run in one thread, from the bytes of a file to the
//! bytes of another, and both verify what they read; `mlir-opt` pays for its start as well, which does not count in large files, and is
//! taken off where files are small. `-- nested spirv_dialect` times these alone. Where there is no `mlir-opt-22`, only this crate is timed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mlirbc::bytecode::{WriteOptions, decode_all, read, write};
use mlirbc::ir::verify::verify_edits;
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module};
use mlirbc_testing::{Shape, corpus, generate, sizes, skipped, tool};

const SIZES: &str = "1M,20M";
const TIMES: usize = 5;
const PEER: &str = "mlir-opt-22";

/// How many files of a folder of the corpus are timed, the largest, each as often in one module as makes so many bytes of text.
const LARGEST: usize = 40;
const TEXT: usize = 1 << 18;

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
fn peer(file: &Path, arguments: &[&str]) -> Outcome<Duration> {
    median(|| {
        let mut command = Command::new(PEER);
        command
            .args(["--mlir-disable-threading", "--allow-unregistered-dialect"])
            .arg(file)
            .args(["-o", "/dev/null"])
            .args(arguments);
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

/// A module that holds what is in a file, so many times that it is long, as bytecode.
fn repeated(path: &Path) -> Outcome<Vec<u8>> {
    let text = to_text(&from_bytecode(&std::fs::read(path)?)?, true)?;
    // Resources stand once, at the end.
    let end = text.windows(4).position(|at| at == b"\n{-#").map_or(text.len(), |at| at + 1);
    let copies = text[..end].repeat(TEXT.div_ceil(end));
    let whole = [b"\"builtin.module\"() ({\n".as_slice(), &copies, b"}) : () -> ()\n"].concat();
    Ok(write(&from_text(&whole)?, &for_peer())?)
}

/// How modules of dialects are written whose encodings the peer does not have.
fn for_peer() -> WriteOptions {
    WriteOptions::new().unregistered(["spirv"])
}

/// The largest files of a folder of the corpus together.
fn largest(folder: &str, beside: bool) -> Outcome<()> {
    let Some(mut paths) = corpus(folder, "the largest files of a corpus") else { return Ok(()) };
    paths.sort_by_key(|path| std::cmp::Reverse(std::fs::metadata(path).map_or(0, |file| file.len())));
    let place = tempfile::tempdir()?;
    let file = place.path().join("module");
    let nothing = place.path().join("nothing");
    std::fs::write(&nothing, "module {}")?;
    let mut times = [(Duration::ZERO, Duration::ZERO); 2];
    for path in &paths[..paths.len().min(LARGEST)] {
        let one = || -> Outcome<[(Duration, Duration); 2]> {
            let bytes = repeated(path)?;
            let text = to_text(&from_bytecode(&bytes)?, false)?;
            let theirs = |input: &[u8], arguments: &[&str]| -> Outcome<Duration> {
                std::fs::write(&file, input)?;
                if !beside {
                    return Ok(Duration::ZERO);
                }
                // Each beside its own start, so that what slows one down slows the other.
                let start = peer(&nothing, arguments)?;
                Ok(peer(&file, arguments)?.saturating_sub(start))
            };
            let printed = median(|| to_text(&from_bytecode(&bytes)?, false).map(drop))?;
            let parsed = median(|| {
                write(&from_text(&text)?, &for_peer())?;
                Ok(())
            })?;
            Ok([(printed, theirs(&bytes, &[])?), (parsed, theirs(&text, &["--emit-bytecode"])?)])
        };
        match one() {
            Ok(found) => {
                for (sum, found) in times.iter_mut().zip(found) {
                    *sum = (sum.0 + found.0, sum.1 + found.1);
                }
            }
            Err(error) => skipped(&path.display().to_string(), &error.to_string()),
        }
    }
    for (what, (ours, theirs)) in ["bytecode to text", "text to bytecode"].into_iter().zip(times) {
        line(folder, what, ours, beside.then_some(theirs));
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let beside = tool(PEER, "the peer of the benchmark of text");
    let asked: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    for shape in [Shape::Functions, Shape::Nested].into_iter().filter(|shape| is_asked(shape.name())) {
        for (name, size) in sizes(SIZES) {
            all(shape, &name, size, beside)?;
        }
    }
    for folder in ["bytecode", "spirv_dialect"].into_iter().filter(|folder| is_asked(folder)) {
        largest(folder, beside)?;
    }
    Ok(())
}
