//! A hundred megabytes of weights: written without a copy of them, and read without one.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let ty = context.tensor_type([25_000_000], context.f32_type());
    let mut module = Module::with_module_op(&context)?;
    let weights = module.add_blob("weights", ty, Blob::of(vec![1.0f32; 25_000_000]))?;
    module.build(|rw| rw.build_global("w", ty, weights))?;
    let path = std::env::temp_dir().join("weights.mlirbc");
    module.save(&path)?;

    // Over a memory map: the bytes stay in the file until they are looked at.
    let again = mlirbc::open(&context, &path)?;
    let value = again.expect_symbol("w")?.expect_attribute("value")?;
    let weights = again.expect_blob(value)?;
    println!("{} bytes, the last number {:?}", weights.len(), weights.numbers::<f32>(24_999_999..)?);
    Ok(std::fs::remove_file(path)?)
}
