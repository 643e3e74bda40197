//! What a key has already is not written again.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{folder, key, value};
use mlirbc_store::{Options, Store};

fn options() -> Options {
    Options::new().segment_length(64 << 10)
}

/// The bytes of every file.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

#[test]
fn equal_content_put_again_writes_nothing() {
    let folder = folder();
    let path = folder.path().join("store");
    let store = Store::open_with(&path, options()).unwrap();
    let bytecode = std::fs::read(mlirbc_testing::fixture("nested.mlirbc")).unwrap();
    // Small, of several blocks with a segment of its own, and bytecode; sealed, too.
    let values = [value(0, 0, 900), value(1, 0, 200_000), bytecode, Vec::new()];
    for sealed in [false, true] {
        let put = |store: &Store| {
            for (number, bytes) in (0..).zip(&values) {
                store.put_bytes(&key(number), bytes, b"meta").unwrap();
            }
        };
        put(&store);
        if sealed {
            assert!(!store.gc(None, None, false).unwrap().busy);
            assert!(store.stats().unwrap().sealed > 0);
        }
        let (before, bytes) = (files(&path), store.stats().unwrap().bytes);
        (0..5).for_each(|_| put(&store));
        // Another opener writes nothing either, but that there were puts, when it is closed.
        let other = Store::open_with(&path, options()).unwrap();
        put(&other);
        assert_eq!((store.stats().unwrap().bytes, other.stats().unwrap().bytes), (bytes, bytes), "sealed: {sealed}");
        assert_eq!(files(&path).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "sealed: {sealed}");
        assert!(files(&path) == before, "sealed: {sealed}: files have other bytes");
        drop(other);
        for (number, bytes) in (0..).zip(&values) {
            assert_eq!(store.get_bytes(&key(number)).unwrap().expect("it was put").bytes, *bytes);
        }
    }
    assert_eq!(store.stats().unwrap().puts, 2 * 7 * values.len() as u64);
}

#[test]
fn what_differs_in_anything_is_written() {
    let folder = folder();
    let store = Store::open_with(folder.path().join("store"), options()).unwrap();
    let small = value(0, 0, 900);
    let mut changed = small.clone();
    changed[899] ^= 1;
    let longer: Vec<u8> = small.iter().copied().chain([0]).collect();
    let puts = [(&small, "a"), (&changed, "a"), (&longer, "a"), (&longer, "b"), (&longer, ""), (&small, "")];
    let mut bytes = store.stats().unwrap().bytes;
    for (value, meta) in puts {
        store.put_bytes(&key(0), value, meta.as_bytes()).unwrap();
        let found = store.get_bytes(&key(0)).unwrap().expect("it was put");
        assert_eq!((&found.bytes[..], &found.meta[..]), (&value[..], meta.as_bytes()));
        let now = store.stats().unwrap().bytes;
        assert!(now > bytes, "nothing was written");
        bytes = now;
    }
    store.remove(&key(0)).unwrap();
    store.put_bytes(&key(0), &small, b"").unwrap();
    assert_eq!(store.get_bytes(&key(0)).unwrap().expect("it was put").bytes, small);
    // Of another kind.
    store.put_kind(&key(0), mlirbc_store::RecordKind::Spirv, &small, b"").unwrap();
    assert_eq!(store.get_bytes(&key(0)).unwrap().expect("it was put").kind, mlirbc_store::RecordKind::Spirv);
}

#[test]
fn what_is_damaged_is_put_anew() {
    for length in [900, 200_000] {
        let folder = folder();
        let path = folder.path().join("store");
        let bytes = value(0, 0, length);
        Store::open_with(&path, options()).unwrap().put_bytes(&key(0), &bytes, b"").unwrap();
        let mut damaged = 0;
        for (name, mut file) in files(&path) {
            if let Some(at) = file.windows(24).position(|window| window == &bytes[length - 24..]) {
                file[at] ^= 1;
                std::fs::write(path.join(name), file).unwrap();
                damaged += 1;
            }
        }
        assert_eq!(damaged, 1);
        let store = Store::open_with(&path, options()).unwrap();
        assert!(store.get_bytes(&key(0)).unwrap().is_none());
        assert!(!store.is_whole(&key(0)));
        store.put_bytes(&key(0), &bytes, b"").unwrap();
        assert_eq!(store.get_bytes(&key(0)).unwrap().expect("it was put").bytes, bytes);
        assert!(store.is_whole(&key(0)));
    }
}

#[test]
fn no_more_entries_are_kept_than_may_be() {
    let folder = folder();
    let store = Store::open_with(folder.path().join("store"), options().max_entries(50)).unwrap();
    for number in 0..200 {
        store.put_bytes(&key(number), value(number, 0, 300), b"").unwrap();
        let count = store.iter().unwrap().count() as u64;
        assert!(count <= 50 && count >= 40.min(number), "{count} entries after {number}");
        assert!(store.contains(&key(number)));
    }
}
