//! Opens a module of any size, prints one function of it, then counts the operations of all.

use std::collections::BTreeMap;

use mlirbc::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new();
    let module = mlirbc::open(&context, "fixtures/arith.mlirbc")?; // reads the header and the section table
    let function = module.expect_symbol("f")?; // reads that function
    println!("{}", function.display());

    // A walk of the module reads all of it.
    let mut counts = BTreeMap::new();
    module.walk()?.for_each(|op| *counts.entry(op.dialect()).or_insert(0) += 1);
    println!("{counts:?}");
    Ok(())
}
