//! SPIR-V in MLIR, losing nothing.

pub mod binary;
mod compare;
pub mod dialect;
mod form;
mod forms;
pub mod grammar;
mod lower;
mod names;
mod op;
mod raise;

use mlirbc_ir::{Context, Result};

pub use binary::dialect::{DIALECT, Literal};
pub use binary::{Header, has_module, is_spirv, read, registered};
pub use compare::equal;
pub use form::{SpirvForm, read_as, write, write_words};
pub use lower::{has_dialect_module, lower, lower_words};
pub use raise::{raise, raise_module};

/// Registers both dialects, where they are not registered yet. They are made when somebody first asks for them.
///
/// # Errors
/// Where the context refuses one.
pub fn register(context: &Context) -> Result<()> {
    binary::dialect::register(context)?;
    dialect::register(context)
}
