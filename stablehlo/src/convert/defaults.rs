//! What `vhlo` says where StableHLO says nothing, as [`Default`] names it.

use mlirbc_ir::{Attribute, AttributeData, Context, NamedAttribute, Parameter};

use super::attributes::{code, elements, held, number, numbers, string};
use super::rules::Default;
use crate::vhlo::forms::code as types;
use crate::vhlo::types::{attribute_parts, make, make_attribute};

/// The calling conventions that were there first, and that takes a dictionary.
const ORIGINAL: u64 = 1;
const TYPED: u64 = 4;

/// The value of that name.
pub(super) fn find(context: &Context, entries: &[NamedAttribute], name: &str) -> Option<Attribute> {
    entries.iter().find(|entry| context.bytes(entry.0) == name.as_bytes()).map(|entry| entry.1)
}

/// How many items an attribute of numbers has.
fn count(context: &Context, entries: &[NamedAttribute], name: &str) -> Option<usize> {
    let numbers = held(context, find(context, entries, name)?, code::ELEMENTS)?;
    let AttributeData::DenseElements { ty, .. } = context[numbers] else { return None };
    match context[ty].shape()? {
        [count] => usize::try_from(*count).ok().filter(|&count| count <= 1 << 16),
        _ => None,
    }
}

fn takes_dictionary(context: &Context, entries: &[NamedAttribute]) -> bool {
    let version = find(context, entries, "api_version");
    matches!(
        version.and_then(|version| attribute_parts(context, version)),
        Some((code::API_VERSION, [Parameter::Unsigned(TYPED)]))
    )
}

fn case(context: &Context, code: usize, number: u64) -> Attribute {
    make_attribute(context, code, [Parameter::Unsigned(number)])
}

fn list(context: &Context, code: usize, items: Vec<Parameter>) -> Attribute {
    make_attribute(context, code, [Parameter::List(items.into())])
}

impl Default {
    /// The value, beside these other attributes of the operation. `None` where there is no default, or they do not say which.
    pub(super) fn value(self, context: &Context, entries: &[NamedAttribute]) -> Option<Attribute> {
        Some(match self {
            Default::None => return None,
            Default::False => make_attribute(context, code::BOOL, [Parameter::Bool(false)]),
            Default::Number(value) => number(context, value)?,
            Default::String | Default::Said => string(context, context.string("")),
            Default::Array | Default::Layouts => list(context, code::ARRAY, Vec::new()),
            Default::Dictionary => list(context, code::DICTIONARY, Vec::new()),
            Default::Numbers => numbers(context, &[])?,
            Default::ComparisonType => case(context, code::COMPARISON_TYPE, 0),
            Default::ApiVersion => case(context, code::API_VERSION, ORIGINAL),
            Default::BackendConfig if takes_dictionary(context, entries) => list(context, code::DICTIONARY, Vec::new()),
            Default::BackendConfig => string(context, context.string("")),
            Default::Precision => {
                let one = case(context, code::PRECISION, 0);
                list(context, code::ARRAY, vec![Parameter::Attribute(one); 2])
            }
            Default::Accuracy => {
                let mode = Parameter::Attribute(case(context, code::ACCURACY_MODE, 0));
                let none = Parameter::Double(0.0f64.to_bits());
                make_attribute(context, code::ACCURACY, [none.clone(), none, Parameter::Signed(0), mode])
            }
            Default::NoType => make_attribute(context, code::TYPE, [Parameter::Type(make(context, types::NONE, []))]),
            Default::Each(value, of) => numbers(context, &vec![value; count(context, entries, of)?])?,
            Default::EachFalse(of) => {
                let count = count(context, entries, of)?;
                elements(context, 1, &[count as i64], vec![0; count.div_ceil(8)])?
            }
            Default::EachPadding(of) => {
                let count = count(context, entries, of)?;
                elements(context, 64, &[count as i64, 2], vec![0; count * 16])?
            }
        })
    }

    /// Whether the attribute of that name says what is said without it: by value, and by any other value that upstream takes for it.
    pub(super) fn is(self, context: &Context, entries: &[NamedAttribute], value: Attribute) -> bool {
        match self {
            Default::None | Default::Said => false,
            // Of any length.
            Default::Precision => match attribute_parts(context, value) {
                Some((code::ARRAY, [Parameter::List(items)])) => {
                    let one = Parameter::Attribute(case(context, code::PRECISION, 0));
                    items.iter().all(|item| *item == one)
                }
                _ => false,
            },
            // No elements are no splat.
            Default::Each(..) | Default::EachFalse(_) | Default::EachPadding(_) => {
                let is_empty = held(context, value, code::ELEMENTS).is_none_or(|held| match &context[held] {
                    AttributeData::DenseElements { data, .. } => data.is_empty(),
                    _ => true,
                });
                !is_empty && self.value(context, entries) == Some(value)
            }
            // They are there both or not at all.
            Default::Layouts => {
                let empty = self.value(context, entries);
                LAYOUTS.iter().all(|name| find(context, entries, name) == empty)
            }
            _ => self.value(context, entries) == Some(value),
        }
    }
}

/// The attributes of a custom call that say how operands and results lie in memory.
const LAYOUTS: [&str; 2] = ["operand_layouts", "result_layouts"];
