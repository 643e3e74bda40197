//! What patterns ask of the body that they rewrite.

use mlirbc_ir::{OpId, Result, Rewriter, Type, Value};
use mlirbc_rewrite::NoMatch;

/// Says why a pattern is not for the operation, where something does not hold.
pub(crate) fn check(holds: bool, reason: &'static str) -> Result<(), NoMatch> {
    if holds { Ok(()) } else { Err(NoMatch::Reason(reason)) }
}

/// The type of a value.
pub(crate) fn type_of(rw: &Rewriter<'_>, value: Value) -> Result<Type> {
    rw.module().ty(rw.body().ty(value))
}

/// The type of the first result.
pub(crate) fn result_type(rw: &Rewriter<'_>, op: OpId) -> Result<Type> {
    type_of(rw, rw.result(op, 0)?)
}
