//! A function made from nothing: verified, printed, and kept as bytecode that `mlir-opt` reads.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let (index, f32) = (context.index_type(), context.f32_type());
    let inputs = [context.memref_type([DYNAMIC], f32), index, f32];

    let mut module = Module::with_module_op(&context)?;
    module.build(|rw| {
        rw.build_function("scale", inputs, [], |rw, arguments| {
            let range = [rw.build_index(0)?, arguments[1], rw.build_index(1)?];
            // What ends a loop, and types of results that the definition says, need not be given.
            rw.build("scf.for").operands(range).body([index], |rw, at| {
                let number = rw.build_value("memref.load", [arguments[0], at[0]])?;
                let scaled = rw.build_value("arith.mulf", [number, arguments[2]])?;
                rw.build_op("memref.store", [scaled, arguments[0], at[0]])
            })?;
            rw.build("func.return").create()
        })
    })?;

    module.verify()?;
    println!("{}", module.display());
    let path = std::env::temp_dir().join("scale.mlirbc");
    module.save(&path)?;
    println!("kept in {}", path.display());
    Ok(())
}
