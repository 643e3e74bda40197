//! `irdl`: dialects defined as operations.

mod directives;
mod enums;

pub use enums::*;

use mlirbc_ir::Dialect;
use mlirbc_ir::text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("irdl")
        .directive("AttributesOp", directives::ATTRIBUTES)
        .directive("NamedValueList", directives::NAMED_LIST)
        .directive("NamedValueListWithVariadicity", directives::NAMED_LIST)
        .directive("SingleBlockRegion", directives::SINGLE_BLOCK)
}
