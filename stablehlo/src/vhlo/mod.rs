//! `vhlo`: the frozen form of StableHLO that portable artifacts hold.
//!
//! | file | what it has |
//! | --- | --- |
//! | `forms.rs` | all attributes and types, as data |
//! | `encoding.rs` | how bytecode has them |
//! | `elements.rs` | dense elements, which are laid out otherwise than those of `builtin` |
//! | `text.rs`, `function.rs` | how text has them, and functions |
//! | `types.rs` | which types of `builtin` they stand for |
//!
//! An attribute or type is a [`DialectValue`](mlirbc_ir::DialectValue) with one parameter a field of its form. What stands for a value of
//! `builtin` (a number, elements) holds it: nothing has to be decoded twice.

mod elements;
mod encoding;
pub(crate) mod forms;
mod function;
mod text;
pub(crate) mod types;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::{Context, Dialect, Identifier};
use mlirbc_text::DialectAssembly;

pub(crate) use crate::Version;
pub use types::{from_builtin, to_builtin};

/// The dialect's name.
pub const DIALECT: &str = "vhlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
        .ops(OpTable::embedded(include_bytes!("vhlo.table")))
        .text(text::Text)
        .bytecode(encoding::Encoding)
        .assembly("func_v1", function::FUNCTION)
}

/// Whether an attribute or type is of that dialect.
fn is_dialect(context: &Context, of: Identifier, dialect: &str) -> bool {
    context.bytes(of) == dialect.as_bytes()
}
