//! The text of attributes by their definitions: `<name = value, name = value>`.

use super::{AttributeClass, Enumeration, Field, FieldKind, FieldsDef, Flags, Keywords, NumberNames};
use crate::attribute::Attribute;
use crate::error::{Error, ErrorKind, Result};
use crate::parameter::Parameter;
use crate::text::{DialectPrinter, Elision, Parser};

/// Prints verified parameters by name, those that say nothing left out.
pub fn print(fields: &[Field], parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let context = printer.context();
    printer.text("<");
    let mut first = true;
    for (field, parameter) in fields.iter().zip(parameters) {
        if field.is_shown(context, parameter) {
            printer.text(if first { "" } else { ", " });
            if !field.unnamed {
                printer.text(field.name).text(" = ");
            }
            print_value(field.kind, parameter, printer);
            first = false;
        }
    }
    printer.text(">");
}

/// Prints one parameter without its name.
pub fn print_value(kind: FieldKind, parameter: &Parameter, printer: &mut DialectPrinter<'_>) {
    match (kind, parameter) {
        (
            FieldKind::Keyword(keywords) | FieldKind::Named(&NumberNames { keywords, .. }),
            Parameter::Unsigned(number),
        ) => {
            print_keyword(keywords, *number, printer);
        }
        (FieldKind::Case(cases), Parameter::Unsigned(number)) => {
            match u32::try_from(*number).ok().and_then(cases.word) {
                Some(word) => printer.text(word),
                None => printer.text(number.to_string()),
            };
        }
        (FieldKind::Flags(flags), Parameter::Unsigned(number)) => print_flags(flags, *number, printer),
        (_, Parameter::Unsigned(number)) => {
            printer.text(number.to_string());
        }
        (_, Parameter::Signed(number)) => {
            printer.text(number.to_string());
        }
        (_, Parameter::Bool(value)) => {
            printer.text(value.to_string());
        }
        (_, Parameter::Type(ty)) => {
            printer.ty(*ty);
        }
        (FieldKind::Attribute(class), Parameter::Attribute(value)) => print_attribute(class, *value, printer),
        (_, Parameter::Attribute(value)) => {
            printer.attribute(*value, Elision::Never);
        }
        (FieldKind::AnyAttributes(bare), Parameter::List(items)) if !all_are(bare, items, printer) => {
            printer.text("[");
            print_attributes(AttributeClass::Any, items, printer);
            printer.text("]");
        }
        (FieldKind::AnyAttributes(_), Parameter::List(items)) => print_attributes(AttributeClass::Any, items, printer),
        (FieldKind::Attributes(class), Parameter::List(items)) => print_attributes(class, items, printer),
        (FieldKind::Braced(class), Parameter::List(items)) => {
            printer.text("{");
            print_attributes(class, items, printer);
            printer.text("}");
        }
        (FieldKind::SignedList(bits), Parameter::List(items)) => {
            printer.text("[");
            for (at, item) in items.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " });
                print_value(FieldKind::Signed(bits), item, printer);
            }
            printer.text("]");
        }
        _ => {}
    }
}

/// Whether all in a list are of a class.
fn all_are(class: AttributeClass, items: &[Parameter], printer: &DialectPrinter<'_>) -> bool {
    items.iter().all(|item| matches!(item, Parameter::Attribute(value) if class.holds(printer.context(), *value)))
}

fn print_attribute(class: AttributeClass, attribute: Attribute, printer: &mut DialectPrinter<'_>) {
    match class {
        AttributeClass::Of(..) => printer.stripped_attribute(attribute),
        _ => printer.attribute(attribute, Elision::Never),
    };
}

fn print_attributes(class: AttributeClass, items: &[Parameter], printer: &mut DialectPrinter<'_>) {
    for (at, item) in items.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        if let Parameter::Attribute(attribute) = item {
            print_attribute(class, *attribute, printer);
        }
    }
}

/// A number without a word is printed as it is: MLIR prints nothing there, which no parser can read back.
pub fn print_keyword(keywords: &Keywords, number: u64, printer: &mut DialectPrinter<'_>) {
    match keywords.name(number) {
        Some(name) => printer.text(keywords.prefix).text(name),
        None => printer.text(number.to_string()),
    };
}

fn print_flags(flags: &Flags, number: u64, printer: &mut DialectPrinter<'_>) {
    let (words, unnamed) = flags.words(number);
    let mut text = words.join("|");
    if unnamed != 0 {
        text.push_str(if text.is_empty() { "" } else { "|" });
        text.push_str(&format!("{unnamed:#x}"));
    }
    if number == 0 {
        text.push_str(flags.zero.unwrap_or("0"));
    }
    // MLIR leaves out the quotes where one bit has several words, too, and cannot read that back.
    match words.len() <= 1 && unnamed == 0 {
        true => printer.text(text),
        false => printer.string(text),
    };
}

/// Parses what [`print()`] prints, those with names in any order.
///
/// # Errors
/// Where the text is wrong, or a parameter is missing. [`ErrorKind::Unknown`] where a word is no known case of an enum.
pub fn parse(definition: &FieldsDef, parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    let mut parameters: Vec<Option<Parameter>> = vec![None; definition.fields.len()];
    parser.expect(b'<')?;
    let mut more = !parser.is_at(b'>');
    while more {
        let unnamed = |(field, found): (&Field, &Option<Parameter>)| field.unnamed && found.is_none();
        let at = match definition.fields.iter().zip(&parameters).position(unnamed) {
            Some(at) => at,
            None => name(definition, &parameters, parser)?,
        };
        let (value, has_more) = match definition.fields[at].kind {
            FieldKind::Attributes(class) => attributes(class, parser)?,
            FieldKind::AnyAttributes(_) => any_attributes(parser)?,
            kind => (value(kind, parser)?, parser.eat(b',')),
        };
        parameters[at] = Some(value);
        more = has_more;
    }
    parser.expect(b'>')?;
    complete(definition, parameters, parser)
}

/// Parses the name of a parameter that is not there yet, and the sign behind it. Gives its number.
fn name(definition: &FieldsDef, parameters: &[Option<Parameter>], parser: &mut Parser<'_>) -> Result<usize> {
    let name = parser.peek_word();
    let is_it = |field: &Field| !field.unnamed && field.name.as_bytes() == name;
    let Some(at) = definition.fields.iter().position(is_it) else {
        return Err(parser.expected(&format!("a parameter of `{}`", definition.mnemonic)));
    };
    if parameters[at].is_some() {
        return Err(parser.error(format!("parameter `{}` comes twice", definition.fields[at].name)));
    }
    parser.word();
    parser.expect(b'=')?;
    Ok(at)
}

/// Gives parameters that text left out the values that this means.
fn complete(
    definition: &FieldsDef,
    parameters: Vec<Option<Parameter>>,
    parser: &mut Parser<'_>,
) -> Result<Box<[Parameter]>> {
    let missing = definition.fields.iter().zip(&parameters).find(|(field, value)| field.required && value.is_none());
    if let Some((field, _)) = missing {
        return Err(parser.error(format!("`{}` is missing its parameter `{}`", definition.mnemonic, field.name)));
    }
    let values = parameters.into_iter().zip(definition.fields);
    let context = parser.context();
    Ok(values.map(|(value, field)| value.unwrap_or_else(|| field.absent(context))).collect())
}

/// Parses one parameter without its name. Lists without brackets, and kinds that have no text, are none that it parses.
///
/// # Errors
/// Where something else is next.
pub fn value(kind: FieldKind, parser: &mut Parser<'_>) -> Result<Parameter> {
    Ok(match kind {
        FieldKind::Unsigned(bits) | FieldKind::OptionalUnsigned(bits) => Parameter::Unsigned(unsigned(bits, parser)?),
        FieldKind::Signed(bits) => Parameter::Signed(signed(bits, parser)?),
        FieldKind::Bool => match parser.peek_word() {
            b"true" | b"false" => Parameter::Bool(parser.word() == b"true"),
            _ => match parser.unsigned() {
                Some(bit @ 0..=1) => Parameter::Bool(bit == 1),
                _ => return Err(parser.expected("true or false")),
            },
        },
        FieldKind::Keyword(keywords) => Parameter::Unsigned(keyword(keywords, parser)?),
        FieldKind::Case(cases) => Parameter::Unsigned(case(cases, parser)?),
        FieldKind::Type => Parameter::Type(parser.ty()?),
        FieldKind::SignedList(bits) => {
            parser.expect(b'[')?;
            let mut items = Vec::new();
            parser.list(b']', |parser| {
                items.push(Parameter::Signed(signed(bits, parser)?));
                Ok(())
            })?;
            Parameter::List(items.into())
        }
        FieldKind::Named(names) if !parser.is_at(b'#') => Parameter::Unsigned(keyword(names.keywords, parser)?),
        FieldKind::Named(names) => (names.number)(parser.context(), parser.attribute()?),
        FieldKind::Flags(flags) => Parameter::Unsigned(self::flags(flags, parser)?),
        FieldKind::Attribute(class) => Parameter::Attribute(attribute(class, parser)?),
        FieldKind::Braced(class) => {
            parser.expect(b'{')?;
            let mut items = Vec::new();
            parser.list(b'}', |parser| {
                items.push(Parameter::Attribute(attribute(class, parser)?));
                Ok(())
            })?;
            Parameter::List(items.into())
        }
        _ => Parameter::Attribute(parser.attribute()?),
    })
}

fn attribute(class: AttributeClass, parser: &mut Parser<'_>) -> Result<Attribute> {
    match class {
        AttributeClass::Of(dialect, mnemonic) => parser.stripped_attribute(dialect, mnemonic),
        _ => parser.attribute(),
    }
}

/// Parses attributes with commas between them. Says whether another parameter follows, its comma taken: no attribute in
/// such a list begins with a word.
fn attributes(class: AttributeClass, parser: &mut Parser<'_>) -> Result<(Parameter, bool)> {
    let mut items = Vec::new();
    loop {
        items.push(Parameter::Attribute(attribute(class, parser)?));
        let comma = parser.eat(b',');
        if !comma || !parser.peek_word().is_empty() {
            return Ok((Parameter::List(items.into()), comma));
        }
    }
}

/// The same, where they may stand in brackets.
fn any_attributes(parser: &mut Parser<'_>) -> Result<(Parameter, bool)> {
    if !parser.eat(b'[') {
        return attributes(AttributeClass::Any, parser);
    }
    let mut items = Vec::new();
    parser.list(b']', |parser| {
        items.push(Parameter::Attribute(parser.attribute()?));
        Ok(())
    })?;
    Ok((Parameter::List(items.into()), parser.eat(b',')))
}

/// Parses a number of at most that many bits. A negative one stands for its bit pattern.
///
/// # Errors
/// Where something else is next.
pub fn unsigned(bits: u32, parser: &mut Parser<'_>) -> Result<u64> {
    let most = u64::MAX >> (64 - bits);
    let value = match parser.unsigned() {
        Some(value) => Some(value),
        None => parser.signed().filter(|&value| value.unsigned_abs() <= most / 2 + 1).map(|value| value as u64 & most),
    };
    value.filter(|&value| value <= most).ok_or_else(|| parser.expected(&format!("a number of {bits} bits")))
}

fn signed(bits: u32, parser: &mut Parser<'_>) -> Result<i64> {
    let value = parser.signed().filter(|&value| super::fits_signed(bits, value));
    value.ok_or_else(|| parser.expected(&format!("a signed number of {bits} bits")))
}

/// Parses a case of an enum, or its number.
fn case(cases: &Enumeration, parser: &mut Parser<'_>) -> Result<u64> {
    let word = parser.peek_word();
    if word.is_empty() {
        let number = parser.unsigned().filter(|&number| u32::try_from(number).is_ok());
        return number.ok_or_else(|| parser.expected(&format!("a case of `{}`", cases.name)));
    }
    match (cases.number)(word) {
        Some(number) => {
            parser.word();
            Ok(number.into())
        }
        None => {
            let word = Error::quoted(word);
            Err(parser.error(format!("{word} is no known case of `{}`", cases.name)).of_kind(ErrorKind::Unknown))
        }
    }
}

/// Parses a word, or the number that it stands for.
///
/// # Errors
/// Where something else is next.
pub fn keyword(keywords: &Keywords, parser: &mut Parser<'_>) -> Result<u64> {
    if keywords.prefix.is_empty() && parser.is_at(b'"') {
        let start = parser.position();
        let word = parser.string()?;
        return keywords.number(&word).ok_or_else(|| parser.error("no such keyword").at(start as u64));
    }
    let word = parser.peek_word();
    if word.is_empty() {
        return unsigned(keywords.bits, parser);
    }
    let number = keywords.number(word).ok_or_else(|| match keywords.prefix {
        "" => parser
            .expected(&format!("one of {}", keywords.names.iter().map(|name| name.1).collect::<Vec<_>>().join(", "))),
        prefix => parser.expected(&format!("a word that begins with `{prefix}`, and is known")),
    })?;
    parser.word();
    Ok(number)
}

/// Parses words with bars between them, in quotes or not.
fn flags(flags: &Flags, parser: &mut Parser<'_>) -> Result<u64> {
    let text = if parser.is_at(b'"') {
        parser.string()?.into_owned()
    } else {
        let mut text = parser.word().to_vec();
        while parser.eat(b'|') {
            text.push(b'|');
            text.extend_from_slice(parser.word());
        }
        text
    };
    if flags.zero.is_some_and(|zero| zero.as_bytes() == text) {
        return Ok(0);
    }
    let mut number = 0;
    for word in text.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii) {
        let hexadecimal =
            |word: &[u8]| u32::from_str_radix(std::str::from_utf8(word).ok()?.strip_prefix("0x")?, 16).ok();
        match flags.mask(word).or_else(|| hexadecimal(word).map(u64::from)) {
            Some(mask) => number |= mask,
            None => return Err(parser.error(format!("there is no flag {}", Error::quoted(word)))),
        }
    }
    Ok(number)
}
