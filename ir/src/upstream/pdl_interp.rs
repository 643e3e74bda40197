//! `pdl_interp`: what matches patterns of `pdl`.

mod assembly;
mod directives;

use super::defined;
use super::pdl::directives::{NAMED_VALUES, RANGE_TYPE};
use crate::text::{DialectAssembly, OpTypes, parse_type, print_type};
use crate::{Context, Dialect};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("pdl_interp"))
        .directive("CreateOperationOpAttributes", NAMED_VALUES)
        .directive("CreateOperationOpResults", directives::CREATED_RESULTS)
        .directive("RangeType", RANGE_TYPE)
        .infer_types("get_value_type", value_of_type)
        .infer_types("check_types", checked_types)
}

/// The type of a value is asked for, or those of a range.
fn value_of_type(context: &Context, known: &mut OpTypes) {
    let Some(&[ty]) = known.result(0) else { return };
    let is_range = print_type(context, ty).is_ok_and(|text| text.contains("range"));
    let value = if is_range { "!pdl.range<value>" } else { "!pdl.value" };
    if let Ok(value) = parse_type(context, value.as_bytes()) {
        known.set_operand(0, value);
    }
}

fn checked_types(context: &Context, known: &mut OpTypes) {
    if let Ok(types) = parse_type(context, b"!pdl.range<type>") {
        known.set_operand(0, types);
    }
}
