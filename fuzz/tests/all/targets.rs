//! Every target over its seeds, over what once broke it, and over a few thousand inputs made of these.
//!
//! `MLIRBC_CASES` says how many inputs are made for each target, `MLIRBC_SEED` which, `MLIRBC_TARGET` for which target alone.

use std::panic::catch_unwind;
use std::path::Path;

use mlirbc_fuzz::{
    Outcome, Random, TARGETS, Target, choose, files_below, findings, keep, mutate_bytes, mutate_spirv, number_of,
};
use mlirbc_testing::{corpus, env_number, fixtures, shared, times};

/// What was tried of one target. An input that breaks it is kept, and the others are tried all the same.
struct Tries {
    target: &'static Target,
    broken: Vec<String>,
}

impl Tries {
    fn one(&mut self, what: &str, bytes: &[u8]) -> Option<Outcome> {
        let outcome = catch_unwind(|| (self.target.run)(bytes));
        if outcome.is_err() {
            let kept = keep(self.target.name, bytes);
            self.broken.push(format!("{what}: the input is kept in {kept}"));
            assert!(self.broken.len() < 20, "enough is broken:\n{}", self.broken.join("\n"));
        }
        outcome.ok()
    }
}

/// Runs on a thread with a stack of 2 MiB.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Seeds, of which those named are refused, what once broke the target, and inputs made of the seeds, of which a tenth at least
/// must be taken.
fn run(name: &str, refused_seeds: &[&str]) {
    if std::env::var("MLIRBC_TARGET").is_ok_and(|only| only != name) {
        return;
    }
    let target = mlirbc_fuzz::target(name).unwrap_or_else(|| panic!("no target {name}"));
    on_a_small_stack(|| {
        let mut seeds = (target.seeds)();
        if name.starts_with("bytecode_r") {
            let files = corpus("bytecode", "files of corpus/bytecode for the fuzz targets").unwrap_or_default();
            let read = |path: &std::path::PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (name, std::fs::read(path).expect("a file of the corpus"))
            };
            seeds.extend(files.iter().step_by(8).map(read));
        }
        if name == "vhlo_read" {
            let files = corpus("stablehlo_artifacts", "artifacts for the fuzz target").unwrap_or_default();
            let read = |path: &std::path::PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (name, std::fs::read(path).expect("a file of the corpus"))
            };
            seeds.extend(files.iter().map(read));
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
        let mut tries = Tries { target, broken: Vec::new() };
        let refused: Vec<&str> = seeds
            .iter()
            .filter(|(what, bytes)| tries.one(what, bytes) == Some(Outcome::Refused))
            .map(|(what, _)| what.as_str())
            .collect();
        assert_eq!(refused, refused_seeds, "seeds of {name} that are refused");
        for (what, bytes) in findings(name) {
            tries.one(&what, &bytes);
        }
        let (count, seed) = (times("MLIRBC_CASES", 1_500) as usize, env_number("MLIRBC_SEED").unwrap_or(1));
        let (mut accepted, mut changed) = (0, 0);
        // By their names: one seed more does not change the inputs that are made of others.
        let numbers: Vec<u64> = seeds.iter().map(|(name, _)| number_of(name.as_bytes())).collect();
        for turn in 0..count as u64 {
            let mut random = Random::new(seed << 32 | turn);
            let (at, other) = (choose(&numbers, random.next()), choose(&numbers, random.next()));
            let Some(bytes) = target.change(&mut random, &seeds[at].1, &seeds[other].1) else { continue };
            let what = format!("case {turn} of seed {seed}, of {}", seeds[at].0);
            changed += 1;
            accepted += usize::from(tries.one(&what, &bytes) == Some(Outcome::Accepted));
        }
        println!("{name}: {} seeds, {accepted} of {changed} changed inputs accepted", seeds.len());
        assert!(tries.broken.is_empty(), "{}", tries.broken.join("\n"));
        // Else the oracle would have nothing to say.
        let enough = changed * 10 >= count * 9 && accepted * 10 >= changed;
        assert!(count < 300 || enough, "{accepted} of {changed} accepted, of {count}");
    });
}

#[test]
fn attribute_text() {
    run("attribute_text", &[]);
}

#[test]
fn bytecode_patch() {
    run("bytecode_patch", &[]);
}

#[test]
fn bytecode_read() {
    run("bytecode_read", &[]);
}

#[test]
fn bytecode_roundtrip() {
    run("bytecode_roundtrip", &[]);
}

#[test]
fn bytecode_structured() {
    run("bytecode_structured", &["000", "013", "020", "050"]);
}

#[test]
fn into_spirv() {
    run("into_spirv", &[]);
}

#[test]
fn ods_import() {
    run("ods_import", &[]);
}

#[test]
fn rewrite() {
    run("rewrite", &[]);
}

#[test]
fn spirv_link() {
    run("spirv_link", &["findings-spirv_raise-selection_before_its_header.spv"]);
}

#[test]
fn spirv_passes() {
    run("spirv_passes", &["findings-spirv_raise-selection_before_its_header.spv"]);
}

#[test]
fn spirv_raise() {
    run("spirv_raise", &["findings-spirv_raise-selection_before_its_header.spv"]);
}

#[test]
fn spirv_read() {
    run("spirv_read", &[]);
}

#[test]
fn spirv_structured() {
    run("spirv_structured", &["038", "061"]);
}

#[test]
fn spirv_to_llvm() {
    run("spirv_to_llvm", &["findings-spirv_raise-selection_before_its_header.spv"]);
}

#[test]
fn stablehlo_text() {
    run("stablehlo_text", &[]);
}

#[test]
fn store_records() {
    run("store_records", &[]);
}

#[test]
fn text_parse() {
    run("text_parse", &[]);
}

/// What changes inputs takes what it has changed before, and what is no input at all: the engine gives it both.
#[test]
fn changes_of_changes_are_made() {
    const TURNS: u64 = 300;
    for target in TARGETS {
        let seeds = (target.seeds)();
        let (mut bytes, mut other) = (Vec::new(), Vec::new());
        for turn in 0..TURNS {
            let mut random = Random::new(turn);
            if turn % 10 == 0 {
                bytes.clone_from(&seeds[random.below(seeds.len())].1);
                other.clone_from(&seeds[random.below(seeds.len())].1);
            }
            bytes = (target.mutate)(&mut random, &bytes, &other);
            if turn % 3 == 0 {
                // As the engine does of its own, whatever the bytes are.
                bytes = mutate_bytes(&mut random, &bytes, &other);
            }
        }
    }
}

/// The same of instructions that are cut off behind any of their words, with another one that has a result.
#[test]
fn instructions_that_are_cut_off_are_changed() {
    const HEADER: [u32; 5] = [0x0723_0203, 0x0001_0600, 0, 100, 0];
    const OP_TYPE_VOID: u32 = 19;
    for opcode in (0..450).chain(4_400..4_500).chain(5_000..5_400) {
        for length in 1..5 {
            let mut words = HEADER.to_vec();
            words.extend([2 << 16 | OP_TYPE_VOID, 1, length << 16 | opcode]);
            words.extend((1..length).map(|at| at % 2));
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            for turn in 0..8 {
                mutate_spirv(&mut Random::new(turn), &bytes, &bytes);
            }
        }
    }
}

#[test]
fn one_seed_more_leaves_the_choices_of_others() {
    let numbers: Vec<u64> = (0..100_u32).map(|at| number_of(&at.to_le_bytes())).collect();
    let (mut before, mut after) = ([0; 100], [0; 101]);
    for turn in 0..10_000 {
        let (one, other) = (choose(&numbers[..99], turn), choose(&numbers, turn));
        assert!(other == one || other == 99, "{one} became {other}");
        before[one] += 1;
        after[other] += 1;
    }
    assert_eq!((before[99], after[100]), (0, 0));
    assert!(after[..100].iter().all(|&times| times > 40), "{after:?}");
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
    let manifest = include_str!("../../Cargo.toml");
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

#[test]
fn vhlo_read() {
    run("vhlo_read", &[]);
}
