//! `chlo`: operations of clients, which those of StableHLO are made of.

mod attributes;

pub use attributes::{ComparisonDirection, ComparisonType, Precision, RaggedDotDimensionNumbers};

use mlirbc_bytecode::encoding::DialectExt;
use mlirbc_ir::ods::OpTable;
use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect};

use crate::stablehlo::verify::attach_elementwise;

/// The dialect's name.
pub const DIALECT: &str = "chlo";

/// Operations whose operands and results are all of one type, but for sizes that one says and another does not.
const ELEMENTWISE: &str = "acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc lgamma mulhi next_after \
     polygamma sinh square tan zeta";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    let dialect = Dialect::new(DIALECT)
        .ops(OpTable::embedded(include_bytes!("chlo.table")))
        .text(attributes::FORMS)
        .bytecode(attributes::FORMS)
        .infer_types("constant", constant_type);
    attach_elementwise(dialect, ELEMENTWISE)
}

/// A constant has the type of its value.
fn constant_type(context: &Context, types: &mut OpTypes) {
    if let Some(ty) = types.attribute(0).and_then(|value| context[value].ty()) {
        types.set_result(0, [ty]);
    }
}
