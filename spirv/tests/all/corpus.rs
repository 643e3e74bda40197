//! Every module of the reference corpus comes back, by every way.

use std::path::PathBuf;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{CompareOptions, Module, compare};
use mlirbc_spirv::{DIALECT, read, register, write};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// The modules of the corpus; none, with a word on standard error, where there is no corpus.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(shared) = mlirbc_testing::shared("modules of corpus/spirv were not sent through") else {
        return Vec::new();
    };
    let folder = shared.join("corpus/spirv");
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    assert_eq!(paths.len(), 413, "modules in {}", folder.display());
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("a module"))).collect()
}

fn upstream() -> WriteOptions {
    WriteOptions::new().unregistered([DIALECT])
}

fn text(module: &Module) -> Vec<u8> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new(), &mut text).expect("text");
    text
}

#[test]
fn straight_back() {
    for (path, bytes) in corpus() {
        let module = read(&mlirbc_testing::context(), bytes.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let back = write(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(back == bytes, "{}", path.display());
    }
}

#[test]
fn through_bytecode() {
    let (mut before, mut after, mut large_before, mut large_after) = (0, 0, 0, 0);
    for (path, bytes) in corpus() {
        let context = mlirbc_testing::context();
        let module = read(&context, bytes.clone()).expect("a module");
        for options in [WriteOptions::default(), upstream(), WriteOptions::new().version(4)] {
            let file =
                mlirbc_bytecode::write(&module, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if options.unregistered.is_empty() && options.version == 6 {
                (before, after) = (before + bytes.len(), after + file.len());
                if bytes.len() > 8192 {
                    (large_before, large_after) = (large_before + bytes.len(), large_after + file.len());
                }
            }
            let again = mlirbc_testing::context();
            register(&again).expect("the dialect");
            let module = mlirbc_bytecode::read(&again, file).expect("bytecode");
            let back = write(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(back == bytes, "{}", path.display());
        }
    }
    if before > 0 {
        let (all, large) = (after as f64 / before as f64, large_after as f64 / large_before as f64);
        eprintln!("bytecode takes {all:.4} of the bytes of all modules, {large:.4} of those over 8 KB");
        assert!(all <= 0.9 && large <= 0.75, "{all} {large}");
    }
}

#[test]
fn through_text() {
    for (path, bytes) in corpus() {
        let context = mlirbc_testing::context();
        let module = read(&context, bytes.clone()).expect("a module");
        let printed = text(&module);
        let parsed = parse_module(&context, &printed, &ParseOptions::new())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(write(&parsed).expect("words") == bytes, "{}", path.display());
        let differences = compare(&module, &parsed, &CompareOptions::new()).expect("both are sound");
        assert!(differences.is_empty(), "{}: {differences:?}", path.display());
        let file = mlirbc_bytecode::write(&module, &WriteOptions::default()).expect("bytecode");
        let reread = mlirbc_bytecode::read(&context, file).expect("bytecode");
        let differences = compare(&module, &reread, &CompareOptions::new()).expect("both are sound");
        assert!(differences.is_empty(), "{}: {differences:?}", path.display());
    }
}

/// What reads without error writes back to the same bytes, straight and through bytecode.
fn holds(bytes: &[u8], through_bytecode: bool) -> bool {
    let context = mlirbc_testing::context();
    let Ok(module) = read(&context, bytes.to_vec()) else { return false };
    assert!(write(&module).expect("what was read is written") == bytes);
    if through_bytecode {
        let file = mlirbc_bytecode::write(&module, &WriteOptions::default()).expect("bytecode");
        let module = mlirbc_bytecode::read(&context, file).expect("bytecode");
        assert!(write(&module).expect("what was read is written") == bytes);
    }
    true
}

/// A number that looks random: xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 16) as usize
}

#[test]
fn prefixes() {
    let (mut read, mut refused) = (0, 0);
    let mut corpus = corpus();
    corpus.sort_by_key(|module| module.1.len());
    for (path, bytes) in corpus.iter().step_by(4).take(100) {
        for end in (0..bytes.len()).step_by(4) {
            match holds(&bytes[..end], end % 64 == 0) {
                true => read += 1,
                false => refused += 1,
            }
        }
        assert!(!holds(&bytes[..bytes.len() - 1], false), "{}", path.display());
    }
    eprintln!("{read} prefixes read, {refused} refused");
    assert!(corpus.is_empty() || read > 1000 && refused > 1000);
}

#[test]
fn bit_flips() {
    let mut corpus = corpus();
    if corpus.is_empty() {
        return;
    }
    corpus.retain(|module| module.1.len() <= 8192);
    let (mut state, mut read) = (0x9e37_79b9_7f4a_7c15, 0);
    for at in 0..100_000 {
        let bytes = &corpus[next(&mut state) % corpus.len()].1;
        let mut flipped = bytes.to_vec();
        for _ in 0..1 + at % 3 {
            let bit = next(&mut state) % (8 * flipped.len());
            flipped[bit / 8] ^= 1 << (bit % 8);
        }
        read += usize::from(holds(&flipped, at % 8 == 0));
    }
    eprintln!("{read} of 100,000 flipped modules read");
    assert!(read > 10_000, "{read}");
}

#[test]
fn big_endian() {
    for (path, mut bytes) in corpus() {
        bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
        assert!(holds(&bytes, true), "{}", path.display());
    }
}
