//! What a dialect of one's own is made of, in one line: `use mlirbc::dialect::*;`, beside the [prelude](crate::prelude).
//!
//! [`guide::bring_a_dialect`](crate::guide::bring_a_dialect) says how.
//!
//! ```
//! use mlirbc::dialect::*;
//! use mlirbc::prelude::*;
//!
//! let number = TypeConstraint::new("any type", Predicate::Always);
//! let twice = OpDef::builder("toy.twice").operand("x", &number).result("y", &number);
//! let twice = twice.traits(Traits::SAME_OPERANDS_AND_RESULT_TYPE).format("$x attr-dict `:` type($y)").finish()?;
//! let context = Context::new();
//! context.register(Dialect::new("toy").op(twice))?;
//! let module = mlirbc::parse(&context, "func.func @f(%x: i8) -> i8 { %y = toy.twice %x : i8 return %y : i8 }")?;
//! module.verify()?;
//! # Ok::<(), mlirbc::Error>(())
//! ```

pub use mlirbc_bytecode::encoding::fields::FieldsEncoding;
pub use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, EntryReader, EntryWriter, Versioned};
pub use mlirbc_ir::fields::{AttributeClass, DefaultValue, DialectFields, Field, FieldKind, FieldsDef};
pub use mlirbc_ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, TermClass, Traits, TypeConstraint};
pub use mlirbc_ir::verify::Checker;
pub use mlirbc_ir::{Dialect, Parameter};
#[cfg(feature = "rewrite")]
pub use mlirbc_rewrite::{DialectRewrite, Fold, Folded};
#[cfg(feature = "text")]
pub use mlirbc_text::{Continuation, CustomAssembly, DialectAssembly, OpParser, OpPrinter, OpState, Parsed, Printed};
