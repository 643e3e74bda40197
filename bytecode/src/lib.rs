//! MLIR bytecode: read lazily, safe on hostile input, versions 0 to 6.
#![forbid(unsafe_code)]

pub mod encoding;
mod limits;
mod read;

pub use limits::Limits;
pub use read::{BytecodeFile, NEWEST_VERSION, ReadOptions, SectionId, decode_all, detach, read, read_with};
