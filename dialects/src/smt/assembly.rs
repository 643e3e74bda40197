//! The assembly of `smt` that its definitions leave to code.

use crate::common::types::expect_result_type;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::push_integer;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Signedness, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

use super::{bits_of, boolean, integer_type};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("bv.constant", CustomAssembly { print: print_bit_vector, parse: parse_bit_vector })
        .assembly("distinct", CustomAssembly { print: print_same_types, parse: parse_same_types })
        .assembly("eq", CustomAssembly { print: print_same_types, parse: parse_same_types })
        .assembly("int.constant", CustomAssembly { print: print_integer, parse: parse_integer })
}

/// What `int.constant` holds of a number in decimal digits: an integer of as many bits as so many digits may take.
fn integer(context: &Context, digits: &str, negative: bool) -> Option<Attribute> {
    let digits = digits.trim_start_matches('0');
    if digits.len() > 1024 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let width = if digits.is_empty() { 64 } else { 4 * digits.len() as u32 };
    // The highest bit is the sign.
    [width, width + 1].into_iter().find_map(|width| {
        let value = ApInt::from_decimal(width, digits.as_bytes()).filter(|value| !value.is_negative())?;
        let value = if negative { value.negated() } else { value };
        let ty = context.ty(TypeData::Integer { width, signedness: Signedness::Unsigned });
        Some(context.attribute(AttributeData::Integer { ty, value }))
    })
}

/// Operands of one type.
fn print_same_types(printer: &mut OpPrinter<'_, '_>) -> Printed {
    expect_result_type(printer, 0, boolean(printer.context()))?;
    let ty = printer.type_of(printer.at(0)?)?;
    printer.operands_of_one_type(ty)
}

/// Operands of one type.
fn parse_same_types<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.operands_of_one_type(op)?;
    op.add_result(boolean(parser.context()).into());
    Ok(Continuation::Done)
}

fn print_integer(printer: &mut OpPrinter<'_, '_>) -> Printed {
    expect_result_type(printer, 0, integer_type(printer.context()))?;
    let attribute = printer.need("value")?;
    let AttributeData::Integer { value, .. } = &printer.context()[attribute] else { return Err(NotCustom::UseGeneric) };
    let mut text = Vec::new();
    push_integer(&mut text, value, Signedness::Signed);
    let text = String::from_utf8(text).map_err(|_| NotCustom::UseGeneric)?;
    let digits = text.strip_prefix('-');
    let read = integer(printer.context(), digits.unwrap_or(&text), digits.is_some());
    if read != Some(attribute) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.text(text);
    printer.dictionary(&["value"])
}

fn parse_integer<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let negative = parser.text().eat(b'-');
    let start = parser.text().here();
    let digits = parser.text().decimal_digits();
    if digits.is_empty() {
        return Err(parser.text().expected("a number in decimal digits"));
    }
    let value = integer(parser.context(), &String::from_utf8_lossy(digits), negative);
    let Some(value) = value else { return Err(parser.error_at(start, "the number has too many digits")) };
    parser.set(op, "value", value);
    parser.optional_dictionary(op)?;
    op.add_result(integer_type(parser.context()).into());
    Ok(Continuation::Done)
}

/// `#smt.bv<5> : !smt.bv<32>`: the type is that of the result.
fn print_bit_vector(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let attribute = printer.need("value")?;
    let (ty, _) = bits_of(printer.context(), attribute).ok_or(NotCustom::UseGeneric)?;
    printer.expect_type(printer.result(0)?, ty)?;
    printer.text(" ");
    printer.attribute(attribute)?;
    printer.dictionary(&["value"])
}

/// `#smt.bv<5> : !smt.bv<32>`: the type is that of the result.
fn parse_bit_vector<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let start = parser.text().here();
    let value = parser.text().attribute()?;
    let Some((ty, _)) = bits_of(parser.context(), value) else {
        return Err(parser.text().error_at(start, "expected bits and their type"));
    };
    op.add_result(ty.into());
    parser.set(op, "value", value);
    parser.optional_dictionary(op)?;
    Ok(Continuation::Done)
}
