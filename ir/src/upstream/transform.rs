//! `transform`: transformations as operations.

use super::defined;
use crate::dialect::Dialect;
use crate::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined("transform")
        .default_dialect("foreach")
        .default_dialect("sequence")
        .default_dialect("with_pdl_patterns")
        .result_name("foreach_match", "updated_root")
}
