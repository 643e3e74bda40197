//! What was got is got again faster: it is still the newest by then, and checked.

use crate::common;

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom, Write};

use common::{Numbers, folder, key, scale};
use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_store::{Options, Store};
use mlirbc_testing::{Shape, context, generate};

fn options() -> Options {
    Options::new().segment_length(64 << 10)
}

/// Modules that differ, some of them of more than one block.
fn modules() -> Vec<Vec<u8>> {
    let sizes = (0..12).map(|number| 500 + 700 * number).chain([150_000, 200_000]);
    let module =
        |size| write(&generate(&context(), Shape::Functions, size).unwrap(), &WriteOptions::default()).unwrap();
    sizes.map(module).collect()
}

/// The bytes of the module that a key has.
fn got(store: &Store, number: u64) -> Option<Vec<u8>> {
    let module = store.get(&context(), &key(number)).expect("what was put is a module")?;
    Some(write(&module, &WriteOptions::default()).expect("it was written before"))
}

#[test]
fn the_newest_is_got_whoever_put_it() {
    let (folder, modules) = (folder(), modules());
    let path = folder.path().join("store");
    let stores = [0; 2].map(|_| Store::open_with(&path, options()).unwrap());
    let mut expected: HashMap<u64, usize> = HashMap::new();
    let (mut numbers, mut hits) = (Numbers(7), 0);
    for step in 0..scale("MLIRBC_STORE_AGAIN", 3000) {
        let store = &stores[numbers.below(2) as usize];
        let number = numbers.below(20);
        match numbers.below(100) {
            0..10 => {
                let which = numbers.below(modules.len() as u64) as usize;
                store.put_bytes(&key(number), &modules[which], b"").unwrap();
                expected.insert(number, which);
            }
            10..13 => {
                store.remove(&key(number)).unwrap();
                expected.remove(&number);
            }
            13 => drop(store.gc(None, None, false).unwrap()),
            _ => {
                let wanted = expected.get(&number).map(|&which| &modules[which]);
                assert_eq!(got(store, number).as_ref(), wanted, "step {step}: key {number}");
                hits += u64::from(wanted.is_some());
            }
        }
    }
    assert!(hits > 500 && stores[0].stats().unwrap().runs > 0);
}

#[test]
fn what_is_damaged_since_is_a_miss() {
    let (folder, modules) = (folder(), modules());
    let path = folder.path().join("store");
    let store = Store::open_with(&path, options()).unwrap();
    let module = &modules[3];
    store.put_bytes(&key(1), module, b"").unwrap();
    assert_eq!(got(&store, 1).as_ref(), Some(module));
    assert_eq!(got(&store, 1).as_ref(), Some(module));
    // A byte of the value, wherever it stands.
    let mut damaged = 0;
    for entry in std::fs::read_dir(&path).unwrap() {
        let mut file = std::fs::File::options().read(true).write(true).open(entry.unwrap().path()).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        if let Some(at) = bytes.windows(module.len()).position(|window| window == module) {
            file.seek(SeekFrom::Start(at as u64 + 40)).unwrap();
            file.write_all(&[bytes[at + 40] ^ 1]).unwrap();
            damaged += 1;
        }
    }
    assert_eq!(damaged, 1);
    assert_eq!(got(&store, 1), None);
    assert_eq!(store.stats().unwrap().bad, 1);
    store.put_bytes(&key(1), module, b"").unwrap();
    assert_eq!(got(&store, 1).as_ref(), Some(module));
}
