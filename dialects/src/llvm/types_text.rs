//! The text of the dialect's types. Inside of one of them the dialect's name is left out: `!llvm.struct<(i32, ptr)>`.

use super::NAME;
use super::types::{Parts, PlainType, identified, is_compatible, marked, outermost, ty};
use mlirbc_ir::text::{DialectPrinter, Parser};
use mlirbc_ir::{DialectValue, Parameter, Result, Type};

/// Prints what stands behind the mnemonic of a type. False where its parameters are none that this dialect knows.
pub(super) fn print(value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
    let context = printer.context();
    let Some(parts) = Parts::of_value(context, value) else { return false };
    match parts {
        Parts::Plain(_) | Parts::Pointer { space: 0 } => {}
        Parts::Pointer { space } => {
            printer.text(format!("<{space}>"));
        }
        Parts::Array { element, count } => {
            printer.text(format!("<{count} x "));
            inner(printer, element);
            printer.text(">");
        }
        Parts::Function { result, inputs, variadic } => {
            printer.text("<");
            inner(printer, result);
            printer.text(" (");
            all(printer, inputs);
            printer.text(match (variadic, inputs.is_empty()) {
                (true, false) => ", ...)>",
                (true, true) => "...)>",
                (false, _) => ")>",
            });
        }
        Parts::Reference { name, .. } => {
            printer.text("<").string(name).text(">");
        }
        Parts::Struct { name, members, packed } => {
            printer.text("<");
            if let Some(name) = name {
                printer.string(name).text(", ");
            }
            match members {
                Some(members) => {
                    let named = name.filter(|_| !members.iter().filter_map(ty).all(|ty| is_compatible(context, ty)));
                    let marked = named.and_then(|name| marked(context, members, name));
                    let members = marked.as_deref().unwrap_or(members);
                    printer.text(if packed { "packed (" } else { "(" });
                    all(printer, members);
                    printer.text(")>");
                }
                None => {
                    printer.text("opaque>");
                }
            }
        }
        Parts::Target { name, types, numbers } => {
            printer.text("<").string(name);
            for held in types.iter().filter_map(ty) {
                printer.text(", ").ty(held);
            }
            for number in numbers {
                if let Parameter::Unsigned(number) = number {
                    printer.text(format!(", {number}"));
                }
            }
            printer.text(">");
        }
    }
    true
}

fn all(printer: &mut DialectPrinter<'_>, types: &[Parameter]) {
    for (at, held) in types.iter().filter_map(ty).enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        inner(printer, held);
    }
}

/// A type inside of one of the dialect: as short as MLIR shows it, which shows the dialect's name of floats, and of what holds types
/// that LLVM does not have.
fn inner(printer: &mut DialectPrinter<'_>, held: Type) {
    let context = printer.context();
    let is_short = PlainType::of(context, held) != Some(PlainType::PpcFp128) && is_compatible(context, held);
    match is_short {
        true => printer.short_type(held, NAME),
        false => printer.ty(held),
    };
}

/// Parses what stands behind the mnemonic of a type. `None` where it is of another release: see
/// [`DialectText::parse_type`](mlirbc_ir::text::DialectText::parse_type).
///
/// # Errors
/// Where the text is wrong.
pub(super) fn parse(mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
    match mnemonic {
        b"ptr" => pointer(parser),
        b"array" => array(parser).map(Some),
        b"func" => function(parser).map(Some),
        b"struct" => structure(parser).map(Some),
        b"target" => target(parser).map(Some),
        _ if PlainType::of_mnemonic(mnemonic).is_none() => Ok(None),
        _ => {
            if parser.eat_next(b'<') {
                parser.expect(b'>')?;
            }
            Ok(Some(Box::default()))
        }
    }
}

/// Nothing, or `<3>`. Older releases have a type there.
fn pointer(parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
    let mut space = 0;
    if parser.eat(b'<') {
        let is_number = parser.is_at(b'-') || parser.peek().is_some_and(|byte| byte.is_ascii_digit());
        if !is_number {
            return Ok(None);
        }
        space = number_of_32_bits(parser)?;
        parser.expect(b'>')?;
    }
    Ok(Some([Parameter::Unsigned(space)].into()))
}

/// A number of 32 bits. A negative one stands for its bits.
fn number_of_32_bits(parser: &mut Parser<'_>) -> Result<u64> {
    let start = parser.here();
    match parser.signed() {
        Some(number) if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&number) => {
            Ok(number as u64 & u64::from(u32::MAX))
        }
        _ => Err(parser.error_at(start, "expected a number of 32 bits")),
    }
}

/// `<4 x element>`
fn array(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    parser.expect(b'<')?;
    let count = match parser.unsigned() {
        Some(count) => count,
        None => parser.signed().ok_or_else(|| parser.expected("a number of 64 bits"))? as u64,
    };
    parser.expect_word("x")?;
    let element = parser.short_type(NAME)?;
    parser.expect(b'>')?;
    Ok([Parameter::Type(element), Parameter::Unsigned(count)].into())
}

/// `<result (input, input, ...)>`
fn function(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    parser.expect(b'<')?;
    let result = parser.short_type(NAME)?;
    parser.expect(b'(')?;
    let (mut inputs, mut variadic) = (Vec::new(), false);
    if !parser.eat(b')') {
        loop {
            if parser.is_at(b'.') {
                for _ in 0..3 {
                    parser.expect(b'.')?;
                }
                variadic = true;
                parser.expect(b')')?;
                break;
            }
            inputs.push(Parameter::Type(parser.short_type(NAME)?));
            if parser.eat(b')') {
                break;
            }
            parser.expect(b',')?;
        }
    }
    parser.expect(b'>')?;
    Ok([Parameter::Type(result), Parameter::List(inputs.into()), Parameter::Bool(variadic)].into())
}

/// `<(member, member)>`, `<"name", packed (member)>`, `<"name", opaque>`, or `<"name">` inside of the struct of that name.
fn structure(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    parser.expect(b'<')?;
    if !parser.is_at(b'"') {
        if parser.peek_word() == b"opaque" {
            return Err(parser.error("only identified structs can be opaque"));
        }
        let packed = parser.eat_word(b"packed");
        let members = members(parser)?;
        parser.expect(b'>')?;
        let members = members.into_iter().map(Parameter::Type).collect();
        return Ok([Parameter::None, Parameter::List(members), Parameter::Bool(packed)].into());
    }
    let start = parser.here();
    let name = parser.string()?.into_owned();
    let key = [b"!llvm.struct ", &*name].concat();
    let is_inside = parser.is_inside(&key);
    if parser.eat(b'>') {
        return match is_inside {
            true => Ok([Parameter::String(name.into())].into()),
            false => Err(parser.error_at(start, "struct without a body only allowed in a recursive struct")),
        };
    }
    if is_inside {
        return Err(parser.error_at(start, "identifier already used for an enclosing struct"));
    }
    parser.expect(b',')?;
    if parser.eat_word(b"opaque") {
        parser.expect(b'>')?;
        if !parser.declare(&key, Parameter::None) {
            return Err(parser.error_at(start, "redeclaring defined struct as opaque"));
        }
        return Ok([Parameter::String(name.into()), Parameter::None, Parameter::Bool(false)].into());
    }
    let packed = parser.eat_word(b"packed");
    let members = parser.inside(&key, members)?;
    parser.expect(b'>')?;
    let Some(outer) = outermost(parser.context(), members.iter().copied()) else {
        return Err(parser.error_at(start, "a struct that is nested too deep"));
    };
    let outer = Parameter::List(identified(&name, outer, packed).into());
    if !parser.declare(&key, outer) {
        return Err(parser.error_at(start, "identified type already used with a different body"));
    }
    Ok(identified(&name, members, packed).into())
}

/// `(member, member)`
fn members(parser: &mut Parser<'_>) -> Result<Vec<Type>> {
    let mut members = Vec::new();
    parser.expect(b'(')?;
    parser.list(b')', |parser| {
        members.push(parser.short_type(NAME)?);
        Ok(())
    })?;
    Ok(members)
}

/// `<"name", type, type, 1, 2>`
fn target(parser: &mut Parser<'_>) -> Result<Box<[Parameter]>> {
    parser.expect(b'<')?;
    let name = parser.string()?.into_owned();
    let (mut types, mut numbers) = (Vec::new(), Vec::new());
    while parser.eat(b',') {
        let is_number = parser.is_at(b'-') || parser.peek().is_some_and(|byte| byte.is_ascii_digit());
        if is_number {
            numbers.push(Parameter::Unsigned(number_of_32_bits(parser)?));
        } else if numbers.is_empty() {
            types.push(Parameter::Type(parser.short_type(NAME)?));
        } else {
            return Err(parser.expected("a number, since types come first"));
        }
    }
    parser.expect(b'>')?;
    Ok([Parameter::String(name.into()), Parameter::List(types.into()), Parameter::List(numbers.into())].into())
}
