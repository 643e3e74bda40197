//! `cf`: branches between blocks.

use mlirbc_ir::Dialect;
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::SWITCH_CASES;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("cf").directive("SwitchOpCases", SWITCH_CASES)
}
