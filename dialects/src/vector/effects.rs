//! What operations do to memory where their definitions leave it to code (`mlir/Dialect/Vector/IR/VectorOps.td`).

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects};
use mlirbc_ir::{Dialect, OpRef, Result, TypeData};

/// An effect on what is transferred from or to, where that is memory and no tensor.
struct Transfer(Effect);

impl MemoryEffects for Transfer {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let context = op.module().context();
        let mut effects = Vec::new();
        for &value in op.operands_named("base")? {
            if matches!(context[op.type_of(value)?], TypeData::MemRef { .. }) {
                effects.push(MemoryEffect { effect: self.0, value: Some(value) });
            }
        }
        Ok(effects)
    }
}

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn MemoryEffects>("transfer_read", Arc::new(Transfer(Effect::Read)))
        .interface::<dyn MemoryEffects>("transfer_write", Arc::new(Transfer(Effect::Write)))
}
