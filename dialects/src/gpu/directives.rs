//! The directives of `gpu`'s formats.

use crate::common::cases::{attribute_of_word, word_of};
use mlirbc_ir::body::TypeRef;
use mlirbc_text::{Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed};

use super::{CASES, NAME, usual_handler};
use mlirbc_ir::{Result, TypeData};

/// ` add`, where a reduction has no region that says what it does.
pub(super) const REDUCTION: Directive = Directive::new(print_reduction, parse_reduction);

/// `async [%token, ...]`
pub(super) const ASYNC_DEPENDENCIES: Directive = Directive::new(print_dependencies, parse_dependencies)
    .starts(|parser| parser.text().is_at(b'[') || parser.text().peek_word() == b"async");

/// `<#gpu.select_object<1>>`, where it is not the usual one.
pub(super) const HANDLER: Directive = Directive::new(print_handler, parse_handler);

/// `args(%a : type, %b : type)`
pub(super) const LAUNCH_OPERANDS: Directive =
    Directive::new(print_operands, parse_operands).starts(|parser| parser.text().peek_word() == b"args");

/// `: type` of the sizes of a launch, where they are no indices.
pub(super) const LAUNCH_TYPE: Directive = Directive::new(print_type, parse_launch_type);

/// The mnemonic of what a reduction does.
const ALL_REDUCE: &str = "all_reduce_op";

fn print_reduction(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let Some(kind) = arguments.attribute(printer, 0)? else { return Ok(()) };
    let word = word_of(printer.context(), kind, NAME, ALL_REDUCE, CASES).ok_or(NotCustom::UseGeneric)?;
    printer.text(" ");
    printer.text(word);
    Ok(())
}

fn parse_reduction<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let word = parser.text().word();
    if word.is_empty() {
        return Ok(());
    }
    let kind = attribute_of_word(parser.context(), NAME, ALL_REDUCE, CASES, word);
    state.set_attribute(parser, op, 0, kind)
}

fn print_dependencies(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let is_async = !arguments.values(printer, 0)?.is_empty();
    let tokens = arguments.values(printer, 1)?;
    if is_async {
        printer.text("async");
    }
    if !tokens.is_empty() {
        printer.text(if is_async { " [" } else { "[" });
        printer.values(&tokens);
        printer.text("]");
    }
    Ok(())
}

fn parse_dependencies<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let mut types = Vec::new();
    if parser.text().eat_word(b"async") {
        types.push(super::token(parser.context()).into());
    }
    state.set_types(parser, 0, types)?;
    let mut names = Vec::new();
    if parser.text().eat(b'[') {
        names = parser.operand_list()?;
        parser.text().expect(b']')?;
    }
    state.set_operands(parser, 1, names)
}

fn print_handler(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let handler = arguments.required(printer, 0)?;
    if handler != usual_handler(printer.context()) {
        printer.text("<");
        printer.attribute(handler)?;
        printer.text(">");
    }
    Ok(())
}

fn parse_handler<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let handler = if parser.text().eat(b'<') {
        let handler = parser.text().attribute()?;
        parser.text().expect(b'>')?;
        handler
    } else {
        usual_handler(parser.context())
    };
    state.set_attribute(parser, op, 0, handler)
}

fn print_operands(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let values = arguments.values(printer, 0)?;
    for (at, &value) in values.iter().enumerate() {
        printer.text(if at == 0 { "args(" } else { ", " });
        printer.value(value);
        printer.text(" : ");
        printer.value_type(value)?;
    }
    if !values.is_empty() {
        printer.text(")");
    }
    Ok(())
}

fn parse_operands<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.text().eat_word(b"args") {
        parser.text().expect(b'(')?;
        parser.list(b')', |parser| {
            names.push(parser.operand_name()?);
            parser.text().expect(b':')?;
            types.push(parser.any_type()?);
            Ok(())
        })?;
    }
    state.set_operands(parser, 0, names)?;
    state.set_types(parser, 0, types)
}

fn print_type(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let first = *arguments.values(printer, 0)?.first().ok_or(NotCustom::UseGeneric)?;
    // One type stands for those of all sizes.
    for at in (0..arguments.len()).filter(|&at| arguments.is_type(at)) {
        let values = arguments.values(printer, at)?;
        printer.expect_same_types(&values, &vec![first; values.len()])?;
    }
    if *printer.type_data(first)? != TypeData::Index {
        printer.text(": ");
        printer.value_type(first)?;
    }
    Ok(())
}

fn parse_launch_type<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let ty: TypeRef = if parser.text().eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    let arguments = state.arguments();
    for at in 0..arguments.len() {
        if arguments.is_type(at) {
            // The sizes of clusters may be absent.
            let count = state.operand_count(parser, at)?;
            state.set_types(parser, at, vec![ty; count])?;
        }
    }
    Ok(())
}
