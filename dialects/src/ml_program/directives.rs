//! The directives of `ml_program`'s formats.

use mlirbc_ir::{AttributeData, Result};
use mlirbc_text::{
    Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed, function,
};

/// `private` and a space, where there is a visibility.
pub(super) const VISIBILITY: Directive = Directive::new(print_visibility, parse_visibility).starts(is_visibility);

/// `(value : type) : type`, where the first type is that of the value.
pub(super) const TYPED_VALUE: Directive = Directive::new(print_value, parse_value);

/// ` ordering(%a, %b -> type)`
pub(super) const TOKEN_ORDERING: Directive = Directive::new(print_ordering, parse_ordering);

fn is_visibility(parser: &mut OpParser<'_>) -> bool {
    matches!(parser.text().peek_word(), b"public" | b"private" | b"nested")
}

fn print_visibility(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let visibility = arguments.attribute(printer, 0)?;
    match visibility.map(|it| &printer.context()[it]) {
        None => Ok(()),
        Some(AttributeData::String { value, .. }) => function::print::visibility(printer, value),
        Some(_) => Err(NotCustom::UseGeneric),
    }
}

fn parse_visibility<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    if is_visibility(parser) {
        let word = parser.text().word();
        let value = parser.context().string(word);
        state.set_attribute(parser, op, 0, value)?;
    }
    Ok(())
}

fn print_value(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let ty = arguments.ty(printer, 0)?;
    if let Some(value) = arguments.attribute(printer, 1)? {
        printer.text("(");
        printer.attribute(value)?;
        printer.text(")");
    }
    printer.text(" : ");
    printer.ty(ty)
}

fn parse_value<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    if parser.text().eat(b'(') {
        let value = parser.text().attribute()?;
        parser.text().expect(b')')?;
        state.set_attribute(parser, op, 1, value)?;
    }
    let ty = parser.text().colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    state.set_attribute(parser, op, 0, ty)
}

fn print_ordering(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let consumed = arguments.values(printer, 0)?;
    let produced = arguments.values(printer, 1)?;
    if consumed.is_empty() && produced.is_empty() {
        return Ok(());
    }
    printer.text(" ordering(");
    if consumed.is_empty() {
        printer.text("()");
    } else {
        printer.values(&consumed);
    }
    if !produced.is_empty() {
        printer.text(" -> ");
        printer.value_types(&produced)?;
    }
    printer.text(")");
    Ok(())
}

fn parse_ordering<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.text().eat_word(b"ordering") {
        parser.text().expect(b'(')?;
        if parser.text().eat(b'(') {
            parser.text().expect(b')')?;
        } else {
            names = parser.operand_list()?;
        }
        if parser.text().eat_arrow() {
            types.push(parser.any_type()?);
        }
        parser.text().expect(b')')?;
    }
    state.set_operands(parser, 0, names)?;
    state.set_types(parser, 1, types)
}
