//! Constants (`mlir/IR/OpDefinition.h`, `ConstantLike`).

use crate::attribute::Attribute;
use crate::context::CachedFact;
use crate::error::Result;
use crate::module::OpRef;
use crate::ods::Traits;

/// Says what a constant of [`Traits::CONSTANT_LIKE`] is: only where that is not its attribute `value`.
pub trait Constant: Send + Sync {
    /// The value of its one result. `None` where this operation is none.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>>;
}

/// The value of an operation that is a constant by its definition: what [`Constant`] says, or its attribute `value`. One that
/// breaks the rules of constants, by operands or by more than one result, is none: moved as a constant is moved, it would leave
/// its operands behind.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn constant_value(op: OpRef<'_>) -> Result<Option<Attribute>> {
    if !op.has_trait(Traits::CONSTANT_LIKE) || !op.operands().is_empty() || op.results().len() != 1 {
        return Ok(None);
    }
    let context = op.module().context();
    let name = op.operation_name();
    match context.kept_interface::<dyn Constant>(name, CachedFact::Constant) {
        Some(constant) => constant.value(op),
        None => op.attribute("value"),
    }
}
