//! Constants (`mlir/IR/OpDefinition.h`, `ConstantLike`).

use crate::attribute::Attribute;
use crate::body::Value;
use crate::context::CachedFact;
use crate::error::Result;
use crate::module::OpRef;
use crate::number::ApInt;
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

/// The integer that a value in the body of `op` is, or that all its elements are, where a constant defines it.
pub fn constant_integer(op: OpRef<'_>, value: Value) -> Option<ApInt> {
    // What cannot be read is no constant.
    let constant = constant_value(op.defining_operation(value)?).ok().flatten()?;
    op.module().context().integer_of(constant)
}

/// A number that an operation holds in an attribute, or a value in its place (`OpFoldResult`, in lists that MLIR calls mixed).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    /// It stands in an attribute.
    Number(i64),
    /// It is an operand.
    Value(Value),
}

impl Mixed {
    /// The number that it is, read with a sign. Values are those of the body of `op`.
    pub fn constant(self, op: OpRef<'_>) -> Option<i64> {
        match self {
            Mixed::Number(number) => Some(number),
            Mixed::Value(value) => constant_integer(op, value)?.to_i64(),
        }
    }

    /// Whether it is that number.
    pub fn is(self, op: OpRef<'_>, number: i64) -> bool {
        self.constant(op) == Some(number)
    }
}
