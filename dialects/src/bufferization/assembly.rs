//! The assembly of `bufferization` that its definitions leave to code.

use mlirbc_ir::Dialect;
use mlirbc_ir::body::TypeRef;
use mlirbc_text::{Continuation, CustomAssembly, DialectAssembly, OpParser, OpPrinter, OpState, Parsed, Printed};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.assembly("alloc_tensor", CustomAssembly { print: print_alloc_tensor, parse: parse_alloc_tensor })
}

/// `(%size) copy(%tensor) size_hint=%hint : type`
fn print_alloc_tensor(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text("(");
    let sizes = printer.operands(0)?;
    printer.values(sizes);
    printer.text(")");
    if let Some(&copy) = printer.operands(1)?.first() {
        printer.expect_same_types(&[copy], &[printer.result(0)?])?;
        printer.text(" copy(");
        printer.value(copy);
        printer.text(")");
    }
    if let Some(&hint) = printer.operands(2)?.first() {
        printer.text(" size_hint=");
        printer.value(hint);
    }
    printer.dictionary(&[])?;
    printer.text(" : ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

fn parse_alloc_tensor<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let sizes = parser.operand_list_in(b'(', b')')?;
    let mut copy = None;
    if parser.text().eat_word(b"copy") {
        parser.text().expect(b'(')?;
        copy = Some(parser.operand_name()?);
        parser.text().expect(b')')?;
    }
    let mut hint = None;
    if parser.text().eat_word(b"size_hint") {
        parser.text().expect(b'=')?;
        hint = Some(parser.operand_name()?);
    }
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let index: TypeRef = parser.context().index_type().into();
    let segments = [sizes.len(), usize::from(copy.is_some()), usize::from(hint.is_some())];
    for name in sizes {
        op.add(name, index);
    }
    if let Some(copy) = copy {
        op.add(copy, ty);
    }
    if let Some(hint) = hint {
        op.add(hint, index);
    }
    parser.set_segments(op, "operandSegmentSizes", &segments);
    op.add_result(ty);
    Ok(Continuation::Done)
}
