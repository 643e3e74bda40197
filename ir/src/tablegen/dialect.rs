//! Attributes, types and enums of dialects from their records.

use super::constraint::Constraints;
use super::cpp::plain;
use super::facts;
use super::known::{Classes, definition_class, definition_name, qualified};
use super::op::syntax;
use super::record::{Record, Records, definition};
use crate::error::{Error, Result};
use crate::ods::Element;
use crate::ods::{AttrOrTypeDef, BitEnum, EnumCase, EnumDef, ParameterDef, ParameterKind};
use crate::ods::{Term, TermClass};

/// The enum of that record.
pub(super) fn enumeration(records: Records<'_>, record: Record<'_>) -> Result<EnumDef> {
    let cases = record.references("enumerants")?.into_iter().map(|case| {
        let case = records.get(case)?;
        let value = case.number("value").ok_or_else(|| Error::malformed("a case has no value"))?;
        let group = case.is("BitEnumCaseGroup") || case.is("BitEnumAttrCaseGroup");
        let (symbol, text) = (case.text("symbol")?.to_owned(), case.text("str")?.to_owned());
        Ok(EnumCase { symbol, text, value, group, facts: facts::of_case(records, case) })
    });
    Ok(EnumDef {
        name: qualified(record, "className").unwrap_or_default(),
        width: record.number("bitwidth").and_then(|width| width.try_into().ok()).unwrap_or(32),
        cases: cases.collect::<Result<_>>()?,
        bits: record.optional_text("separator").map(|separator| BitEnum {
            separator: separator.to_owned(),
            quoted: record.bit("printBitEnumQuoted"),
            groups_first: record.bit("printBitEnumPrimaryGroups"),
        }),
    })
}

/// The attribute or type of that record, and whether its assembly format is understood.
pub(super) fn attribute_or_type<'d>(
    constraints: &Constraints<'d>,
    record: Record<'d>,
) -> Result<(AttrOrTypeDef, Result<()>)> {
    let records = constraints.records;
    let name = definition_name(records, record).ok_or_else(|| Error::malformed("a definition has no name"))?;
    let mut found = AttrOrTypeDef {
        name,
        class: definition_class(records, record).unwrap_or_default(),
        enumeration: records.follow(record, "enum").and_then(|of| qualified(of, "className")),
        ..AttrOrTypeDef::default()
    };
    let class = found.class.clone();
    let namespace = class.rsplit_once("::").map_or("", |parts| parts.0);
    for (value, name) in record.raw_arguments("parameters").unwrap_or_default() {
        let described = definition(value).and_then(|name| records.get(name).ok());
        let mut parameter = ParameterDef { name: name.to_owned(), ..ParameterDef::default() };
        if let Some(described) = described {
            let kind = described.some_text("cppType").unwrap_or_default();
            parameter.kind = match described.is("AttributeSelfTypeParameter") {
                true => ParameterKind::SelfType,
                false => kind_of(constraints.classes, namespace, kind, described),
            };
            // An optional parameter's default is what a variable of its class is by itself.
            let optional = described.is("OptionalParameter");
            let default = described.some_text("defaultValue");
            let optional = optional || default == Some("nullptr");
            parameter.optional = optional || default.is_some();
            parameter.default = default.filter(|_| !optional).map(|text| default_of(constraints.classes, text));
        } else {
            parameter.kind = kind_of(constraints.classes, namespace, value.as_str().unwrap_or_default(), record);
        }
        found.parameters.push(parameter);
    }
    for name in record.references("traits").unwrap_or_default() {
        let record = records.get(name)?;
        let name = record.optional_text("cppInterfaceName").or(record.optional_text("trait"));
        let name = name.unwrap_or_default();
        found.traits.push(name.rsplit("::").next().unwrap_or(name).to_owned());
        // What implements an interface implements those that it is based on.
        let based = records.follow_all(record, "baseInterfaces").into_iter();
        found.traits.extend(based.filter_map(|base| base.some_text("cppInterfaceName")).map(str::to_owned));
    }
    let position = |name: &str| found.parameters.iter().position(|parameter| parameter.name == name);
    let names = |name: &str| position(name).map(|at| Element::Parameter(at as u32));
    let (syntax, understood) = syntax(record, &names, !found.parameters.is_empty());
    found.syntax = syntax;
    Ok((found, understood))
}

fn default_of(classes: &Classes<'_>, text: &str) -> Term {
    let scope = super::translate::Scope::new(classes, &[]);
    scope.read_term(text).unwrap_or_else(Term::Unknown)
}

/// What a parameter of that C++ type is.
fn kind_of(classes: &Classes<'_>, namespace: &str, cpp: &str, record: Record<'_>) -> ParameterKind {
    let integer = |width, signed| ParameterKind::Integer { width, signed };
    let name = plain(cpp);
    if let Some((container, rest)) = name.split_once('<') {
        let element = rest.strip_suffix('>').unwrap_or(rest);
        return match container.rsplit("::").next() {
            Some("ArrayRef" | "SmallVector") => {
                ParameterKind::Array(Box::new(kind_of(classes, namespace, element, record)))
            }
            Some("optional") => ParameterKind::Optional(Box::new(kind_of(classes, namespace, element, record))),
            _ => ParameterKind::Opaque,
        };
    }
    match name.rsplit("::").next().unwrap_or(name) {
        "bool" => return ParameterKind::Bool,
        "int8_t" | "char" => return integer(8, true),
        "int16_t" => return integer(16, true),
        "int32_t" | "int" => return integer(32, true),
        "int64_t" => return integer(64, true),
        "uint8_t" => return integer(8, false),
        "uint16_t" => return integer(16, false),
        "uint32_t" | "unsigned" | "unsigned int" => return integer(32, false),
        "uint64_t" | "size_t" => return integer(64, false),
        "APInt" => return ParameterKind::ApInt,
        "APFloat" => return ParameterKind::ApFloat,
        "StringRef" | "string" => return ParameterKind::String,
        _ => {}
    }
    match classes.class(name, namespace) {
        Some(TermClass::AnyType) => ParameterKind::Type(String::new()),
        Some(TermClass::AnyAttribute) => ParameterKind::Attribute(String::new()),
        Some(TermClass::DialectType(name)) => ParameterKind::Type(name),
        Some(TermClass::DialectAttribute(name)) => ParameterKind::Attribute(name),
        Some(TermClass::Builtin(class)) => ParameterKind::Type(class.class().to_owned()),
        Some(TermClass::Attribute(class)) => ParameterKind::Attribute(class.class().to_owned()),
        _ if record.is("TypeConstraint") && !record.is("TypeDef") => ParameterKind::Type(String::new()),
        _ => match classes.enum_named(name) {
            Some(name) => ParameterKind::Enum(name),
            None if name.ends_with("Attr") => ParameterKind::Attribute(String::new()),
            None if name.ends_with("Type") => ParameterKind::Type(String::new()),
            None if name.is_empty() => ParameterKind::Opaque,
            None => ParameterKind::Class(name.to_owned()),
        },
    }
}
