//! The text of the dialect's attributes and type.

use mlirbc_ir::text::{DialectPrinter, DialectText, Parser};
use mlirbc_ir::{DialectValue, Parameter, Result};

use super::literals::{Item, item};
use super::{header_of, runs_of};
use crate::grammar::{Kind, OperandClass};

pub(super) struct Text;

impl DialectText for Text {
    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        let mnemonic = context.bytes(value.mnemonic);
        let text = match mnemonic {
            b"literals" => return print_literals(&value.parameters, printer),
            b"header" => print_header(&value.parameters),
            b"ids" => print_ids(&value.parameters),
            _ => None,
        };
        text.map(|text| printer.text(text)).is_some()
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        printer.context().bytes(value.mnemonic) == b"id" && value.parameters.is_empty()
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let parse: fn(&mut Parser<'_>) -> Result<Vec<Parameter>> = match mnemonic {
            b"literals" => parse_literals,
            b"header" => parse_header,
            b"ids" => parse_ids,
            _ => return Ok(None),
        };
        parser.expect(b'<')?;
        let parameters = parse(parser)?;
        parser.expect(b'>')?;
        Ok(Some(parameters.into()))
    }

    fn parse_type(&self, mnemonic: &[u8], _: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        Ok((mnemonic == b"id").then(Box::default))
    }
}

fn print_literals(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) -> bool {
    let Some(items) = parameters.iter().map(item).collect::<Option<Vec<_>>>() else { return false };
    printer.text("<");
    for (at, item) in items.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        match item {
            Item::Word(word) => printer.text(word.to_string()),
            Item::String(string) => printer.string(string),
            Item::Enumerant(kind, value) => printer.text(kind.name()).text(".").text(kind.show(*value)),
        };
    }
    printer.text(">");
    true
}

fn parse_literals(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut parameters = Vec::new();
    if parser.is_at(b'>') {
        return Ok(parameters);
    }
    loop {
        parameters.push(parse_literal(parser)?);
        if !parser.eat(b',') {
            return Ok(parameters);
        }
    }
}

fn parse_literal(parser: &mut Parser<'_>) -> Result<Parameter> {
    if parser.is_at(b'"') {
        let string = parser.string()?;
        if string.contains(&0) {
            return Err(parser.error("a string with a zero in it"));
        }
        return Ok(Parameter::String(string.as_ref().into()));
    }
    if let Some(word) = parse_word(parser) {
        return Ok(Parameter::Unsigned(word));
    }
    let word = std::str::from_utf8(parser.peek_word()).unwrap_or_default();
    let split = word.split_once('.').and_then(|(kind, name)| Some((Kind::find(kind)?, name)));
    let Some((kind, name)) = split else { return Err(parser.expected("a literal")) };
    let Some(mut value) = kind.parse(name) else {
        return Err(parser.expected(&format!("an enumerant of {}", kind.name())));
    };
    parser.word();
    while kind.class() == OperandClass::Mask && parser.eat(b'|') {
        let name = std::str::from_utf8(parser.name()).unwrap_or_default();
        let Some(bit) = kind.parse(name) else { return Err(parser.expected(&format!("a bit of {}", kind.name()))) };
        value |= bit;
    }
    Ok(Parameter::List([Parameter::Unsigned(kind as u64), Parameter::Unsigned(value.into())].into()))
}

/// A number that fits a word.
fn parse_word(parser: &mut Parser<'_>) -> Option<u64> {
    parser.unsigned().filter(|&word| word <= u32::MAX.into())
}

fn expect_word(parser: &mut Parser<'_>) -> Result<u64> {
    parse_word(parser).ok_or_else(|| parser.expected("a number of 32 bits"))
}

fn print_header(parameters: &[Parameter]) -> Option<String> {
    let header = header_of(parameters)?;
    let (major, minor) = (header.version >> 16 & 0xff, header.version >> 8 & 0xff);
    let version = match major << 16 | minor << 8 == header.version {
        true => format!("\"{major}.{minor}\""),
        false => header.version.to_string(),
    };
    let order = if header.big_endian { ", big_endian" } else { "" };
    let (generator, bound, schema) = (header.generator, header.bound, header.schema);
    Some(format!("<{version}, generator = {generator}, bound = {bound}, schema = {schema}{order}>"))
}

fn parse_header(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let version = if parser.is_at(b'"') {
        let version = parser.string()?;
        let part = |part: &str| part.parse::<u8>().ok().map(u64::from);
        let version = std::str::from_utf8(&version).ok().and_then(|version| version.split_once('.'));
        let version = version.and_then(|(major, minor)| Some(part(major)? << 16 | part(minor)? << 8));
        version.ok_or_else(|| parser.error("a version is two numbers with a dot between them"))?
    } else {
        expect_word(parser)?
    };
    let mut parameters = vec![Parameter::Unsigned(version)];
    for name in ["generator", "bound", "schema"] {
        parser.expect(b',')?;
        parser.expect_word(name)?;
        parser.expect(b'=')?;
        parameters.push(Parameter::Unsigned(expect_word(parser)?));
    }
    let big_endian = parser.eat(b',');
    if big_endian {
        parser.expect_word("big_endian")?;
    }
    parameters.push(Parameter::Bool(big_endian));
    Ok(parameters)
}

fn print_ids(parameters: &[Parameter]) -> Option<String> {
    let runs = runs_of(parameters)?.into_iter().map(|(first, count)| match count {
        1 => first.to_string(),
        _ => format!("{first} to {}", first + (count - 1)),
    });
    Some(format!("<{}>", runs.collect::<Vec<_>>().join(", ")))
}

fn parse_ids(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut parameters = Vec::new();
    if parser.is_at(b'>') {
        return Ok(parameters);
    }
    loop {
        let first = expect_word(parser)?;
        let last = if parser.eat_word(b"to") { expect_word(parser)? } else { first };
        // The whole of 2^32 is one more than a count can say.
        let Some(count) = last.checked_sub(first).map(|more| more + 1).filter(|&count| count <= u32::MAX.into()) else {
            return Err(parser.error("a run of ids that ends before it begins"));
        };
        parameters.extend([Parameter::Unsigned(first), Parameter::Unsigned(count)]);
        if !parser.eat(b',') {
            return Ok(parameters);
        }
    }
}
