//! The assembly of `affine` that its definitions leave to code.

mod loops;
mod memory;
mod values;

use self::values::{map_of, parse_arguments, print_arguments};
use crate::common::regions::{parse_branches, print_branches};
use mlirbc_ir::{AttributeData, Dialect};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    const MAP: CustomAssembly = CustomAssembly { print: print_apply, parse: parse_apply };
    dialect
        .assembly("apply", MAP)
        .assembly("min", MAP)
        .assembly("max", MAP)
        .assembly("if", CustomAssembly { print: print_if, parse: parse_if })
        .assembly("for", loops::FOR)
        .assembly("parallel", loops::PARALLEL)
        .assembly("load", memory::LOAD)
        .assembly("store", memory::STORE)
        .assembly("vector_load", memory::VECTOR_LOAD)
        .assembly("vector_store", memory::VECTOR_STORE)
        .assembly("prefetch", memory::PREFETCH)
}

/// `#map(%a)[%n]`
fn print_apply(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let map = map_of(printer, "map")?;
    printer.attribute(printer.need("map")?)?;
    print_arguments(printer, map.dimensions, map.symbols, printer.all_operands())?;
    printer.dictionary(&["map"])
}

fn parse_apply<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let map = parser.text().attribute()?;
    parser.set(op, "map", map);
    parse_arguments(parser, op)?;
    parser.optional_dictionary(op)?;
    op.add_result(parser.context().index_type().into());
    Ok(Continuation::Done)
}

/// `#set(%a)[%n] -> type {...} else {...}`
fn print_if(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let condition = printer.need("condition")?;
    let AttributeData::IntegerSet(set) = &printer.context()[condition] else { return Err(NotCustom::UseGeneric) };
    printer.attribute(condition)?;
    print_arguments(printer, set.dimensions, set.symbols, printer.all_operands())?;
    let results = printer.all_results();
    printer.optional_arrow(&results)?;
    print_branches(printer, &["condition"])
}

fn parse_if<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.text().attribute()?;
    parser.set(op, "condition", condition);
    parse_arguments(parser, op)?;
    op.add_results(parser.optional_arrow()?);
    parse_branches(parser, op)
}
