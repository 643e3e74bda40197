//! `cf`: branches between blocks.

use super::defined;
use crate::Dialect;
use crate::text::DialectAssembly;
use crate::text::directives::SWITCH_CASES;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("cf").directive("SwitchOpCases", SWITCH_CASES)
}
