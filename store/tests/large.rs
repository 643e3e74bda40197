//! One function of a large module, by its name: how much of it is checked, and how long that takes.
//!
//! `MLIRBC_STORE_LARGE=200 cargo test --release -p mlirbc-store --test large -- --nocapture` is the full size, in MB.

mod common;

use std::time::Instant;

use common::{folder, key, scale};
use mlirbc_bytecode::{WriteOptions, write};
use mlirbc_ir::Context;
use mlirbc_store::{Options, Store};
use mlirbc_testing::{Shape, generate};

#[test]
fn one_function_of_a_large_module() {
    let size = scale("MLIRBC_STORE_LARGE", 20) as usize * 1_000_000;
    let bytes = write(&generate(&Context::new(), Shape::Functions, size).unwrap(), &WriteOptions::default()).unwrap();
    let folder = folder();
    let path = folder.path().join("store");
    let store = Store::open_with(&path, Options::new()).unwrap();
    store.put_bytes(&key(1), &bytes, b"").unwrap();
    let blocks = bytes.len().div_ceil(64 << 10) as u64;
    let functions = bytes.len() / 2200;
    let mut times = Vec::new();
    let mut most = 0;
    for number in (0..functions).step_by(functions / 50) {
        let context = Context::new();
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
    let file = file.max_by_key(|path| path.metadata().unwrap().len()).expect("a segment");
    let mut damaged = std::fs::read(&file).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&file, damaged).unwrap();
    let store = Store::open_with(&path, Options::new()).unwrap();
    let module = store.get(&Context::new(), &key(1)).unwrap().expect("its beginning is whole");
    assert!(mlirbc_bytecode::decode_all(&module).is_err());
    assert_eq!(store.stats().unwrap().bad, 1);
    assert!(store.get_bytes(&key(1)).unwrap().is_none());
}
