//! The store against a map, with a fault at every operation of the disk in turn, and a reopen after each.
//!
//! `MLIRBC_STORE_OPERATIONS=100000 cargo test --release -p mlirbc-store --test all model::` is the full length.

use crate::common;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use common::{Fault, Faulty, Numbers, folder, key, scale, value};
use mlirbc_store::{Durability, Options, Store};

const KEYS: u64 = 150;

/// What may be found of one key.
#[derive(Clone, Debug, Default)]
struct Expected {
    /// What was acknowledged last; `None` where that is nothing.
    value: Option<Vec<u8>>,
    /// What else may be there, of operations that failed.
    maybe: Vec<Option<Vec<u8>>>,
    /// Whether eviction may have taken it.
    evictable: bool,
}

struct Run {
    numbers: Numbers,
    model: HashMap<u64, Expected>,
    version: u64,
    evicts: bool,
    /// Whether keys have equal content now and then.
    equal: bool,
    faults: u64,
    gets: u64,
    hits: u64,
    /// Operations that failed as the disk was full.
    refused: u64,
}

impl Run {
    fn length(&mut self) -> usize {
        match self.numbers.below(100) {
            0 => 70_000 + self.numbers.below(60_000) as usize,
            1..8 => 5_000 + self.numbers.below(10_000) as usize,
            _ => self.numbers.below(2_000) as usize,
        }
    }

    /// What is found has to be something that may be there. Then that is what is there.
    fn check(&mut self, store: &Store, number: u64, sure: impl Fn() -> bool) {
        let found = store.get_bytes(&key(number)).expect("a get does not fail").map(|value| value.bytes.to_vec());
        let expected = self.model.entry(number).or_default();
        self.gets += 1;
        self.hits += u64::from(found.is_some());
        if found == expected.value || (found.is_none() && (expected.evictable || !sure())) {
            return;
        }
        assert!(
            expected.maybe.contains(&found),
            "key {number}: found {:?}, expected {:?} or {} others; evictable {}",
            found.as_ref().map(|found| String::from_utf8_lossy(&found[..24.min(found.len())]).into_owned()),
            expected.value.as_ref().map(|found| String::from_utf8_lossy(&found[..24.min(found.len())]).into_owned()),
            expected.maybe.len(),
            expected.evictable,
        );
    }

    /// One random operation. `sure`: nothing has failed since the store was opened.
    fn step(&mut self, store: &Store, sure: impl Fn() -> bool) {
        let number = self.numbers.below(KEYS);
        match self.numbers.below(100) {
            0..45 => {
                let length = self.length();
                self.version += 1;
                // Now and then what is there already.
                let known = self.model.get(&number).and_then(|expected| expected.value.clone());
                let again = known.filter(|_| self.numbers.below(8) == 0);
                let mut new = again.unwrap_or_else(|| value(number, self.version, length));
                if self.equal && self.numbers.below(4) == 0 {
                    let content = self.numbers.below(5);
                    new = value(1000 + content, 0, 16_384 + 3_000 * content as usize);
                }
                let result = store.put_bytes(&key(number), &new, b"meta");
                if self.evicts {
                    self.model.values_mut().for_each(|expected| expected.evictable = true);
                }
                let expected = self.model.entry(number).or_default();
                match result {
                    Ok(()) => *expected = Expected { value: Some(new), maybe: Vec::new(), evictable: self.evicts },
                    Err(_) => {
                        assert!(!sure(), "a put failed without a fault");
                        expected.maybe.push(Some(new));
                    }
                }
            }
            45..55 => {
                let result = store.remove(&key(number));
                let expected = self.model.entry(number).or_default();
                match result {
                    // It looked into the store, and could not see.
                    Ok(false) if !sure() => {}
                    Ok(_) => *expected = Expected::default(),
                    Err(_) => {
                        assert!(!sure(), "a removal failed without a fault");
                        expected.maybe.push(None);
                    }
                }
            }
            55..57 => {
                let limit = 200_000 + self.numbers.below(400_000);
                let result = store.gc(Some(limit), None, false);
                assert!(result.is_ok() || !sure(), "gc failed without a fault: {result:?}");
                self.model.values_mut().for_each(|expected| expected.evictable = true);
            }
            57 => {
                let count = store.iter();
                assert!(count.is_ok() || !sure());
            }
            _ => self.check(store, number, sure),
        }
    }
}

fn run(seed: u64, operations: u64, durability: Durability, evicts: bool) {
    run_with(seed, operations, durability, evicts, None);
}

/// With segments of that length, and content that several keys have, where one is given.
fn run_with(seed: u64, operations: u64, durability: Durability, evicts: bool, equal: Option<u64>) {
    let folder = folder();
    let path = folder.path().join("store");
    Folder::make(&path);
    let mut run = Run {
        numbers: Numbers(seed),
        model: HashMap::new(),
        version: 0,
        evicts,
        equal: equal.is_some(),
        faults: 0,
        gets: 0,
        hits: 0,
        refused: 0,
    };
    let max_bytes = if evicts { 1 << 20 } else { 1 << 30 };
    let options = Options::new().durability(durability).segment_length(equal.unwrap_or(64 << 10)).max_bytes(max_bytes);
    let (mut done, mut at, mut opening) = (0, 0, 0);
    while done < operations {
        // From an operation on, the disk fails: of this opening, or of the work after it.
        let disk = Arc::new(Faulty::new(&path));
        let plan = disk.plan.clone();
        let fault = match run.numbers.below(5) {
            0 => Fault::Refused,
            1 | 2 => Fault::Full,
            _ => Fault::Torn(run.numbers.next()),
        };
        plan.arm(at, fault, run.numbers.below(2) == 0);
        // Past what opening takes, however much there is to open: else nothing would be done any more.
        at = (at + 1) % (120 + 2 * opening);
        if let Ok(store) = Store::on(disk.clone(), options.clone()) {
            // Another opener in this process, without faults, that comes and goes.
            let other = (run.numbers.below(3) == 0)
                .then(|| Store::on(Arc::new(Faulty::new(&path)), options.clone()).expect("a second opener"));
            let before = done;
            // A full disk is one to go on with for a while.
            let soon = if fault == Fault::Full { 40 } else { 5 };
            while done < operations
                && !(plan.happened.load(Ordering::SeqCst) && done % soon == 0)
                && done < before + 400
            {
                let sure = || !plan.happened.load(Ordering::SeqCst);
                match &other {
                    Some(other) if run.numbers.below(3) == 0 => run.step(other, || true),
                    _ => run.step(&store, sure),
                }
                done += 1;
            }
        }
        run.faults += u64::from(plan.happened.load(Ordering::SeqCst));
        run.refused += plan.refused.load(Ordering::SeqCst);

        // All that was acknowledged is there, nothing is torn, and it goes on.
        let sound = Arc::new(Faulty::new(&path));
        let store = Store::on(sound.clone(), options.clone()).expect("the store opens again");
        opening = sound.plan.operations.load(Ordering::SeqCst);
        for number in 0..KEYS {
            run.check(&store, number, || true);
            let found = store.get_bytes(&key(number)).unwrap().map(|value| value.bytes.to_vec());
            let expected = run.model.entry(number).or_default();
            // From here on it is what it is, except that what was evicted may come back.
            if found.is_some() || !expected.evictable {
                *expected = Expected { value: found, maybe: Vec::new(), evictable: evicts };
            }
        }
        run.version += 1;
        let new = value(KEYS, run.version, 500);
        store.put_bytes(&key(KEYS), &new, b"").expect("the store is writable");
        assert_eq!(store.get_bytes(&key(KEYS)).unwrap().expect("what was just put").bytes, new);
        drop(store);
    }
    let store = Store::on(Arc::new(Faulty::new(&path)), options).expect("the store opens again");
    let verified = store.verify().expect("the store is read");
    assert_eq!(verified.damage, [], "after faults that damage nothing");
    let stats = store.stats().unwrap();
    assert_eq!(stats.bad, 0);
    assert!(stats.files < 80, "{stats:?}");
    assert!(run.faults > operations / 100 && run.hits > run.gets / 20, "{} faults, {} hits", run.faults, run.hits);
    let Run { faults, refused, gets, hits, .. } = run;
    println!(
        "{operations} operations, {faults} faults, {refused} refused for room, {hits} hits of {gets} gets, {stats:?}"
    );
    assert!(refused > faults / 2, "{refused} operations failed on a full disk, of {faults} faults");
}

use mlirbc_store::disk::Folder as RealFolder;

struct Folder;

impl Folder {
    fn make(path: &std::path::Path) {
        RealFolder::make(path, false).expect("a folder");
    }
}

#[test]
fn against_a_map_with_faults() {
    run(1, scale("MLIRBC_STORE_OPERATIONS", 8_000), Durability::Process, false);
}

#[test]
fn against_a_map_with_faults_and_eviction() {
    run(2, scale("MLIRBC_STORE_OPERATIONS", 8_000), Durability::Process, true);
}

#[test]
fn against_a_map_with_faults_on_disk() {
    run(3, scale("MLIRBC_STORE_OPERATIONS", 8_000), Durability::Power, false);
}

/// Content that has segments of its own, and content that stands beside other records.
#[test]
fn against_a_map_with_faults_and_equal_content() {
    let operations = scale("MLIRBC_STORE_OPERATIONS", 8_000);
    run_with(4, operations, Durability::Process, true, Some(64 << 10));
    run_with(5, operations, Durability::Process, true, Some(256 << 10));
    run_with(6, operations, Durability::Power, false, Some(256 << 10));
}

/// What makers of segments leave who end while they write its header is taken away by the one that seals.
#[test]
fn unfinished_segments_do_not_pile_up() {
    let folder = folder();
    let path = folder.path().join("store");
    Folder::make(&path);
    for number in 0..100_u64 {
        let file = std::fs::File::create(path.join(format!("{:016x}.seg", number << 40 | 0xabc))).unwrap();
        // A part of the header, no header, or not even a length.
        file.set_len([64 << 10, 64 << 10, 0][number as usize % 3]).unwrap();
        if number % 3 == 0 {
            use std::os::unix::fs::FileExt;
            file.write_all_at(b"MLBCSEG\x01\x01\0\0\0", 0).unwrap();
        }
    }
    let options = Options::new().segment_length(64 << 10);
    let store = Store::open_with(&path, options).unwrap();
    for number in 0..50 {
        store.put_bytes(&key(number), value(number, 1, 5_000), b"").unwrap();
    }
    let stats = store.stats().unwrap();
    assert!(stats.files < 30 && stats.entries == 50, "{stats:?}");
    assert_eq!(store.verify().unwrap().damage, []);
}
