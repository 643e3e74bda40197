//! The dialects of upstream MLIR: one file or folder each, with all that is known of it.
//!
//! A dialect is its definitions (the operations, attributes, types and enums that TableGen describes) and what code alone
//! says: assembly written by hand, names of results, verifiers, encodings. All of it goes through the public hooks of
//! [`mlirbc_ir`] and [`mlirbc_bytecode`]: nothing here can do what a crate of your own cannot.
//!
//! ```
//! use mlirbc_ir::text::{ParseOptions, parse_module};
//!
//! let context = mlirbc_dialects::context();
//! let text = b"func.func @f(%a: i32) -> i32 { return %a : i32 }";
//! let module = parse_module(&context, text, &ParseOptions::new())?;
//! assert!(module.symbol("f")?.is_some());
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```
//!
//! # When not to use it
//!
//! To keep, index or copy bytecode files, no dialect needs to be known: `mlirbc-bytecode` with a bare
//! [`Context::new`] does that. SPIR-V is in a crate of its own, `mlirbc-spirv`; the facade `mlirbc` has both.

#![forbid(unsafe_code)]

mod affine;
mod amdgpu;
mod arith;
mod r#async;
mod bufferization;
mod cf;
mod common;
mod complex;
mod emitc;
mod func;
mod gpu;
mod index;
mod irdl;
mod linalg;
pub mod llvm;
mod memref;
mod ml_program;
mod names;
mod pdl;
mod pdl_interp;
pub mod quant;
mod scf;
mod shape;
mod shard;
mod smt;
mod sparse_tensor;
mod tensor;
mod test;
mod tosa;
mod transform;
mod vector;
mod xegpu;

use mlirbc_ir::ods::upstream;
use mlirbc_ir::{Context, Dialect, KnownDialect};

/// The dialects of upstream, sorted by name.
pub const DIALECTS: &[KnownDialect] = &[
    ("acc", |_| defined("acc")),
    ("affine", |_| affine::dialect()),
    ("amdgpu", |_| amdgpu::dialect()),
    ("amx", |_| defined("amx")),
    ("arith", |_| arith::dialect()),
    ("arm_neon", |_| defined("arm_neon")),
    ("arm_sme", |_| defined("arm_sme")),
    ("arm_sve", |_| defined("arm_sve")),
    ("async", |_| r#async::dialect()),
    ("bufferization", |_| bufferization::dialect()),
    ("cf", |_| cf::dialect()),
    ("complex", |_| complex::dialect()),
    ("dlti", |_| defined("dlti")),
    ("emitc", |_| emitc::dialect()),
    ("func", |_| func::dialect()),
    ("gpu", |_| gpu::dialect()),
    ("index", |_| index::dialect()),
    ("irdl", |_| irdl::dialect()),
    ("linalg", |_| linalg::dialect()),
    ("llvm", llvm::dialect),
    ("math", |_| defined("math")),
    ("memref", |_| memref::dialect()),
    ("ml_program", |_| ml_program::dialect()),
    ("mpi", |_| defined("mpi")),
    ("nvgpu", |_| defined("nvgpu")),
    ("nvvm", |_| defined("nvvm")),
    ("omp", |_| defined("omp")),
    ("pdl", |_| pdl::dialect()),
    ("pdl_interp", |_| pdl_interp::dialect()),
    ("ptr", |_| defined("ptr")),
    ("quant", |_| quant::dialect()),
    ("rocdl", |_| defined("rocdl")),
    ("scf", |_| scf::dialect()),
    ("shape", |_| shape::dialect()),
    ("shard", |_| shard::dialect()),
    ("smt", |_| smt::dialect()),
    ("sparse_tensor", |_| sparse_tensor::dialect()),
    ("tensor", |_| tensor::dialect()),
    ("test", |_| test::dialect()),
    ("tosa", |_| tosa::dialect()),
    ("transform", |_| transform::dialect()),
    ("ub", |_| defined("ub")),
    ("vcix", |_| defined("vcix")),
    ("vector", |_| vector::dialect()),
    ("wasmssa", |_| defined("wasmssa")),
    ("x86vector", |_| defined("x86vector")),
    ("xegpu", |_| xegpu::dialect()),
    ("xevm", |_| defined("xevm")),
];

/// A context that knows these dialects. None of them costs anything before it is met.
pub fn context() -> Context {
    Context::with_dialects(DIALECTS)
}

/// A dialect of that name with the operations that upstream defines.
fn defined(name: &'static str) -> Dialect {
    Dialect::new(name).ops(upstream().clone())
}
