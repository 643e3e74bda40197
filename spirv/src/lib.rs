//! SPIR-V in MLIR, losing nothing.

pub mod binary;
pub mod dialect;
pub mod grammar;

pub use binary::{Header, is_spirv, read, write, write_words};
pub use dialect::{DIALECT, Literal, dialect, register};
