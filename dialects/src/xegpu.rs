//! `xegpu`: operations of Intel's processors.

mod enums;

pub use enums::*;

use mlirbc_ir::{Dialect, Result};
use mlirbc_text::directives::INDEX_LIST;
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("xegpu").directive("DynamicIndexList", INDEX_LIST).directive("OptionalDynamicIndexList", OPTIONAL_LIST)
}

/// `[1, %a]`, or nothing.
const OPTIONAL_LIST: Directive =
    Directive::new(print_optional_list, parse_optional_list).starts(|parser| parser.text().is_at(b'['));

fn print_optional_list(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    match arguments.integers(printer, 1)? {
        Some(numbers) if !numbers.is_empty() => printer.index_list(&numbers, &values, b"[]"),
        None if values.is_empty() => Ok(()),
        _ => Err(NotCustom::UseGeneric),
    }
}

fn parse_optional_list<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    if !parser.text().is_at(b'[') {
        return Ok(());
    }
    let list = parser.index_list(b'[', b']')?;
    if list.numbers.is_empty() {
        return Err(parser.text().error("expected a number or a value"));
    }
    state.set_operands(parser, 0, list.values)?;
    let numbers = parser.i64_array(&list.numbers);
    state.set_attribute(parser, op, 1, numbers)
}
