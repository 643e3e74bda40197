//! MLIR bytecode: read lazily, safe on hostile input, versions 0 to 6.
#![forbid(unsafe_code)]

pub mod encoding;
mod format;
mod index;
pub mod inspect;
mod isolation;
mod limits;
mod opaque;
mod read;
mod upgrade;
mod write;

pub use format::{Guard, NEWEST_VERSION, SectionId, is_bytecode};
pub use limits::Limits;
pub use opaque::OpaqueParts;
pub use read::{
    BytecodeFile, Index, ReadOptions, Reader, UnknownKind, UnknownPart, decode_all, decode_all_with, detach, read,
    read_with, unknown_parts,
};
pub use upgrade::upgrade;
pub use write::{Losses, Patch, PatchPart, Patched, WriteOptions, Writer, write, write_to, write_with_losses};
