//! MLIR bytecode: read lazily, safe on hostile input, versions 0 to 6.
#![forbid(unsafe_code)]

pub mod encoding;
mod index;
pub mod inspect;
mod limits;
mod opaque;
mod read;
mod upgrade;
mod write;

pub use index::Index;
pub use limits::Limits;
pub use opaque::OpaqueParts;
pub use read::{
    BytecodeFile, Guard, NEWEST_VERSION, ReadOptions, SectionId, UnknownKind, UnknownPart, decode_all, decode_all_with,
    detach, is_bytecode, read, read_with, unknown_parts,
};
pub use upgrade::upgrade;
pub use write::{Losses, Patch, PatchPart, Patched, WriteOptions, write, write_to, write_with_losses};
