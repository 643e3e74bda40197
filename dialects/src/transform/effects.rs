//! What transformations do to the code that they are for, and to the handles that stand for parts of it.

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects, NoEffects};
use mlirbc_ir::{Dialect, OpRef, Result};

/// Those that look at the code, and leave it and what they are given as it is.
const LOOK: &[&str] = &[
    "cast",
    "collect_matching",
    "debug.emit_param_as_remark",
    "debug.emit_remark_at",
    "dlti.query",
    "get_consumers_of_result",
    "get_defining_op",
    "get_operand",
    "get_parent_op",
    "get_producer_of_operand",
    "get_result",
    "get_type",
    "irdl.collect_matching",
    "match.operation_empty",
    "match.operation_name",
    "match.param.cmpi",
    "match.structured",
    "match.structured.body",
    "match.structured.classify_contraction_dims",
    "match.structured.classify_convolution_dims",
    "match.structured.dim",
    "match.structured.elemental_bitwidth",
    "match.structured.init",
    "match.structured.input",
    "match.structured.num_inits",
    "match.structured.num_inputs",
    "match.structured.rank",
    "match.structured.result",
    "merge_handles",
    "num_associations",
    "param.constant",
    "pdl_match",
    "replicate",
    "select",
    "smt.constrain_params",
    "sparse_tensor.match.sparse_inout",
    "split_handle",
    "structured.match",
    "tune.alternatives",
    "tune.knob",
    "verify",
    "xegpu.get_desc_op",
];

/// Attaches it to the dialect. All others may do anything: they change the code, or use up the handles that they are given.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    LOOK.iter()
        .fold(dialect, |dialect, name| dialect.interface::<dyn MemoryEffects>(name, Arc::new(Looks)))
        .interface::<dyn MemoryEffects>("named_sequence", Arc::new(NoEffects))
}

/// Reads the code and what it is given, and makes what its results stand for.
struct Looks;

impl MemoryEffects for Looks {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let effect = |effect, value| MemoryEffect { effect, value };
        let reads = op.operands().iter().map(|&operand| effect(Effect::Read, Some(operand)));
        let makes = op
            .results()
            .flat_map(|result| [effect(Effect::Allocate, Some(result)), effect(Effect::Write, Some(result))]);
        Ok(reads.chain(makes).chain([effect(Effect::Read, None)]).collect())
    }
}
