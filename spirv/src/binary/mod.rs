//! SPIR-V binaries, read into operations of `spirv_binary` and written back to the same bytes.

use mlirbc_ir::{Module, Result};

pub mod dialect;
mod ids;
pub(crate) mod instructions;
pub(crate) mod operands;
pub(crate) mod place;
mod read;
pub(crate) mod source;
pub(crate) mod words;
pub(crate) mod write;

use place::find;
pub use place::has_module;
pub use read::read;
pub use words::{Header, MAGIC};
pub use write::{write, write_words};

/// The same module with operations that count as registered, so that they are written in the dialect's own encodings.
///
/// A file of another tool marks the operations of dialects that it did not know as unregistered. A module that is no
/// SPIR-V, or whose operations are registered, comes back as it is.
///
/// # Errors
/// As [`write()`] and [`read()`].
pub fn registered(module: Module) -> Result<Module> {
    if !has_module(&module)? || find(&module)?.0.definition().is_some() {
        return Ok(module);
    }
    read(module.context(), write(&module)?)
}

/// Whether these are the first bytes of a SPIR-V module.
pub fn is_spirv(bytes: &[u8]) -> bool {
    let magic = MAGIC.to_le_bytes();
    let first = bytes.get(..4);
    first == Some(&magic) || first.is_some_and(|first| first.iter().eq(magic.iter().rev()))
}
