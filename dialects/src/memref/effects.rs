//! What operations do to memory (`mlir/Dialect/MemRef/IR/MemRefOps.td`).

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects};
use mlirbc_ir::{Dialect, OpRef, Result};

/// Effects on memory that operands and results stand for: all those of a name.
struct Named(&'static [(Effect, Part)]);

#[derive(Clone, Copy)]
enum Part {
    Operand(&'static str),
    Result,
}

impl MemoryEffects for Named {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let mut effects = Vec::new();
        for &(effect, part) in self.0 {
            match part {
                Part::Operand(name) => {
                    let values = op.operands_named(name)?.iter();
                    effects.extend(values.map(|&value| MemoryEffect { effect, value: Some(value) }));
                }
                Part::Result => effects.extend(op.results().map(|value| MemoryEffect { effect, value: Some(value) })),
            }
        }
        Ok(effects)
    }
}

/// Says what the dialect's operations do.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    use Effect::{Allocate, Free, Read, Write};
    use Part::Operand;
    let all: [(&str, &'static [(Effect, Part)]); 11] = [
        ("alloc", &[(Allocate, Part::Result)]),
        ("alloca", &[(Allocate, Part::Result)]),
        ("atomic_rmw", &[(Read, Operand("memref")), (Write, Operand("memref"))]),
        ("copy", &[(Read, Operand("source")), (Write, Operand("target"))]),
        ("dealloc", &[(Free, Operand("memref"))]),
        ("generic_atomic_rmw", &[(Read, Operand("memref")), (Write, Operand("memref"))]),
        ("load", &[(Read, Operand("memref"))]),
        ("prefetch", &[(Write, Operand("memref"))]),
        ("realloc", &[(Free, Operand("source")), (Allocate, Part::Result)]),
        ("reshape", &[(Read, Operand("shape"))]),
        ("store", &[(Write, Operand("memref"))]),
    ];
    let attach = |dialect: Dialect, (name, effects): (&str, _)| {
        dialect.interface::<dyn MemoryEffects>(name, Arc::new(Named(effects)))
    };
    all.into_iter().fold(dialect, attach)
}
