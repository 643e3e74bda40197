//! One function of a large module, by its name: how much of it is checked, and how long that takes.
//!
//! `MLIRBC_STORE_LARGE=200 cargo test --release -p mlirbc-store --test all large:: -- --nocapture` is the full size, in MB.

use crate::common;

use std::os::unix::fs::MetadataExt;
use std::time::Instant;

use common::{folder, key, scale};
use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_ir::{AttributeData, ResourceValue};
use mlirbc_store::{Options, Store};
use mlirbc_testing::{Shape, generate};

/// Whose store knows the operations of what is put.
fn options() -> Options {
    Options::new().context(mlirbc_testing::context)
}

/// The function of that name, and how many blocks were checked to find it.
fn found(store: &Store, name: &str) -> (bool, u64) {
    let before = store.blocks_checked();
    let module = store.get(&mlirbc_testing::context(), &key(1)).unwrap().expect("it was put");
    (module.symbol(name).unwrap().is_some(), store.blocks_checked() - before)
}

/// Who puts a module knows its operations, and who puts bytes may say what makes a context that does.
#[test]
fn symbols_are_found_whatever_was_known_when_a_module_was_put() {
    let module = generate(&mlirbc_testing::context(), Shape::Functions, 2_000_000).unwrap();
    let bytes = write(&module, &WriteOptions::like(&module)).unwrap();
    let blocks = bytes.len() as u64 >> 16;
    let put = |put: &dyn Fn(&Store), options: Options| {
        let folder = folder();
        let store = Store::open_with(folder.path().join("store"), options).unwrap();
        put(&store);
        assert!(!found(&store, "none").0);
        let [first, last] = ["f0", "f800"].map(|name| found(&store, name));
        assert!(first.0 && last.0);
        last.1
    };
    let as_bytes = |store: &Store| store.put_bytes(&key(1), &bytes, b"").unwrap();
    assert!(put(&as_bytes, options()) < blocks / 2);
    assert!(put(&|store: &Store| store.put(&key(1), &module, b"").unwrap(), Options::new()) < blocks / 2);
    // All is read by the first look-up.
    put(&as_bytes, Options::new());
}

#[test]
fn one_function_of_a_large_module() {
    let size = scale("MLIRBC_STORE_LARGE", 20) as usize * 1_000_000;
    let bytes = write(&generate(&mlirbc_testing::context(), Shape::Functions, size).unwrap(), &WriteOptions::default())
        .unwrap();
    let folder = folder();
    let path = folder.path().join("store");
    let store = Store::open_with(&path, options()).unwrap();
    store.put_bytes(&key(1), &bytes, b"").unwrap();
    let blocks = bytes.len().div_ceil(64 << 10) as u64;
    let functions = bytes.len() / 2200;
    let mut times = Vec::new();
    let mut most = 0;
    for number in (0..functions).step_by(functions / 50) {
        let context = mlirbc_testing::context();
        let before = store.blocks_checked();
        let start = Instant::now();
        let module = store.get(&context, &key(1)).unwrap().expect("it was put");
        let count = module.symbol(&format!("f{number}")).unwrap().expect("a function").walk().unwrap().count();
        times.push(start.elapsed());
        assert!(count > 50, "{count} operations");
        most = most.max(store.blocks_checked() - before);
    }
    times.sort();
    println!("{} bytes, {blocks} blocks: at most {most} checked, median {:?}", bytes.len(), times[times.len() / 2]);
    assert!(most * (64 << 10) <= 1 << 20, "{most} blocks were checked");

    // The whole of it is what was put, and damage is found when it is touched.
    assert!(store.get_bytes(&key(1)).unwrap().expect("it was put").bytes == bytes);
    drop(store);
    let file = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let file = file.filter(|path| path.extension().is_some_and(|extension| extension == "seg"));
    // Not the one that has room for small records.
    let file = file.max_by_key(|path| path.metadata().unwrap().blocks()).expect("a segment");
    let mut damaged = std::fs::read(&file).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let store = Store::open_with(&path, options()).unwrap();
    let module = store.get(&mlirbc_testing::context(), &key(1)).unwrap().expect("its beginning is whole");
    assert!(mlirbc_bytecode::decode_all(&module).is_err());
    assert_eq!(store.stats().unwrap().bad, 1);
    // From then on it is a miss, until it is put anew.
    assert!(store.get(&mlirbc_testing::context(), &key(1)).unwrap().is_none());
    assert!(store.get_bytes(&key(1)).unwrap().is_none());
    store.put_bytes(&key(1), &bytes, b"").unwrap();
    let module = store.get(&mlirbc_testing::context(), &key(1)).unwrap().expect("it was put anew");
    mlirbc_bytecode::decode_all(&module).unwrap();
}

#[test]
fn one_resource_of_a_large_module() {
    let generated = generate(&mlirbc_testing::context(), Shape::Resources, 20_000_000).unwrap();
    let bytes = write(&generated, &WriteOptions::default()).unwrap();
    let folder = folder();
    let store = Store::open_with(folder.path().join("store"), options()).unwrap();
    store.put_bytes(&key(1), &bytes, b"").unwrap();
    let context = mlirbc_testing::context();
    let module = store.get(&context, &key(1)).unwrap().expect("it was put");
    let global = module.symbol("f5").unwrap().expect("a global");
    let held = global.attribute("value").unwrap().expect("its value");
    let AttributeData::DenseResource { resource, .. } = &context[held] else { panic!("no resource") };
    let entry = module.resource(*resource).unwrap().expect("its resource");
    let ResourceValue::Blob { data, alignment } = &entry.value else { panic!("no blob") };
    let found = store.blocks_checked();
    // What stands around each blob is read, to know where they are.
    let blobs = module.resources().unwrap().iter().map(|group| group.entries.len()).sum::<usize>() as u64;
    assert!(blobs > 15 && found < 2 * blobs + 10, "{found} blocks for {blobs} blobs");

    let part = data.part(data.len() / 2..data.len() / 2 + 100).unwrap();
    assert!(store.blocks_checked() - found <= 2);
    let all = data.bytes().unwrap();
    let blocks = all.len().div_ceil(64 << 10) as u64 + 1;
    assert!(store.blocks_checked() - found <= blocks, "{} of {blocks}", store.blocks_checked() - found);
    assert_eq!((all[all.len() / 2..].as_ptr(), all.as_ptr() as u64 % alignment), (part.as_ptr(), 0));
    let same = generated.resources().unwrap()[0].entries.iter().find(|same| same.key == entry.key).expect("the same");
    assert_eq!(same.value, entry.value);
    mlirbc_bytecode::decode_all(&module).unwrap();
    assert_eq!(write(&module, &WriteOptions::default()).unwrap(), bytes);
    assert_eq!(store.stats().unwrap().bad, 0);
}
