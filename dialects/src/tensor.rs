//! `tensor`: tensors as values.

pub(crate) mod casts;
mod folds;

use std::sync::Arc;

use super::common::speculation::Dimension;
use super::names;
use crate::scf::patterns::tensors::size_of_forall;
use mlirbc_ir::interfaces::Speculatable;
use mlirbc_ir::verify::{OpTypes, rules};
use mlirbc_ir::{Context, Dialect, LooksAt};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    folds::attach(defined!("tensor").inliner(InlineEverywhere))
        .interface::<dyn Speculatable>("dim", Arc::new(Dimension))
        .canonicalize("dim", AnyPattern::new("DimOfForallOp", size_of_forall))
        .verify_op_by("empty", LooksAt::TypesAndAttributes, |checker, op| {
            rules::sizes_of_result(checker, op, "dynamicSizes")
        })
        .directive("DynamicIndexList", INDEX_LIST)
        .result_name("cast", "cast")
        .result_name("collapse_shape", "collapsed")
        .result_name("concat", "concat")
        .result_name("dim", "dim")
        .result_name("expand_shape", "expanded")
        .result_name("extract", "extracted")
        .result_name("extract_slice", "extracted_slice")
        .result_name("from_elements", "from_elements")
        .result_name("gather", "gather")
        .result_name("generate", "generated")
        .result_name("insert", "inserted")
        .result_name("insert_slice", "inserted_slice")
        .result_name("pad", "padded")
        .result_name("rank", "rank")
        .result_name("reshape", "reshape")
        .result_name("scatter", "scatter")
        .result_name("splat", "splat")
        .infer_types("rank", names::index_result)
        .infer_types("from_elements", elements)
}

/// The operands are elements of the result.
fn elements(context: &Context, types: &mut OpTypes) {
    if let Some(&[ty]) = types.result(0)
        && let Some(element) = context[ty].element()
    {
        types.set_operand(0, element);
    }
}
