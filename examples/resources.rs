//! A hundred megabytes of weights: written without a copy of them, and read without one.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let count = 25_000_000;
    let ty = context.tensor_type([count], context.f32_type());
    let bytes = 1.0f32.to_le_bytes().repeat(count as usize);

    let mut module = Module::with_module_op(&context)?;
    let weights = module.add_blob("weights", ty, bytes)?;
    module.build(|rw| {
        let global = rw.build("ml_program.global").attribute("sym_name", "w").attribute("sym_visibility", "private");
        global.attribute("type", ty).attribute("value", weights).create()
    })?;
    let path = std::env::temp_dir().join("weights.mlirbc");
    module.save(&path)?;

    // Over a memory map: the bytes stay in the file until they are looked at.
    let again = mlirbc::open(&context, &path)?;
    let value = again.expect_symbol("w")?.expect_attribute("value")?;
    let weights = again.blob(value)?.ok_or_else(|| Error::misuse("no blob"))?;
    let last = weights.part(weights.len() - 4..weights.len())?;
    println!("{} bytes, the last four {last:?}", weights.len());
    Ok(std::fs::remove_file(path)?)
}
