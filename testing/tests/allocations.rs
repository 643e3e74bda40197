//! How often a reader that is kept asks for memory.
//!
//! One test, since it counts the allocations of the whole process.

use std::alloc::System;

use mlirbc_bytecode::{Reader, WriteOptions, decode_all, read, write};
use mlirbc_ir::{Context, Module, Result};
use mlirbc_text::{ParseOptions, parse_module};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often memory is asked for while `run` runs. What it gives is dropped afterwards.
fn count<T>(run: impl FnOnce() -> Result<T>) -> usize {
    let region = Region::new(MEMORY);
    let value = run();
    let change = region.change();
    value.unwrap();
    change.allocations + change.reallocations
}

fn eager(module: Result<Module>) -> Result<Module> {
    let module = module?;
    module.load_all()?;
    Ok(module)
}

fn full(module: Result<Module>) -> Result<Module> {
    let module = module?;
    decode_all(&module)?;
    Ok(module)
}

/// A file of about a kilobyte, of two functions.
fn small(context: &Context) -> Result<Vec<u8>> {
    let function = |name: &str| {
        let ops = (2..20).map(|at| format!("  %{at} = arith.addi %{}, %{} : i32\n", at - 1, at - 2));
        format!("func.func @{name}(%0: i32, %1: i32) -> i32 {{\n{}  return %19 : i32\n}}\n", ops.collect::<String>())
    };
    let text = function("first") + &function("second");
    write(&parse_module(context, text.as_bytes(), &ParseOptions::default())?, &WriteOptions::default())
}

#[test]
fn a_kept_reader_asks_for_little_memory() {
    let context = mlirbc_dialects::context();
    let bytes = bytes::Bytes::from(small(&context).unwrap());
    assert!((700..1400).contains(&bytes.len()), "{}", bytes.len());
    let reader = Reader::new(&context);
    let alone = count(|| eager(read(&context, bytes.clone())));
    full(reader.read(bytes.clone())).unwrap();
    let (kept, decoded) = (count(|| eager(reader.read(bytes.clone()))), count(|| full(reader.read(bytes.clone()))));
    println!("{} bytes: {kept} allocations, {decoded} with all decoded; {alone} alone", bytes.len());
    assert!(kept <= 20, "{kept} allocations");
    assert!(decoded <= 40, "{decoded} allocations with all decoded");
    // No module takes more than the one before it.
    for _ in 0..100 {
        assert_eq!(count(|| eager(reader.read(bytes.clone()))), kept);
    }
}
