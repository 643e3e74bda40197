//! What most programs name, in one line: `use mlirbc::prelude::*;`.
//!
//! ```
//! use mlirbc::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = Context::new();
//! let mut module = mlirbc::open_any(&context, "fixtures/arith.mlir")?;
//! module.rename_symbol("f", "g")?;
//! module.verify()?;
//! println!("{}", module.display());
//! # Ok(())
//! # }
//! ```

pub use crate::Context;
#[cfg(feature = "spirv")]
pub use crate::{Save, spirv};
pub use mlirbc_bytecode::{ReadOptions, WriteOptions};
#[cfg(feature = "dialects")]
pub use mlirbc_dialects::Build;
pub use mlirbc_ir::{
    Attribute, AttributeData, Blob, BlockId, BodyId, Builder, DYNAMIC, Error, ErrorCode, ErrorKind, Errors, Identifier,
    InsertionPoint, Location, Module, OpId, OpRef, RegionId, Result, Rewriter, Type, TypeData, Value, ValueMap,
};
#[cfg(feature = "rewrite")]
pub use mlirbc_rewrite::{
    AnyPattern, Greedy, Handle, Match, NoMatch, Outcome, Pass, Pattern, Patterns, Pipeline, Registry, Target,
};
#[cfg(feature = "store")]
pub use mlirbc_store::{Key, Store};
#[cfg(feature = "text")]
pub use mlirbc_text::{ParseOptions, PrintOptions, ToText};
