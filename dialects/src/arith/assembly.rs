//! The assembly of `arith` that its definitions leave to code.

use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{Dialect, TypeData};
use mlirbc_text::{Continuation, CustomAssembly, DialectAssembly, OpParser, OpPrinter, OpState, Parsed, Printed};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.assembly("select", CustomAssembly { print: print_select, parse: parse_select })
}

/// `%condition, %a, %b : type`, with the type of the condition before it where it is no integer.
fn print_select(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.all_operands();
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    let condition = printer.at(0)?;
    if !matches!(printer.type_data(condition)?, TypeData::Integer { .. }) {
        printer.value_type(condition)?;
        printer.text(", ");
    }
    let result = printer.result(0)?;
    printer.value_type(result)
}

fn parse_select<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let mut condition: TypeRef = parser.context().integer_type(1).into();
    let mut ty = parser.any_type()?;
    if parser.text().eat(b',') {
        condition = std::mem::replace(&mut ty, parser.any_type()?);
    }
    parser.add_operands(op, names, vec![condition, ty, ty])?;
    op.add_result(ty);
    Ok(Continuation::Done)
}
