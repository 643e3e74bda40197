//! `vector`: vectors of several dimensions.

mod assembly;
mod types;

use super::defined;
use crate::text::directives::INDEX_LIST;
use crate::text::{DialectAssembly, OpTypes};
use crate::{Context, Dialect};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("vector"))
        .directive("DynamicIndexList", INDEX_LIST)
        .result_name("vscale", "vscale")
        .infer_types("to_elements", elements)
}

/// The results are the elements of the operand, where there are as many names as it has.
fn elements(context: &Context, types: &mut OpTypes) {
    if let Some(&[ty, ..]) = types.operand(0)
        && let Some(element) = context[ty].element()
        && let count = types.named_results()
        && context[ty].element_count() == Some(count as u64)
    {
        types.set_result(0, vec![element; count]);
    }
}
