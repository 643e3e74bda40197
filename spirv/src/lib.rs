//! SPIR-V in MLIR, losing nothing.

pub mod binary;
pub mod dialect;
mod forms;
mod lower;
mod op;
mod raise;
pub mod grammar;

pub use lower::{has_dialect_module, lower, lower_words};
pub use raise::{raise, raise_module};
pub use binary::dialect::{DIALECT, Literal, dialect, register};
pub use binary::{Header, has_module, is_spirv, read, registered, write, write_words};
