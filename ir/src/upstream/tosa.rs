//! `tosa`: operations on tensors of a small, fixed set.

mod directives;

use super::common::regions::WHILE;
use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("tosa").directive("VariableOpTypeOrInitialValue", directives::VARIABLE).assembly("while_loop", WHILE)
}
