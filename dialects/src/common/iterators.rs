//! Iterator types, which assembly shows as an array of their names in a dictionary before the operands.

use super::cases::{Cases, attribute_of_word, word_of};
use mlirbc_ir::{Attribute, AttributeData, NamedAttribute, Result};
use mlirbc_text::{NotCustom, OpParser, OpPrinter, OpState, Printed};

/// The mnemonic of an iterator type.
const MNEMONIC: &str = "iterator_type";

/// Prints the attributes of these names as a dictionary, iterator types of a dialect by name. Nothing where the operation has none of them.
pub(crate) fn print(printer: &mut OpPrinter<'_, '_>, names: &[&str], of: (&'static str, Cases)) -> Printed {
    let context = printer.context();
    let mut shown: Vec<NamedAttribute> = Vec::new();
    for (name, value) in printer.all_attributes() {
        match context.bytes(name) {
            b"iterator_types" => shown.push((name, names_of(printer, value, of)?)),
            bytes if names.iter().any(|name| name.as_bytes() == bytes) => shown.push((name, value)),
            _ => {}
        }
    }
    printer.text(" ");
    if shown.is_empty() {
        return Ok(());
    }
    let dictionary = context.dictionary(shown)?;
    printer.attribute(dictionary)
}

/// An array of iterator types as the array of their names.
fn names_of(
    printer: &OpPrinter<'_, '_>,
    array: Attribute,
    (dialect, cases): (&'static str, Cases),
) -> Printed<Attribute> {
    let context = printer.context();
    let name = |&item: &Attribute| {
        let word = word_of(context, item, dialect, MNEMONIC, cases).ok_or(NotCustom::UseGeneric)?;
        Ok(context.string(word))
    };
    let names: Vec<Attribute> = printer.array(array)?.iter().map(name).collect::<Printed<_>>()?;
    Ok(context.attribute(AttributeData::Array(names.into())))
}

/// Parses the dictionary, whose iterator types are attributes of that dialect.
pub(crate) fn parse<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, of: (&'static str, Cases)) -> Result<()> {
    let at = parser.text().here();
    let dictionary = parser.text().attribute()?;
    let context = parser.context();
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(parser.error_at(at, "expected a dictionary"));
    };
    for &(name, mut value) in entries {
        if context.bytes(name) == b"iterator_types" {
            value = of_names(parser, at, of, value)?;
        }
        parser.set(op, context.bytes(name), value);
    }
    Ok(())
}

/// An array of names as the array of iterator types that they stand for.
fn of_names(
    parser: &mut OpParser<'_>,
    at: usize,
    (dialect, cases): (&'static str, Cases),
    array: Attribute,
) -> Result<Attribute> {
    let context = parser.context();
    let wrong = || parser.error_at(at, "the iterator types must be an array of their names");
    let AttributeData::Array(items) = &context[array] else { return Err(wrong()) };
    let mut types = Vec::with_capacity(items.len());
    for &item in items {
        let AttributeData::String { value, .. } = &context[item] else { return Err(wrong()) };
        if !value.iter().all(u8::is_ascii_alphabetic) || value.is_empty() {
            return Err(wrong());
        }
        types.push(attribute_of_word(context, dialect, MNEMONIC, cases, value));
    }
    Ok(context.attribute(AttributeData::Array(types.into())))
}
