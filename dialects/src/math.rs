//! `math`: functions of numbers.

mod folds;

use mlirbc_ir::Dialect;
use mlirbc_rewrite::{DialectRewrite, InlineOperations};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    folds::attach(defined!("math").inliner(InlineOperations))
}
