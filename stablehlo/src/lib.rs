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
//! A portable artifact is of a version, which readers of that version and newer ones take:
//!
//! ```
//! use mlirbc_stablehlo::{Version, needs, to_stablehlo, write_artifact};
//!
//! let context = mlirbc_dialects::context();
//! mlirbc_stablehlo::register(&context)?;
//! let text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
//!   %y = stablehlo.tan %x : tensor<2xf32>
//!   return %y : tensor<2xf32>
//! }";
//! let module = mlirbc_text::parse(&context, text)?;
//! assert_eq!(needs(&module)?.version(), Version::new(1, 4, 0));
//! let artifact = write_artifact(&module, Version::new(1, 10, 0))?;
//! let module = to_stablehlo(&mlirbc_bytecode::read(&context, artifact)?)?;
//! assert!(module.walk()?.any(|op| op.is("stablehlo.tan")));
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | read what an artifact holds as people write it | [`to_stablehlo`] |
//! | know which version a module needs, and because of what | [`needs`] |
//! | write an artifact | [`write_artifact`]; [`to_vhlo`] and [`artifact_options`] are its parts |
//! | find the artifact in what `jax.export` saved, and put another one there | [`exported`] |
//! | look at attributes and make them | [`stablehlo`], [`chlo`] |
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
mod version;
pub mod vhlo;

use mlirbc_ir::{Context, Result};

pub use convert::{Need, Needs, artifact_options, is_stablehlo, is_vhlo, needs, to_stablehlo, to_vhlo, write_artifact};
pub use version::Version;

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
