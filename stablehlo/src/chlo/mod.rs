//! `chlo`: operations of clients, which those of StableHLO are made of.

mod attributes;

pub use attributes::{ComparisonDirection, ComparisonType, Precision, RaggedDotDimensionNumbers};

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "chlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
        .ops(OpTable::embedded(include_bytes!("chlo.table")))
        .text(attributes::FORMS)
        .bytecode(attributes::FORMS)
        .infer_types("constant", constant_type)
}

/// A constant has the type of its value.
fn constant_type(context: &Context, types: &mut OpTypes) {
    if let Some(ty) = types.attribute(0).and_then(|value| context[value].ty()) {
        types.set_result(0, [ty]);
    }
}
