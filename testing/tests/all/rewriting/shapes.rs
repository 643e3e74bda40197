//! Folds of `memref`, `tensor` and `vector`, on random functions, and what canonicalisation does with memory.

use mlirbc_testing::tool;

use super::{by_us, differences};

/// Folds alone.
const FOLDS: &str = "builtin.module(canonicalize{enable-patterns=none region-simplify=disabled})";

/// Functions that show folds and patterns one by one.
const FUNCTIONS: &str = include_str!("shapes.mlir");

/// Functions that canonicalisation changes by patterns.
const MEMORY: &str = include_str!("memory.mlir");

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

#[test]
fn canonicalized_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "canonicalised operations on memory were not compared with those of mlir-opt") {
        return;
    }
    for pipeline in ["builtin.module(canonicalize)", "builtin.module(cse)"] {
        if let Some((theirs, ours)) = differences(MEMORY, pipeline).first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
    }
}

#[test]
fn what_nothing_good_comes_from_is_left_alone() {
    // Indices that no element has, shapes that do not fit, and masks that are none.
    let text = r#"
func.func @f(%t: tensor<2x3xf32>, %i: index, %v: vector<4xf32>, %m: memref<?x4xf32>) -> (f32, f32, index, f32) {
  %c9 = arith.constant 9 : index
  %c-9 = arith.constant -9 : index
  %k = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = tensor.extract %k[%c9, %c-9] : tensor<2x3xf32>
  %1 = vector.extract %v[%c9] : f32 from vector<4xf32>
  %2 = memref.dim %m, %c9 : memref<?x4xf32>
  %3 = vector.extract %v[%c-9] : f32 from vector<4xf32>
  return %0, %1, %2, %3 : f32, f32, index, f32
}
"#;
    let text = by_us(text, "builtin.module(canonicalize)");
    for kept in ["tensor.extract", "vector.extract", "memref.dim"] {
        assert!(text.contains(kept), "{text}");
    }
}
