//! A kernel compiled to SPIR-V, beside `mlir-opt`: `cargo bench -p mlirbc-benches --bench compile`.
//!
//! A kernel of 200 lines, which this file writes, is compiled in one process, with a context that is kept. `passes` are those that MLIR has for it, on
//! a module that was read before, without verifying; `compile` is all that `mlirbc compile` does to it, checks for the target and all, and `whole` begins with
//! the text and ends with the words. Where there is `mlir-opt-22`, lines before say how long its passes take, by its own clock, and how
//! many times as long that is.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use criterion::Criterion;
use mlirbc::conversion::compile::{compile, compile_to_binary};
use mlirbc::rewrite::{Pipeline, RunOptions};
use mlirbc::text::{ParseOptions, parse_module};
use mlirbc::{Context, Module, Result};
use mlirbc_testing::{PEER, peer_passes, tool};

const TARGET: &str = "vulkan1.1";
const PASSES: &str = "builtin.module(convert-gpu-to-spirv,spirv.module(spirv-lower-abi-attrs,spirv-update-vce))";
/// How often each is asked; the middle of the answers counts.
const TIMES: usize = 9;
/// How many parts the kernel has, of 24 lines each.
const PARTS: usize = 8;

/// A kernel that loads, computes, branches, loops and stores.
fn kernel() -> String {
    let target = "#spirv.target_env<#spirv.vce<v1.3, [Shader, GroupNonUniform, GroupNonUniformArithmetic], [SPV_KHR_storage_buffer_storage_class]>, \
                  #spirv.resource_limits<>>";
    let mut text = format!(
        "module attributes {{gpu.container_module, spirv.target_env = {target}}} {{\n  gpu.module @kernels {{\n"
    );
    text.push_str("    gpu.func @main(%a: memref<1024xf32>, %b: memref<1024xi32>, %c: memref<1024xf32>) kernel\n");
    text.push_str(
        "        attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [64, 1, 1]>} {\n",
    );
    text.push_str("      %i = gpu.global_id x\n");
    for n in 0..PARTS {
        let part = r"      %offset_N = arith.constant N : index
      %one_N = arith.constant 1 : index
      %many_N = arith.constant 16 : index
      %zero_N = arith.constant 0.0 : f32
      %at_N = arith.addi %i, %offset_N : index
      %x_N = memref.load %a[%at_N] : memref<1024xf32>
      %k_N = memref.load %b[%at_N] : memref<1024xi32>
      %limit_N = arith.constant 100 : i32
      %small_N = arith.cmpi slt, %k_N, %limit_N : i32
      %y_N = scf.if %small_N -> f32 {
        %twice_N = arith.mulf %x_N, %x_N : f32
        %root_N = arith.addf %twice_N, %zero_N : f32
        scf.yield %root_N : f32
      } else {
        %number_N = arith.sitofp %k_N : i32 to f32
        scf.yield %number_N : f32
      }
      %sum_N = scf.for %j_N = %offset_N to %many_N step %one_N iter_args(%s_N = %zero_N) -> f32 {
        %place_N = arith.addi %at_N, %j_N : index
        %z_N = memref.load %c[%place_N] : memref<1024xf32>
        %t_N = arith.addf %s_N, %z_N : f32
        scf.yield %t_N : f32
      }
      %r_N = arith.addf %sum_N, %y_N : f32
      memref.store %r_N, %c[%at_N] : memref<1024xf32>
";
        text.push_str(&part.replace("_N", &format!("_{n}")).replace("constant N", &format!("constant {n}")));
    }
    let _ = writeln!(text, "      gpu.return\n    }}\n  }}\n}}");
    text
}

fn parse(context: &Context, text: &str) -> Result<Module> {
    Ok(parse_module(context, text.as_bytes(), &ParseOptions::new())?)
}

/// The time that MLIR's passes take.
fn passes(context: &Context, text: &str, pipeline: &Pipeline) -> Result<Duration> {
    let mut module = parse(context, text)?;
    let start = Instant::now();
    pipeline.run_with(&mut module, RunOptions::new().verify_each(false))?;
    Ok(start.elapsed())
}

/// The time that compiling takes, of a module that was read before.
fn compiled(context: &Context, text: &str) -> Result<Duration> {
    let mut module = parse(context, text)?;
    let start = Instant::now();
    compile(&mut module, TARGET, 1)?;
    Ok(start.elapsed())
}

/// From text to words.
fn whole(context: &Context, text: &str) -> Result<Duration> {
    let start = Instant::now();
    compile_to_binary(&mut parse(context, text)?, TARGET, 1)?;
    Ok(start.elapsed())
}

fn middle(mut once: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let mut times = (0..TIMES).map(|_| once()).collect::<Result<Vec<_>>>()?;
    times.sort();
    Ok(times[TIMES / 2])
}

fn all(criterion: &mut Criterion) -> Result<()> {
    let text = kernel();
    println!("a kernel of {} lines", text.lines().count());
    let context = Context::new();
    let pipeline = Pipeline::parse(PASSES, &mlirbc::opt::registry());
    let pipeline = pipeline.map_err(|error| mlirbc::Error::misuse(error.to_string()))?;
    if tool(PEER, "the passes of mlir-opt") {
        let work = tempfile::tempdir()?;
        let path = work.path().join("kernel.mlir");
        std::fs::write(&path, &text)?;
        let mut theirs: Vec<Duration> = (0..TIMES).filter_map(|_| peer_passes(&path, PASSES)).collect();
        theirs.sort();
        let theirs = theirs.get(theirs.len() / 2).copied().unwrap_or_default();
        type Once<'a> = &'a dyn Fn() -> Result<Duration>;
        let rows: [(&str, Once<'_>); 3] = [
            ("passes", &|| passes(&context, &text, &pipeline)),
            ("compile", &|| compiled(&context, &text)),
            ("whole", &|| whole(&context, &text)),
        ];
        for (name, once) in rows {
            let [ours, theirs] = [middle(once)?, theirs].map(|time| time.as_secs_f64() * 1e3);
            println!("{name}: {ours:.3} ms, the passes of {PEER} {theirs:.3} ms, {:.1} times", theirs / ours);
        }
    }
    let mut group = criterion.benchmark_group("compile");
    group.bench_function("passes", |bencher| {
        bencher
            .iter_custom(|times| (0..times).map(|_| passes(&context, &text, &pipeline).expect("the passes run")).sum());
    });
    group.bench_function("compile", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| compiled(&context, &text).expect("it compiles")).sum());
    });
    group.bench_function("whole", |bencher| {
        bencher.iter_custom(|times| (0..times).map(|_| whole(&context, &text).expect("it compiles")).sum());
    });
    group.finish();
    Ok(())
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    if let Err(error) = all(&mut criterion) {
        eprintln!("{error}");
        std::process::exit(1);
    }
    criterion.final_summary();
}
