//! `async`: asynchronous execution.

mod assembly;

use super::defined;
use crate::text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
    print_type,
};
use crate::{Dialect, Result};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("async")).directive("AwaitResultType", AWAITED).default_dialect("func")
}

/// The type of what is awaited, where that of the result is inside it.
const AWAITED: Directive = Directive::new(print_awaited, parse_awaited);

fn print_awaited(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let awaited = arguments.value(printer, 0)?;
    let results = arguments.values(printer, 1)?;
    let context = printer.context();
    let outer = print_type(context, printer.type_of(awaited)?)?;
    let inner = match results.first() {
        Some(&result) => Some(print_type(context, printer.type_of(result)?)?),
        None => None,
    };
    if assembly::async_value(&outer) != inner.as_deref() {
        return Err(NotCustom::UseGeneric);
    }
    printer.value_type(awaited)
}

fn parse_awaited<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let ty = parser.any_type()?;
    let inner = assembly::awaited(parser, ty)?;
    state.set_types(parser, 0, vec![ty])?;
    state.set_types(parser, 1, inner.into_iter().collect())
}
