//! Opens a module of any size and prints one function of it: `cargo run --example load_lazily -- fixtures/arith.mlirbc f`.

use std::collections::BTreeMap;
use std::error::Error;

use mlirbc::text::{PrintOptions, print_operation};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "fixtures/arith.mlirbc".to_owned());
    let symbol = arguments.next().unwrap_or_else(|| "f".to_owned());

    let context = mlirbc::Context::new();
    let module = mlirbc::open(&context, &path)?; // reads the header and the section table
    let function = module.symbol(&symbol)?.ok_or("there is no such symbol")?; // reads that function
    print_operation(function, &PrintOptions::new().generic(false), &mut std::io::stdout())?;

    // All of it: each function is read when the walk comes to it.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for top in module.operations()? {
        for op in top.walk()? {
            *counts.entry(op.name().into_owned()).or_default() += 1;
        }
    }
    for (name, count) in counts {
        println!("{count:6} {name}");
    }
    Ok(())
}
