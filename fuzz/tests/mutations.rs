//! Real files, cut and changed at random: no panic, no overflow, nothing slow, memory within bounds, and what is still a
//! file is written and read back as it is.
//!
//! `MLIRBC_MUTATIONS` says how many changed files are tried of each format, `MLIRBC_SEED` which. One test, since it counts
//! the memory of the whole process.

use std::time::{Duration, Instant};

use mlirbc_fuzz::{Outcome, Random, Seed, Target, bytecode_files, files_below, keep, number_of, target};
use mlirbc_testing::{corpus, env_number, shared, times};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What the whole process may take, with all files in memory.
const PROCESS: usize = 256 << 20;

/// Keeps the input that made the test fail.
struct Witness<'a> {
    what: &'a str,
    bytes: &'a [u8],
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: the input is kept in {}", self.what, keep("mutation", self.bytes));
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    /// Read, but refused when written.
    unwritable: usize,
    /// The most memory that one input took, and its length.
    largest: (usize, usize),
    slowest: Duration,
}

impl Tally {
    fn total(&self) -> usize {
        self.accepted + self.refused + self.unwritable
    }

    fn try_one(&mut self, target: &Target, what: &str, bytes: &[u8]) {
        let _witness = Witness { what, bytes };
        MEMORY.reset_peak_usage();
        let (before, start) = (MEMORY.current_usage(), Instant::now());
        let outcome = (target.run)(bytes);
        let (peak, time) = (MEMORY.peak_usage().saturating_sub(before), start.elapsed());
        assert!(peak <= (64 << 20) + 8 * bytes.len(), "{what}: {peak} bytes of memory for {}", bytes.len());
        assert!(MEMORY.peak_usage() <= PROCESS, "{what}: {} bytes in the process", MEMORY.peak_usage());
        // A build that checks everything, on a machine that does other things, is given more time.
        let most = if cfg!(debug_assertions) { 20 } else { 1 };
        assert!(time <= Duration::from_secs(most), "{what}: {time:?}");
        match outcome {
            Outcome::Accepted => self.accepted += 1,
            Outcome::Refused => self.refused += 1,
            Outcome::Unwritable => self.unwritable += 1,
        }
        self.largest = self.largest.max((peak, bytes.len()));
        self.slowest = self.slowest.max(time);
    }
}

/// Runs on a thread with a stack of 2 MiB.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).expect("a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Of each file some inputs are taken and others refused, or what has to hold of either would be seen of none: gives the names
/// of those of which none is taken, and of which none is refused.
fn one_sided(target: &Target, files: &[Seed]) -> (Vec<String>, Vec<String>) {
    const TURNS: u64 = 64;
    let (mut refused, mut taken) = (Vec::new(), Vec::new());
    for (name, file) in files {
        let mut tally = Tally::default();
        for turn in 0..TURNS {
            // By the name: the same whatever other files there are.
            let mut random = Random::new(number_of(name.as_bytes()) ^ turn);
            let bytes = (target.mutate)(&mut random, file, file);
            tally.try_one(target, &format!("change {turn} of {name}"), &bytes);
            if tally.accepted > 0 && tally.refused > 0 {
                break;
            }
        }
        if tally.accepted == 0 {
            refused.push(name.clone());
        }
        if tally.refused == 0 {
            taken.push(name.clone());
        }
    }
    (refused, taken)
}

/// So many inputs made of these files.
fn mutations(target: &Target, files: &[Seed]) -> Tally {
    let (count, seed) = (times("MLIRBC_MUTATIONS", 3_000) as usize, env_number("MLIRBC_SEED").unwrap_or(1));
    let mut changed = Tally::default();
    for turn in 0..count {
        // Each input can be made again without those before it.
        let mut random = Random::new(seed << 32 | turn as u64);
        let (at, other) = (random.below(files.len()), random.below(files.len()));
        let bytes = (target.mutate)(&mut random, &files[at].1, &files[other].1);
        changed.try_one(target, &format!("mutation {turn} of seed {seed}, of {}", files[at].0), &bytes);
    }
    assert_eq!(changed.total(), count);
    changed
}

fn bytecode() {
    let mut paths = bytecode_files();
    assert!(paths.len() >= 20, "{} fixtures", paths.len());
    let own = paths.len();
    for folder in ["bytecode", "codes", "stablehlo"] {
        let what = format!("files of corpus/{folder} were neither cut nor changed");
        paths.extend(corpus(folder, &what).unwrap_or_default());
    }
    let name = |path: &std::path::PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files: Vec<Seed> = paths.iter().map(|path| (name(path), std::fs::read(path).expect("a file"))).collect();
    let target = target("bytecode_roundtrip").expect("a target");

    let mut whole = Tally::default();
    for (name, file) in &files {
        whole.try_one(target, name, file);
    }
    assert_eq!(whole.unwritable, 0, "{whole:?}");
    assert_eq!(whole.refused, 0, "{whole:?}");

    // Twenty files, of those that are small enough to be read once for each of their bytes.
    let short: Vec<usize> = (0..files.len()).filter(|&at| files[at].1.len() < 4_000).collect();
    let (few, many): (Vec<usize>, Vec<usize>) = short.iter().partition(|&&at| at < own);
    let step = (many.len() / 10).max(1);
    let chosen: Vec<usize> = match many.is_empty() {
        true => few.into_iter().take(20).collect(),
        false => few.into_iter().take(10).chain(many.into_iter().step_by(step).take(10)).collect(),
    };
    assert_eq!(chosen.len(), 20);
    let mut cut = Tally::default();
    for &at in &chosen {
        let (name, file) = &files[at];
        for end in 0..file.len() {
            cut.try_one(target, &format!("the first {end} bytes of {name}"), &file[..end]);
        }
    }
    assert_eq!((cut.accepted, cut.unwritable), (0, 0), "{cut:?}");
    assert!(cut.refused > 8_000, "{cut:?}");

    let changed = mutations(target, &files);
    println!("bytecode, whole: {whole:?}\ncut: {cut:?}\nchanged: {changed:?}");
    assert_eq!(one_sided(target, &files[..own]), (Vec::new(), Vec::new()));
}

fn spirv() {
    let target = target("spirv_read").expect("a target");
    let mut files = (target.seeds)();
    let own = files.len();
    if let Some(shared) = shared("modules of corpus/spirv were not changed") {
        files.extend(files_below(&shared.join("corpus/spirv"), "spv"));
        assert!(files.len() >= 400, "{} modules", files.len());
    }
    let mut whole = Tally::default();
    for (name, file) in &files {
        whole.try_one(target, name, file);
    }
    assert_eq!(whole.accepted, files.len(), "{whole:?}");
    let changed = mutations(target, &files);
    println!("spirv, whole: {whole:?}\nchanged: {changed:?}");
    assert_eq!(one_sided(target, &files[..own]), (Vec::new(), Vec::new()));
}

#[test]
fn prefixes_and_mutations() {
    on_a_small_stack(bytecode);
    on_a_small_stack(spirv);
}
