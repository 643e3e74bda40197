//! Memory effects (`mlir/Interfaces/SideEffectInterfaces.td`).

use crate::body::Value;
use crate::error::Result;
use crate::module::OpRef;

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Makes room.
    Allocate,
    /// Gives it back.
    Free,
    /// Looks at what is there.
    Read,
    /// Changes it.
    Write,
}

/// One effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryEffect {
    /// What it does.
    pub effect: Effect,
    /// To the memory that this operand or result stands for. To any where there is none.
    pub value: Option<Value>,
}

/// Says what an operation does to memory: whether it may be left out, moved, or merged with another.
pub trait MemoryEffects: Send + Sync {
    /// The effects of the operation itself, without those of operations in its regions. None where it has none.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>>;
}

/// Of operations without effects.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEffects;

impl MemoryEffects for NoEffects {
    fn effects(&self, _: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        Ok(Vec::new())
    }
}

/// The effects of an operation. `None` where they are not known: it may do anything.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn memory_effects(op: OpRef<'_>) -> Result<Option<Vec<MemoryEffect>>> {
    op.interface::<dyn MemoryEffects>().map(|effects| effects.effects(op)).transpose()
}
