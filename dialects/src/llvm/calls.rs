//! What calls of the dialect go to.

use std::sync::Arc;

use mlirbc_ir::interfaces::{Call, Callee};
use mlirbc_ir::{Dialect, OpRef, Result, Value};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = dialect.interface::<dyn Call>("call", Arc::new(DirectOrNot));
    dialect.interface::<dyn Call>("invoke", Arc::new(DirectOrNot))
}

/// The operands that are handed over, behind what is called where that is one of them.
const OPERANDS: &str = "callee_operands";

/// Calls the function that it names, or else its first operand.
struct DirectOrNot;

impl Call for DirectOrNot {
    fn callee(&self, op: OpRef<'_>) -> Result<Option<Callee>> {
        Ok(match op.attribute("callee")? {
            Some(name) => Some(Callee::Symbol(name)),
            None => op.operands_named(OPERANDS)?.first().map(|&function| Callee::Value(function)),
        })
    }

    fn arguments(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        let first = usize::from(op.attribute("callee")?.is_none());
        Ok(op.operands_named(OPERANDS)?.get(first..).unwrap_or_default().to_vec())
    }
}
