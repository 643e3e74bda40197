//! `shard`: computations that are spread over devices.

mod enums;

pub use enums::*;

use super::common::sizes;
use mlirbc_ir::{Dialect, Result};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::directives::INDEX_LIST;
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("shard")
        .inliner(InlineEverywhere)
        .directive("DimensionList", DIMENSIONS)
        .directive("DynamicIndexList", INDEX_LIST)
        .result_name("all_gather", "all_gather")
        .result_name("all_reduce", "all_reduce")
        .result_name("all_slice", "all_slice")
        .result_name("all_to_all", "all_to_all")
        .result_name("broadcast", "broadcast")
        .result_name("gather", "gather")
        .result_name("grid_shape", "mesh_shape")
        .result_name("process_linear_index", "proc_linear_idx")
        .result_name("process_multi_index", "proc_linear_idx")
        .result_name("recv", "recv")
        .result_name("reduce", "reduce")
        .result_name("reduce_scatter", "reduce_scatter")
        .result_name("scatter", "scatter")
        .result_name("send", "send")
        .result_name("shard", "sharding_annotated")
        .result_name("sharding", "sharding")
        .result_name("shift", "shift")
}

/// `2x?x4`
const DIMENSIONS: Directive = Directive::new(print_dimensions, parse_dimensions);

fn print_dimensions(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let numbers = arguments.integers(printer, 0)?.ok_or(NotCustom::UseGeneric)?;
    sizes::print(printer, &numbers)
}

fn parse_dimensions<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let sizes = sizes::parse(parser)?;
    let sizes = parser.i64_array(&sizes);
    state.set_attribute(parser, op, 0, sizes)
}
