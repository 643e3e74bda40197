//! The assembly of `async` that its definitions leave to code.

use crate::common::types::expect_result_type;
use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{Context, Dialect, Type};
use mlirbc_text::function::FUNCTION;
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

use super::{NAME, held};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("execute", CustomAssembly { print: print_execute, parse: parse_execute })
        .assembly("func", FUNCTION)
}

fn token(context: &Context) -> Type {
    context.dialect_type(NAME, "token", [])
}

/// `[%token] (%value as %argument: type) -> type attributes {...} {...}`
fn print_execute(printer: &mut OpPrinter<'_, '_>) -> Printed {
    expect_result_type(printer, 0, token(printer.context()))?;
    let (dependencies, values) = (printer.operands(0)?, printer.operands(1)?);
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != values.len() {
        return Err(NotCustom::UseGeneric);
    }
    if !dependencies.is_empty() {
        printer.text(" [");
        printer.values(dependencies);
        printer.text("]");
    }
    for (at, (&value, ty)) in values.iter().zip(arguments).enumerate() {
        // The argument is what is in the value.
        if held(printer.context(), printer.type_of(value)?) != Some(printer.resolved(ty)?) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(if at == 0 { " (" } else { ", " });
        printer.value(value);
        printer.text(" as ");
        printer.region_argument_name(0, at)?;
        printer.text(": ");
        printer.value_type(value)?;
    }
    if !values.is_empty() {
        printer.text(")");
    }
    let results = printer.results(1)?;
    printer.optional_arrow(&results)?;
    printer.dictionary_with_keyword(&[])?;
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

fn parse_execute<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let token: TypeRef = token(parser.context()).into();
    let mut sizes = [0, 0];
    if parser.text().is_at(b'[') {
        for name in parser.operand_list_in(b'[', b']')? {
            op.add(name, token);
            sizes[0] += 1;
        }
    }
    let mut arguments = Vec::new();
    if parser.text().eat(b'(') {
        parser.list(b')', |parser| {
            let value = parser.operand_name()?;
            parser.text().expect_word("as")?;
            let name = parser.value_name()?;
            parser.text().expect(b':')?;
            let ty = parser.any_type()?;
            let Some(inner) = held(parser.context(), parser.resolved(ty)?) else {
                return Err(parser.text().error("the type of an asynchronous value was expected"));
            };
            op.add(value, ty);
            sizes[1] += 1;
            arguments.push(parser.argument(name, inner.into())?);
            Ok(())
        })?;
    }
    op.add_result(token);
    let results = parser.optional_arrow()?;
    op.add_results(results);
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    parser.keyword_dictionary(op)?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}
