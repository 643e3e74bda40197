//! How often parsing text asks for memory, and how much printing takes.
//!
//! One test, since it counts the allocations of the whole process.

use std::alloc::System;

use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn operations_share_the_room_that_they_take() {
    const LOOPS: usize = 10_000;
    let context = mlirbc_dialects::context();
    let line = "scf.for %i = %c to %c step %c {\n}\n";
    let text = format!("func.func @f(%c: index) {{\n{}return\n}}\n", line.repeat(LOOPS));
    let parse = |text: &str| parse_module(&context, text.as_bytes(), &ParseOptions::new()).unwrap();
    parse(&text);
    let region = Region::new(MEMORY);
    let module = parse(&text);
    let change = region.change();
    let count = (change.allocations + change.reallocations) as f64 / LOOPS as f64;
    println!("{count} allocations for a loop");
    drop(module);

    const CONSTANTS: usize = 100_000;
    let lines = (0..CONSTANTS).map(|at| format!("%x{at} = arith.constant {at} : i32\n"));
    let module = parse(&format!("func.func @f() {{\n{}return\n}}\n", lines.collect::<String>()));
    let region = Region::new(MEMORY);
    print_module(&module, &PrintOptions::new(), &mut std::io::sink()).unwrap();
    let change = region.change();
    let size = (change.bytes_allocated as isize + change.bytes_reallocated) / CONSTANTS as isize;
    println!("{size} bytes for a constant");
    assert!(count < 4.0, "{count} allocations for a loop");
    assert!(size < 320, "{size} bytes for a constant");
}
