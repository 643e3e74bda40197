//! `scf`: loops and branches as operations with regions.

mod assembly;
mod bounds;
mod branches;
pub(super) mod directives;
mod loops;
pub(crate) mod patterns;

use mlirbc_ir::verify::{Checker, rules};
use mlirbc_ir::{Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(loops::attach(branches::attach(assembly::attach(defined!("scf").inliner(InlineEverywhere)))))
        .verify_regions("execute_region", verify_yields)
        .verify_regions("for", verify_yields)
        .verify_regions("if", verify_yields)
        .verify_regions("index_switch", verify_yields)
        .directive("SwitchCases", directives::SWITCH_CASES)
}

/// What is yielded in an operation are its results.
fn verify_yields(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    rules::regions_yield_results(checker, op, "scf.yield")
}
