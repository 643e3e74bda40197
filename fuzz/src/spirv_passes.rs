//! The own passes of `spirv`: what comes of a valid module is valid, or an error says why not, on any number of threads; of any other
//! module nothing is asked but that they end.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{Context, ErrorKind, Module};
use mlirbc_rewrite::{Pipeline, Registry, RunOptions};
use mlirbc_spirv::transforms::add_to;
use mlirbc_spirv::{is_spirv, raise, register};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{through_bytecode, through_text};
use crate::rewrite::is_valid;
use crate::{Outcome, Random, Seed, inputs, mutate_module, mutate_spirv, number_of, spirv_raise};

/// What passes are told.
const RULES: [&str; 4] = ["upstream", "std140", "std430", "scalar"];

/// A module for a device, which a target is attached to.
const DEVICE: &str = "gpu.module @kernels { }\ngpu.module @others attributes {targets = []} { }\n";

/// Names of modules that a target is attached to, and what targets have.
const ATTACHED: [&str; 4] = [
    "module=k.*s ver=v1.3 caps=Shader,Int64 exts=SPV_KHR_16bit_storage client_api=Vulkan",
    "module=(a|o)*ther[[:alpha:]] caps=Kernel,Nothing client_api=OpenCL device_id=7",
    "module=(k|ke)*(",
    "ver=v1.6",
];

/// Inputs to begin with: modules that the passes change, and binaries.
pub fn seeds() -> Vec<Seed> {
    let changed = inputs::of_a_test("spirv_transforms.mlir");
    let modules = changed.split("\n\n").enumerate();
    let mut seeds: Vec<Seed> =
        modules.map(|(number, text)| (format!("module-{number}.mlir"), text.as_bytes().to_vec())).collect();
    seeds.push(("device.mlir".to_owned(), DEVICE.as_bytes().to_vec()));
    seeds.extend(spirv_raise::seeds());
    seeds
}

/// Another input of the same kind.
pub fn mutate(random: &mut Random, input: &[u8], other: &[u8]) -> Vec<u8> {
    let other = if is_spirv(input) == is_spirv(other) { other } else { input };
    if is_spirv(input) { mutate_spirv(random, input, other) } else { mutate_module(random, input, other) }
}

/// The module that text or a binary is.
pub(crate) fn module(data: &[u8]) -> Option<Module> {
    let context: Context = mlirbc_dialects::context();
    register(&context).expect("a fresh context");
    match is_spirv(data) {
        true => raise(&context, data.to_vec()).ok(),
        false => parse_module(&context, data, &ParseOptions::new().implicit_module(true)).ok(),
    }
}

/// A pipeline, which the input says.
fn pipeline(data: &[u8]) -> String {
    let random = &mut Random::new(number_of(data));
    let registry = add_to(Registry::new());
    let names: Vec<&str> = registry.passes().map(|pass| pass.name).collect();
    let passes = (0..1 + random.below(3)).map(|_| match names[random.below(names.len())] {
        name if name.starts_with("decorate") => format!("{name}{{rule={}}}", RULES[random.below(RULES.len())]),
        name if name == "spirv-attach-target" => format!("{name}{{{}}}", ATTACHED[random.below(ATTACHED.len())]),
        name => format!("spirv.module({name})"),
    });
    format!("builtin.module({})", passes.collect::<Vec<_>>().join(","))
}

/// Reads a module and runs passes on it.
pub fn run(data: &[u8]) -> Outcome {
    let Some(mut alone) = module(data) else { return Outcome::Refused };
    let valid = is_valid(&alone);
    let text = pipeline(data);
    let pipeline = Pipeline::parse(&text, &add_to(Registry::new())).unwrap_or_else(|error| panic!("{error}"));
    let ran = pipeline.run_with(&mut alone, RunOptions::new().verify_each(valid).threads(1));
    let Some(mut other) = module(data) else { panic!("it was read before") };
    let others = pipeline.run_with(&mut other, RunOptions::new().verify_each(valid).threads(3));
    assert_eq!(ran.is_ok(), others.is_ok(), "`{text}` on three threads");
    match ran {
        Err(error) if valid => {
            assert!(error.kind() == ErrorKind::Verification || error.kind() == ErrorKind::Misuse, "`{text}`: {error}");
            Outcome::Accepted
        }
        Ok(_) if valid => {
            assert!(is_valid(&alone), "`{text}` breaks the module");
            through_text(&alone);
            let written = through_bytecode(&alone, &WriteOptions::default());
            written.unwrap_or_else(|error| panic!("`{text}`, and then it cannot be written: {error}"));
            Outcome::Accepted
        }
        _ => Outcome::Accepted,
    }
}
