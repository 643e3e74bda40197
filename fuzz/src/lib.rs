//! The bodies of the fuzz targets: one door of the project each, with an oracle that says what has to hold.
//!
//! A body is a plain function of bytes that panics where the oracle does not hold, so that tests run it on stable Rust;
//! `fuzz_targets/` puts the same functions under libFuzzer.
#![forbid(unsafe_code)]

pub mod attribute_text;
pub mod bytecode_patch;
pub mod bytecode_read;
pub mod bytecode_roundtrip;
pub mod bytecode_structured;
mod definitions;
pub mod engine;
mod inputs;
pub mod into_spirv;
mod kernels;
mod mutate;
pub mod ods_import;
mod oracle;
mod random;
pub mod rewrite;
pub mod spirv_link;
pub mod spirv_passes;
pub mod spirv_raise;
pub mod spirv_read;
pub mod spirv_structured;
pub mod spirv_to_llvm;
pub mod stablehlo_text;
pub mod store_records;
mod structured;
pub mod text_parse;
pub mod vhlo_read;

pub use inputs::{bytecode_files, files_below, findings, fixtures, keep};
pub use kernels::{Form, Forms};
pub use mutate::{mutate_attribute, mutate_bytecode, mutate_bytes, mutate_definitions, mutate_module, mutate_spirv};
pub use oracle::comes_back_from_assembly;
pub use random::{Random, choose, number_of};

/// What became of an input. An oracle that does not hold is a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Taken, and everything that has to hold of it held.
    Accepted,
    /// Refused with a proper error.
    Refused,
    /// Read, but what it says cannot be written: properties that are not those of their operation.
    Unwritable,
}

/// A door, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of the module here, and of the file in `fuzz_targets/`.
    pub name: &'static str,
    /// The body.
    pub run: fn(&[u8]) -> Outcome,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Seed>,
    /// Makes another input of one or two of them.
    pub mutate: fn(&mut Random, &[u8], &[u8]) -> Vec<u8>,
}

impl Target {
    /// Another input, made of one or two; none where chance made the same again and again.
    pub fn change(&self, random: &mut Random, input: &[u8], other: &[u8]) -> Option<Vec<u8>> {
        const TRIES: usize = 8;
        (0..TRIES).map(|_| (self.mutate)(random, input, other)).find(|changed| changed != input)
    }
}

/// An input to begin with, and what it is called.
pub type Seed = (String, Vec<u8>);

macro_rules! targets {
    ($($name:ident $mutate:path,)*) => {
        /// Every target.
        pub const TARGETS: &[Target] = &[$(Target {
            name: stringify!($name),
            run: $name::run,
            seeds: $name::seeds,
            mutate: $mutate,
        },)*];
    };
}

targets! {
    attribute_text mutate_attribute,
    bytecode_patch mutate_bytecode,
    bytecode_read mutate_bytecode,
    bytecode_roundtrip mutate_bytecode,
    bytecode_structured mutate_bytes,
    into_spirv mutate_module,
    ods_import mutate_definitions,
    rewrite rewrite::mutate,
    spirv_link spirv_passes::mutate,
    spirv_passes spirv_passes::mutate,
    spirv_raise mutate_spirv,
    spirv_read mutate_spirv,
    spirv_structured mutate_bytes,
    spirv_to_llvm mutate_spirv,
    stablehlo_text mutate_module,
    store_records mutate_bytes,
    text_parse mutate_module,
    vhlo_read mutate_bytecode,
}

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
