//! `transform`: transformations as operations.

mod assembly;
mod directives;
mod enums;

pub use enums::*;

use mlirbc_ir::Dialect;
use mlirbc_ir::text::DialectAssembly;
use mlirbc_ir::text::directives::INDEX_LIST;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("transform"))
        .directive("DynamicIndexList", INDEX_LIST)
        .directive("AlternativesOpSelectedRegion", directives::SELECTED_REGION)
        .directive("ApplyRegisteredPassOptions", directives::PASS_OPTIONS)
        .directive("ContinuousTileSizeTypes", directives::ONE_RESULT_TYPE)
        .directive("ForeachMatchSymbols", directives::MATCH_SYMBOLS)
        .directive("MultitileSizesTypes", directives::ONE_RESULT_TYPE)
        .directive("PackedOrDynamicIndexList", directives::PACKED_OR_LIST)
        .directive("SemiFunctionType", directives::SEMI_FUNCTION_TYPE)
        .directive("SequenceOpOperands", directives::SEQUENCE_OPERANDS)
        .directive("TransformMatchDims", directives::MATCH_DIMS)
        .default_dialect("foreach")
        .default_dialect("sequence")
        .default_dialect("with_pdl_patterns")
        .result_name("foreach_match", "updated_root")
}
