//! `func`: functions and calls.

use super::common::functions::FUNCTION;
use mlirbc_ir::Dialect;
use mlirbc_ir::verify::rules;
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("func")
        .assembly("func", FUNCTION)
        .verify_op("return", rules::returns_from_function)
        .verify_op("call", rules::call)
        .result_name("constant", "f")
        .default_dialect("func")
}
