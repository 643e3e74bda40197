//! `shard`: computations that are spread over devices.

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("shard")
        .result_name("all_gather", "all_gather")
        .result_name("all_reduce", "all_reduce")
        .result_name("all_slice", "all_slice")
        .result_name("all_to_all", "all_to_all")
        .result_name("broadcast", "broadcast")
        .result_name("gather", "gather")
        .result_name("grid_shape", "mesh_shape")
        .result_name("process_linear_index", "proc_linear_idx")
        .result_name("process_multi_index", "proc_linear_idx")
        .result_name("recv", "recv")
        .result_name("reduce", "reduce")
        .result_name("reduce_scatter", "reduce_scatter")
        .result_name("scatter", "scatter")
        .result_name("send", "send")
        .result_name("shard", "sharding_annotated")
        .result_name("sharding", "sharding")
        .result_name("shift", "shift")
}
