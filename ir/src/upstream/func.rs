//! `func`: functions and calls.

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("func").result_name("constant", "f").default_dialect("func")
}
