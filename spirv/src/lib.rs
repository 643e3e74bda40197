//! SPIR-V in MLIR, losing nothing.

pub mod binary;
pub mod dialect;
pub mod grammar;

use mlirbc_ir::{Context, Result};

pub use binary::dialect::{DIALECT, Literal};
pub use binary::{Header, has_module, is_spirv, read, registered, write, write_words};

/// Registers both dialects, where they are not registered yet. They are made when somebody first asks for them.
///
/// # Errors
/// Where the context refuses one.
pub fn register(context: &Context) -> Result<()> {
    binary::dialect::register(context)?;
    dialect::register(context)
}
