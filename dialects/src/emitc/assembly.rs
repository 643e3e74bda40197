//! The assembly of `emitc` that its definitions leave to code.

use crate::common::regions::{parse_branches, parse_end, parse_last_region, print_branches};
use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{AttributeData, Dialect, TypeData};
use mlirbc_text::function::FUNCTION;
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("do", CustomAssembly { print: print_do, parse: parse_do })
        .assembly("for", CustomAssembly { print: print_for, parse: parse_for })
        .assembly("func", FUNCTION)
        .assembly("if", CustomAssembly { print: print_if, parse: parse_if })
        .assembly("include", CustomAssembly { print: print_include, parse: parse_include })
}

/// `"name"`, or `<"name">`
fn print_include(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.need("include")?;
    let AttributeData::String { value: name, ty: None } = &printer.context()[name] else {
        return Err(NotCustom::UseGeneric);
    };
    // The name is not escaped, and nothing else is shown.
    let plain = |&byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    printer.no_attributes_but(&["include", "is_standard_include"])?;
    if !name.iter().all(plain) {
        return Err(NotCustom::UseGeneric);
    }
    let standard = printer.get("is_standard_include").is_some();
    printer.text(if standard { " <\"" } else { " \"" });
    printer.text(name);
    printer.text(if standard { "\">" } else { "\"" });
    Ok(())
}

fn parse_include<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let standard = parser.text().eat(b'<');
    let name = parser.text().string()?;
    let name = parser.context().string(name);
    parser.set(op, "include", name);
    if standard {
        parser.text().expect(b'>')?;
        let unit = parser.context().unit();
        parser.set(op, "is_standard_include", unit);
    }
    Ok(Continuation::Done)
}

/// `%condition {...} else {...}`
fn print_if(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    print_branches(printer, &[])
}

fn parse_if<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    op.add(condition, boolean.into());
    parse_branches(parser, op)
}

/// `%i = %lower to %upper step %step : type {...}`
fn print_for(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let &[argument] = printer.region_argument_types(0)?.as_slice() else { return Err(NotCustom::UseGeneric) };
    printer.text(" ");
    printer.region_argument_name(0, 0)?;
    for (at, word) in [" = ", " to ", " step "].into_iter().enumerate() {
        printer.text(word);
        let value = printer.at(at)?;
        printer.value(value);
    }
    printer.text(" ");
    let ty = printer.resolved(argument)?;
    for at in 0..3 {
        if printer.type_of(printer.at(at)?)? != ty {
            return Err(NotCustom::UseGeneric);
        }
    }
    if printer.context()[ty] != TypeData::Index {
        printer.text(" : ");
        printer.ty(ty)?;
        printer.text(" ");
    }
    printer.body(0, false, false)?;
    printer.dictionary(&[])
}

fn parse_for<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let variable = parser.value_name()?;
    parser.text().expect(b'=')?;
    let lower = parser.operand_name()?;
    parser.text().expect_word("to")?;
    let upper = parser.operand_name()?;
    parser.text().expect_word("step")?;
    let step = parser.operand_name()?;
    let ty: TypeRef = if parser.text().eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    for name in [lower, upper, step] {
        op.add(name, ty);
    }
    let arguments = vec![parser.argument(variable, ty)?];
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

/// `{...} while {...}`
fn print_do(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // Text gives the body a block in any case, and the condition none without operations.
    let no_operations = printer.terminator(1)?.is_none() && !printer.is_empty_region(1)?;
    if printer.is_empty_region(0)? || no_operations {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region_without_arguments(0, true)?;
    printer.text(" while ");
    printer.region_without_arguments(1, true)?;
    printer.dictionary_with_keyword(&[])
}

fn parse_do<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.ensure_block(op);
            parse_last_region(parser, "while")
        }),
    ))
}
