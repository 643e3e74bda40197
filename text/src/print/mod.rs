//! Printing operations, on an explicit stack: nesting costs no call stack.

pub(crate) mod assembly;
mod numbering;
mod operation;
mod resources;
mod successor;
mod texts;

pub use operation::{PrintOptions, print_module, print_operation};
