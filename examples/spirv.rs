//! A SPIR-V binary into MLIR and back, in both forms: an operation an instruction, and MLIR's dialect `spirv`.

use mlirbc::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new();
    let binary = std::fs::read("fixtures/spirv/blur.spv")?;

    // The binary form holds all that the file does, and gives back the same bytes.
    let module = spirv::read(&context, binary.clone())?;
    for entry in spirv::entry_points(&module)? {
        println!("{} {}: {}", entry.model, entry.name, entry.modes[0].name);
    }
    assert_eq!(spirv::write(&module)?, binary);

    // The dialect is what passes work on. What comes back of it means the same, in other words.
    let mut module = spirv::raise(&context, binary)?;
    let passes = "builtin.module(spirv.module(spirv.func(canonicalize,cse)))";
    Pipeline::parse(passes, &mlirbc::opt::registry())?.run(&mut module)?;
    println!("{} bytes", spirv::write(&module)?.len());
    Ok(())
}
