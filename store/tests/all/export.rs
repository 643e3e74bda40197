//! An export is taken whole or not at all.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;

use common::folder;
use mlirbc_store::{Imported, Key, Options, Store};

/// What a store has: bytes and metadata by key.
type Entries = BTreeMap<Key, (Vec<u8>, Vec<u8>)>;

fn store(path: &Path) -> Store {
    Store::open_with(path, Options::new().segment_length(1 << 20)).expect("a store")
}

fn entries(store: &Store) -> Entries {
    let entries = store.iter().expect("a list").map(|listed| {
        let value = store.get_bytes(&listed.key).expect("a get").expect("what is listed");
        (listed.key, (value.bytes.to_vec(), value.meta.to_vec()))
    });
    entries.collect()
}

/// The bytes of every file.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

/// An export of every fixture of MLIR bytecode, and what is in it.
fn export_of_fixtures() -> (Vec<u8>, Entries) {
    let folder = folder();
    let store = store(&folder.path().join("store"));
    let mut count = 0;
    for entry in std::fs::read_dir(mlirbc_testing::fixtures()).expect("the fixtures") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "mlirbc") {
            let bytes = std::fs::read(&path).expect("a fixture");
            store.put_bytes(&Key::of(&bytes), &bytes, path.to_string_lossy().as_bytes()).expect("a put");
            count += 1;
        }
    }
    let mut export = Vec::new();
    assert_eq!(store.export(None, &mut export, || ()).expect("an export"), count);
    assert!(count >= 8, "{count} fixtures");
    (export, entries(&store))
}

#[test]
fn every_truncation_of_an_export_is_refused_whole() {
    let (export, put) = export_of_fixtures();
    let folder = folder();
    let path = folder.path().join("store");
    let to = store(&path);
    to.put_bytes(&Key::of(b"before"), b"what was there before", b"").expect("a put");
    let (before, files_before) = (entries(&to), files(&path));
    for length in 0..export.len() {
        let refused = to.import(export[..length].to_vec(), || panic!("an entry of a truncated export is put"));
        let error = refused.expect_err("a truncated export").to_string();
        let cause = if length == 0 { "no export of a store" } else { "the export was cut short" };
        assert!(error.contains(cause), "{length} bytes: {error}");
    }
    assert_eq!(files(&path), files_before, "the store is not what it was");
    assert_eq!(entries(&to), before);

    let mut longer = export.clone();
    longer.push(0);
    assert!(to.import(longer, || ()).expect_err("a byte too many").to_string().contains("1 byte behind its end"));
    // The whole of it is taken.
    let all = Imported { entries: put.len() as u64, damaged: 0 };
    assert_eq!(to.import(export, || ()).expect("an import"), all);
    assert_eq!(entries(&to), before.into_iter().chain(put).collect());
}

/// As a copy leaves a file that gave it its length first, and then had no room for the rest.
#[test]
fn an_export_that_ends_in_zeros_never_passes_for_whole() {
    let (export, put) = export_of_fixtures();
    let (mut refused, mut damaged) = (0, 0);
    for length in (0..export.len()).step_by(64) {
        let folder = folder();
        let to = store(&folder.path().join("store"));
        let mut torn = export.clone();
        torn[length..].fill(0);
        match to.import(torn, || ()) {
            Err(_) => {
                assert_eq!(entries(&to), Entries::new(), "{length} bytes");
                refused += 1;
            }
            // Of the last entry, the header is there and not all of the rest: or all but what is not asked for.
            Ok(imported) => {
                let whole = entries(&to) == put;
                let all = put.len() as u64;
                let wanted = Imported { entries: all - u64::from(!whole), damaged: u64::from(!whole) };
                assert_eq!(imported, wanted, "{length} bytes");
                damaged += u64::from(!whole);
            }
        }
    }
    assert!(refused > damaged && damaged > 0, "{refused} refused, {damaged} damaged");
}

#[test]
fn damage_in_an_export_of_the_right_length_is_told() {
    let (export, put) = export_of_fixtures();
    let (mut refused, mut left_out, mut unharmed) = (0, 0, 0);
    for at in (0..export.len()).step_by(37) {
        let folder = folder();
        let to = store(&folder.path().join("store"));
        let mut flipped = export.clone();
        flipped[at] ^= 1 << (at % 8);
        match to.import(flipped, || ()) {
            Err(_) => {
                assert_eq!(entries(&to), Entries::new(), "byte {at}");
                refused += 1;
            }
            Ok(imported) => {
                let found = entries(&to);
                assert!(found.iter().all(|(key, value)| put.get(key) == Some(value)), "byte {at}");
                assert_eq!(imported.entries, found.len() as u64, "byte {at}");
                // What nothing is said to be missing of is whole: some bytes only fill up.
                assert_eq!(imported.entries + imported.damaged, put.len() as u64, "byte {at}: {imported:?}");
                left_out += u64::from(imported.damaged > 0);
                unharmed += u64::from(imported.damaged == 0);
            }
        }
    }
    println!("{refused} refused, {left_out} with something left out, {unharmed} whole");
    assert!(refused > 0 && left_out > unharmed, "{refused} refused, {left_out} left out, {unharmed} whole");
}
