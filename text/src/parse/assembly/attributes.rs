//! Attributes whose class the definition of an operation knows.

use std::sync::Arc;

use crate::format::written::{AttributeForm, Written, is_bare_case};
use crate::parse::module::OpParser;
use mlirbc_ir::ods::{AttrOrTypeDef, AttributeDef, EnumDef, NativeDef, NativeProperty};
use mlirbc_ir::text::in_word;
use mlirbc_ir::{Attribute, AttributeData, Result, Type};

/// Whether what is next can be such an attribute.
pub(super) fn starts(parser: &mut OpParser<'_>, definition: &AttributeDef, form: &AttributeForm) -> bool {
    let next = parser.at.peek();
    let word = parser.at.peek_word();
    match &form.written {
        Written::Case { enumeration, .. } => {
            let cases = parser.checker.enumeration(enumeration);
            let is_case = |cases: Arc<EnumDef>| cases.cases.iter().any(|case| case.text.as_bytes() == word);
            return next == Some(b'"') || cases.is_some_and(is_case);
        }
        Written::Symbol => return next == Some(b'@'),
        Written::String => return next == Some(b'"'),
        Written::List(_) => return next == Some(b'['),
        Written::Stripped { dialect, mnemonic } => {
            let name = format!("{dialect}.{mnemonic}");
            return matches!(next, Some(b'#' | b'<')) || !word.is_empty() && starts_enum(parser, &name);
        }
        Written::Untyped(_) | Written::Full => {}
    }
    match definition.constraint.storage.as_str() {
        "SymbolRefAttr" | "FlatSymbolRefAttr" => next == Some(b'@'),
        "ArrayAttr" => next == Some(b'['),
        "DictionaryAttr" => next == Some(b'{'),
        "IntegerAttr" => matches!(next, Some(b'-' | b'0'..=b'9')) || matches!(word, b"true" | b"false"),
        "FloatAttr" => matches!(next, Some(b'-' | b'0'..=b'9')),
        "BoolAttr" => matches!(word, b"true" | b"false"),
        "AffineMapAttr" => word == b"affine_map" || next == Some(b'#'),
        "TypeAttr" => next == Some(b'!') || next == Some(b'(') || !word.is_empty(),
        _ => {
            matches!(next, Some(b'#' | b'"' | b'[' | b'{' | b'@' | b'-' | b'0'..=b'9' | b'(' | b'!'))
                || starts_attribute(word)
        }
    }
}

/// Whether an attribute or type begins with the word.
fn starts_attribute(word: &[u8]) -> bool {
    let attribute: &[&[u8]] = &[
        b"true",
        b"false",
        b"unit",
        b"loc",
        b"dense",
        b"array",
        b"sparse",
        b"dense_resource",
        b"affine_map",
        b"affine_set",
        b"strided",
        b"distinct",
    ];
    attribute.contains(&word) || starts_type(word)
}

/// Whether a builtin type begins with the word.
pub(super) fn starts_type(word: &[u8]) -> bool {
    let integer = |prefix: &[u8]| {
        word.strip_prefix(prefix).is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    matches!(word, b"index" | b"none" | b"tensor" | b"memref" | b"vector" | b"complex" | b"tuple")
        || [b"i".as_slice(), b"si", b"ui"].into_iter().any(integer)
        || mlirbc_ir::number::FloatKind::ALL.iter().any(|kind| kind.keyword().as_bytes() == word)
}

fn starts_enum(parser: &mut OpParser<'_>, storage: &str) -> bool {
    let word = parser.at.peek_word();
    let found = attribute_definition(parser, storage).and_then(|definition| definition.enumeration.clone());
    let cases = found.and_then(|name| parser.checker.enumeration(&name));
    cases.is_some_and(|cases| cases.cases.iter().any(|case| case.text.as_bytes() == word))
}

fn attribute_definition(parser: &OpParser<'_>, name: &str) -> Option<Arc<AttrOrTypeDef>> {
    parser.checker.attribute_definition(name)
}

/// Parses the attribute.
pub(super) fn parse(parser: &mut OpParser<'_>, form: &AttributeForm) -> Result<Attribute> {
    let context = parser.context();
    match &form.written {
        Written::Case { enumeration, width } => {
            let start = parser.at.here();
            let text = if parser.at.is_at(b'"') { parser.at.string()?.into_owned() } else { parser.at.word().to_vec() };
            let text = String::from_utf8_lossy(&text);
            let cases = parser.checker.enumeration(enumeration);
            let Some(value) = cases.and_then(|cases| cases.value_of(&text)) else {
                return Err(parser.at.error_at(start, format!("expected a case of `{enumeration}`")));
            };
            Ok(context.integer(*width, value))
        }
        Written::Symbol => Ok(parser.at.symbol_name()?.attribute()),
        // A colon behind it belongs to the format.
        Written::String if parser.at.is_at(b'"') => Ok(context.string(parser.at.string()?)),
        Written::List(element) if parser.at.is_at(b'[') => dense_array(parser, *element),
        Written::Untyped(ty) => parser.at.typed_attribute(*ty),
        Written::Stripped { dialect, mnemonic } => stripped(parser, dialect, mnemonic),
        Written::String | Written::List(_) | Written::Full => parser.at.attribute(),
    }
}

/// An attribute of a dialect without dialect and mnemonic.
pub(super) fn stripped(parser: &mut OpParser<'_>, dialect: &str, mnemonic: &str) -> Result<Attribute> {
    if matches!(parser.at.peek(), Some(b'#' | b'<')) {
        return parser.at.stripped_attribute(dialect, mnemonic);
    }
    let word = parser.at.peek_word();
    if !word.is_empty() && is_bare_case(&parser.checker, dialect, mnemonic) {
        parser.at.word();
        let text = [b"#", dialect.as_bytes(), b"<", mnemonic.as_bytes(), b" ", word, b">"].concat();
        return mlirbc_ir::text::parse_attribute(parser.context(), &text);
    }
    match attribute_definition(parser, &format!("{dialect}.{mnemonic}")) {
        Some(definition) if definition.syntax.opens("[") && parser.at.is_at(b'[') => {
            parser.at.bracketed_attribute(dialect, mnemonic)
        }
        // One without parameters has nothing to show.
        Some(definition) if definition.parameters.is_empty() && definition.enumeration.is_none() => {
            mlirbc_ir::text::parse_attribute(parser.context(), format!("#{dialect}.{mnemonic}").as_bytes())
        }
        _ => parser.at.stripped_attribute(dialect, mnemonic),
    }
}

/// `[1, 2]` as a dense array.
pub(super) fn dense_array(parser: &mut OpParser<'_>, element: Type) -> Result<Attribute> {
    let start = parser.at.here();
    let from = start + 1;
    // The same literal stands behind the colon of `array<i64: 1, 2>`.
    let ty = mlirbc_ir::text::print_type(parser.context(), element)?;
    let rest = &parser.at.source()[start..];
    let Some(end) = rest.iter().position(|&byte| byte == b']').filter(|_| rest.first() == Some(&b'[')) else {
        return Err(parser.at.expected("a list of numbers in brackets"));
    };
    let items = parser.at.source()[from..start + end].trim_ascii();
    let text = match items {
        [] => format!("array<{ty}>").into_bytes(),
        _ => [b"array<", ty.as_bytes(), b": ", items, b">"].concat(),
    };
    let found = mlirbc_ir::text::parse_attribute(parser.context(), &text);
    let found = found.map_err(|error| parser.at.error_at(start, error.message()))?;
    parser.at.seek(start + end + 1);
    Ok(found)
}

/// Parses a property that is no attribute, as the attribute that stands for it.
pub(super) fn native(parser: &mut OpParser<'_>, definition: &NativeDef) -> Result<Attribute> {
    let context = parser.context();
    let start = parser.at.here();
    if let (Some(enumeration), Some(NativeProperty::Integer { width, .. })) =
        (&definition.enumeration, &definition.native)
    {
        let cases = parser.checker.enumeration(enumeration);
        let bracket = match &definition.keyword {
            Some(keyword) => parser.at.eat_word(keyword.as_bytes()) && parser.at.eat(b'<'),
            None => false,
        };
        let from = parser.at.here();
        let mut to = from;
        // Several bits have something between them.
        let between = |byte: u8| byte == b'|' || bracket && matches!(byte, b',' | b' ');
        while parser.at.source().get(to).is_some_and(|&byte| in_word(byte) || between(byte)) {
            to += 1;
        }
        let text = String::from_utf8_lossy(&parser.at.source()[from..to]).trim().to_owned();
        parser.at.seek(to);
        if bracket {
            parser.at.expect(b'>')?;
        }
        return match cases.and_then(|cases| cases.value_of(&text)) {
            Some(value) => Ok(context.integer(*width, value)),
            None => Err(parser.at.error_at(start, format!("expected a case of `{enumeration}`"))),
        };
    }
    match &definition.native {
        Some(NativeProperty::Bool | NativeProperty::Boolean) => match parser.at.word() {
            b"true" => Ok(context.integer(1, 1)),
            b"false" => Ok(context.integer(1, 0)),
            _ => Err(parser.at.error_at(start, "expected `true` or `false`")),
        },
        Some(NativeProperty::Integer { width, .. }) => match parser.at.signed() {
            Some(value) => Ok(context.integer(*width, value)),
            None => Err(parser.at.expected("a number")),
        },
        Some(NativeProperty::OptionalOf(of)) => match (&**of, parser.at.signed()) {
            (NativeProperty::Integer { width, .. }, Some(value)) => {
                let one = context.integer(*width, value);
                Ok(context.attribute(AttributeData::Array(Box::new([one]))))
            }
            _ => Err(parser.at.expected("a number")),
        },
        Some(NativeProperty::String) => {
            let text = parser.at.string()?;
            Ok(context.string(text))
        }
        _ => Err(parser.at.error_at(start, "a property that cannot be read")),
    }
}

/// Whether what is next can be such a property.
pub(super) fn native_starts(parser: &mut OpParser<'_>, definition: &NativeDef) -> bool {
    let word = parser.at.peek_word();
    if let Some(keyword) = &definition.keyword {
        return word == keyword.as_bytes();
    }
    if let Some(enumeration) = &definition.enumeration {
        let cases = parser.checker.enumeration(enumeration);
        return cases.is_some_and(|cases| cases.cases.iter().any(|case| case.text.as_bytes() == word));
    }
    match definition.native {
        Some(NativeProperty::Bool | NativeProperty::Boolean) => matches!(word, b"true" | b"false"),
        Some(NativeProperty::String) => parser.at.is_at(b'"'),
        _ => matches!(parser.at.peek(), Some(b'-' | b'0'..=b'9')),
    }
}

/// The value that stands for a unit property which is set.
pub(super) fn native_unit(parser: &OpParser<'_>, definition: &NativeDef) -> Attribute {
    let context = parser.context();
    match definition.native {
        Some(NativeProperty::Boolean) => context.integer(1, 1),
        _ => context.unit(),
    }
}
