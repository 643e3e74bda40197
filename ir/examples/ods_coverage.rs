//! Prints how much of the op definitions is understood: `ods_coverage [TABLE]`, upstream's where none is named.

use mlirbc_ir::ods::{OpTable, upstream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = match std::env::args_os().nth(1) {
        Some(path) => OpTable::from_bytes(std::fs::read(path)?)?,
        None => upstream().clone(),
    };
    print!("{}", table.coverage());
    Ok(())
}
