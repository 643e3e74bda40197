//! Functions and globals of `llvm`.

use super::function::{self, Signature};
use super::linalg::pair;
use super::{Custom, Next};
use crate::attribute::AttributeData;
use crate::error::Result;
use crate::text::assembly::enum_value;
use crate::text::assembly::llvm::{FunctionType, join};
use crate::text::parse::module::ModuleParser;
use crate::types::TypeData;

const LINKAGES: &[&[u8]] = &[
    b"private",
    b"internal",
    b"available_externally",
    b"linkonce",
    b"weak",
    b"common",
    b"appending",
    b"extern_weak",
    b"linkonce_odr",
    b"weak_odr",
    b"external",
];

/// A linkage, if one is next.
fn linkage<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<()> {
    let word = parser.at.peek_word();
    let found: &[u8] = if LINKAGES.contains(&word) { parser.at.word() } else { b"external" };
    let text = [b"#llvm.linkage<", found, b">"].concat();
    let value = crate::text::parse_attribute(parser.context(), &text)?;
    parser.set(custom, "linkage", value);
    Ok(())
}

/// The word for a case of the enum of an attribute, or its case 0.
fn word<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>, name: &str) {
    let definition = custom.definition.clone();
    let attribute = definition.attributes().iter().find(|attribute| attribute.name == name);
    let enumeration = attribute.and_then(|attribute| attribute.constraint.enumeration.as_ref());
    let cases = enumeration.and_then(|name| parser.checker.enumeration(name));
    let word = parser.at.peek_word();
    let case = cases.as_ref().and_then(|cases| {
        cases.cases.iter().find(|case| !case.text.is_empty() && case.text.as_bytes() == word).map(|case| case.value)
    });
    if case.is_some() {
        parser.at.word();
    }
    let value = parser.context().integer(64, case.unwrap_or(0));
    parser.set(custom, name, value);
}

fn comdat<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<()> {
    if parser.at.eat_word(b"comdat") {
        parser.at.expect(b'(')?;
        let symbol = parser.at.attribute()?;
        parser.set(custom, "comdat", symbol);
        parser.at.expect(b')')?;
    }
    Ok(())
}

pub(in crate::text) fn func<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    linkage(parser, custom)?;
    word(parser, custom, "visibility_");
    word(parser, custom, "unnamed_addr");
    let convention = parser.at.word();
    let convention = if convention.is_empty() { b"ccc" } else { convention };
    let text = [b"#llvm.cconv<", convention, b">"].concat();
    let value = crate::text::parse_attribute(parser.context(), &text)?;
    parser.set(custom, "CConv", value);
    function::name(parser, custom)?;
    let signature = Signature::parse(parser, true)?;
    if signature.results.len() > 1 {
        return Err(parser.at.error("a function of this dialect has one result at most"));
    }
    let function = FunctionType {
        inputs: signature.inputs.clone(),
        result: signature.results.first().copied(),
        variadic: signature.variadic,
    };
    let Some(ty) = join(parser.context(), &function) else {
        return Err(parser.at.error("these types make no function type"));
    };
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(custom, "function_type", ty);
    signature.set_attributes(parser, custom);
    comdat(parser, custom)?;
    parser.keyword_dictionary(custom)?;
    function::body(parser, signature)
}

pub(in crate::text) fn global<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let unit = parser.context().unit();
    linkage(parser, custom)?;
    word(parser, custom, "visibility_");
    if parser.at.eat_word(b"thread_local") {
        parser.set(custom, "thread_local_", unit);
    }
    word(parser, custom, "unnamed_addr");
    if parser.at.eat_word(b"constant") {
        parser.set(custom, "constant", unit);
    }
    function::name(parser, custom)?;
    parser.at.expect(b'(')?;
    let mut value = None;
    if !parser.at.is_at(b')') {
        let found = parser.at.attribute()?;
        value = Some(found);
        parser.set(custom, "value", found);
    }
    parser.at.expect(b')')?;
    comdat(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let context = parser.context();
    let string = match value.map(|value| &context[value]) {
        Some(AttributeData::String { value, .. }) => Some(value.len()),
        _ => None,
    };
    let ty = match string {
        Some(length) if !parser.at.is_at(b':') => {
            crate::text::parse_type(context, format!("!llvm.array<{length} x i8>").as_bytes())?
        }
        _ => parser.at.colon_type()?,
    };
    let ty = context.attribute(AttributeData::Type(ty));
    parser.set(custom, "global_type", ty);
    if !parser.at.eat(b'{') {
        return Ok(Next::Done);
    }
    Ok(Next::Region(Vec::new(), Box::new(|_: &mut ModuleParser<'a>, _: &mut Custom<'a>| Ok(Next::Done))))
}

pub(in crate::text) fn compare<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let text = parser.at.string()?;
    let enumeration = custom.definition.attributes().iter().find(|attribute| attribute.name == "predicate");
    let enumeration = enumeration.and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| parser.checker.enumeration(&name));
    let value = cases.and_then(|cases| enum_value(&cases, &String::from_utf8_lossy(&text)));
    let Some(value) = value else { return Err(parser.at.error_at(at, "expected a way to compare")) };
    let predicate = parser.context().integer(64, value);
    parser.set(custom, "predicate", predicate);
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let context = parser.context();
    let resolved = parser.resolved(ty)?;
    let boolean = context.integer_type(1);
    let result = match &context[resolved] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element: boolean })
        }
        _ => boolean,
    };
    pair(parser, custom, names, vec![ty, ty])?;
    custom.result_types.push(result.into());
    Ok(Next::Done)
}
