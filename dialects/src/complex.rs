//! `complex`: complex numbers.

mod enums;
pub(crate) mod folds;
pub(crate) mod patterns;

pub use enums::*;

use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect, TypeData};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(folds::attach(defined!("complex").inliner(InlineOperations)))
        .result_name("constant", "cst")
        .infer_types("re", element)
        .infer_types("im", element)
        .infer_types("abs", element)
}

/// The result is one part of the operand.
fn element(context: &Context, types: &mut OpTypes) {
    if let Some(&[ty]) = types.operand(0)
        && let TypeData::Complex(element) = context[ty]
    {
        types.set_result(0, [element]);
    }
}
