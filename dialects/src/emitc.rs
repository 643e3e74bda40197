//! `emitc`: C and C++ to be emitted.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use super::scf::directives::SWITCH_CASES;
use mlirbc_ir::Dialect;
use mlirbc_ir::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const SCOPES: [&str; 7] = ["do", "expression", "file", "for", "func", "if", "switch"];
    let dialect = assembly::attach(defined!("emitc"))
        .directive("EmitCFieldOpTypeAndInitialValue", directives::TYPE_AND_VALUE)
        .directive("EmitCGlobalOpTypeAndInitialValue", directives::TYPE_AND_VALUE)
        .directive("SwitchCases", SWITCH_CASES);
    SCOPES.iter().fold(dialect, |dialect, scope| dialect.default_dialect(scope))
}
