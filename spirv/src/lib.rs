//! SPIR-V binaries as MLIR, losing nothing.
//!
//! [`read`](read()) takes a `.spv` file into the dialect `spirv_binary`, one operation an instruction, and
//! [`write`](write()) gives the same bytes back, whatever version, generator or extension they come from. In between, a
//! module is IR like any other: `mlirbc_bytecode` writes it, smaller than it came, and text shows it.
//!
//! ```
//! # fn main() -> mlirbc_ir::Result<()> {
//! use mlirbc_spirv::{Builder, ModuleView};
//!
//! let mut build = Builder::new(1, 0);
//! build.append("Capability", &["Shader".into()])?;
//! let bytes = build.into_bytes();
//!
//! let context = mlirbc_ir::Context::new();
//! let module = mlirbc_spirv::read(&context, bytes.clone())?;
//! assert_eq!(ModuleView::of(&module)?.capabilities(), ["Shader"]);
//! assert_eq!(mlirbc_spirv::write(&module)?, bytes);
//! # Ok(())
//! # }
//! ```
//!
//! [`raise`](raise()) takes the same file into MLIR's own dialect `spirv`, with types and structured control flow, which passes work on:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = mlirbc_ir::Context::new();
//! let module = mlirbc_spirv::raise(&context, std::fs::read("../fixtures/spirv/blur.spv")?)?;
//! let names: Vec<_> = module.operations()?.next().ok_or("a module")?.walk()?.map(|op| op.name()).collect();
//! assert!(names.iter().any(|name| name == "spirv.mlir.loop"));
//! let binary = mlirbc_spirv::write(&module)?; // the same meaning, in other words
//! # Ok(())
//! # }
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | read and write | [`read`](read()), [`raise`](raise()), [`read_as`] for either; [`write`](write()) takes both |
//! | look at a binary: instructions by name, operands by kind, entry points, decorations | [`ModuleView`] |
//! | make one by hand | [`Builder`] |
//! | know the two forms | [`binary`], [`dialect`] |
//! | know what a module needs, and whether a target has it | [`target`] |
//! | run passes, link | [`transforms`] |
//! | compare two | [`differences`], [`equal`] |
//! | know what an instruction is made of | [`grammar`] |
//!
//! # When not to use it
//!
//! It does not validate: `spirv-val` does, and it knows rules that no table holds. It does not optimise. To look at one
//! shader in memory and throw it away, without MLIR, `rspirv` alone has fewer parts.

pub mod binary;
mod builder;
mod compare;
pub mod dialect;
mod difference;
mod form;
mod forms;
pub mod grammar;
mod lower;
mod op;
mod raise;
pub mod target;
pub mod transforms;
mod view;

use mlirbc_ir::{Context, Module, Result};

pub use binary::dialect::{DIALECT, Literal};
pub use binary::{Header, has_module, is_spirv, read, registered, strip_lines};
pub use builder::{Argument, Builder, Id};
pub use compare::equal;
pub use difference::{Difference, ModulePart, Side, differences};
pub use form::{SpirvForm, read_as, write, write_words};
pub use lower::{has_dialect_module, lower, lower_words};
pub use raise::{raise, raise_module};
pub use view::{Decoration, EntryPoint, ExecutionMode, Function, InstructionView, ModuleView, Operand, OperandValue};

/// The entry points of a module in its binary form: as [`ModuleView::entry_points`].
///
/// ```
/// let context = mlirbc_ir::Context::new();
/// mlirbc_spirv::register(&context)?;
/// let module = mlirbc_spirv::read(&context, std::fs::read("../fixtures/spirv/blur.spv")?)?;
/// assert_eq!(mlirbc_spirv::entry_points(&module)?[0].name, "main");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`ModuleView::of`].
pub fn entry_points(module: &Module) -> Result<Vec<EntryPoint>> {
    Ok(ModuleView::of(module)?.entry_points().to_vec())
}

/// Registers both dialects, where they are not registered yet. They are made on first use.
///
/// # Errors
/// Where the context refuses one.
pub fn register(context: &Context) -> Result<()> {
    binary::dialect::register(context)?;
    dialect::register(context)
}
