//! `shape`: shapes of tensors.

mod assembly;

use super::{defined, names};
use crate::text::DialectAssembly;
use crate::{Dialect, Signedness};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("shape"))
        .default_dialect("func")
        .default_dialect("function_library")
        .result_names("const_size", |op, set| names::integer(op, "c", Signedness::Signless, set))
}
