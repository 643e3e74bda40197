//! The dialects of upstream use nothing of `ir` that a crate of anybody's could not use: their sources are compiled here once
//! more, where `crate` has the public names of `ir` alone.

#![allow(clippy::duplicate_mod)]

use std::collections::BTreeSet;
use std::path::Path;

// What `crate::` stands for in these sources.
#[allow(unused_imports)]
use mlirbc_ir::*;

#[allow(dead_code, unused_imports)]
#[path = "../../ir/src/upstream"]
mod upstream {
    mod affine;
    mod amdgpu;
    mod arith;
    mod r#async;
    mod bufferization;
    mod cf;
    pub(crate) mod common;
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
    mod quant;
    mod scf;
    mod shape;
    mod shard;
    mod smt;
    mod sparse_tensor;
    mod tensor;
    mod tosa;
    mod transform;
    mod vector;
    mod xegpu;

    use mlirbc_ir::{Context, Dialect};

    type Make = fn() -> Dialect;

    /// Those that have sources of their own, and what is used of the others.
    pub(super) const DIALECTS: [(&str, Make); 29] = [
        ("affine", affine::dialect),
        ("amdgpu", amdgpu::dialect),
        ("arith", arith::dialect),
        ("async", r#async::dialect),
        ("bufferization", bufferization::dialect),
        ("cf", cf::dialect),
        ("complex", complex::dialect),
        ("emitc", emitc::dialect),
        ("func", func::dialect),
        ("gpu", gpu::dialect),
        ("index", index::dialect),
        ("irdl", irdl::dialect),
        ("linalg", linalg::dialect),
        ("llvm", llvm::dialect),
        ("memref", memref::dialect),
        ("ml_program", ml_program::dialect),
        ("pdl", pdl::dialect),
        ("pdl_interp", pdl_interp::dialect),
        ("quant", quant::dialect),
        ("scf", scf::dialect),
        ("shape", shape::dialect),
        ("shard", shard::dialect),
        ("smt", smt::dialect),
        ("sparse_tensor", sparse_tensor::dialect),
        ("tensor", tensor::dialect),
        ("tosa", tosa::dialect),
        ("transform", transform::dialect),
        ("vector", vector::dialect),
        ("xegpu", xegpu::dialect),
    ];

    fn defined(name: &'static str) -> Dialect {
        Dialect::new(name).ops(mlirbc_ir::ods::upstream().clone())
    }

    /// A context whose dialects are those that were compiled here, and others as they are.
    pub(super) fn context() -> Context {
        let context = Context::new();
        for (name, dialect) in DIALECTS {
            context.extend(name, |_| dialect());
        }
        context
    }
}

#[test]
fn every_source_of_a_dialect_is_compiled_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/src/upstream");
    let names = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let names = names.map(|path| path.file_stem().expect("a name").to_str().expect("a name").to_owned());
    let mut names: BTreeSet<String> = names.collect();
    // What is no dialect.
    for other in ["mod", "common", "names"] {
        assert!(names.remove(other), "{other} is not there");
    }
    let compiled: BTreeSet<String> = upstream::DIALECTS.iter().map(|dialect| dialect.0.to_owned()).collect();
    assert_eq!(names, compiled);
}

#[test]
fn dialects_compiled_elsewhere_read_and_print_the_same() {
    let (mut folders, mut files, mut operations) = (vec![mlirbc_testing::fixtures()], Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { &mut folders } else { &mut files }.push(path);
        }
    }
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "mlir")) {
        let text = std::fs::read(path).expect("a fixture");
        let printed = |context: &Context| {
            let module = text::parse_module(context, &text, &text::ParseOptions::new()).ok()?;
            let mut printed = Vec::new();
            text::print_module(&module, &text::PrintOptions::new().generic(false), &mut printed).ok()?;
            let top = module.operations().expect("operations");
            let all = top.map(|op| op.walk().map_or(0, Iterator::count)).sum::<usize>();
            Some((String::from_utf8_lossy(&printed).into_owned(), all))
        };
        let (ours, theirs) = (printed(&upstream::context()), printed(&Context::new()));
        assert_eq!(ours, theirs, "{}", path.display());
        operations += theirs.map_or(0, |theirs| theirs.1);
    }
    assert!(operations > 500, "{operations} operations");
}
