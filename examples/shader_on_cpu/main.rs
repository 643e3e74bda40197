//! A compute shader on the processor: `cargo run --example shader_on_cpu` raises `fixtures/spirv/blur.spv`, converts it to the dialect
//! `llvm`, makes an object file of it with `mlir-translate` and `llc`, links that with `host.c` and runs it. Where one of these is not
//! installed it says so, and stops.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use mlirbc::conversion::spirv_to_llvm::ConvertSpirvToLlvm;
use mlirbc::rewrite::Pipeline;
use mlirbc::text::{PrintOptions, print_operation};
use mlirbc::{Context, Error, OpRef, Result};

/// The text of the module that the shader becomes. Its entry point `main` is called `blur`, as the host has a `main` of its own.
fn converted(shader: &Path) -> Result<String> {
    let context = Context::new();
    let mut module = mlirbc::spirv::raise(&context, std::fs::read(shader)?)?;
    // Each invocation is a thread, and has built-in variables of its own.
    let pass = ConvertSpirvToLlvm { thread_local: true, ..Default::default() };
    Pipeline::new().pass(pass).run(&mut module)?;
    // What was a `spirv.module` is a module inside of the outer one, which `mlir-translate` would not look at.
    let inner = module.operations()?.flat_map(OpRef::ops).flatten().find(|op| op.is("builtin.module"));
    let inner = inner.ok_or_else(|| Error::misuse("there is no module in it"))?;
    let mut text = Vec::new();
    print_operation(inner, &PrintOptions::new(), &mut text)?;
    Ok(String::from_utf8_lossy(&text).replace("sym_name = \"main\"", "sym_name = \"blur\""))
}

/// Where a program is, by the first of its names that is installed.
fn installed(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        |name| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file: &PathBuf| file.is_file());
    names.iter().find_map(found)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    status.success().then_some(()).ok_or_else(|| Error::misuse(format!("{command:?}: {status}")))
}

fn all() -> Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = converted(&here.join("fixtures/spirv/blur.spv"))?;
    let mut tools = Vec::new();
    for names in [&["mlir-translate-22", "mlir-translate"][..], &["llc-22", "llc"], &["cc"]] {
        let Some(tool) = installed(names) else {
            eprintln!("SKIPPED: {} is not installed, so the shader was converted and not run", names[0]);
            return Ok(());
        };
        tools.push(tool);
    }
    let work = tempfile::tempdir()?;
    let [mlir, llvm, object, program] = ["blur.mlir", "blur.ll", "blur.o", "blur"].map(|name| work.path().join(name));
    std::fs::write(&mlir, text)?;
    run(Command::new(&tools[0]).arg("--mlir-to-llvmir").arg(&mlir).arg("-o").arg(&llvm))?;
    run(Command::new(&tools[1])
        .args(["-O2", "-relocation-model=pic", "-filetype=obj"])
        .arg(&llvm)
        .arg("-o")
        .arg(&object))?;
    let host = here.join("examples/shader_on_cpu/host.c");
    run(Command::new(&tools[2]).arg("-O2").arg(host).arg(&object).arg("-o").arg(&program).arg("-lpthread"))?;
    run(&mut Command::new(&program))
}

fn main() -> ExitCode {
    match all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
