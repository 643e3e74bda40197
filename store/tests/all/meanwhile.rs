//! Equal content, where one puts, evicts or removes and another does so in the middle of it.

use crate::common;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use common::{Faulty, folder, key, value};
use mlirbc_store::{Options, Store};

/// Segments that take content beside other records, and those where it has one of its own.
const SEGMENTS: [u64; 2] = [1 << 20, 64 << 10];

fn open(path: &Path, segment: u64) -> Store {
    Store::open_with(path, Options::new().segment_length(segment)).expect("a store")
}

/// Between any two operations of the disk that one does, another does all of what it does.
#[test]
fn one_puts_while_another_evicts_at_every_step() {
    let bytes = value(1000, 0, 17_000);
    let mut met = [0; 4];
    for segment in SEGMENTS {
        for (case, met) in met.iter_mut().enumerate() {
            for at in 0.. {
                let folder = folder();
                let path = folder.path().join("store");
                {
                    let store = open(&path, segment);
                    (0..3).for_each(|number| store.put_bytes(&key(10 + number), value(number, 0, 100), b"").unwrap());
                    if case > 0 {
                        store.put_bytes(&key(0), &bytes, b"").unwrap();
                    }
                    if matches!(case, 1 | 2) {
                        // Sealed, and then named by nothing.
                        assert!(store.gc(None, None, false).unwrap().entries_after == 4);
                        assert!(store.remove(&key(0)).unwrap());
                    }
                }
                let disk = Arc::new(Faulty::new(&path));
                let one = Store::on(disk.clone(), Options::new().segment_length(segment)).unwrap();
                let other = open(&path, segment);
                let to_put = bytes.clone();
                let gc = |store: &Store| assert!(store.gc(None, None, false).is_ok());
                match case {
                    // It is written while another evicts, or it is there and named.
                    0 | 1 => {
                        disk.plan.interrupt(at, move || gc(&other));
                        one.put_bytes(&key(1), &bytes, b"").unwrap();
                    }
                    // Another names what is there while it is evicted, or as the last key that has it is removed.
                    2 | 3 => {
                        disk.plan.interrupt(at, move || other.put_bytes(&key(1), &to_put, b"").unwrap());
                        if case == 2 { gc(&one) } else { assert!(one.remove(&key(0)).unwrap()) }
                    }
                    _ => {}
                }
                if !disk.plan.happened.load(Ordering::SeqCst) {
                    break;
                }
                *met += 1;
                for store in [&one, &open(&path, segment)] {
                    let found = store.get_bytes(&key(1)).unwrap().map(|value| value.bytes);
                    assert!(
                        found.as_deref() == Some(&bytes[..]),
                        "case {case}, segments of {segment}, at operation {at}"
                    );
                }
                assert_eq!(open(&path, segment).verify().unwrap().damage, []);
            }
        }
    }
    assert!(met.iter().all(|met| *met > 10), "{met:?}");
}
