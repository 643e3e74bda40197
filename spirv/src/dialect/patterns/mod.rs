//! Canonicalisation patterns of the dialect (`SPIRVCanonicalization.cpp` and `.td` of MLIR).

mod access;
mod extended;
mod logic;
mod modulo;
mod selection;

use mlirbc_ir::Dialect;

/// Attaches them to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = access::attach(dialect);
    let dialect = extended::attach(dialect);
    let dialect = logic::attach(dialect);
    let dialect = modulo::attach(dialect);
    selection::attach(dialect)
}
