//! A function made from nothing: verified, printed, and kept as bytecode that `mlir-opt` reads.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let (index, f32) = (context.index_type(), context.f32_type());
    let numbers = context.memref_type([DYNAMIC], f32);
    let signature = context.function_type([numbers, index, f32], []);

    let mut module = Module::with_module_op(&context)?;
    module.build(|rw| {
        let function = rw.build("func.func").attribute("sym_name", "scale").attribute("function_type", signature);
        function.body([numbers, index, f32], |rw, arguments| {
            // Types of results that the definition says need not be given.
            let zero = rw.build("arith.constant").attribute("value", context.index_attr(0)).value()?;
            let one = rw.build("arith.constant").attribute("value", context.index_attr(1)).value()?;
            rw.build("scf.for").operands([zero, arguments[1], one]).body([index], |rw, at| {
                let number = rw.build("memref.load").operands([arguments[0], at[0]]).value()?;
                let scaled = rw.build("arith.mulf").operands([number, arguments[2]]).value()?;
                rw.build("memref.store").operands([scaled, arguments[0], at[0]]).create()?;
                rw.build("scf.yield").create().map(drop)
            })?;
            rw.build("func.return").create().map(drop)
        })
    })?;

    module.verify()?;
    println!("{}", module.display());
    let path = std::env::temp_dir().join("scale.mlirbc");
    module.save(&path)?;
    println!("kept in {}", path.display());
    Ok(())
}
