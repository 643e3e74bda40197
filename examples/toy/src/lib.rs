//! `toy`: a dialect in a crate of its own.
//!
//! It is built on the public API of [`mlirbc`] alone and uses nearly every hook: copy from here what your dialect needs.
//!
//! ```
//! let context = mlirbc::Context::new();
//! mlirbc_toy::register(&context)?;
//! let text = b"func.func @f(%c: !toy.canvas<640>) {\n  %mixed = toy.mix %c with %c : !toy.canvas<640>\n  return\n}\n";
//! let module = mlirbc::text::parse_module(&context, text, &mlirbc::text::ParseOptions::new())?;
//! assert!(module.symbol("f")?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembly;
mod attributes;
mod encoding;
mod operations;
mod rewriting;

use std::sync::Arc;

use mlirbc::Result;
use mlirbc::bytecode::encoding::DialectExt;
use mlirbc::ir::Context;
use mlirbc::ir::Dialect;
use mlirbc::rewrite::{AnyPattern, DialectRewrite};
use mlirbc::text::DialectAssembly;

pub use attributes::{Canvas, colour};
pub use encoding::CURRENT;
pub use operations::Cost;

/// Registers the dialect, at its current version.
///
/// # Errors
/// Where it is registered already.
pub fn register(context: &Context) -> Result<()> {
    register_version(context, CURRENT)
}

/// Registers the dialect as a build knew it whose current version was that one.
///
/// # Errors
/// Where it is registered already.
pub fn register_version(context: &Context, version: u64) -> Result<()> {
    context.register(dialect(version)?)
}

/// All that the dialect brings.
fn dialect(version: u64) -> Result<Dialect> {
    Ok(Dialect::new("toy")
        .ops(operations::table()?)
        // Attributes and types.
        .fields(attributes::FIELDS)
        .alias(attributes::alias)
        .bytecode(encoding::Encoding { current: version })
        .since("paint", &["opacity"], 2)
        // Assembly.
        .assembly("mix", assembly::MIX)
        .assembly("frame", assembly::FRAME)
        .directive("Tone", assembly::TONE)
        .result_name("mix", "mixed")
        .infer_types("paint", assembly::painted)
        // Folds and canonicalisation.
        .fold("mix", rewriting::fold_mix)
        .canonicalize("paint", AnyPattern::new("painted-over", rewriting::painted_over))
        // What holds of operations, and what they answer.
        .verify_op("mix", operations::verify_mix)
        .interface::<dyn Cost>("mix", Arc::new(operations::PerOperand(3)))
        .interface::<dyn Cost>("paint", Arc::new(operations::PerOperand(100))))
}
