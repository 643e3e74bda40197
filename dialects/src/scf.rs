//! `scf`: loops and branches as operations with regions.

mod assembly;
mod branches;
pub(super) mod directives;
mod patterns;

use mlirbc_ir::Dialect;
use mlirbc_ir::verify::rules;
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(branches::attach(assembly::attach(defined!("scf").inliner(InlineEverywhere))))
        .verify_op("yield", |checker, op| rules::yields_results_of(checker, op, YIELDED_TO))
        .directive("SwitchCases", directives::SWITCH_CASES)
}

/// The operations whose results are what is yielded in them.
const YIELDED_TO: &[&str] = &["scf.if", "scf.for", "scf.execute_region", "scf.index_switch"];
