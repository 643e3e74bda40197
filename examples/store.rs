//! Modules that are compiled once and kept for all processes: `cargo run --example store -- /tmp/modules`. The second run finds it.

use mlirbc::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| std::env::temp_dir().join("mlirbc-modules").into());
    let context = Context::new();
    let store = mlirbc::open_store(folder)?;

    // All that decides what comes out, and the version of what makes it.
    let source = std::fs::read("fixtures/arith.mlir")?;
    let key = Key::of_parts([&source[..], env!("CARGO_PKG_VERSION").as_bytes()]);
    let module = store.get_or_insert(&context, &key, || {
        println!("compiled");
        mlirbc::parse(&context, source)
    })?;

    // Of a module from the store, too, only what is asked for is read.
    println!("@fold has {} operations", module.expect_symbol("fold")?.walk()?.count());
    Ok(())
}
