//! Regions: their first arguments and what ends them; in assembly, the values that loops carry on, branches, and what stands behind the
//! last region.

use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::{BlockId, OpRef, Result};
use mlirbc_text::{
    Argument, Continuation, CustomAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, ValueName,
};

fn first_block(op: OpRef<'_>, region: usize) -> Option<BlockId> {
    op.body().first_block(op.body().regions(op.id()).nth(region)?)
}

/// The arguments of the first block of a region; none where it is empty.
pub(crate) fn arguments_of(op: OpRef<'_>, region: usize) -> &[Value] {
    first_block(op, region).map(|block| op.body().arguments(block)).unwrap_or_default()
}

/// What ends the first block of a region.
pub(crate) fn end_of(op: OpRef<'_>, region: usize) -> Option<OpRef<'_>> {
    first_block(op, region).and_then(|block| op.body().last_operation(block)).map(|end| op.at(end))
}

/// Prints `(%argument = %value, ...)` behind a prefix, from that argument of the region on. Nothing where there are no values.
pub(crate) fn print_initial_values(
    printer: &mut OpPrinter<'_, '_>,
    prefix: &str,
    first: usize,
    values: &[Value],
) -> Printed {
    if values.is_empty() {
        return Ok(());
    }
    // The arguments have the types of the values.
    let arguments = printer.region_argument_types(0)?;
    printer.expect_types(values, arguments.get(first..first + values.len()).ok_or(NotCustom::UseGeneric)?)?;
    printer.text(prefix);
    printer.text("(");
    for (at, &value) in values.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, first + at)?;
        printer.text(" = ");
        printer.value(value);
    }
    printer.text(")");
    Ok(())
}

/// Parses `(%argument = %value, ...)`.
pub(crate) fn parse_initial_values<'a>(parser: &mut OpParser<'a>) -> Result<Vec<(ValueName<'a>, ValueName<'a>)>> {
    let mut pairs = Vec::new();
    parser.text().expect(b'(')?;
    parser.list(b')', |parser| {
        let argument = parser.value_name()?;
        parser.text().expect(b'=')?;
        pairs.push((argument, parser.operand_name()?));
        Ok(())
    })?;
    Ok(pairs)
}

/// Values that a loop carries on, with the arguments of its region that stand for them, and the types of its results.
#[derive(Default)]
pub(crate) struct CarriedValues<'a> {
    pairs: Vec<(ValueName<'a>, ValueName<'a>)>,
    types: Vec<TypeRef>,
}

impl<'a> CarriedValues<'a> {
    /// Parses what [`print_carried_values`] prints, if that keyword is next.
    pub(crate) fn parse(parser: &mut OpParser<'a>, keyword: &str) -> Result<Self> {
        if !parser.text().eat_word(keyword.as_bytes()) {
            return Ok(Self::default());
        }
        let pairs = parse_initial_values(parser)?;
        if !parser.text().eat_arrow() {
            return Err(parser.text().expected("`->` and the types of the results"));
        }
        let types = parser.arrow_types()?;
        if pairs.len() != types.len() {
            return Err(parser.text().error("there are more or fewer types than values that are carried on"));
        }
        Ok(CarriedValues { pairs, types })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Adds them to the operands of the operation and to the arguments of its region, and the results.
    pub(crate) fn add(
        self,
        parser: &mut OpParser<'a>,
        op: &mut OpState<'a>,
        arguments: &mut Vec<Argument<'a>>,
    ) -> Result<()> {
        for ((name, value), &ty) in self.pairs.into_iter().zip(&self.types) {
            arguments.push(parser.argument(name, ty)?);
            op.add(value, ty);
        }
        op.add_results(self.types);
        Ok(())
    }
}

/// Prints `(%argument = %value, ...) -> (type, ...)` behind a prefix. Nothing where there are no values.
pub(crate) fn print_carried_values(
    printer: &mut OpPrinter<'_, '_>,
    prefix: &str,
    first: usize,
    values: &[Value],
) -> Printed {
    print_initial_values(printer, prefix, first, values)?;
    print_result_types(printer, values)
}

/// Prints ` -> (type, type)`, or nothing where there are no values: the parentheses stand around one type, too.
pub(crate) fn print_result_types(printer: &mut OpPrinter<'_, '_>, values: &[Value]) -> Printed {
    if values.is_empty() {
        return Ok(());
    }
    printer.text(" -> (");
    printer.value_types(values)?;
    printer.text(")");
    Ok(())
}

/// Prints the names of so many arguments of the region.
pub(crate) fn print_argument_names(printer: &mut OpPrinter<'_, '_>, count: usize) -> Printed {
    for at in 0..count {
        if at > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(0, at)?;
    }
    Ok(())
}

/// Prints `{...}`, or `{...} else {...}`, and a dictionary without these attributes. Where the operation has no results,
/// terminators are left out.
pub(crate) fn print_branches(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let has_results = !printer.all_results().is_empty();
    printer.text(" ");
    printer.body(0, false, has_results)?;
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.body(1, false, has_results)?;
    }
    printer.dictionary(elided)
}

/// Parses `{...}`, or `{...} else {...}`, and a dictionary.
pub(crate) fn parse_branches<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.ensure_implicit_terminator(op)?;
            if parser.text().eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Continuation::Region(Vec::new(), Box::new(parse_end)));
            }
            parse_dictionary(parser, op)
        }),
    ))
}

/// Behind the last region: gives it the terminator that text left out, and parses a dictionary.
pub(crate) fn parse_end<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.ensure_implicit_terminator(op)?;
    parse_dictionary(parser, op)
}

/// Parses a dictionary behind the last region.
pub(crate) fn parse_dictionary<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(op)?;
    Ok(Continuation::Done)
}

/// Parses a dictionary behind the last region and the keyword `attributes`.
pub(crate) fn parse_keyword_dictionary<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.keyword_dictionary(op)?;
    Ok(Continuation::Done)
}

/// Parses a word and the last region behind it, and a dictionary behind the keyword `attributes`.
pub(crate) fn parse_last_region<'a>(parser: &mut OpParser<'a>, word: &str) -> Parsed<'a> {
    parser.text().expect_word(word)?;
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_keyword_dictionary)))
}

/// A loop with a region for its condition and one for its body, as `scf.while` has it.
pub(crate) const WHILE: CustomAssembly = CustomAssembly { print: print_while, parse: parse_while };

/// `(%a = %b) : (type) -> type {...} do {...}`
fn print_while(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.all_operands();
    let results = printer.all_results();
    // Text names an argument for each operand.
    if printer.region_argument_types(0)?.len() != operands.len() {
        return Err(NotCustom::UseGeneric);
    }
    print_initial_values(printer, " ", 0, operands)?;
    printer.text(" : ");
    printer.functional(operands, &results)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.text(" do ");
    printer.region(1, true, true);
    printer.dictionary_with_keyword(&[])
}

fn parse_while<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let pairs = if parser.text().is_at(b'(') { parse_initial_values(parser)? } else { Vec::new() };
    parser.text().expect(b':')?;
    let (inputs, results) = parser.functional()?;
    op.add_results(results);
    let (arguments, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let mut named = Vec::new();
    if arguments.len() == inputs.len() {
        for (name, &ty) in arguments.into_iter().zip(&inputs) {
            named.push(parser.argument(name, ty)?);
        }
    }
    parser.add_operands(op, values, inputs)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        named,
        Box::new(|parser: &mut OpParser<'a>, _: &mut OpState<'a>| parse_last_region(parser, "do")),
    ))
}
