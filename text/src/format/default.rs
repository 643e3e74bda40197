//! What attributes are that text does not give.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::ods::{AttributeDef, Syntax, Term};
use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Attribute, AttributeData, TypeData};

use super::written::{dense_element, dialect_attribute, opens};

/// The value of an attribute that is not given.
pub(crate) fn default(checker: &Checker<'_>, definition: &AttributeDef) -> Option<Attribute> {
    let context = checker.context();
    let constraint = &definition.constraint;
    let text = |text: String| mlirbc_ir::text::parse_attribute(context, text.as_bytes()).ok();
    let ty = constraint.value_type.as_ref().and_then(|term| checker.type_of(term));
    let number = |value: i64| match ty.map(|ty| (ty, &context[ty])) {
        Some((ty, TypeData::Integer { width, .. })) => {
            Some(context.attribute(AttributeData::Integer { ty, value: ApInt::from_i64(*width, value) }))
        }
        Some((ty, TypeData::Index)) => {
            Some(context.attribute(AttributeData::Integer { ty, value: ApInt::from_i64(64, value) }))
        }
        Some((ty, TypeData::Float(kind))) => {
            let bits = mlirbc_ir::text::float::from_double(*kind, value as f64)?;
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
                let (items, ty) = (items?, mlirbc_ir::text::print_type(context, element).ok()?);
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
    let brackets = !matches!(definition.syntax, Syntax::Format(_)) || opens(&definition.syntax, "<");
    let text = match brackets {
        true => format!("#{dialect}.{mnemonic}<{case}>"),
        false => format!("#{dialect}<{mnemonic} {case}>"),
    };
    mlirbc_ir::text::parse_attribute(context, text.as_bytes()).ok()
}
