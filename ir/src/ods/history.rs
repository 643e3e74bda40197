//! Layouts of properties that older compilers had.
//!
//! A blob of properties does not say which members its operation had when it was written. Each optional member takes one
//! integer of it, present or not, so that the length tells whether a blob was written with or without what came later.

/// Optional members of `operation`'s properties that MLIR 22 has and MLIR 19 had not, where nothing else of the layout
/// changed. Found by asking mlir-opt-19 which members it takes.
///
/// # Examples
/// ```
/// assert_eq!(mlirbc_ir::ods::later_members("func.func"), ["no_inline"]);
/// assert!(mlirbc_ir::ods::later_members("arith.addi").is_empty());
/// ```
pub fn later_members(operation: &str) -> &'static [&'static str] {
    match operation {
        "async.call" | "emitc.call" | "spirv.FunctionCall" | "transform.include" => &["arg_attrs", "res_attrs"],
        "cf.cond_br" => &["branch_weights"],
        "func.call" => &["arg_attrs", "no_inline", "res_attrs"],
        "func.func" => &["no_inline"],
        "gpu.func" => &["known_cluster_size"],
        "gpu.launch" => &["function", "module"],
        "gpu.subgroup_reduce" => &["cluster_size", "cluster_stride"],
        "linalg.batch_matmul" | "linalg.batch_reduce_matmul" => &["cast", "indexing_maps"],
        "linalg.matmul" => &["indexing_maps"],
        "llvm.intr.memcpy" | "llvm.intr.memcpy.inline" | "llvm.intr.memmove" | "llvm.intr.memset" => {
            &["arg_attrs", "res_attrs"]
        }
        "llvm.load" => &["dereferenceable", "invariantGroup"],
        "llvm.store" => &["invariantGroup"],
        "memref.load" | "memref.store" | "vector.load" | "vector.store" => &["alignment"],
        "tosa.argmax" | "tosa.max_pool2d" | "tosa.reduce_max" | "tosa.reduce_min" => &["nan_mode"],
        _ => &[],
    }
}
