//! Random kernels, compiled to SPIR-V: `into_spirv FOLDER [--first SEED] [--count N] [--tries N] [--forms]`.
//!
//! Writes each kernel that is compiled to FOLDER/SEED.spv, and prints a line a kernel: its seed, what it is compiled for, and `ok` or why it is
//! refused. With `--forms` the kernels have a single operation each, one a form and target. `--text` writes FOLDER/SEED.mlir of every
//! kernel, too. `testing/into_spirv.py` runs it, and has the binaries checked.

use std::collections::HashMap;
use std::io::Write as _;

use mlirbc_conversion::compile::compile_to_binary;
use mlirbc_fuzz::Forms;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Result};
use mlirbc_text::{ParseOptions, parse_module};

/// What kernels are compiled for: names, and targets that have little.
const TARGETS: [&str; 10] = [
    "vulkan1.0",
    "vulkan1.1",
    "vulkan1.2",
    "vulkan1.3",
    "opencl1.2",
    "opencl2.2",
    "#spirv.target_env<#spirv.vce<v1.0, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.3, [Shader, Int8, Int16, Float16, GroupNonUniformArithmetic], []>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.6, [Shader, Int8, Int16, Int64, Float16, Float64, StorageBuffer16BitAccess, StorageBuffer8BitAccess, \
     GroupNonUniformArithmetic, GroupNonUniformShuffle], []>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.4, [Kernel, Addresses, Int64, Float64], []>, #spirv.resource_limits<>>",
];

/// A module as text, as the words of SPIR-V.
fn compiled(context: &Context, text: &str, target: &str) -> Result<Vec<u8>> {
    let mut module = parse_module(context, text.as_bytes(), &ParseOptions::new())?;
    let mut valid = Ok(());
    verify_module(&module, &mut |error| {
        if valid.is_ok() {
            valid = Err(error);
        }
    })?;
    valid.unwrap_or_else(|error| panic!("a kernel is broken: {error}\n{text}"));
    compile_to_binary(&mut module, target, 1)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: u64| {
        let at = arguments.iter().position(|one| one == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(usual)
    };
    let has = |name: &str| arguments.iter().any(|one| one == name);
    let Some(folder) = arguments.first().filter(|one| !one.starts_with('-')) else {
        eprintln!("into_spirv FOLDER [--first SEED] [--count N] [--tries N] [--forms] [--text]");
        std::process::exit(2);
    };
    let context = mlirbc_dialects::context();
    mlirbc_spirv::register(&context).expect("a fresh context");
    let forms = Forms::new(&context, number("--tries", 150) as usize);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut one = |name: &str, target: usize, text: &str, what: &str| {
        let said = match compiled(&context, text, TARGETS[target]) {
            Ok(binary) => {
                std::fs::write(format!("{folder}/{name}.spv"), binary).expect("the folder takes it");
                "ok".to_owned()
            }
            Err(error) => error.to_string().replace('\n', " "),
        };
        if has("--text") {
            std::fs::write(format!("{folder}/{name}.mlir"), text).expect("the folder takes it");
        }
        writeln!(out, "{name}\t{target}\t{}\t{what}\t{said}", TARGETS[target]).expect("standard output");
    };
    if has("--forms") {
        for (number, form) in forms.all().iter().enumerate() {
            for target in 0..TARGETS.len() {
                one(&format!("f{number}-{target}"), target, &forms.alone(number), &form.to_string());
            }
        }
        return;
    }
    // Which forms compile alone, by target, once each was asked for.
    let known = std::cell::RefCell::new(HashMap::new());
    for seed in number("--first", 0)..number("--first", 0) + number("--count", 100) {
        let target = (seed % TARGETS.len() as u64) as usize;
        let is_allowed = |form: usize| {
            let compiles = || compiled(&context, &forms.alone(form), TARGETS[target]).is_ok();
            *known.borrow_mut().entry((form, target)).or_insert_with(compiles)
        };
        one(&seed.to_string(), target, &forms.kernel(seed, &is_allowed), "");
    }
}
