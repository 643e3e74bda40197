//! The directives of `memref`'s formats.

use mlirbc_ir::{AttributeData, Result, TypeData};
use mlirbc_text::{Directive, DirectiveArguments, DirectiveState, OpParser, OpPrinter, OpState, Printed};

/// `memref<...> = dense<...>`, or `= uninitialized`
pub(super) const GLOBAL: Directive = Directive::new(print_global, parse_global);

fn print_global(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let ty = arguments.ty(printer, 0)?;
    printer.ty(ty)?;
    let Some(value) = arguments.attribute(printer, 1)? else { return Ok(()) };
    printer.text(" = ");
    if printer.context()[value] == AttributeData::Unit {
        printer.text("uninitialized");
        return Ok(());
    }
    printer.bare(value)
}

fn parse_global<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let ty = parser.text().ty()?;
    let attribute = parser.context().attribute(AttributeData::Type(ty));
    state.set_attribute(parser, op, 0, attribute)?;
    if !parser.text().eat(b'=') {
        return Ok(());
    }
    let context = parser.context();
    let value = if parser.text().eat_word(b"uninitialized") {
        context.unit()
    } else {
        let elements = match &context[ty] {
            TypeData::MemRef { shape, element, .. } => {
                context.ty(TypeData::RankedTensor { shape: shape.clone(), element: *element, encoding: None })
            }
            _ => return Err(parser.text().error("the type of a global with a value must be a ranked memref")),
        };
        parser.typed_attribute(elements)?
    };
    state.set_attribute(parser, op, 1, value)
}
