//! The assembly of `pdl_interp` that its definitions leave to code.

use crate::pdl::{is_item, range_of};
use mlirbc_ir::Dialect;
use mlirbc_text::function::FUNCTION;
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("foreach", CustomAssembly { print: print_foreach, parse: parse_foreach })
        .assembly("func", FUNCTION)
}

/// `%item : type in %range {...} -> ^block`
fn print_foreach(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let &[argument] = printer.region_argument_types(0)?.as_slice() else { return Err(NotCustom::UseGeneric) };
    let &[block] = printer.successors() else { return Err(NotCustom::UseGeneric) };
    let values = printer.at(0)?;
    let ty = printer.resolved(argument)?;
    if !is_item(printer.context(), ty) {
        return Err(NotCustom::UseGeneric);
    }
    printer.expect_type(values, range_of(printer.context(), ty))?;
    printer.text(" ");
    printer.region_argument_name(0, 0)?;
    printer.text(" : ");
    printer.ty(ty)?;
    printer.text(" in ");
    printer.value(values);
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&[])?;
    printer.text(" -> ");
    printer.block(block);
    Ok(())
}

/// `%item : type in %range {...} -> ^block`
fn parse_foreach<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let name = parser.value_name()?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let item = parser.resolved(ty)?;
    if !is_item(parser.context(), item) {
        return Err(parser.text().error("there is no range of what has this type"));
    }
    let argument = parser.located_argument(name, ty)?;
    parser.text().expect_word("in")?;
    let values = parser.operand_name()?;
    op.add(values, range_of(parser.context(), item).into());
    parser.open_brace()?;
    Ok(Continuation::Region(
        vec![argument],
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.optional_dictionary(op)?;
            if !parser.text().eat_arrow() {
                return Err(parser.text().expected("`->` and a block"));
            }
            parser.successor_block(op)?;
            Ok(Continuation::Done)
        }),
    ))
}
