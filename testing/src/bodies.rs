//! What a body holds, as lists to choose from, and what comes into one.

use mlirbc_ir::{BlockId, Body, BodyId, Module, OpId, OperationSpec, Value};

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

/// The operation at that place in any reading of a file: an id belongs to the body that gave it, which debug builds find.
pub fn of_any(op: OpId) -> OpId {
    OpId::from_index(op.index())
}

/// Makes an operation at the end of the first block of a body.
///
/// # Panics
/// Where the module has no such body, that has no block, or what the operation is made of is none of the body's.
#[track_caller]
pub fn append(module: &mut Module, body: BodyId, spec: &OperationSpec<'_>) -> OpId {
    let made = module.rewrite(body, |rw| {
        let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
        rw.set_insertion_point_to_end(block)?;
        rw.create(spec)
    });
    made.expect("an operation")
}
