//! A host and its kernels, through SPIR-V, for a processor.

use std::collections::HashSet;

use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{AttributeData, OpRef};
use mlirbc_rewrite::Pipeline;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{differences, registry};

const PIPELINE: &str = "builtin.module(test-spirv-cpu-runner-pipeline)";

/// Launches are outlined in these, and their kernels say nothing of their workgroups, which `convert-gpu-to-spirv` wants to know.
const OUTLINED: [&str; 2] = ["clusters.mlir", "launch.mlir"];

fn modules() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/host");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .expect("fixtures")
        .map(|entry| entry.expect("a file").path())
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    found.sort();
    found
}

/// The name that a call refers to.
fn callee(op: OpRef<'_>) -> Option<String> {
    let context = op.module().context();
    match &context[op.attribute("callee").ok()??] {
        AttributeData::SymbolRef { root, .. } => Some(context.text(*root).into_owned()),
        _ => None,
    }
}

#[test]
fn a_host_calls_what_its_kernels_become() {
    let mut launched = 0;
    for (name, text) in modules().into_iter().filter(|(name, _)| !OUTLINED.contains(&&**name)) {
        let context = super::context();
        let mut module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("a module");
        let launches = text.matches("gpu.launch_func").count();
        let pipeline = Pipeline::parse(PIPELINE, &registry()).expect("a pipeline");
        pipeline.run(&mut module).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify_module(&module, &mut |error| panic!("{name}: {error}")).expect("a module that can be read");
        let top = module.operations().expect("operations").next().expect("a module");
        let (mut defined, mut declared, mut calls) = (HashSet::new(), HashSet::new(), Vec::new());
        for op in top.walk().expect("operations") {
            let dialect = op.name().split('.').next().unwrap_or_default().to_owned();
            let left = ["gpu", "func", "arith", "spirv"].contains(&&*dialect);
            assert!(!left, "{name}: {} is left", op.name());
            if op.is("llvm.call") {
                calls.extend(callee(op));
            } else if op.is("llvm.func") {
                let symbol = op.symbol_name().expect("a name").map(|name| context.text(name).into_owned());
                let has_body = op.walk().expect("operations").nth(1).is_some();
                if has_body { &mut defined } else { &mut declared }.extend(symbol);
            }
        }
        let kernels: Vec<&String> = calls.iter().filter(|callee| callee.starts_with("__spv__")).collect();
        assert_eq!(kernels.len(), launches, "{name}");
        assert!(kernels.iter().all(|kernel| defined.contains(*kernel) && declared.contains(*kernel)), "{name}");
        launched += launches;
    }
    assert!(launched >= 10, "{launched} launches");
}

#[test]
fn each_pass_makes_what_that_of_mlir_makes() {
    if !tool("mlir-opt-22", "a host and its kernels were not compared with those of mlir-opt") {
        return;
    }
    let passes = [
        "gpu-kernel-outlining",
        "gpu-launch-sink-index-computations",
        "lower-host-to-llvm",
        "convert-func-to-llvm",
        "convert-arith-to-llvm",
        "convert-cf-to-llvm",
        "finalize-memref-to-llvm",
    ];
    let alone = passes.map(|pass| format!("builtin.module({pass})"));
    let spirv = "convert-gpu-to-spirv,spirv.module(spirv-lower-abi-attrs,spirv-update-vce)";
    let whole = format!("builtin.module(gpu-kernel-outlining,{spirv},lower-host-to-llvm,convert-spirv-to-llvm)");
    for (name, text) in modules() {
        let whole = (!OUTLINED.contains(&&*name)).then_some(&whole);
        // A launch whose kernels are no modules of SPIR-V yet cannot be lowered.
        let alone = alone.iter().filter(|pass| !(pass.contains("lower-host") && text.contains("gpu.launch_func")));
        for pipeline in alone.chain(whole) {
            if let Some((theirs, ours)) = differences(&text, pipeline).first() {
                panic!("{name}, {pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
            }
        }
    }
}

#[test]
fn all_of_a_group_do_what_stands_first_in_a_launch() {
    let text = r#"
func.func @launch(%x: f32, %c: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %d) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %0 = gpu.all_reduce add %x {} : (f32) -> (f32)
    %1 = gpu.subgroup_reduce add %0 cluster(size = 1) : (f32) -> (f32)
    %2 = gpu.subgroup_reduce add %1 cluster(size = 4) : (f32) -> (f32)
    scf.if %c {
      %3 = gpu.all_reduce add %x {} : (f32) -> (f32)
      gpu.printf "%f", %3 : f32
    }
    gpu.printf "%f", %2 : f32
    gpu.terminator
  }
  return
}"#;
    let pipeline = "builtin.module(canonicalize)";
    assert_eq!(super::by_us(text, pipeline).matches("uniform").count(), 2);
    if tool("mlir-opt-22", "folds of groups were not compared with those of mlir-opt") {
        assert_eq!(differences(text, pipeline), []);
    }
}
