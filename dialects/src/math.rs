//! `math`: functions of numbers.

mod folds;

use mlirbc_ir::Dialect;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    folds::attach(defined!("math"))
}
