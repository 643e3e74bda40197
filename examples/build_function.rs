//! A function made from nothing: verified, printed, and kept as bytecode that `mlir-opt` reads.

use mlirbc::prelude::*;

pub(crate) fn main() -> Result<()> {
    let context = Context::new();
    let (index, f32) = (context.index_type(), context.f32_type());
    let numbers = context.memref_type([DYNAMIC], f32);
    let signature = context.function_type([numbers, index, f32], []);

    let mut module = Module::with_module_op(&context)?;
    module.build(|rw| {
        let function = rw.build("func.func").attribute("sym_name", context.string("scale"));
        function.attribute("function_type", context.type_attr(signature)).body(
            [numbers, index, f32],
            |rw, arguments| {
                let (numbers, count, factor) = (arguments[0], arguments[1], arguments[2]);
                // Types of results that the definition says need not be given.
                let zero = rw.build("arith.constant").attribute("value", context.index_attr(0)).value()?;
                let one = rw.build("arith.constant").attribute("value", context.index_attr(1)).value()?;
                rw.build("scf.for").operands([zero, count, one]).body([index], |rw, at| {
                    let number = rw.build("memref.load").operands([numbers, at[0]]).value()?;
                    let scaled = rw.build("arith.mulf").operands([number, factor]).value()?;
                    rw.build("memref.store").operands([scaled, numbers, at[0]]).create()?;
                    rw.build("scf.yield").create().map(drop)
                })?;
                rw.build("func.return").create().map(drop)
            },
        )
    })?;

    module.verify()?;
    println!("{}", module.display());
    let path = std::env::temp_dir().join("scale.mlirbc");
    module.save(&path)?;
    println!("kept in {}", path.display());
    Ok(())
}
