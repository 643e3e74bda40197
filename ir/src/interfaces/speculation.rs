//! Whether an operation may be executed where it was not going to be (`mlir/Interfaces/SideEffectInterfaces.td`,
//! `ConditionallySpeculatable`).

use super::effects::is_memory_effect_free;
use crate::error::Result;
use crate::module::OpRef;
use crate::ods::Traits;

/// Whether an operation may be executed where it was not going to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculation {
    /// It may do what is undefined there, or not end.
    Never,
    /// Where all operations in its regions may be.
    WithWhatItHolds,
    /// It may.
    Always,
}

/// Says whether an operation may be executed where it was not going to be: in front of a loop that may be left out, say. Only where that
/// depends on more than its name, for which there are the traits [`Traits::ALWAYS_SPECULATABLE`] and
/// [`Traits::RECURSIVELY_SPECULATABLE`].
pub trait Speculatable: Send + Sync {
    /// Whether it may, by what is known of this operation.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation>;
}

/// What the operation says of itself. Asks [`Speculatable`], then the traits of its definition; nothing is known of what has neither.
fn speculation(op: OpRef<'_>) -> Result<Speculation> {
    if let Some(speculatable) = op.interface::<dyn Speculatable>() {
        return speculatable.speculation(op);
    }
    Ok(match op {
        _ if op.is_opaque()? => Speculation::Never,
        _ if op.has_trait(Traits::ALWAYS_SPECULATABLE) => Speculation::Always,
        _ if op.has_trait(Traits::RECURSIVELY_SPECULATABLE) => Speculation::WithWhatItHolds,
        _ => Speculation::Never,
    })
}

/// Whether the operation may be executed where it was not going to be: that does nothing that is undefined, and ends (`isSpeculatable`).
/// What it does to memory is another question: [`is_pure`] asks both. Asks [`Speculatable`], then the traits of definitions; an
/// operation of which neither says anything may not.
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn is_speculatable(op: OpRef<'_>) -> Result<bool> {
    let mut first = Some(op);
    let mut left = Vec::new();
    while let Some(op) = first.take().or_else(|| left.pop()) {
        match speculation(op)? {
            Speculation::Never => return Ok(false),
            Speculation::WithWhatItHolds => left.extend(op.ops()?),
            Speculation::Always => {}
        }
    }
    Ok(true)
}

/// Whether the operation may be moved, left out and done again as one likes: it does nothing to memory, and [may be executed where it was
/// not going to be](is_speculatable) (`isPure`).
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn is_pure(op: OpRef<'_>) -> Result<bool> {
    Ok(is_speculatable(op)? && is_memory_effect_free(op)?)
}
