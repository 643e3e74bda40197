//! `pdl`: patterns as operations.

pub(super) mod directives;

use super::defined;
use crate::ods::CppClasses;
use crate::text::{DialectAssembly, OpTypes, parse_type};
use crate::{Context, Dialect};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("pdl")
        .extension(CppClasses::new().any_type("pdl::PDLType"))
        .directive("OperationOpAttributes", directives::NAMED_VALUES)
        .directive("RangeType", directives::RANGE_TYPE)
        .directive("ResultsValueType", directives::RESULTS_TYPE)
        .default_dialect("pattern")
        .default_dialect("rewrite")
        .infer_types("operands", operands)
        .infer_types("types", types)
}

/// All operands of an operation, or those of some types.
fn operands(context: &Context, known: &mut OpTypes) {
    if let Ok(types) = parse_type(context, b"!pdl.range<type>") {
        known.set_operand(0, types);
    }
    if let Ok(values) = parse_type(context, b"!pdl.range<value>") {
        known.set_result(0, [values]);
    }
}

fn types(context: &Context, known: &mut OpTypes) {
    if let Ok(types) = parse_type(context, b"!pdl.range<type>") {
        known.set_result(0, [types]);
    }
}
