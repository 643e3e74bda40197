//! `stablehlo`: the operations that JAX and others export.
//!
//! Attributes are made and looked at by the names of their parameters:
//!
//! ```
//! use mlirbc_stablehlo::stablehlo::{ChannelHandle, ComparisonDirection};
//!
//! let context = mlirbc_dialects::context();
//! mlirbc_stablehlo::register(&context)?;
//! let channel = ChannelHandle { handle: 1, channel_type: 0 }.attribute(&context);
//! assert_eq!(mlirbc_ir::text::print_attribute(&context, channel)?, "#stablehlo.channel_handle<handle = 1, type = 0>");
//! assert_eq!(ComparisonDirection::of(&context, channel), None);
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```

mod assembly;
mod attributes;
mod convolution;
mod directives;
mod encoding;
pub(crate) mod parts;
pub(crate) mod verify;
pub(crate) mod views;

pub(crate) use assembly::CONSTANT;
pub use attributes::*;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "stablehlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    let dialect = Dialect::new(DIALECT)
        .ops(OpTable::embedded(include_bytes!("stablehlo.table")))
        .text(attributes::Text)
        .bytecode(encoding::Encoding);
    verify::attach(directives::attach(assembly::attach(dialect)))
}
