//! Folds of `memref`, `tensor` and `vector`, on random functions, and what canonicalisation does with memory.

use mlirbc_testing::tool;

use super::differences;

/// Folds alone.
const FOLDS: &str = "builtin.module(canonicalize{enable-patterns=none region-simplify=disabled})";

/// Functions that show folds and patterns one by one.
const FUNCTIONS: &str = include_str!("shapes.mlir");

#[test]
fn folded_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "folds of memref, tensor and vector were not compared with those of mlir-opt") {
        return;
    }
    for pipeline in [FOLDS, "builtin.module(sccp)"] {
        if let Some((theirs, ours)) = differences(FUNCTIONS, pipeline).first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
    }
}
