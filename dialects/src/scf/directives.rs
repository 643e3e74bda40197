//! The directives of `scf`'s formats. `emitc` has one of them as well.

use mlirbc_ir::Result;
use mlirbc_text::{
    Continuation, Directive, DirectiveArguments, NotCustom, OpParser, OpPrinter, OpState, OpenDirective, Parsed,
    Printed,
};

/// `case 1 {...}`, a line each.
pub(crate) const SWITCH_CASES: Directive = Directive::with_regions(print_cases, parse_cases);

fn print_cases(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let cases = arguments.integers(printer, 0)?.ok_or(NotCustom::UseGeneric)?;
    let regions = arguments.regions(printer, 1)?;
    if regions.len() != cases.len() {
        return Err(NotCustom::UseGeneric);
    }
    for (case, number) in cases.into_iter().zip(regions) {
        printer.new_line();
        printer.text("case ");
        printer.number(case);
        printer.text(" ");
        printer.region_without_arguments(number, true)?;
    }
    Ok(())
}

fn parse_cases<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, directive: OpenDirective<'a>) -> Parsed<'a> {
    more_cases(parser, op, directive, Vec::new())
}

fn more_cases<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    mut directive: OpenDirective<'a>,
    mut cases: Vec<i64>,
) -> Parsed<'a> {
    if !parser.text().eat_word(b"case") {
        let cases = parser.i64_array(&cases);
        directive.state().set_attribute(parser, op, 0, cases)?;
        return directive.finish(parser, op);
    }
    match parser.text().signed() {
        Some(case) => cases.push(case),
        None => return Err(parser.text().expected("the number of a case")),
    }
    parser.open_brace()?;
    directive.add_region(parser, 1)?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, op: &mut OpState<'a>| -> Result<_> {
            more_cases(parser, op, directive, cases)
        }),
    ))
}
