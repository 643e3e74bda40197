//! `transform`: transformations as operations.

mod assembly;
mod branches;
mod directives;
mod effects;
mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::values::{Own, Values};
use mlirbc_ir::interfaces::{Call, NamedCall};
use mlirbc_ir::text::Elision;
use mlirbc_ir::{AttributeData, Context, Dialect, Parameter};
use mlirbc_text::DialectAssembly;
use mlirbc_text::directives::INDEX_LIST;

/// The dialect's name.
const NAME: &str = "transform";

/// What stands for a parameter among the options of a pass: `#transform.param_operand<index = 0 : i64>`.
const PARAM_OPERAND: Own = Own {
    mnemonic: "param_operand",
    holds: |context, parameters| operand_number(context, parameters).is_some(),
    print: |parameters, printer| {
        if let [Parameter::Attribute(index)] = parameters {
            printer.text("<index = ").attribute(*index, Elision::Never).text(">");
        }
    },
    parse: |parser| {
        if !parser.eat_next(b'<') || !parser.eat_word(b"index") || !parser.eat(b'=') {
            return None;
        }
        let index = [Parameter::Attribute(parser.attribute().ok()?)];
        (parser.eat(b'>') && operand_number(parser.context(), &index).is_some()).then(|| index.into())
    },
};

/// The number of an operand, which is an integer of 64 bits.
fn operand_number(context: &Context, parameters: &[Parameter]) -> Option<usize> {
    let [Parameter::Attribute(index)] = parameters else { return None };
    match &context[*index] {
        AttributeData::Integer { ty, value } if *ty == context.integer_type(64) => value.to_i64()?.try_into().ok(),
        _ => None,
    }
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    effects::attach(branches::attach(assembly::attach(defined!("transform"))))
        .interface::<dyn Call>("include", Arc::new(NamedCall { callee: "target", arguments: "operands" }))
        .text(Values { own: &[PARAM_OPERAND], ..Values::NONE })
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
