//! `scf`: loops and branches as operations with regions.

pub(super) mod directives;

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("scf").directive("SwitchCases", directives::SWITCH_CASES)
}
