//! Passes that rewrite, beside those of mlir-opt.

mod arith;
mod canonicalize;
mod control_flow;
mod conversion;
mod cse;
mod host;
mod inline;
mod instruments;
mod interfaces;
mod into_spirv;
mod kernels;
mod numbers;
mod patterns;
mod random;
mod sccp;
mod shapes;
mod spirv;
mod spirv_link;
mod spirv_to_llvm;
mod spirv_to_llvm_accesses;
mod spirv_to_llvm_calls;
mod spirv_to_llvm_constants;
mod spirv_to_llvm_every;
mod spirv_to_llvm_host;
mod spirv_to_llvm_kernels;
mod spirv_to_llvm_lines;
mod spirv_to_llvm_memory;
mod spirv_to_llvm_modules;
mod spirv_to_llvm_opencl;
mod spirv_to_llvm_others;
mod spirv_to_llvm_rounding;
mod spirv_to_llvm_runs;
mod spirv_to_llvm_starts;
mod spirv_transforms;
mod threads;
mod unhappy;
mod unmarked;
mod values_to_spirv;

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_ir::{Context, Module};
use mlirbc_rewrite::{Pipeline, Registry, passes};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// What mlir-opt makes of a module through a pipeline, as generic text.
fn by_mlir_opt(text: &str, pipeline: &str) -> String {
    let mut command = Command::new("mlir-opt-22");
    command.args([
        "--mlir-disable-threading",
        "--mlir-print-op-generic",
        "--allow-unregistered-dialect",
        "-",
        "-o",
        "-",
    ]);
    command.arg(format!("--pass-pipeline={pipeline}")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("mlir-opt-22 runs");
    let mut input = child.stdin.take().expect("its input");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("a thread").expect("it reads");
    assert!(output.status.success(), "mlir-opt-22: {}", String::from_utf8_lossy(&output.stderr));
    // The combiner of SPIR-V says first which names it changes, a line each: `[None] old -> new`.
    let lines = output.stdout.split_inclusive(|&byte| byte == b'\n').skip_while(|line| line.starts_with(b"["));
    // It numbers values of generic text in an order of its own.
    generic(&parse_module(&context(), &lines.collect::<Vec<_>>().concat(), &ParseOptions::new()).expect("text"))
}

/// A context that knows `spirv` too.
fn context() -> Context {
    let context = mlirbc_testing::context();
    mlirbc_spirv::dialect::register(&context).expect("the dialect");
    context
}

/// The passes of all crates.
fn registry() -> Registry {
    let dialects = mlirbc_dialects::passes::add_to(passes::registry());
    mlirbc_spirv::transforms::add_to(mlirbc_conversion::passes::add_to(dialects))
}

/// What this project makes of it.
fn by_us(text: &str, pipeline: &str) -> String {
    generic(&ran(text, pipeline))
}

fn ran(text: &str, pipeline: &str) -> Module {
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&context(), text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
    let pipeline = Pipeline::parse(pipeline, &registry()).unwrap_or_else(|error| panic!("{error}"));
    pipeline.run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    module
}

/// The module as generic text without locations.
fn generic(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(true), &mut text).expect("it prints");
    String::from_utf8(text).expect("text")
}

/// The operations of the outermost module, a text each: lines of two spaces' depth begin and end them.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.starts_with("  ") && !line.starts_with("   ") && !line.starts_with("  ^") && line.contains("}) :") {
            parts.push(&text[start..at]);
            start = at;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Compares what both make of a module of many functions, function by function. Gives those that differ: what mlir-opt makes, and
/// what we make.
fn differences(text: &str, pipeline: &str) -> Vec<(String, String)> {
    let (theirs, ours) = (by_mlir_opt(text, pipeline), by_us(text, pipeline));
    if theirs.trim_end() == ours.trim_end() {
        return Vec::new();
    }
    let (theirs, ours) = (parts(&theirs), parts(&ours));
    assert_eq!(theirs.len(), ours.len(), "functions");
    let pairs = theirs.into_iter().zip(ours).filter(|(theirs, ours)| theirs.trim_end() != ours.trim_end());
    pairs.map(|(theirs, ours)| (theirs.to_owned(), ours.to_owned())).collect()
}
