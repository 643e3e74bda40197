//! `pdl`: patterns as operations.

pub(super) mod directives;

use super::common::values::{Part, Types};
use mlirbc_ir::ods::CppClasses;
use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Context, Dialect, Parameter, Type, TypeData};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "pdl";

/// The mnemonic of the type of types.
pub(super) const TYPE: &str = "type";

/// The mnemonic of the type of values.
pub(super) const VALUE: &str = "value";

/// The dialect's types.
const TYPES: Types =
    Types(&[("attribute", &[]), ("operation", &[]), ("range", &[Part::Short(NAME)]), (TYPE, &[]), (VALUE, &[])]);

/// The type of a value.
pub(super) fn value(context: &Context) -> Type {
    context.dialect_type(NAME, VALUE, [])
}

/// The type of a range of what this is the mnemonic of.
pub(super) fn range(context: &Context, of: &'static str) -> Type {
    range_of(context, context.dialect_type(NAME, of, []))
}

/// The type of a range of what has this type.
pub(super) fn range_of(context: &Context, item: Type) -> Type {
    context.dialect_type(NAME, "range", [Parameter::Type(item)])
}

/// The type of what is in a range of this type. `None` where the type is another.
pub(super) fn item_of(context: &Context, range: Type) -> Option<Type> {
    match context.type_parameters(range, NAME, "range")? {
        [Parameter::Type(item)] => Some(*item),
        _ => None,
    }
}

/// Whether the type is one of the dialect that is no range.
pub(super) fn is_item(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Dialect(value) => context.bytes(value.dialect) == NAME.as_bytes() && item_of(context, ty).is_none(),
        TypeData::Text { dialect, .. } => context.bytes(*dialect) == NAME.as_bytes(),
        _ => false,
    }
}

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("pdl")
        .text(TYPES)
        .extension(CppClasses::new().any_type("pdl::PDLType"))
        .directive("OperationOpAttributes", directives::NAMED_VALUES)
        .directive("RangeType", directives::RANGE_TYPE)
        .directive("ResultsValueType", directives::RESULTS_TYPE)
        .default_dialect("pattern")
        .default_dialect("rewrite")
        .infer_types("operands", operands)
        .infer_types("types", types)
}

/// All operands of an operation, or those of some types.
fn operands(context: &Context, known: &mut OpTypes) {
    known.set_operand(0, range(context, TYPE));
    known.set_result(0, [range(context, VALUE)]);
}

fn types(context: &Context, known: &mut OpTypes) {
    known.set_result(0, [range(context, TYPE)]);
}
