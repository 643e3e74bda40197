//! `pdl_interp`: what matches patterns of `pdl`.

mod assembly;
mod directives;

use super::pdl::directives::{NAMED_VALUES, RANGE_TYPE};
use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect};
use mlirbc_text::DialectAssembly;

use super::pdl;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("pdl_interp"))
        .directive("CreateOperationOpAttributes", NAMED_VALUES)
        .directive("CreateOperationOpResults", directives::CREATED_RESULTS)
        .directive("RangeType", RANGE_TYPE)
        .infer_types("get_value_type", value_of_type)
        .infer_types("check_types", checked_types)
}

/// The type of a value is asked for, or those of a range.
fn value_of_type(context: &Context, known: &mut OpTypes) {
    let Some(&[ty]) = known.result(0) else { return };
    let is_range = pdl::item_of(context, ty).is_some();
    known.set_operand(0, if is_range { pdl::range(context, pdl::VALUE) } else { pdl::value(context) });
}

fn checked_types(context: &Context, known: &mut OpTypes) {
    known.set_operand(0, pdl::range(context, pdl::TYPE));
}
