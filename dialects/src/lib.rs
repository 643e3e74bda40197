//! The dialects of upstream MLIR: one file or folder each, with all that is known of it.
//!
//! A dialect is its definitions (the operations, attributes, types and enums that TableGen describes) and what code alone
//! says: assembly written by hand, names of results, verifiers, encodings. All of it goes through the public hooks of
//! [`mlirbc_ir`] and [`mlirbc_bytecode`]: nothing here can do what a crate of your own cannot.
//!
//! ```
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! let context = mlirbc_dialects::context();
//! let text = b"func.func @f(%a: i32) -> i32 { return %a : i32 }";
//! let module = parse_module(&context, text, &ParseOptions::new())?;
//! assert!(module.symbol("f")?.is_some());
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```
//!
//! Operations whose operands have names are handles, too, for patterns and for looking: [`arith::AddI`]. Enums are Rust's:
//!
//! ```
//! use mlirbc_dialects::arith::CmpIPredicate;
//!
//! assert_eq!(CmpIPredicate::Slt.value(), 2);
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | get a context with all of them, or with some | [`context`](context()), [`DIALECTS`] with [`Context::with_dialects`] |
//! | build functions, constants and globals | [`Build`] |
//! | know what a dialect brings | its module: [`arith`], [`gpu`], [`llvm`], [`memref`], [`vector`], ... |
//! | know what an operation takes and gives | [`definitions`], or [`OpRef::definition`](mlirbc_ir::OpRef::definition) of one that is there |
//! | run their passes | [`passes`] |
//! | write a dialect of your own | the hooks of [`Dialect`], and `examples/toy` in the repository |
//!
//! # When not to use it
//!
//! To keep, index or copy bytecode files, no dialect needs to be known: `mlirbc-bytecode` with a bare
//! [`Context::new`] does that. SPIR-V is in a crate of its own, `mlirbc-spirv`; the facade `mlirbc` has both.

#![forbid(unsafe_code)]

/// What makes a dialect that is the same in every context: made once a process.
macro_rules! shared {
    ($dialect:expr) => {
        |_| {
            static MADE: OnceLock<Arc<Dialect>> = OnceLock::new();
            MADE.get_or_init(|| Arc::new($dialect)).clone()
        }
    };
}

/// A dialect of that name with MLIR's definitions of it and the text of its attributes that are cases of enums.
macro_rules! defined {
    ($name:literal) => {
        $crate::with_enums(mlirbc_ir::Dialect::new($name).ops(mlirbc_ir::ods::OpTable::embedded(include_bytes!(
            concat!(env!("CARGO_MANIFEST_DIR"), "/src/", $name, ".table")
        ))))
    };
}

pub mod acc;
mod affine;
pub mod amdgpu;
pub mod arith;
mod r#async;
pub mod bufferization;
mod build;
mod builtin;
mod cf;
mod common;
pub mod complex;
pub mod emitc;
mod func;
pub mod gpu;
pub mod index;
pub mod irdl;
pub mod linalg;
pub mod llvm;
mod math;
pub mod memref;
mod ml_program;
mod names;
pub mod passes;
mod pdl;
mod pdl_interp;
pub mod ptr;
pub mod quant;
mod scf;
mod shape;
pub mod shard;
pub mod smt;
pub mod sparse_tensor;
mod tensor;
mod test;
pub mod tosa;
pub mod transform;
mod ub;
pub mod vector;
pub mod xegpu;

/// `arm_sme`: the matrices of Arm's SME.
pub mod arm_sme {
    mod enums;

    pub use enums::*;
}

/// `mpi`: messages between processes.
pub mod mpi {
    mod enums;

    pub use enums::*;
}

/// `nvgpu`: what GPUs of NVIDIA have, beside `nvvm`.
pub mod nvgpu {
    mod enums;

    pub use enums::*;
}

/// `nvvm`: intrinsics of NVIDIA's GPUs.
pub mod nvvm {
    mod enums;

    pub use enums::*;
}

/// `omp`: OpenMP.
pub mod omp {
    mod enums;

    pub use enums::*;
}

/// `xevm`: intrinsics of Intel's GPUs.
pub mod xevm {
    mod enums;

    pub use enums::*;
}

use std::sync::{Arc, OnceLock};

pub use build::Build;
pub use common::cases::case_of;
use common::cases::{Cases, EnumAttribute};
use mlirbc_ir::ods::{Enumerators, OpTable};
use mlirbc_ir::{Context, Dialect, KnownDialect};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere, InlineOperations};

/// The dialects of upstream, sorted by name.
pub const DIALECTS: &[KnownDialect] = &[
    ("acc", shared!(acc::dialect())),
    ("affine", shared!(affine::dialect())),
    ("amdgpu", shared!(amdgpu::dialect())),
    ("amx", shared!(defined!("amx"))),
    ("arith", shared!(arith::dialect())),
    ("arm_neon", shared!(defined!("arm_neon"))),
    ("arm_sme", shared!(defined!("arm_sme"))),
    ("arm_sve", shared!(defined!("arm_sve"))),
    ("async", shared!(r#async::dialect())),
    ("bufferization", shared!(bufferization::dialect())),
    ("builtin", shared!(builtin::dialect())),
    ("cf", shared!(cf::dialect())),
    ("complex", shared!(complex::dialect())),
    ("dlti", shared!(defined!("dlti"))),
    ("emitc", shared!(emitc::dialect())),
    ("func", shared!(func::dialect())),
    ("gpu", shared!(gpu::dialect())),
    ("index", shared!(index::dialect())),
    ("irdl", shared!(irdl::dialect())),
    ("linalg", shared!(linalg::dialect())),
    ("llvm", |context| Arc::new(llvm::dialect(context))),
    ("math", shared!(math::dialect())),
    ("memref", shared!(memref::dialect())),
    ("ml_program", shared!(ml_program::dialect())),
    ("mpi", shared!(defined!("mpi"))),
    ("nvgpu", shared!(defined!("nvgpu"))),
    ("nvvm", shared!(defined!("nvvm").inliner(InlineEverywhere))),
    ("omp", shared!(defined!("omp"))),
    ("pdl", shared!(pdl::dialect())),
    ("pdl_interp", shared!(pdl_interp::dialect())),
    ("ptr", shared!(ptr::dialect())),
    ("quant", shared!(quant::dialect())),
    ("rocdl", shared!(defined!("rocdl").inliner(InlineOperations))),
    ("scf", shared!(scf::dialect())),
    ("shape", shared!(shape::dialect())),
    ("shard", shared!(shard::dialect())),
    ("smt", shared!(smt::dialect())),
    ("sparse_tensor", shared!(sparse_tensor::dialect())),
    ("tensor", shared!(tensor::dialect())),
    ("test", shared!(test::dialect())),
    ("tosa", shared!(tosa::dialect())),
    ("transform", shared!(transform::dialect())),
    ("ub", shared!(ub::dialect())),
    ("vcix", shared!(defined!("vcix"))),
    ("vector", shared!(vector::dialect())),
    ("wasmssa", shared!(defined!("wasmssa"))),
    ("x86vector", shared!(defined!("x86vector"))),
    ("xegpu", shared!(xegpu::dialect())),
    ("xevm", shared!(defined!("xevm"))),
];

/// What is generated of a dialect: its name, its enums, and the attributes that are a case of one.
type Enums = (&'static str, &'static [Enumerators], &'static [EnumAttribute]);

/// Of each dialect that has enums, what is generated of these.
const ENUMS: &[Enums] = &[
    ("acc", acc::ENUMERATIONS, acc::ENUM_ATTRIBUTES),
    ("amdgpu", amdgpu::ENUMERATIONS, amdgpu::ENUM_ATTRIBUTES),
    ("arith", arith::ENUMERATIONS, arith::ENUM_ATTRIBUTES),
    ("arm_sme", arm_sme::ENUMERATIONS, arm_sme::ENUM_ATTRIBUTES),
    ("bufferization", bufferization::ENUMERATIONS, bufferization::ENUM_ATTRIBUTES),
    ("complex", complex::ENUMERATIONS, complex::ENUM_ATTRIBUTES),
    ("emitc", emitc::ENUMERATIONS, emitc::ENUM_ATTRIBUTES),
    ("gpu", gpu::ENUMERATIONS, gpu::ENUM_ATTRIBUTES),
    ("index", index::ENUMERATIONS, index::ENUM_ATTRIBUTES),
    ("irdl", irdl::ENUMERATIONS, irdl::ENUM_ATTRIBUTES),
    ("linalg", linalg::ENUMERATIONS, linalg::ENUM_ATTRIBUTES),
    ("llvm", llvm::ENUMERATIONS, llvm::ENUM_ATTRIBUTES),
    ("mpi", mpi::ENUMERATIONS, mpi::ENUM_ATTRIBUTES),
    ("nvgpu", nvgpu::ENUMERATIONS, nvgpu::ENUM_ATTRIBUTES),
    ("nvvm", nvvm::ENUMERATIONS, nvvm::ENUM_ATTRIBUTES),
    ("omp", omp::ENUMERATIONS, omp::ENUM_ATTRIBUTES),
    ("ptr", ptr::ENUMERATIONS, ptr::ENUM_ATTRIBUTES),
    ("shard", shard::ENUMERATIONS, shard::ENUM_ATTRIBUTES),
    ("smt", smt::ENUMERATIONS, smt::ENUM_ATTRIBUTES),
    ("sparse_tensor", sparse_tensor::ENUMERATIONS, sparse_tensor::ENUM_ATTRIBUTES),
    ("tosa", tosa::ENUMERATIONS, tosa::ENUM_ATTRIBUTES),
    ("transform", transform::ENUMERATIONS, transform::ENUM_ATTRIBUTES),
    ("vector", vector::ENUMERATIONS, vector::ENUM_ATTRIBUTES),
    ("xegpu", xegpu::ENUMERATIONS, xegpu::ENUM_ATTRIBUTES),
    ("xevm", xevm::ENUMERATIONS, xevm::ENUM_ATTRIBUTES),
];

/// The enums of all dialects but `spirv`, which are Rust's, too: [`arith::CmpIPredicate`].
pub fn enumerations() -> impl Iterator<Item = &'static Enumerators> {
    ENUMS.iter().flat_map(|dialect| dialect.1)
}

/// The enum that definitions call so: `arith::CmpIPredicate`.
pub fn enumeration(name: &str) -> Option<&'static Enumerators> {
    enumerations().find(|enumeration| enumeration.name == name)
}

/// The enum that an attribute is a case of, by its dialect and mnemonic: `arith.fastmath`. `None` for attributes that are something else.
pub fn enumeration_of_attribute(name: &str) -> Option<&'static Enumerators> {
    let (dialect, mnemonic) = name.split_once('.')?;
    let attributes = ENUMS.iter().find(|enums| enums.0 == dialect)?.2;
    attributes.iter().find(|attribute| attribute.mnemonic == mnemonic).map(|attribute| &attribute.cases)
}

/// What these dialects define, a table each: operations, attributes, types and enums.
pub fn definitions() -> impl Iterator<Item = OpTable> {
    let dialects = context().dialects();
    dialects.into_iter().flat_map(|dialect| dialect.tables().to_vec())
}

/// A context that knows these dialects. None of them costs anything before it is met.
pub fn context() -> Context {
    Context::with_dialects(DIALECTS)
}

/// The dialect with the text of its attributes that are cases of enums.
fn with_enums(dialect: Dialect) -> Dialect {
    match ENUMS.iter().find(|enums| enums.0 == dialect.name()) {
        Some(enums) if !enums.2.is_empty() => dialect.text(Cases(enums.2)),
        _ => dialect,
    }
}
