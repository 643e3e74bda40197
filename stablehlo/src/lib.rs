//! StableHLO: the dialects of the portable artifacts that JAX exports, a folder each.
//!
//! | dialect | what it is |
//! | --- | --- |
//! | [`vhlo`] | what portable artifacts hold: operations and types whose encodings never change, each with the versions that have it |
//! | [`stablehlo`] | what people write and passes work on |
//! | [`chlo`] | operations of clients, which StableHLO is made of |
//! | [`sdy`] | how tensors are split over devices: Shardy |
//!
//! All of it goes through the public hooks of the other crates: nothing here can do what a crate of your own cannot.
//!
//! ```
//! let context = mlirbc_dialects::context();
//! mlirbc_stablehlo::register(&context)?;
//! assert!(context.has_dialect("vhlo") && context.has_dialect("stablehlo"));
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```
//!
//! # When not to use it
//!
//! To keep, index or copy artifacts no dialect needs to be known: `mlirbc-bytecode` does that with a bare context.

#![forbid(unsafe_code)]

pub mod chlo;
mod convert;
pub mod exported;
pub mod sdy;
pub mod stablehlo;
pub mod vhlo;

use mlirbc_ir::{Context, Result};

pub use convert::{Need, Needs, artifact_options, is_stablehlo, is_vhlo, needs, to_stablehlo, to_vhlo, write_artifact};

/// Registers the four dialects, where they are not registered yet. They are made on first use.
///
/// # Errors
/// Where the context refuses one.
pub fn register(context: &Context) -> Result<()> {
    context.register_on_demand(chlo::DIALECT, chlo::dialect)?;
    context.register_on_demand(sdy::DIALECT, sdy::dialect)?;
    context.register_on_demand(stablehlo::DIALECT, stablehlo::dialect)?;
    context.register_on_demand(vhlo::DIALECT, vhlo::dialect)
}
