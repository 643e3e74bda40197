//! `toy`: a dialect in a crate of its own.
//!
//! It is built on the public API of [`mlirbc`] alone and uses every hook: copy from here what your dialect needs. `tests/all/hooks.rs`
//! reads the list of hooks off the sources. Only these are left out:
//!
//! - `beside`: for operations that releases of MLIR lay out in several ways. Definitions made here have one layout in all of them; what
//!   changed from one version of this dialect to the next is said by `since`.
//! - `is_of_mlir`: says that `mlir-opt` has this encoding, which is true of no dialect but MLIR's own.
//! - `has_resources`: for attributes that are a resource. A parameter of a dialect's attribute cannot be one
//!   ([`Parameter`](mlirbc::ir::Parameter)): `builtin` alone has such attributes.
//! - `knows_source`: for a dialect that is read from files of another kind than bytecode and text.
//! - `write_from_source`: for the same.
//! - `takes`: for definitions that come from TableGen and know fewer types than the dialect has. Those that are made here say what they mean.
//! - `function_attribute`: for attributes that are right on arguments or results of functions and wrong on operations, or the other way round.
//! - `keep_blocks`: for operations that are what they are by blocks of their regions to which nothing may lead.
//! - `fields`: is `text` given the definitions alone, and would take the place of it. This dialect has an attribute that needs code, and
//!   hands all others on to their definitions.
//! - `versions`: is `bytecode` given an encoding by those definitions, and would take the place of it.
//! - `is_trimmed`: for dialects whose attributes begin with white space that formats leave out. None of those here does.
//! - `former`: for a dialect that had another name before, as `spirv` had (`spirv/src/dialect/old`).
//! - `renamed`: for the same.
//! - `renamed_entry`: for the same.
//! - `renamed_mnemonic`: for the same.
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
mod constants;
mod control;
mod encoding;
mod functions;
mod marks;
mod operations;
mod palette;
mod rewriting;
mod verifier;

use std::sync::Arc;

use mlirbc::Result;
use mlirbc::bytecode::encoding::DialectExt;
use mlirbc::ir::Context;
use mlirbc::ir::Dialect;
use mlirbc::ir::LooksAt;
use mlirbc::ir::interfaces::Speculatable;
use mlirbc::ir::ods::CppClasses;
use mlirbc::ir::verify::TypeTests;
use mlirbc::rewrite::{AnyPattern, DialectRewrite};
use mlirbc::text::DialectAssembly;

pub use attributes::{Canvas, colour};
pub use encoding::{CURRENT, Version};
pub use operations::Cost;
pub use palette::{DialectPalette, Palette};

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
pub fn register_version(context: &Context, version: Version) -> Result<()> {
    context.register(dialect(version)?)
}

/// All that the dialect brings.
fn dialect(version: Version) -> Result<Dialect> {
    let toy = Dialect::new("toy").ops(operations::table()?);
    let toy = marks::attach(control::attach(functions::attach(constants::attach(toy)?)?)?)?;
    Ok(toy
        // Attributes and types.
        .text(attributes::Text)
        .extension(
            CppClasses::new()
                .ty("toy::CanvasType", "canvas")
                .attribute("toy::ColourAttr", "colour")
                .function(attributes::WIDE[0], attributes::WIDE[1]),
        )
        .extension(TypeTests(attributes::tell))
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
        .fold("paint", rewriting::fold_paint)
        .canonicalize("paint", AnyPattern::new("painted-over", rewriting::painted_over))
        // What holds of operations, and what they answer.
        .verify_with(verifier::Verifier)
        .verify_op("mix", operations::verify_mix)
        .verify_op_by("paint", LooksAt::TypesAndAttributes, operations::verify_paint)
        .interface::<dyn Speculatable>("paint", Arc::new(operations::Covers))
        .interface::<dyn Cost>("mix", Arc::new(operations::PerOperand(3)))
        .interface::<dyn Cost>("paint", Arc::new(operations::PerOperand(100))))
}
