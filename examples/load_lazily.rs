//! Opens a module of any size and prints one function of it: `cargo run --example load_lazily -- fixtures/arith.mlirbc f`.

use std::collections::BTreeMap;
use std::error::Error;

use mlirbc::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "fixtures/arith.mlirbc".to_owned());
    let symbol = arguments.next().unwrap_or_else(|| "f".to_owned());

    let context = Context::new();
    let module = mlirbc::open(&context, path)?; // reads the header and the section table
    let function = module.symbol(&symbol)?.ok_or("there is no such symbol")?; // reads that function
    println!("{}", function.display());

    // All of it: each function is read when the walk comes to it.
    let mut counts = BTreeMap::new();
    for op in module.walk()? {
        *counts.entry(op.name()).or_insert(0) += 1;
    }
    counts.iter().for_each(|(name, count)| println!("{count:6} {name}"));
    Ok(())
}
