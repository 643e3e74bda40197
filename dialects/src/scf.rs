//! `scf`: loops and branches as operations with regions.

mod assembly;
mod bounds;
mod branches;
pub(super) mod directives;
mod loops;
pub(crate) mod patterns;

use mlirbc_ir::Dialect;
use mlirbc_rewrite::{DialectRewrite, InlineEverywhere};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(loops::attach(branches::attach(assembly::attach(defined!("scf").inliner(InlineEverywhere)))))
        .directive("SwitchCases", directives::SWITCH_CASES)
}
