//! `cf`: branches between blocks.

pub(crate) mod branches;
mod switches;

use mlirbc_ir::Dialect;
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::SWITCH_CASES;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    switches::attach(branches::attach(defined!("cf").directive("SwitchOpCases", SWITCH_CASES)))
}
