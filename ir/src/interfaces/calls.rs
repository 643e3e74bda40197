//! Calls and what is called (`mlir/Interfaces/CallInterfaces.td`).

use crate::attribute::Attribute;
use crate::body::Value;
use crate::error::Result;
use crate::module::OpRef;
use crate::types::Type;

/// What a call goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The function that this reference to a symbol names.
    Symbol(Attribute),
    /// The function that this value is.
    Value(Value),
}

/// Hands over to a function and comes back with its results.
pub trait Call: Send + Sync {
    /// What is called. `None` where that is not known.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn callee(&self, op: OpRef<'_>) -> Result<Option<Callee>>;

    /// The operands that become the arguments of what is called, in order.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn arguments(&self, op: OpRef<'_>) -> Result<Vec<Value>>;
}

/// Can be called.
pub trait Callable: Send + Sync {
    /// The types of its arguments and of its results. `None` where they are not known.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn signature(&self, op: OpRef<'_>) -> Result<Option<(Vec<Type>, Vec<Type>)>>;

    /// The number of the region that is executed. `None` of a declaration.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn body(&self, op: OpRef<'_>) -> Result<Option<usize>>;
}
