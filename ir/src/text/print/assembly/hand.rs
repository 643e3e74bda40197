//! Which operations have a printer of their own, since their definition says only that.

use super::Hand;
use super::{affine, function, linalg, llvm, misc, scf, spirv, vector};

/// The printer of the operation of that name.
pub(super) fn find(name: &str) -> Option<Hand> {
    let (dialect, rest) = name.split_once('.')?;
    match dialect {
        "affine" => affine::find(rest),
        "linalg" => linalg::find(rest),
        "llvm" => llvm::find(rest),
        "scf" => scf::find(rest),
        "spirv" => spirv::find(rest),
        "vector" => vector::find(rest),
        _ => match name {
            "func.func" | "transform.named_sequence" | "async.func" | "shape.func" | "emitc.func"
            | "pdl_interp.func" | "ml_program.func" | "ml_program.subgraph" => Some(function::func),
            _ => misc::find(name),
        },
    }
}
