//! The directives of `pdl_interp`'s formats that `pdl` does not have.

use mlirbc_ir::Result;
use mlirbc_text::{Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed};

/// ` -> (%type : type)`, or ` -> <inferred>`
pub(super) const CREATED_RESULTS: Directive =
    Directive::new(print_created, parse_created).starts(|parser| parser.text().is_at(b'-'));

fn print_created(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    if arguments.attribute(printer, 2)?.is_some() {
        printer.text(" -> <inferred>");
        return if values.is_empty() { Ok(()) } else { Err(NotCustom::UseGeneric) };
    }
    if !values.is_empty() {
        printer.text(" -> (");
        printer.values(&values);
        printer.text(" : ");
        printer.value_types(&values)?;
        printer.text(")");
    }
    Ok(())
}

fn parse_created<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    if !parser.text().eat_arrow() {
        return Ok(());
    }
    if parser.text().eat(b'<') {
        parser.text().expect_word("inferred")?;
        parser.text().expect(b'>')?;
        let unit = parser.context().unit();
        return state.set_attribute(parser, op, 2, unit);
    }
    parser.text().expect(b'(')?;
    let names = parser.operand_list()?;
    state.set_operands(parser, 0, names)?;
    parser.text().expect(b':')?;
    let types = parser.types()?;
    state.set_types(parser, 0, types)?;
    parser.text().expect(b')')
}
