//! `cf`: branches between blocks.

pub(crate) mod branches;
mod constants;
mod switches;

use std::sync::Arc;

use crate::common::effects::WritesAnything;
use mlirbc_ir::Dialect;
use mlirbc_ir::interfaces::MemoryEffects;
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::SWITCH_CASES;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    let dialect = defined!("cf")
        .inliner(InlineOperations)
        // It may end the program.
        .interface::<dyn MemoryEffects>("assert", Arc::new(WritesAnything))
        .directive("SwitchOpCases", SWITCH_CASES);
    switches::attach(branches::attach(constants::attach(dialect)))
}
