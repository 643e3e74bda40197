//! What attributes are that are not given.

use super::checker::Checker;
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::context::{Answered, CachedFact, Context, OperationName};
use crate::number::{ApInt, FloatKind};
use crate::ods::{AttributeDef, NativeDef, NativeProperty, Syntax, Term};
use crate::types::{Type, TypeData};

impl Context {
    /// What an operation of that name has where it is not given: attributes and properties that its definition gives a value, as
    /// `populateDefaultProperties` of MLIR does. Attributes that may be absent are none of them.
    pub fn default_attributes(&self, name: OperationName) -> Vec<NamedAttribute> {
        self.defaults(name).map_or_else(Vec::new, |defaults| defaults.clone())
    }

    /// The same, to look at.
    pub(crate) fn defaults(&self, name: OperationName) -> Option<Answered<'_, Vec<NamedAttribute>>> {
        let find = || {
            let definition = self.definition(name)?;
            let checker = Checker::new(self);
            let mut defaults = Vec::new();
            for attribute in definition.attributes().iter().filter(|attribute| !attribute.optional) {
                let value = attribute_default(&checker, attribute);
                defaults.extend(value.map(|value| (self.identifier(&attribute.name), value)));
            }
            for native in definition.natives().iter().filter(|native| native.default.is_some()) {
                let value = native_default(&checker, native);
                defaults.extend(value.map(|value| (self.identifier(&native.name), value)));
            }
            Some(defaults)
        };
        self.answer(name, CachedFact::Defaults, find)
    }
}

/// The value of an attribute that is not given, where its definition says one that is understood.
#[doc(hidden)]
pub fn attribute_default(checker: &Checker<'_>, definition: &AttributeDef) -> Option<Attribute> {
    let context = checker.context();
    let constraint = &definition.constraint;
    let text = |text: String| crate::text::parse_attribute(context, text.as_bytes()).ok();
    let ty = constraint.value_type.as_ref().and_then(|term| checker.type_of(term));
    let number = |value: i64| match ty.map(|ty| (ty, &context[ty])) {
        Some((ty, TypeData::Integer { width, .. })) => {
            Some(context.attribute(AttributeData::Integer { ty, value: ApInt::from_i64(*width, value) }))
        }
        Some((ty, TypeData::Index)) => {
            Some(context.attribute(AttributeData::Integer { ty, value: ApInt::from_i64(64, value) }))
        }
        Some((ty, TypeData::Float(kind))) => {
            let bits = crate::text::float::from_double(*kind, value as f64)?;
            Some(context.attribute(AttributeData::Float { ty, bits }))
        }
        _ => None,
    };
    match definition.default.as_ref()? {
        // It is there or it is not.
        Term::Bool(value) if constraint.storage == "UnitAttr" => value.then(|| context.unit()),
        Term::Bool(value) => Some(context.integer(1, i64::from(*value))),
        Term::Integer(value) => number(*value),
        Term::Text(value) => Some(context.string(value)),
        Term::Enumerant { enumeration, case } => {
            let cases = checker.enumeration(enumeration)?;
            let case = cases.case(case)?;
            match dialect_attribute(&constraint.storage) {
                Some((dialect, mnemonic)) => enum_attribute(checker, dialect, mnemonic, &case.text),
                None => number(case.value),
            }
        }
        Term::List(items) => {
            if let Some(element) = dense_element(context, &constraint.storage) {
                let items: Option<Vec<String>> = items
                    .iter()
                    .map(|item| match item {
                        Term::Integer(value) => Some(value.to_string()),
                        Term::Bool(value) => Some(value.to_string()),
                        _ => None,
                    })
                    .collect();
                let (items, ty) = (items?, crate::text::print_type(context, element).ok()?);
                return text(match items.as_slice() {
                    [] => format!("array<{ty}>"),
                    _ => format!("array<{ty}: {}>", items.join(", ")),
                });
            }
            match (constraint.storage.as_str(), items.as_slice()) {
                ("ArrayAttr", []) => text("[]".to_owned()),
                ("DictionaryAttr", []) => text("{}".to_owned()),
                (interface, []) if interface.contains("::") => {
                    text(format!("#{}", checker.only_attribute_of(interface)?))
                }
                (storage, []) => {
                    let (dialect, mnemonic) = dialect_attribute(storage)?;
                    let Some(enumeration) = &constraint.enumeration else {
                        return text(format!("#{dialect}.{mnemonic}<>"));
                    };
                    let cases = checker.enumeration(enumeration)?;
                    enum_attribute(checker, dialect, mnemonic, &cases.case_of(0)?.text)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The attribute of a dialect that wraps a case of an enum.
fn enum_attribute(checker: &Checker<'_>, dialect: &str, mnemonic: &str, case: &str) -> Option<Attribute> {
    let context = checker.context();
    let definition = checker.attribute_definition(&format!("{dialect}.{mnemonic}"))?;
    let brackets = !matches!(definition.syntax, Syntax::Format(_)) || definition.syntax.opens("<");
    let text = match brackets {
        true => format!("#{dialect}.{mnemonic}<{case}>"),
        false => format!("#{dialect}<{mnemonic} {case}>"),
    };
    crate::text::parse_attribute(context, text.as_bytes()).ok()
}

/// The value of a native property that is not given.
#[doc(hidden)]
pub fn native_default(checker: &Checker<'_>, definition: &NativeDef) -> Option<Attribute> {
    let context = checker.context();
    let value = match &definition.default {
        Some(Term::Integer(value)) => *value,
        Some(Term::Bool(value)) => i64::from(*value),
        Some(Term::Enumerant { enumeration, case }) => checker.enumeration(enumeration)?.case(case)?.value,
        _ => 0,
    };
    Some(match definition.native.as_ref()? {
        NativeProperty::Bool | NativeProperty::Boolean => context.integer(1, value),
        NativeProperty::Integer { width, .. } => context.integer(*width, value),
        NativeProperty::String => context.string(""),
        NativeProperty::Array(_) | NativeProperty::OptionalOf(_) => {
            context.attribute(AttributeData::Array(Box::default()))
        }
        NativeProperty::Attribute => return None,
    })
}

/// The type of the elements of a dense array, by the C++ class of the attribute.
#[doc(hidden)]
pub fn dense_element(context: &Context, storage: &str) -> Option<Type> {
    Some(match storage {
        "DenseBoolArrayAttr" => context.integer_type(1),
        "DenseI8ArrayAttr" => context.integer_type(8),
        "DenseI16ArrayAttr" => context.integer_type(16),
        "DenseI32ArrayAttr" => context.integer_type(32),
        "DenseI64ArrayAttr" => context.integer_type(64),
        "DenseF32ArrayAttr" => context.float_type(FloatKind::F32),
        "DenseF64ArrayAttr" => context.float_type(FloatKind::F64),
        _ => return None,
    })
}

/// Dialect and mnemonic of an attribute class that is named by these: `None` for a class of C++.
pub fn dialect_attribute(storage: &str) -> Option<(&str, &str)> {
    storage.split_once('.').filter(|_| !storage.contains("::"))
}
