//! Conversions from one dialect of MLIR to another, a folder each, and the passes that run them.
//!
//! | pass | conversion |
//! | --- | --- |
//! | `convert-arith-to-llvm` | [`arith_to_llvm`] |
//! | `convert-arith-to-spirv` | [`arith_to_spirv`] |
//! | `convert-cf-to-llvm` | [`cf_to_llvm`] |
//! | `convert-cf-to-spirv` | [`cf_to_spirv`] |
//! | `convert-complex-to-spirv` | [`complex_to_spirv`] |
//! | `convert-to-spirv` | [`convert_to_spirv`] |
//! | `convert-func-to-llvm` | [`func_to_llvm`] |
//! | `convert-func-to-spirv` | [`func_to_spirv`] |
//! | `convert-gpu-to-spirv` | [`gpu_to_spirv`] |
//! | `convert-index-to-spirv` | [`index_to_spirv`] |
//! | `convert-math-to-spirv` | [`math_to_spirv`] |
//! | `convert-memref-to-spirv` | [`memref_to_spirv`] |
//! | `finalize-memref-to-llvm` | [`memref_to_llvm`] |
//! | `lower-host-to-llvm`, `test-spirv-cpu-runner-pipeline` | [`lower_host`] |
//! | `convert-scf-to-spirv` | [`scf_to_spirv`] |
//! | `convert-tensor-to-spirv` | [`tensor_to_spirv`] |
//! | `convert-ub-to-spirv` | [`ub_to_spirv`] |
//! | `convert-vector-to-spirv` | [`vector_to_spirv`] |
//! | `map-memref-spirv-storage-class` | [`memref_to_spirv::storage_class`] |
//! | `convert-spirv-to-llvm` | [`spirv_to_llvm`] |
//!
//! ```
//! use mlirbc_conversion::passes;
//! use mlirbc_ir::Context;
//! use mlirbc_rewrite::Pipeline;
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! let context = mlirbc_dialects::context();
//! mlirbc_spirv::register(&context)?;
//! let text = br#"spirv.func @double(%a: i32) -> i32 "None" {
//!   %b = spirv.IAdd %a, %a : i32
//!   spirv.ReturnValue %b : i32
//! }"#;
//! let mut module = parse_module(&context, text, &ParseOptions::new().implicit_module(true))?;
//! let pipeline = Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &passes::add_to(Default::default()))?;
//! pipeline.run(&mut module)?;
//! let function = module.symbol("double")?.ok_or("no function")?;
//! assert_eq!(function.name(), "llvm.func");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`compile::compile_to_binary`] goes the whole way, from kernels of the dialect `gpu` to a binary of SPIR-V that a target can run.
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | compile kernels | [`compile`] |
//! | run a conversion by name | [`passes::add_to`], which gives these passes to a registry |
//! | convert to SPIR-V yourself | [`to_spirv`]: types, targets and patterns to add yours to |
//! | convert to the dialect `llvm` yourself | [`to_llvm`] |
//! | run a host and its kernels on a processor | [`lower_host`], [`spirv_to_llvm`] |
//!
//! # When not to use it
//!
//! What is not in the table has no conversion here: use MLIR.
//!
//! To change operations into others of the same dialect, patterns and the greedy driver of `mlirbc-rewrite` do with less.

#![forbid(unsafe_code)]

pub mod arith_to_llvm;
pub mod arith_to_spirv;
pub mod cf_to_llvm;
pub mod cf_to_spirv;
mod common;
pub mod compile;
pub mod complex_to_spirv;
pub mod convert_to_spirv;
mod divisions;
pub mod func_to_llvm;
pub mod func_to_spirv;
pub mod gpu_to_spirv;
pub mod index_to_spirv;
pub mod lower_host;
pub mod math_to_spirv;
pub mod memref_to_llvm;
pub mod memref_to_spirv;
pub mod scf_to_spirv;
pub mod spirv_to_llvm;
pub mod tensor_to_spirv;
pub mod to_llvm;
pub mod to_spirv;
pub mod ub_to_spirv;
pub mod vector_to_spirv;

/// The passes of this crate, by MLIR's names.
pub mod passes {
    use mlirbc_rewrite::Registry;

    pub use crate::spirv_to_llvm::ConvertSpirvToLlvm;

    /// A registry with these passes, beside those that are in it.
    pub fn add_to(registry: Registry) -> Registry {
        let all = [
            crate::arith_to_llvm::INFO,
            crate::arith_to_spirv::INFO,
            crate::cf_to_llvm::INFO,
            crate::cf_to_spirv::INFO,
            crate::complex_to_spirv::INFO,
            crate::convert_to_spirv::INFO,
            crate::convert_to_spirv::TEST,
            crate::func_to_llvm::INFO,
            crate::func_to_spirv::INFO,
            crate::gpu_to_spirv::INFO,
            crate::index_to_spirv::INFO,
            crate::math_to_spirv::INFO,
            crate::lower_host::INFO,
            crate::lower_host::PIPELINE,
            crate::memref_to_llvm::INFO,
            crate::memref_to_spirv::INFO,
            crate::memref_to_spirv::storage_class::INFO,
            crate::scf_to_spirv::INFO,
            crate::spirv_to_llvm::INFO,
            crate::tensor_to_spirv::INFO,
            crate::ub_to_spirv::INFO,
            crate::vector_to_spirv::INFO,
        ];
        all.into_iter().fold(registry, Registry::pass)
    }
}
