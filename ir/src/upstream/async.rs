//! `async`: asynchronous execution.

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("async").default_dialect("func")
}
