//! From `vhlo` to StableHLO and back.
//!
//! | file | what it has |
//! | --- | --- |
//! | `rules.rs` | what is otherwise in one than in the other, and what changed between versions: the one table for both ways |
//! | `defaults.rs` | values that StableHLO leaves out |
//! | `attributes.rs` | attributes by what they hold |
//! | `operation.rs` | one operation by its rule |
//! | `walk.rs` | a whole module |
//! | `order.rs` | in which order values are used |
//! | `needs.rs` | which version it needs |

mod attributes;
mod defaults;
mod needs;
mod operation;
mod order;
mod rules;
mod walk;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Body, Module, Result};

use crate::vhlo::{self, Version};
use walk::Walk;

pub use needs::{Need, Needs};

/// What a module becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Operations of `stablehlo` and `func`.
    StableHlo,
    /// Those of `vhlo`, as that version has them.
    Vhlo(Version),
}

/// The module with operations of `stablehlo` and `func` for those of `vhlo`, whatever version these are of. What is of other dialects
/// stays.
///
/// # Errors
/// Where an operation, an attribute or a type of `vhlo` has no counterpart; the error says where.
pub fn to_stablehlo(module: &Module) -> Result<Module> {
    Walk::new(module, Target::StableHlo, None).run()
}

/// The module with operations of `vhlo`, as that version has them: what a portable artifact holds. What is `vhlo` already is brought to that
/// version, and what is of other dialects stays.
///
/// # Errors
/// Where the version has no place for something: the error says which operation, where it is, and which version is the first that has.
pub fn to_vhlo(module: &Module, version: Version) -> Result<Module> {
    version.check_target()?;
    match is_vhlo(module)? {
        true => Walk::new(&to_stablehlo(module)?, Target::Vhlo(version), None).run(),
        false => Walk::new(module, Target::Vhlo(version), None).run(),
    }
}

/// How the portable artifact of that version is written, of a module that [`to_vhlo`] made.
pub fn artifact_options(version: Version) -> WriteOptions {
    // As the releases of StableHLO that have the newest versions write all of them.
    let options = WriteOptions { version: version.minor_release().bytecode(), ..WriteOptions::default() };
    WriteOptions { producer: version.producer().into_bytes(), ..options.release(Release::new(23)) }
}

/// The portable artifact of a module of StableHLO, or of another artifact.
///
/// # Errors
/// As [`to_vhlo`].
pub fn write_artifact(module: &Module, version: Version) -> Result<Vec<u8>> {
    mlirbc_bytecode::write(&to_vhlo(module, version)?, &artifact_options(version))
}

/// Which version of StableHLO the module needs, and what of it.
///
/// # Errors
/// Where no version can hold it.
pub fn needs(module: &Module) -> Result<Needs> {
    let lowered;
    let module = match is_vhlo(module)? {
        true => {
            lowered = to_stablehlo(module)?;
            &lowered
        }
        false => module,
    };
    let mut walk = Walk::new(module, Target::Vhlo(Version::CURRENT), Some(Needs::default()));
    walk.run()?;
    Ok(walk.needs.unwrap_or_default())
}

/// Whether there are operations of `vhlo` in the module, whose context [knows](crate::register) the dialect.
///
/// # Errors
/// Where it cannot be read.
pub fn is_vhlo(module: &Module) -> Result<bool> {
    has_operation_of(module, &[b"vhlo."])
}

/// Whether the module is a portable artifact, or has operations of `vhlo` or `stablehlo`.
///
/// # Errors
/// Where it cannot be read.
pub fn is_stablehlo(module: &Module) -> Result<bool> {
    let is_artifact = Version::of_producer(&module.info.producer).is_some();
    Ok(is_artifact || has_operation_of(module, &[b"vhlo.", b"stablehlo."])?)
}

fn has_operation_of(module: &Module, dialects: &[&[u8]]) -> Result<bool> {
    let context = module.context();
    // Most modules have nothing to do with StableHLO, and are not looked through for it.
    if !context.has_dialect(vhlo::DIALECT) {
        return Ok(false);
    }
    module.load_all()?;
    let is_one = |body: &Body, op| {
        // What a file marks as unregistered was written by someone who did not know it.
        let (name, is_known) = (context.operation_text(body.name(op)), context.is_registered(body.name(op)));
        is_known && dialects.iter().any(|dialect| name.starts_with(dialect))
    };
    Ok(module.bodies().any(|(_, body)| body.preorder().any(|op| is_one(body, op))))
}
