//! Every target over its seeds, over what once broke it, and over a few thousand inputs made of these.
//!
//! `MLIRBC_CASES` says how many inputs are made for each target, `MLIRBC_SEED` which, `MLIRBC_TARGET` for which target alone.

use std::path::Path;

use mlirbc_fuzz::{Outcome, Random, TARGETS, Target, files_below, findings};
use mlirbc_testing::{corpus, fixtures, shared};

fn number(name: &str, default: u64) -> u64 {
    let Ok(value) = std::env::var(name) else { return default };
    value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}"))
}

/// Keeps the input that made a test fail.
struct Witness<'a>(&'a str, &'a Target, &'a [u8]);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = std::env::temp_dir().join(format!("mlirbc-{}", self.1.name));
            let kept =
                std::fs::write(&path, self.2).map_or_else(|error| error.to_string(), |()| path.display().to_string());
            eprintln!("{}, {}: the input is kept in {kept}", self.1.name, self.0);
        }
    }
}

fn try_one(target: &Target, what: &str, bytes: &[u8]) -> Outcome {
    let _witness = Witness(what, target, bytes);
    (target.run)(bytes)
}

/// Runs on a thread with a stack of 2 MiB.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Seeds, and inputs made of them. Few of the seeds may be refused; of the others a share must get through, else the oracle
/// would have nothing to say.
fn run(name: &str, least_accepted: usize) {
    if std::env::var("MLIRBC_TARGET").is_ok_and(|only| only != name) {
        return;
    }
    let target = mlirbc_fuzz::target(name).unwrap_or_else(|| panic!("no target {name}"));
    on_a_small_stack(|| {
        let mut seeds = (target.seeds)();
        if name.starts_with("bytecode_r") {
            let files = corpus("bytecode", "files of corpus/bytecode for the fuzz targets").unwrap_or_default();
            let read = |path: &std::path::PathBuf| {
                (path.display().to_string(), std::fs::read(path).expect("a file of the corpus"))
            };
            seeds.extend(files.iter().step_by(8).map(read));
        }
        if name.starts_with("spirv_r")
            && let Some(shared) = shared("modules of corpus/spirv for the fuzz targets")
        {
            let mut files = files_below(&shared.join("corpus/spirv"), "spv");
            assert!(files.len() > 100, "{} modules in the corpus", files.len());
            files.retain(|file| file.1.len() < 20_000);
            seeds.extend(files.into_iter().step_by(4));
        }
        assert!(!seeds.is_empty(), "{name} has no seeds");
        let mut refused = 0;
        for (what, bytes) in &seeds {
            refused += usize::from(try_one(target, what, bytes) == Outcome::Refused);
        }
        assert!(refused * 5 <= seeds.len(), "{name}: {refused} of {} seeds are refused", seeds.len());
        for (what, bytes) in findings(name) {
            try_one(target, &what, &bytes);
        }
        let (count, seed) = (number("MLIRBC_CASES", 1_500) as usize, number("MLIRBC_SEED", 1));
        let mut accepted = 0;
        for turn in 0..count {
            let mut random = Random::new(seed << 32 | turn as u64);
            let (at, other) = (random.below(seeds.len()), random.below(seeds.len()));
            let bytes = (target.mutate)(&mut random, &seeds[at].1, &seeds[other].1);
            let what = format!("case {turn} of seed {seed}, of {}", seeds[at].0);
            accepted += usize::from(try_one(target, &what, &bytes) != Outcome::Refused);
        }
        println!("{name}: {} seeds, {accepted} of {count} inputs accepted", seeds.len());
        assert!(count < 500 || accepted * 100 >= least_accepted * count, "{name}: {accepted} of {count} accepted");
    });
}

#[test]
fn attribute_text() {
    run("attribute_text", 5);
}

#[test]
fn bytecode_read() {
    run("bytecode_read", 10);
}

#[test]
fn bytecode_roundtrip() {
    run("bytecode_roundtrip", 10);
}

#[test]
fn bytecode_structured() {
    run("bytecode_structured", 60);
}

#[test]
fn ods_import() {
    run("ods_import", 1);
}

#[test]
fn spirv_raise() {
    run("spirv_raise", 3);
}

#[test]
fn spirv_read() {
    run("spirv_read", 5);
}

#[test]
fn spirv_structured() {
    run("spirv_structured", 60);
}

#[test]
fn store_records() {
    run("store_records", 30);
}

#[test]
fn text_parse() {
    run("text_parse", 1);
}

/// Every file of `fuzz_targets` is a target that this file runs, and the other way around.
#[test]
fn no_target_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder of targets")
        .map(|entry| entry.expect("an entry").path().file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(files, names);
    let manifest = include_str!("../Cargo.toml");
    let this = include_str!("targets.rs");
    for name in names {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not in Cargo.toml");
        assert!(this.contains(&format!("run(\"{name}\",")), "{name} is not run by this file");
    }
    // Every folder of findings belongs to a target.
    if let Ok(entries) = std::fs::read_dir(fixtures().join("findings")) {
        for entry in entries {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(name.ends_with(".md") || mlirbc_fuzz::target(&name).is_some(), "no target {name}");
        }
    }
}
