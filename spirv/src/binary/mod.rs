//! SPIR-V binaries, read into operations of `spirv_binary` and written back to the same bytes.

mod instructions;
mod place;
mod read;
mod source;
pub(crate) mod words;
mod write;

pub use place::has_module;
use place::find;
pub use read::read;
pub use words::{Header, MAGIC};
pub use write::{write, write_words};

/// Whether these are the first bytes of a SPIR-V module.
pub fn is_spirv(bytes: &[u8]) -> bool {
    let magic = MAGIC.to_le_bytes();
    let first = bytes.get(..4);
    first == Some(&magic) || first.is_some_and(|first| first.iter().eq(magic.iter().rev()))
}
