//! `ml_program`: ML programs: globals and functions.

mod directives;

use mlirbc_ir::{AttributeData, Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;
use mlirbc_text::function::FUNCTION;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("ml_program")
        .inliner(InlineOperations)
        .assembly("func", FUNCTION)
        .assembly("subgraph", FUNCTION)
        .directive("SymbolVisibility", directives::VISIBILITY)
        .directive("TokenOrdering", directives::TOKEN_ORDERING)
        .directive("TypedInitialValue", directives::TYPED_VALUE)
        .result_names("global_load", global_name)
        .result_names("global_load_const", global_name)
}

/// A value is called as the global that it is loaded from.
fn global_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(global) = op.attribute("global")? else { return Ok(()) };
    if let AttributeData::SymbolRef { root, nested } = &context[global] {
        set(0, context.bytes(*nested.last().unwrap_or(root)));
    }
    Ok(())
}
