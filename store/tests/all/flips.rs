//! One byte of a small store is flipped, at each offset in turn: every read is right, or a miss that is counted.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{folder, key, value};
use mlirbc_store::{Options, Store};

const KEYS: u64 = 10;

fn options() -> Options {
    Options::new().segment_length(8 << 10).max_bytes(1 << 20)
}

/// A store with sealed and active segments, replaced and removed entries, and what each key has.
fn make(path: &Path) -> BTreeMap<u64, Vec<u8>> {
    let mut expected = BTreeMap::new();
    let store = Store::open_with(path, options()).expect("a store");
    for version in 0..3 {
        for number in 0..KEYS {
            let new = value(number, version, 100 + 45 * number as usize);
            store.put_bytes(&key(number), &new, b"meta").expect("a put");
            expected.insert(number, new);
        }
        store.remove(&key(version)).expect("a removal");
        expected.remove(&version);
        if version == 1 {
            let done = store.gc(Some(4 << 10), None, false).expect("eviction");
            assert!(done.entries_after < done.entries_before, "{done:?}");
        }
    }
    for number in 0..2 {
        store.put_bytes(&key(number), b"short", b"").expect("a put");
        expected.insert(number, b"short".to_vec());
    }
    expected
}

#[test]
fn every_byte_in_turn() {
    let made = folder();
    let made = made.path().join("store");
    let mut expected = make(&made);
    let store = Store::open_with(&made, options()).expect("a store");
    expected.retain(|number, bytes| store.get_bytes(&key(*number)).unwrap().is_some_and(|value| value.bytes == *bytes));
    let stats = store.stats().expect("figures");
    assert!(expected.len() as u64 >= KEYS - 2 && stats.sealed > 0 && stats.active > 0 && stats.runs > 0, "{stats:?}");
    drop(store);

    let work = folder();
    let (mut flips, mut misses) = (0, 0);
    let mut names: Vec<_> = std::fs::read_dir(&made).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let whole: Vec<_> = names.iter().map(|name| (name, std::fs::read(made.join(name)).expect("a file"))).collect();
    let copy = || {
        for (name, bytes) in &whole {
            std::fs::write(work.path().join(name), bytes).expect("a copy");
        }
    };
    // At each offset, or at each fourth.
    let step = if mlirbc_testing::is_whole() { 1 } else { 4 };
    for (name, bytes) in &whole {
        // Of the hole behind the last record, every 61st byte.
        let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| (last + 300).min(bytes.len()));
        let places = (0..end).step_by(step).chain((end..bytes.len()).step_by(61 * step));
        for at in places {
            for entry in std::fs::read_dir(work.path()).unwrap() {
                std::fs::remove_file(entry.unwrap().path()).expect("a file");
            }
            copy();
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            std::fs::write(work.path().join(name), flipped).expect("a file");
            let context = || format!("byte {at} of {name:?}");

            let store =
                Store::open_with(work.path(), options()).unwrap_or_else(|error| panic!("{}: {error}", context()));
            let before = store.stats().expect("figures");
            let mut missed = 0;
            for number in 0..KEYS {
                let got = store.get_bytes(&key(number)).expect("a get");
                match (got, expected.get(&number)) {
                    (Some(got), Some(wanted)) => {
                        assert!(got.bytes == *wanted, "{}: key {number} has another value", context());
                    }
                    (Some(_), None) => panic!("{}: key {number} is back", context()),
                    (None, Some(_)) => missed += 1,
                    (None, None) => {}
                }
            }
            let stats = store.stats().expect("figures");
            if missed > 0 {
                assert!(stats.bad > 0 && stats.misses >= before.misses + missed, "{}: {stats:?}", context());
            }
            misses += missed;
            // It goes on.
            for number in 0..KEYS {
                store.put_bytes(&key(number), b"new", b"").unwrap_or_else(|error| panic!("{}: {error}", context()));
                let got = store.get_bytes(&key(number)).expect("a get");
                assert_eq!(
                    &got.unwrap_or_else(|| panic!("{}: key {number} cannot be put", context())).bytes[..],
                    b"new"
                );
            }
            flips += 1;
        }
    }
    println!("{flips} flips, {misses} misses");
    assert!(flips > 10_000 / step && misses > 100 / step as u64, "{flips} flips, {misses} misses");
}

/// A write that did not end leaves zeros in the place of the header, or a part of the header: anything else there is damage.
#[test]
fn a_wrecked_last_record_is_no_write_that_did_not_end() {
    for (length, trailer) in [(300, false), (5_000, true)] {
        let folder = folder();
        let path = folder.path().join("store");
        let store = Store::open_with(&path, Options::new().segment_length(1 << 20)).expect("a store");
        for number in 0..3 {
            store.put_bytes(&key(number), value(number, 0, length), b"").expect("a put");
        }
        drop(store);
        let segment = std::fs::read_dir(&path)
            .expect("the store's folder")
            .map(|entry| entry.expect("an entry").path())
            .find(|path| path.extension().is_some_and(|extension| extension == "seg"))
            .expect("a segment");
        let whole = std::fs::read(&segment).expect("the segment");
        let starts: Vec<usize> = (0..whole.len()).step_by(128).filter(|&at| whole[at..].starts_with(b"MLBR")).collect();
        let &[.., last] = &starts[..] else { panic!("no records") };
        assert_eq!(starts.len(), 3);
        let damage = |bytes: &[u8]| {
            std::fs::write(&segment, bytes).expect("the segment");
            let store = Store::open_with(&path, Options::new().segment_length(1 << 20)).expect("a store");
            let verified = store.verify().expect("a look at everything");
            assert!(store.get_bytes(&key(1)).expect("a get").is_some(), "what stands before it is there");
            (verified.records, verified.damage.iter().map(|found| (found.at, found.key)).collect::<Vec<_>>())
        };
        assert_eq!(damage(&whole), (3, Vec::new()));
        // 500 bytes, over the end of the shorter record.
        let mut wrecked = whole.clone();
        wrecked[last..last + 500].fill(0xa5);
        let (records, found) = damage(&wrecked);
        assert_eq!((records, found.len()), (2, 1), "{length}: {found:?}");
        assert_eq!(found[0].1, trailer.then(|| key(2)), "its end says whose it is, where it is left");
        // The header that was not written, and its first half.
        for written in [0, 64] {
            let mut torn = whole.clone();
            torn[last + written..last + 128].fill(0);
            assert_eq!(damage(&torn), (2, Vec::new()), "{written} bytes of the header");
        }
    }
}
