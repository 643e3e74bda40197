//! `cf`: branches between blocks.

use mlirbc_ir::Dialect;
use mlirbc_ir::text::DialectAssembly;
use mlirbc_ir::text::directives::SWITCH_CASES;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("cf").directive("SwitchOpCases", SWITCH_CASES)
}
