//! What operations do to memory where their definitions leave it to code.

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects};
use mlirbc_ir::{OpRef, Result, TypeData};

/// Reads or writes what its operands of that name stand for, and any memory besides where it is volatile or orders what others do.
pub(crate) struct Access(pub(crate) Effect, pub(crate) &'static str);

/// The number of the last ordering that orders nothing: `unordered`, in the enums of all dialects.
const UNORDERED: i64 = 1;

impl MemoryEffects for Access {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let Access(effect, operand) = *self;
        let values = op.operands_named(operand)?.iter();
        let mut effects: Vec<_> = values.map(|&value| MemoryEffect { effect, value: Some(value) }).collect();
        if is_set(op, "volatile_")? || is_ordered(op)? {
            effects.extend(ANYTHING);
        }
        Ok(effects)
    }
}

/// What is read and written where it may be anything.
const ANYTHING: [MemoryEffect; 2] =
    [MemoryEffect { effect: Effect::Write, value: None }, MemoryEffect { effect: Effect::Read, value: None }];

/// Whether the flag of that name is there: some are `false` where they are not.
fn is_set(op: OpRef<'_>, name: &str) -> Result<bool> {
    let context = op.module().context();
    let flag = op.attribute(name)?;
    Ok(flag.is_some_and(|flag| context.integer_of(flag).is_none_or(|value| value.to_u64() != Some(0))))
}

fn is_ordered(op: OpRef<'_>) -> Result<bool> {
    let Some(ordering) = op.attribute("ordering")? else { return Ok(false) };
    let number = op.module().context().integer_of(ordering).and_then(|ordering| ordering.to_i64());
    Ok(number.is_none_or(|number| number > UNORDERED))
}

/// Reads and writes any memory where its flag of that name is there, and else none.
pub(crate) struct AnythingIf(pub(crate) &'static str);

impl MemoryEffects for AnythingIf {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        Ok(if is_set(op, self.0)? { ANYTHING.to_vec() } else { Vec::new() })
    }
}

/// Writes any memory, which stands for what else is not to be left out.
pub(crate) struct WritesAnything;

impl MemoryEffects for WritesAnything {
    fn effects(&self, _: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        Ok(ANYTHING[..1].to_vec())
    }
}

/// Reads or writes what its operands of that name stand for, where that is memory and no tensor.
pub(crate) struct OfMemory(pub(crate) Effect, pub(crate) &'static str);

impl MemoryEffects for OfMemory {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let OfMemory(effect, operand) = *self;
        let context = op.module().context();
        let mut effects = Vec::new();
        for &value in op.operands_named(operand)? {
            if is_memory(&context[op.type_of(value)?]) {
                effects.push(MemoryEffect { effect, value: Some(value) });
            }
        }
        Ok(effects)
    }
}

/// Whether values of the type stand for memory.
pub(crate) fn is_memory(ty: &TypeData) -> bool {
    matches!(ty, TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. })
}
