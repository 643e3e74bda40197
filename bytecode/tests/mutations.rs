//! Real files, cut and changed at random: no panic, no overflow, memory within bounds, and what is still a file is
//! written and read back as it is.
//!
//! `MLIRBC_MUTATIONS` says how many changed files are tried, `MLIRBC_SEED` which. One test, since it counts the memory of
//! the whole process.

mod common;

use std::path::{Path, PathBuf};

use common::*;
use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::text::{PrintOptions, print_module};
use mlirbc_ir::{Context, ErrorKind};
use mlirbc_testing::{corpus, fixtures};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn number(name: &str, default: u64) -> u64 {
    let Ok(value) = std::env::var(name) else { return default };
    value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}"))
}

/// Every bytecode file below a folder, in a fixed order.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlirbc") {
            found.push(path);
        }
    }
}

/// Keeps the input that made the test fail.
struct Witness<'a> {
    what: &'a str,
    bytes: &'a [u8],
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let path = std::env::temp_dir().join("mlirbc-mutation.mlirbc");
            let kept = std::fs::write(&path, self.bytes)
                .map_or_else(|error| error.to_string(), |()| path.display().to_string());
            eprintln!("{}: the input is kept in {kept}", self.what);
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    /// Inputs that were read, and written back.
    written: usize,
    refused: usize,
    /// Read, but refused when written.
    not_written: usize,
    worst: (usize, usize),
}

impl Tally {
    fn total(&self) -> usize {
        self.written + self.refused + self.not_written
    }

    fn try_one(&mut self, what: &str, bytes: &[u8]) {
        let witness = Witness { what, bytes };
        let input = bytes.to_vec();
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        self.read(what, input);
        let peak = MEMORY.peak_usage().saturating_sub(before);
        assert!(peak <= (64 << 20) + 8 * bytes.len(), "{what}: {peak} bytes of memory for {}", bytes.len());
        self.worst = self.worst.max((peak, bytes.len()));
        drop(witness);
    }

    fn read(&mut self, what: &str, bytes: Vec<u8>) {
        let length = bytes.len() as u64;
        let loaded = read(&Context::new(), bytes).and_then(|module| decode_all(&module).map(|()| module));
        let module = match loaded {
            Ok(module) => module,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Malformed, "{what}: {error}");
                assert!(error.place().offset.is_some_and(|offset| offset <= length), "{what}: no place: {error}");
                assert!(!error.what_was_read().is_empty(), "{what}: {error}");
                assert!(error.to_string().len() < 2_000, "{what}: {error}");
                self.refused += 1;
                return;
            }
        };
        let printed = |module| {
            let mut text = Vec::new();
            let printed = print_module(module, &PrintOptions::new().locations(true), &mut text);
            printed.map(|()| String::from_utf8_lossy(&text).into_owned())
        };
        let text = printed(&module);
        let written = match write(&module, &WriteOptions::like(&module)) {
            Ok(written) => written,
            Err(error) => {
                // Not the properties that the operation's definition asks for: to be found by verifying it.
                let unfit = error.message().contains(" in the properties of ");
                assert!(unfit, "{what}: read, and cannot be written: {error}");
                self.not_written += 1;
                return;
            }
        };
        let again = load(&written).unwrap_or_else(|error| panic!("{what}: what was written cannot be read: {error}"));
        if let (Ok(text), Ok(again)) = (text, printed(&again)) {
            assert!(same(&text, &again), "{what}: the text is another once it has been written and read");
        }
        let rewritten = write(&again, &WriteOptions::like(&again));
        let rewritten = rewritten.unwrap_or_else(|error| panic!("{what}: cannot be written again: {error}"));
        assert!(rewritten == written, "{what}: writing again gives other bytes");
        self.written += 1;
    }
}

/// Whether two texts say the same. A writer puts resources in the order in which attributes refer to them, and leaves out
/// those that nothing refers to, as MLIR does.
fn same(text: &str, again: &str) -> bool {
    let split = |text: &str| match text.split_once("\n{-#\n") {
        Some((operations, resources)) => (operations.to_owned(), resources.lines().map(entry).collect()),
        None => (text.to_owned(), Vec::new()),
    };
    fn entry(line: &str) -> String {
        line.trim().trim_end_matches(',').to_owned()
    }
    let ((operations, resources), (operations_again, resources_again)) = (split(text), split(again));
    let refers = |line: &str| {
        line.split_once(": \"").is_some_and(|(key, _)| operations.contains(&format!("dense_resource<{key}>")))
    };
    operations.trim_end() == operations_again.trim_end()
        && resources_again.iter().all(|line| resources.contains(line))
        && resources.iter().all(|line| resources_again.contains(line) || !refers(line))
}

/// Changes a file in one to eight places. Most changes keep its length, since a file of another length is refused early.
fn mutate(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let times = [1, 1, 1, 2, 2, 3, 5, 8][random.below(8)];
    for _ in 0..times {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(16) {
            0..4 => bytes[at] ^= 1 << random.below(8),
            // The next or the last number, reference or count.
            4..7 => bytes[at] = bytes[at].wrapping_add(2),
            7..9 => bytes[at] = bytes[at].wrapping_sub(2),
            9 => bytes[at] = random.next() as u8,
            10 => bytes[at] = [0, 1, 3, 0x7f, 0x80, 0xff][random.below(6)],
            11 => {
                // Bytes of another place, or of another file.
                let from = if random.below(2) == 0 { other } else { file };
                let length = 1 + random.below(16);
                let start = random.below(from.len());
                let end = from.len().min(start + length);
                let length = (end - start).min(bytes.len() - at);
                bytes[at..at + length].copy_from_slice(&from[start..start + length]);
            }
            12 => {
                let to = random.below(bytes.len());
                bytes.swap(at, to);
            }
            13 => {
                bytes.remove(at);
                let to = random.below(bytes.len() + 1);
                bytes.insert(to, random.next() as u8);
            }
            14 => {
                let end = bytes.len().min(at + 1 + random.below(4));
                bytes.drain(at..end);
            }
            _ => {
                let huge: Vec<u8> = out().v(u64::MAX >> random.below(64)).0;
                bytes.splice(at..at + 1, huge);
            }
        }
    }
    bytes
}

#[test]
fn prefixes_and_mutations() {
    let mut paths = Vec::new();
    files_below(&fixtures(), &mut paths);
    assert!(paths.len() >= 20, "{} fixtures", paths.len());
    let own = paths.len();
    for folder in ["bytecode", "codes", "stablehlo"] {
        let what = format!("files of corpus/{folder} were neither cut nor changed");
        paths.extend(corpus(folder, &what).unwrap_or_default());
    }
    let files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a file")).collect();
    let name = |at: usize| paths[at].file_name().unwrap_or_default().to_string_lossy().into_owned();

    on_a_small_stack(|| {
        let mut whole = Tally::default();
        for (at, file) in files.iter().enumerate() {
            whole.try_one(&name(at), file);
        }
        assert_eq!(whole.not_written, 0, "{whole:?}");
        // Two fixtures are there to be refused, see their README.
        assert!(whole.refused <= 2, "{whole:?}");

        // Twenty files, of those that are small enough to be read once for each of their bytes.
        let short: Vec<usize> = (0..files.len()).filter(|&at| files[at].len() < 4_000).collect();
        let (few, many): (Vec<usize>, Vec<usize>) = short.iter().partition(|&&at| at < own);
        let step = (many.len() / 10).max(1);
        let chosen: Vec<usize> = match many.is_empty() {
            true => few.into_iter().take(20).collect(),
            false => few.into_iter().take(10).chain(many.into_iter().step_by(step).take(10)).collect(),
        };
        assert_eq!(chosen.len(), 20);
        let mut cut = Tally::default();
        for &at in &chosen {
            for end in 0..files[at].len() {
                cut.try_one(&format!("the first {end} bytes of {}", name(at)), &files[at][..end]);
            }
        }
        assert_eq!((cut.written, cut.not_written), (0, 0), "{cut:?}");
        assert!(cut.refused > 8_000, "{cut:?}");

        let count = number("MLIRBC_MUTATIONS", 4_000) as usize;
        let seed = number("MLIRBC_SEED", 1);
        let mut changed = Tally::default();
        for turn in 0..count {
            // Each input can be made again without those before it.
            let mut random = Random::new(seed << 32 | turn as u64);
            random.next();
            let (at, other) = (random.below(files.len()), random.below(files.len()));
            let bytes = mutate(&mut random, &files[at], &files[other]);
            changed.try_one(&format!("mutation {turn} of seed {seed}, of {}", name(at)), &bytes);
        }
        println!("whole: {whole:?}\ncut: {cut:?}\nchanged: {changed:?}");
        assert_eq!(changed.total(), count);
        if count >= 1_000 {
            assert!(changed.written * 20 > count && changed.refused * 3 > count, "{changed:?}");
            assert!(changed.not_written * 50 < count, "{changed:?}");
        }
    });
}
