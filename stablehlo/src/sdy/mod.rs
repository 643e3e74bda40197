//! `sdy`: how tensors are split over devices.

mod assembly;
mod attributes;
mod edges;
mod encoding;
mod factors;

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "sdy";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    let dialect = Dialect::new(DIALECT)
        .ops(OpTable::embedded(include_bytes!("sdy.table")))
        .text(attributes::FORMS)
        .bytecode(encoding::Encoding);
    assembly::attach(dialect)
}
