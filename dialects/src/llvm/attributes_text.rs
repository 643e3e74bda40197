//! Attributes of the dialect as text: most follow their definition, some have a form of their own.

use mlirbc_ir::fields::text::{print, print_value, value};
use mlirbc_ir::fields::{FieldKind, FieldsDef, Keywords, text};
use mlirbc_ir::text::{DialectPrinter, Elision, Parser};
use mlirbc_ir::{DialectValue, Parameter, Result};

use super::attributes::{definition, of};
use super::dwarf;
use FieldKind::{Attribute, Signed, String};

/// Prints what stands behind the mnemonic of an attribute. False where it is none of [`ATTRIBUTES`](super::ATTRIBUTES).
pub(super) fn print_attribute(value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
    let context = printer.context();
    let Some(definition) = definition(context.bytes(value.mnemonic)) else { return false };
    if definition.verify(context, &value.parameters).is_err() {
        return false;
    }
    match (definition.mnemonic, &*value.parameters) {
        ("di_file", [Parameter::Attribute(name), Parameter::Attribute(directory)]) => {
            printer.text("<").attribute(*name, Elision::Never);
            printer.text(" in ").attribute(*directory, Elision::Never).text(">");
        }
        ("di_expression_elem", [Parameter::Unsigned(opcode), Parameter::List(operands)]) => {
            printer.text(" ");
            print_operation(*opcode, operands, printer);
        }
        ("di_expression", [Parameter::List(operations)]) if operations.is_empty() => {
            printer.text("<>");
        }
        ("di_expression", [operations]) => {
            printer.text("<[");
            print_value(definition.fields[0].kind, operations, printer);
            printer.text("]>");
        }
        ("tbaa_member", [node, offset]) => {
            printer.text("<");
            print_value(definition.fields[0].kind, node, printer);
            printer.text(", ");
            print_value(Signed(64), offset, printer);
            printer.text(">");
        }
        ("address_space", [Parameter::Unsigned(number)]) => {
            printer.text("<").text(number.to_string()).text(">");
        }
        ("tbaa_root", [Parameter::None]) | ("di_null_type", []) => {}
        _ => print(definition.fields, &value.parameters, printer),
    }
    true
}

/// Parses the same.
///
/// # Errors
/// Where the text is wrong.
pub(super) fn parse_attribute(definition: &FieldsDef, parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    let parameters: Box<[Parameter]> = match definition.mnemonic {
        "di_file" => {
            parser.expect(b'<')?;
            let name = value(String, parser)?;
            parser.expect_word("in")?;
            let directory = value(String, parser)?;
            parser.expect(b'>')?;
            [name, directory].into()
        }
        "di_expression_elem" => operation(parser)?.into(),
        "di_expression" => {
            let mut operations = Vec::new();
            parser.expect(b'<')?;
            if parser.eat(b'[') {
                if parser.is_at(b']') {
                    return Err(parser.expected("an operation"));
                }
                parser.list(b']', |parser| {
                    operations.push(value(Attribute(of("di_expression_elem")), parser)?);
                    Ok(())
                })?;
            }
            parser.expect(b'>')?;
            [Parameter::List(operations.into())].into()
        }
        "tbaa_member" => {
            parser.expect(b'<')?;
            let node = value(definition.fields[0].kind, parser)?;
            parser.expect(b',')?;
            let offset = value(Signed(64), parser)?;
            parser.expect(b'>')?;
            [node, offset].into()
        }
        "address_space" => {
            parser.expect(b'<')?;
            let number = value(definition.fields[0].kind, parser)?;
            parser.expect(b'>')?;
            [number].into()
        }
        "tbaa_root" if !parser.is_at(b'<') => [Parameter::None].into(),
        "di_null_type" if !parser.is_at(b'<') => Box::default(),
        _ => text::parse(definition, parser)?,
    };
    Ok(parameters)
}

/// The operation whose operands after the first are encodings of base types.
const CONVERT: u64 = 0x1001;

/// Prints an operation of a DWARF expression with its operands.
fn print_operation(opcode: u64, operands: &[Parameter], printer: &mut DialectPrinter<'_>) {
    text::print_keyword(&dwarf::OPERATIONS, opcode, printer);
    for (at, operand) in operands.iter().enumerate() {
        printer.text(if at == 0 { "(" } else { ", " });
        match operand {
            Parameter::Unsigned(number) if at > 0 && opcode == CONVERT => {
                text::print_keyword(&dwarf::ENCODINGS, *number, printer);
            }
            operand => print_value(FieldKind::Unsigned(64), operand, printer),
        }
    }
    printer.text(if operands.is_empty() { "" } else { ")" });
}

/// Parses an operation of a DWARF expression with its operands: opcode and list.
fn operation(parser: &mut Parser<'_>) -> Result<[Parameter; 2]> {
    let opcode = text::keyword(&dwarf::OPERATIONS, parser)?;
    let mut operands = Vec::new();
    if parser.eat(b'(') {
        if parser.is_at(b')') {
            return Err(parser.expected("an operand"));
        }
        parser.list(b')', |parser| {
            let is_encoding = opcode == CONVERT && !operands.is_empty();
            operands.push(Parameter::Unsigned(match is_encoding {
                true => text::keyword(&Keywords { bits: 64, ..dwarf::ENCODINGS }, parser)?,
                false => text::unsigned(64, parser)?,
            }));
            Ok(())
        })?;
    }
    Ok([Parameter::Unsigned(opcode), Parameter::List(operands.into())])
}
