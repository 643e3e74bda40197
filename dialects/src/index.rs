//! `index`: arithmetic of the type `index`.

mod enums;
mod folds;
mod patterns;
mod ranges;

pub use enums::*;
pub use folds::predicate_of;

use super::names;
use mlirbc_ir::{Dialect, Signedness};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    patterns::attach(folds::attach(defined!("index").inliner(InlineOperations)))
        .result_names("constant", |op, set| names::integer(op, "idx", Signedness::Signless, set))
        .result_names("bool.constant", names::truth)
}
