//! `affine`: loops and accesses whose bounds and places are affine.

mod assembly;
mod branches;
mod inlining;
mod loops;

use mlirbc_ir::Dialect;
use mlirbc_ir::verify::rules;
use mlirbc_rewrite::DialectRewrite;
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    branches::attach(loops::attach(assembly::attach(defined!("affine").inliner(inlining::Affine))))
        .directive("DynamicIndexList", INDEX_LIST)
        .verify_op("yield", |checker, op| rules::yields_results_of(checker, op, YIELDED_TO))
}

/// The operations whose results are what is yielded in them.
const YIELDED_TO: &[&str] = &["affine.for", "affine.if", "affine.parallel"];
