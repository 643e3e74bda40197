//! What operations do to memory, said by the names of their operands and results.

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects};
use mlirbc_ir::{Dialect, OpRef, Result, TypeData};

/// What an effect is on.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// What the operands of that name stand for.
    Operand(&'static str),
    /// What the operands of that name stand for that are memrefs.
    MemRef(&'static str),
    /// What the results stand for.
    Result,
}

/// Effects on memory that operands and results stand for: all those of a name.
struct Named(&'static [(Effect, Part)]);

impl MemoryEffects for Named {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let context = op.module().context();
        let mut effects = Vec::new();
        for &(effect, part) in self.0 {
            match part {
                Part::Operand(name) => {
                    let values = op.operands_named(name)?.iter();
                    effects.extend(values.map(|&value| MemoryEffect { effect, value: Some(value) }));
                }
                Part::MemRef(name) => {
                    for &value in op.operands_named(name)? {
                        if matches!(context[op.type_of(value)?], TypeData::MemRef { .. }) {
                            effects.push(MemoryEffect { effect, value: Some(value) });
                        }
                    }
                }
                Part::Result => effects.extend(op.results().map(|value| MemoryEffect { effect, value: Some(value) })),
            }
        }
        Ok(effects)
    }
}

/// Says what operations of a dialect do.
pub(crate) fn attach(
    dialect: Dialect,
    all: impl IntoIterator<Item = (&'static str, &'static [(Effect, Part)])>,
) -> Dialect {
    let attach = |dialect: Dialect, (name, effects): (&str, _)| {
        dialect.interface::<dyn MemoryEffects>(name, Arc::new(Named(effects)))
    };
    all.into_iter().fold(dialect, attach)
}
