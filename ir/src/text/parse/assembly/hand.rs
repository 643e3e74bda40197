//! Which operations have a parser of their own, since their definition says only that.

use super::{Hand, function, spirv};

/// The parser of the operation of that name.
pub(super) fn find(name: &str) -> Option<Hand> {
    if let Some(rest) = name.strip_prefix("spirv.") {
        return spirv::find(rest);
    }
    Some(match name {
        "func.func" | "transform.named_sequence" | "async.func" | "shape.func" | "emitc.func" | "pdl_interp.func"
        | "ml_program.func" | "ml_program.subgraph" => function::func,
        _ => return None,
    })
}
