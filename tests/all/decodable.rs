//! Files changed at random: what verifies can be printed and written, all of it.
//!
//! `MLIRBC_DECODABLE_MUTANTS=200000` makes so many; far fewer are made by default.

use std::path::PathBuf;

use mlirbc::bytecode::{WriteOptions, decode_all, read, write};
use mlirbc::ir::verify::verify_module;
use mlirbc::spirv::SpirvForm;
use mlirbc::text::{PrintOptions, print_module};
use mlirbc::{Context, Module, Result};
use mlirbc_testing::{Numbers, corpus, env_number, fixtures};

fn context() -> Context {
    let context = Context::new();
    mlirbc::spirv::register(&context).expect("the dialects of SPIR-V");
    context
}

/// Changes one to three bytes: most others make no file.
fn mutate(bytes: &mut [u8], numbers: &mut Numbers) {
    for _ in 0..1 + numbers.below(3) {
        let at = numbers.below(bytes.len());
        bytes[at] = match numbers.below(4) {
            0 => bytes[at] ^ 1 << numbers.below(8),
            // The next or the last number, reference or count.
            1 => bytes[at].wrapping_add(2),
            2 => bytes[at].wrapping_sub(2),
            _ => bytes[numbers.below(bytes.len())],
        };
    }
}

/// The module, where `verify` has nothing to say against it.
fn verified(bytes: Vec<u8>) -> Option<Module> {
    let module = match mlirbc::spirv::is_spirv(&bytes) {
        true => mlirbc::spirv::read_as(&context(), bytes, SpirvForm::Binary).ok()?,
        false => read(&context(), bytes).ok()?,
    };
    decode_all(&module).ok()?;
    let mut wrong = 0;
    verify_module(&module, &mut |_| wrong += 1).ok()?;
    (wrong == 0).then_some(module)
}

fn shown(module: &Module) -> Result<()> {
    for generic in [true, false] {
        print_module(module, &PrintOptions::new().generic(generic).locations(true), &mut std::io::sink())?;
    }
    write(module, &WriteOptions::like(module)).map(drop)
}

#[test]
fn what_verifies_is_printed_and_written() {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in [fixtures(), fixtures().join("versions")] {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let files = entries.map(|entry| entry.expect("an entry").path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc")));
    }
    assert!(paths.len() >= 20, "{} fixtures", paths.len());
    for folder in ["bytecode", "spirv_dialect", "codes", "stablehlo"] {
        paths.extend(corpus(folder, "changed files of the corpus").unwrap_or_default());
    }
    paths.sort();
    let mut files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a file")).collect();
    // Half of all are shaders: their words, and both forms in the encodings that mlir-opt does not know.
    let shaders = files.len();
    let folder = std::fs::read_dir(fixtures().join("spirv")).expect("the folder of shaders");
    for path in folder.map(|entry| entry.expect("an entry").path()) {
        if path.extension().is_none_or(|extension| extension != "spv") {
            continue;
        }
        for form in [SpirvForm::Binary, SpirvForm::Dialect] {
            let bytes = std::fs::read(&path).expect("a shader");
            let Ok(module) = mlirbc::spirv::read_as(&context(), bytes, form) else { continue };
            files.push(write(&module, &WriteOptions::default()).expect("bytecode"));
            paths.push(path.clone());
        }
        files.push(std::fs::read(&path).expect("a shader"));
        paths.push(path);
    }
    let mutants = env_number("MLIRBC_DECODABLE_MUTANTS").unwrap_or(1_000);
    let run = move |seeds: std::ops::Range<u64>| {
        let mut valid = 0;
        let mut failures = Vec::new();
        for seed in seeds {
            let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ (seed << 20) ^ seed);
            numbers.below(2);
            let file = match seed % 2 {
                0 => shaders + numbers.below(files.len() - shaders),
                _ => numbers.below(shaders),
            };
            let mut bytes = files[file].clone();
            mutate(&mut bytes, &mut numbers);
            let Some(module) = verified(bytes.clone()) else { continue };
            valid += 1;
            if let Err(error) = shown(&module) {
                failures.push((file, seed, error.to_string()));
            }
        }
        (valid, failures)
    };
    let halves = [0..mutants / 2, mutants / 2..mutants].map(|seeds| {
        let run = run.clone();
        std::thread::spawn(move || run(seeds))
    });
    let (mut valid, mut failures) = (0, Vec::new());
    for half in halves {
        let (some_valid, some_failures) = half.join().expect("no panic");
        valid += some_valid;
        failures.extend(some_failures);
    }
    for (file, seed, error) in failures.iter().take(200) {
        eprintln!("{} (seed {seed}): {error}", paths[*file].display());
    }
    assert!(failures.is_empty(), "{} of {valid} that verify cannot be shown", failures.len());
    assert!(valid >= mutants / 20, "{valid} of {mutants} verify");
}
