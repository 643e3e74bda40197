//! A kernel compiled to SPIR-V, and run on the processor: `cargo run --example run_kernel`. From the dialect `llvm` on it takes LLVM's
//! `mlir-translate` and `llc`, and a C compiler for `host.c`.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use mlirbc::conversion::compile::compile;
use mlirbc::rewrite::Pipeline;
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_operation};
use mlirbc::{Context, OpRef, spirv};

/// c = 2.5 a + c, for each of 1024 numbers.
const SOURCE: &str = "module {
  gpu.module @kernels {
    gpu.func @saxpy(%a: memref<1024xf32>, %c: memref<1024xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %factor = arith.constant 2.5 : f32
      %i = gpu.global_id x
      %x = memref.load %a[%i] : memref<1024xf32>
      %y = memref.load %c[%i] : memref<1024xf32>
      %product = arith.mulf %factor, %x : f32
      %sum = arith.addf %product, %y : f32
      memref.store %sum, %c[%i] : memref<1024xf32>
      gpu.return
    }
  }
}";

fn run(program: &str, arguments: &[&Path]) -> Result<(), Box<dyn Error>> {
    let status = Command::new(program).args(arguments).status().map_err(|error| format!("{program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program}: {status}").into()) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = Context::new();
    let mut module = parse_module(&context, SOURCE.as_bytes(), &ParseOptions::new())?;
    let mut shader = compile(&mut module, "vulkan1.1", 1)?;
    println!("{} bytes of SPIR-V, for a driver", spirv::write(&shader)?.len());

    // The same, for the processor. What was a `spirv.module` is a module in the outer one.
    Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &mlirbc::opt::registry())?.run(&mut shader)?;
    let inner = shader.operations()?.flat_map(OpRef::ops).flatten().find(|op| op.is("builtin.module"));
    let mut text = Vec::new();
    print_operation(inner.ok_or("there is no module in it")?, &PrintOptions::new(), &mut text)?;

    let work = tempfile::tempdir()?;
    let [mlir, llvm, object, program] = ["k.mlir", "k.ll", "k.o", "k"].map(|name| work.path().join(name));
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/run_kernel/host.c");
    std::fs::write(&mlir, text)?;
    run("mlir-translate-22", &["--mlir-to-llvmir".as_ref(), &mlir, "-o".as_ref(), &llvm])?;
    run("llc-22", &["-filetype=obj".as_ref(), "-relocation-model=pic".as_ref(), &llvm, "-o".as_ref(), &object])?;
    run("cc", &[&host, &object, "-o".as_ref(), &program])?;
    run(&program.to_string_lossy(), &[])
}
