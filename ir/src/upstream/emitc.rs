//! `emitc`: C and C++ to be emitted.

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const SCOPES: [&str; 7] = ["do", "expression", "file", "for", "func", "if", "switch"];
    SCOPES.iter().fold(defined("emitc"), |dialect, scope| dialect.default_dialect(scope))
}
