//! Which operations have a parser of their own, since their definition says only that.

use super::{Hand, affine, function, linalg, llvm, misc, scf, spirv, vector};

/// The parser of the operation of that name.
pub(super) fn find(name: &str) -> Option<Hand> {
    let (dialect, rest) = name.split_once('.')?;
    match dialect {
        "affine" => affine::find(rest),
        "linalg" => linalg::find(rest),
        "scf" => scf::find(rest),
        "spirv" => spirv::find(rest),
        "vector" => vector::find(rest),
        "llvm" => llvm::find(rest).or_else(|| misc::find(name)),
        _ => match name {
            "func.func" | "transform.named_sequence" | "async.func" | "shape.func" | "emitc.func"
            | "pdl_interp.func" | "ml_program.func" | "ml_program.subgraph" => Some(function::func),
            _ => misc::find(name),
        },
    }
}
