//! The assembly of `transform` that its definitions leave to code.

use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{DYNAMIC, Dialect};
use mlirbc_text::function::FUNCTION;
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("named_sequence", FUNCTION)
        .assembly("structured.split", CustomAssembly { print: print_split, parse: parse_split })
}

/// `%target after 4 : type`, or `%target after %size : type, type`
fn print_split(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let target = printer.at(0)?;
    let dynamic = printer.operands(1)?.first().copied();
    let (_, size) = printer.integer("static_chunk_sizes")?;
    if dynamic.is_some() != (size == DYNAMIC) {
        return Err(NotCustom::UseGeneric);
    }
    let result = printer.result(0)?;
    printer.expect_same_types(&[target], &[result])?;
    printer.text(" ");
    printer.value(target);
    printer.text(" after ");
    match dynamic {
        Some(value) => printer.value(value),
        None => printer.number(size),
    }
    printer.text(" ");
    printer.dictionary(&["static_chunk_sizes"])?;
    printer.text(" : ");
    printer.value_type(target)?;
    if let Some(value) = dynamic {
        printer.text(", ");
        printer.value_type(value)?;
    }
    Ok(())
}

fn parse_split<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let target = parser.operand_name()?;
    parser.text().expect_word("after")?;
    let (mut dynamic, mut size) = (None, DYNAMIC);
    if parser.text().is_at(b'%') {
        dynamic = Some(parser.operand_name()?);
    } else {
        match parser.text().signed() {
            Some(number) => size = number,
            None => return Err(parser.text().expected("a size or a value")),
        }
    }
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty: TypeRef = parser.any_type()?;
    op.add(target, ty);
    if let Some(dynamic) = dynamic {
        parser.text().expect(b',')?;
        let ty = parser.any_type()?;
        op.add(dynamic, ty);
    }
    let size = parser.context().integer(64, size);
    parser.set(op, "static_chunk_sizes", size);
    op.add_result(ty);
    Ok(Continuation::Done)
}
