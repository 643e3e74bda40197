//! Opens a module of any size, prints one function of it, then counts the operations of all.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let module = mlirbc::open(&context, "fixtures/arith.mlirbc")?; // reads the header and the section table
    let function = module.expect_symbol("f")?; // reads that function
    println!("{}", function.display());

    // What looks at all operations reads all of them.
    println!("{:?}", module.count_by(|op| op.dialect())?);
    Ok(())
}
