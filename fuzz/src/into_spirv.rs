//! Conversions into SPIR-V: what comes of a valid module is valid, or an error says why not, for any target and with any options; what is
//! compiled can be written as a binary, which is raised again. Of any other module nothing is asked but that they end.

use mlirbc_bytecode::WriteOptions;
use mlirbc_conversion::compile::compile;
use mlirbc_conversion::passes::add_to;
use mlirbc_ir::{Context, Error, ErrorKind, Module};
use mlirbc_rewrite::{PassInfo, Pipeline, Registry, RunOptions};
use mlirbc_spirv::target::{set_target, target_attribute};
use mlirbc_spirv::{lower, raise, register};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{text_cannot_say, through_bytecode, through_text, unfit};
use crate::rewrite::is_valid;
use crate::{Forms, Outcome, Random, Seed, fixtures, inputs, number_of};

/// How many kernels are made of random operations.
const KERNELS: u64 = 60;

/// What is converted for: names of platforms, and targets that have little.
const TARGETS: [&str; 9] = [
    "vulkan1.0",
    "vulkan1.1",
    "vulkan1.3",
    "opencl1.2",
    "opencl2.2",
    "#spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.3, [Shader, Int8, Int16, Float16, GroupNonUniformArithmetic], []>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.6, [Kernel, Addresses, Int64, Float64], []>, #spirv.resource_limits<>>",
    "#spirv.target_env<#spirv.vce<v1.6, [Shader, Kernel, Addresses, CooperativeMatrixKHR, BFloat16TypeKHR], [SPV_KHR_cooperative_matrix, \
     SPV_KHR_bfloat16]>, #spirv.resource_limits<>>",
];

/// Inputs to begin with: kernels, and functions of which much is converted.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = inputs::files_below(&fixtures().join("kernels"), "mlir");
    let functions = inputs::of_a_test("values_to_spirv.mlir");
    let modules = functions.split_inclusive("\n}\n").enumerate();
    seeds.extend(modules.map(|(number, text)| (format!("values-{number}.mlir"), text.as_bytes().to_vec())));
    let forms = Forms::new(&mlirbc_dialects::context(), 12);
    seeds.extend((0..KERNELS).map(|seed| (format!("kernel-{seed}.mlir"), forms.kernel(seed, &|_| true).into_bytes())));
    seeds
}

fn module(data: &[u8]) -> Option<Module> {
    let context: Context = mlirbc_dialects::context();
    register(&context).expect("a fresh context");
    parse_module(&context, data, &ParseOptions::new().implicit_module(true)).ok()
}

/// A pass with some of its options, as text.
fn pass(random: &mut Random, info: &PassInfo) -> String {
    let mut chosen = Vec::new();
    for option in info.options {
        let number = random.below(8);
        match option.name {
            _ if random.below(3) > 0 => {}
            "bool-num-bits" => chosen.push(format!("bool-num-bits={}", [1, 8, 16, 32][number % 4])),
            "client-api" => chosen.push(format!("client-api={}", ["vulkan", "opencl"][number % 2])),
            // They cannot be asked for.
            name if name.starts_with("run-") => {}
            name => chosen.push(format!("{name}={}", number < 4)),
        }
    }
    format!("{}{{{}}}", info.name, chosen.join(" "))
}

/// A pipeline, which the input says.
fn pipeline(random: &mut Random) -> String {
    let registry = add_to(Registry::new());
    let all: Vec<&PassInfo> = registry
        .passes()
        .filter(|pass| pass.name.ends_with("-to-spirv") || pass.name.starts_with("map-memref-spirv"))
        .collect();
    let count = 1 + random.below(3);
    let chosen: Vec<&PassInfo> = (0..count).map(|_| all[random.below(all.len())]).collect();
    let passes: Vec<String> = chosen.into_iter().map(|info| pass(random, info)).collect();
    format!("builtin.module({})", passes.join(","))
}

fn proper(error: &Error, what: &str) {
    assert!(error.kind() == ErrorKind::Verification || error.kind() == ErrorKind::Misuse, "{what}: {error}");
    assert!(error.to_string().len() < 4_000, "{what}: {error}");
}

/// Runs passes of conversion, and compiles what kernels there are.
pub fn run(data: &[u8]) -> Outcome {
    let Some(mut converted) = module(data) else { return Outcome::Refused };
    let valid = is_valid(&converted);
    let random = &mut Random::new(number_of(data));
    let target = TARGETS[random.below(TARGETS.len())];
    if random.below(2) == 0 {
        let attribute = target_attribute(converted.context(), target).expect("a target");
        set_target(&mut converted, attribute).unwrap_or_else(|error| proper(&error, target));
    }
    let text = pipeline(random);
    let pipeline = Pipeline::parse(&text, &add_to(Registry::new())).unwrap_or_else(|error| panic!("{error}"));
    match pipeline.run_with(&mut converted, RunOptions::new().verify_each(valid).threads(1 + random.below(2))) {
        Err(error) if valid => proper(&error, &text),
        Ok(_) if valid => {
            if !text_cannot_say(&converted) {
                through_text(&converted);
            }
            if let Err(error) = through_bytecode(&converted, &WriteOptions::default()) {
                assert!(unfit(&converted, &error), "`{text}`, and then it cannot be written: {error}");
            }
        }
        _ => {}
    }
    let Some(mut kernels) = module(data) else { panic!("it was read before") };
    match compile(&mut kernels, target, 1) {
        Ok(compiled) => {
            assert!(is_valid(&compiled), "compiled for `{target}`, and broken");
            let binary =
                lower(&compiled).unwrap_or_else(|error| panic!("compiled for `{target}`, and not lowered: {error}"));
            let raised =
                raise(compiled.context(), binary).unwrap_or_else(|error| panic!("lowered, and not raised: {error}"));
            assert!(is_valid(&raised), "compiled for `{target}`, and broken when it comes back");
        }
        Err(error) if valid => proper(&error, target),
        Err(_) => {}
    }
    Outcome::Accepted
}
