//! `tosa`: operations on tensors of a small, fixed set.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::cases::Cases;
use mlirbc_ir::interfaces::{Loop, LoopRegions};
use mlirbc_ir::{Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectInliner, DialectRewrite};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "tosa";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("tosa").inliner(Loops))
        .directive("VariableOpTypeOrInitialValue", directives::VARIABLE)
        .interface::<dyn Loop>("while_loop", Arc::new(LoopRegions(&[1])))
}

/// Of what has regions, these two alone may have calls inlined in them.
struct Loops;

impl DialectInliner for Loops {
    fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(into.is("tosa.cond_if") || into.is("tosa.while_loop"))
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}
