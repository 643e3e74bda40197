//! What a body holds, as lists to choose from.

use mlirbc_ir::{BlockId, Body, Value};

/// Every block of a body, those of nested regions last.
pub fn blocks(body: &Body) -> Vec<BlockId> {
    let nested = body.preorder().flat_map(|op| body.regions(op));
    body.top_regions().iter().copied().chain(nested).flat_map(|region| body.blocks(region)).collect()
}

/// Every value of a body: the arguments of its blocks, and then the results of its operations.
pub fn values(body: &Body) -> Vec<Value> {
    let arguments = blocks(body).into_iter().flat_map(|block| body.arguments(block));
    arguments.copied().chain(body.preorder().flat_map(|op| body.results(op))).collect()
}
