//! What operations of groups become (`GPUDialect.cpp` of MLIR).

use mlirbc_ir::{Dialect, Result};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

/// Attaches the folds to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.fold("all_reduce", uniform).fold("subgroup_reduce", subgroup_reduce)
}

/// Says that all of a group do it, where it stands in the first block of a launch.
fn uniform(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    if fold.attribute("uniform")?.is_some() {
        return Ok(Folded::No);
    }
    let (op, body) = (fold.op(), fold.op().body());
    let block = body.block_of(op.id());
    let region = block.and_then(|block| body.region_of(block));
    let is_first = region.is_some_and(|region| body.first_block(region) == block);
    // A launch is no body of its own: what stands around this body is not asked for, which others may be at work on.
    if !is_first || !body.parent(op.id()).is_some_and(|around| op.at(around).is("gpu.launch")) {
        return Ok(Folded::No);
    }
    fold.set_attribute("uniform", fold.context().unit())?;
    Ok(Folded::InPlace)
}

/// A group of one has what each of it has.
fn subgroup_reduce(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let size = fold.attribute("cluster_size")?.and_then(|size| fold.context().integer_of(size)?.to_u64());
    match size {
        Some(1) => Ok(Folded::value(fold.operand(0))),
        _ => uniform(fold),
    }
}
