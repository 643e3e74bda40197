//! `bufferization`: from tensors to buffers.

mod assembly;
mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::effects::OfMemory;
use mlirbc_ir::interfaces::{Effect, MemoryEffects};
use mlirbc_ir::verify::{Checker, rules};
use mlirbc_ir::{Dialect, Error, LooksAt, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("bufferization").inliner(InlineOperations))
        .interface::<dyn MemoryEffects>("materialize_in_destination", Arc::new(OfMemory(Effect::Write, "dest")))
        .verify_op_by("alloc_tensor", LooksAt::TypesAndAttributes, verify_alloc_tensor)
}

/// There is one operand for each size that the result does not say, but a copy has the sizes of what it copies.
fn verify_alloc_tensor(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    if op.operands_named("copy")?.is_empty() {
        return rules::sizes_of_result(checker, op, "dynamic_sizes");
    }
    match op.operands_named("dynamic_sizes")?.len() {
        0 => Ok(()),
        found => Err(Error::verification(format!("{} where there must be 0", Error::counted(found, "dynamic size")))),
    }
}
