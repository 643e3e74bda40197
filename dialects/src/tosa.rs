//! `tosa`: operations on tensors of a small, fixed set.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use super::common::cases::Cases;
use mlirbc_ir::Dialect;
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "tosa";

/// Its attributes that are cases of enums.
const CASES: Cases = Cases(enums::ENUM_ATTRIBUTES);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("tosa")).directive("VariableOpTypeOrInitialValue", directives::VARIABLE)
}
