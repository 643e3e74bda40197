//! SPIR-V in MLIR, losing nothing.

pub mod binary;
pub mod dialect;
pub mod grammar;

pub use binary::dialect::{DIALECT, Literal, dialect, register};
pub use binary::{Header, has_module, is_spirv, read, registered, write, write_words};
