//! Parsing operations from bytes.

mod affine;
pub(crate) mod assembly;
mod former;
mod lines;
mod metadata;
pub(crate) mod module;
mod names;
mod operation;
mod orders;
mod regions;
mod texts;
mod values;

pub use former::Defined;
pub use module::{OpParser, ParseOptions, parse_module};
pub use names::ValueName;
pub use regions::Argument;
