//! Calls and what is called (`mlir/Interfaces/CallInterfaces.td`).

use crate::attribute::Attribute;
use crate::body::Value;
use crate::context::CachedFact;
use crate::error::Result;
use crate::module::OpRef;
use crate::ods::Traits;
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

/// Of a call whose definition names the attribute with the function and the operands that it hands over.
#[derive(Clone, Copy, Debug)]
pub struct NamedCall {
    /// The attribute: a reference to a symbol.
    pub callee: &'static str,
    /// The group of operands.
    pub arguments: &'static str,
}

impl Call for NamedCall {
    fn callee(&self, op: OpRef<'_>) -> Result<Option<Callee>> {
        Ok(op.attribute(self.callee)?.map(Callee::Symbol))
    }

    fn arguments(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(op.operands_named(self.arguments)?.to_vec())
    }
}

/// Of a call whose first operand is what it calls.
#[derive(Clone, Copy, Debug)]
pub struct IndirectCall;

impl Call for IndirectCall {
    fn callee(&self, op: OpRef<'_>) -> Result<Option<Callee>> {
        Ok(op.operands().first().map(|&callee| Callee::Value(callee)))
    }

    fn arguments(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(op.operands().get(1..).unwrap_or_default().to_vec())
    }
}

/// Whether the operation can be called. Asks [`Callable`], then whether its definition says that it is a
/// [function](Traits::FUNCTION).
pub fn is_callable(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::FUNCTION) || op.kept_interface::<dyn Callable>(CachedFact::Callable).is_some()
}

/// The number of the region that is executed where the operation is called. `None` of a declaration, and of what cannot be called. Of
/// a function it is the first one.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn callable_region(op: OpRef<'_>) -> Result<Option<usize>> {
    if let Some(callable) = op.kept_interface::<dyn Callable>(CachedFact::Callable) {
        return callable.body(op);
    }
    if !op.has_trait(Traits::FUNCTION) || op.body().region_count_of(op.id()) == 0 {
        return Ok(None);
    }
    let (_, body, regions) = op.region_tree()?;
    Ok(regions.first().and_then(|&region| body.first_block(region)).map(|_| 0))
}
