//! `tosa`: operations on tensors of a small, fixed set.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use mlirbc_ir::Dialect;
use mlirbc_ir::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("tosa")).directive("VariableOpTypeOrInitialValue", directives::VARIABLE)
}
