//! Operations whose names, or kinds, stand for their bodies.

use super::{
    argument_types, elements, parse_maps, parse_operands, print_maps, print_operands, print_results, takes_elements,
};
use crate::linalg::bodies::{body, elementwise_body};
use crate::linalg::maps::{default_maps, dense_numbers, identity_maps, noted_maps};
use mlirbc_ir::Result;
use mlirbc_text::{Continuation, CustomAssembly, ImpliedOp, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed};

/// The discardable attribute in which MLIR notes the maps of a named operation.
const NOTED_MAPS: &str = "linalg.memoized_indexing_maps";

/// `{attributes} ins(%a : type) outs(%b : type) -> type`
pub(super) const NAMED: CustomAssembly = CustomAssembly { print: print_named, parse: parse_named };

/// The same behind maps, where they are not the usual ones of a matrix product.
pub(super) const MATMUL: CustomAssembly = CustomAssembly { print: print_matmul, parse: parse_matmul };

/// The same behind maps.
pub(super) const CONTRACT: CustomAssembly = CustomAssembly { print: print_contract, parse: parse_contract };

/// `kind=#linalg.elementwise_kind<...>`, then maps where they are not the identity, and the same.
pub(super) const ELEMENTWISE: CustomAssembly = CustomAssembly { print: print_elementwise, parse: parse_elementwise };

/// Whether the region is the one that this name stands for: it is not printed.
fn has_own_body<'m>(printer: &mut OpPrinter<'_, 'm>, name: &str) -> Printed<bool> {
    let Some((arguments, mut operations)) = printer.only_block(0)? else { return Ok(false) };
    // A parser makes the arguments of the operands.
    let types = argument_types(printer)?;
    if types.is_empty() || !takes_elements(printer, &types)? {
        return Ok(false);
    }
    let Some((implied, yielded)) = body(printer.context(), name, &types) else { return Ok(false) };
    let mut values = arguments.to_vec();
    for op in implied {
        let Some(found) = operations.next() else { return Ok(false) };
        let operands = op.operand_numbers().iter().map(|&at| values[at]);
        let mut results = found.results();
        let (Some(result), None) = (results.next(), results.next()) else { return Ok(false) };
        let same = found.name() == op.name()
            && found.operands().iter().copied().eq(operands)
            && [found.type_of(result)?] == op.result_types();
        if !same || !printer.is_implied(found)? {
            return Ok(false);
        }
        values.push(result);
    }
    let (Some(last), None) = (operations.next(), operations.next()) else { return Ok(false) };
    Ok(last.name() == "linalg.yield" && last.operands() == [values[yielded]] && printer.is_implied(last)?)
}

/// Makes the body that this name stands for.
fn make_body<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, name: &str) -> Result<()> {
    let context = parser.context();
    let types = elements(parser, op.operand_types())?;
    let Some((mut ops, yielded)) = body(context, name, &types) else {
        let name = &op.definition().name;
        let message = format!("the body of `{name}` for these types is not known: expected the generic form");
        return Err(parser.error_at(op.place(), message));
    };
    ops.push(ImpliedOp::new("linalg.yield", [yielded], Vec::new()));
    parser.implied_region(op, &types, ops, context.unknown_location().into())
}

fn print_structured(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let definition = printer.definition()?;
    let name = definition.name.strip_prefix("linalg.").ok_or(NotCustom::UseGeneric)?;
    print_structured_as(printer, name, elided)
}

fn print_structured_as(printer: &mut OpPrinter<'_, '_>, body: &str, elided: &[&str]) -> Printed {
    if !has_own_body(printer, body)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(elided)?;
    print_operands(printer)?;
    print_results(printer)
}

fn print_named(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let names: Vec<&str> = definition.operands().iter().map(|operand| operand.name.as_str()).collect();
    if names != ["inputs", "outputs"] {
        return Err(NotCustom::UseGeneric);
    }
    // A parser notes those of the operation. Others that are noted are not in the text.
    let context = printer.context();
    let name = definition.name.strip_prefix("linalg.").unwrap_or_default();
    let numbers = |name: &str| dense_numbers(context, printer.get(name)?);
    let noted = printer.get(NOTED_MAPS);
    if noted.is_some() && noted != noted_maps(context, name, &numbers) {
        return Err(NotCustom::UseGeneric);
    }
    print_structured(printer, &[NOTED_MAPS])
}

fn parse_named<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(op)?;
    parse_operands(parser, op, true)?;
    op.add_results(parser.optional_arrow()?);
    let definition = op.definition().clone();
    let name = definition.name.strip_prefix("linalg.").unwrap_or_default();
    make_body(parser, op, name)?;
    let context = parser.context();
    let numbers = |name: &str| op.find(context, name).and_then(|value| dense_numbers(context, value));
    if let Some(maps) = noted_maps(context, name, &numbers) {
        parser.set(op, NOTED_MAPS, maps);
    }
    Ok(Continuation::Done)
}

fn print_matmul(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    if printer.get("indexing_maps") != default_maps(printer.context(), &definition.name) {
        print_maps(printer)?;
    }
    print_structured(printer, &[NOTED_MAPS, "indexing_maps"])
}

fn parse_matmul<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_maps(parser, op)?;
    if op.find(parser.context(), "indexing_maps").is_none()
        && let Some(maps) = default_maps(parser.context(), &op.definition().name)
    {
        parser.set(op, "indexing_maps", maps);
    }
    parse_named(parser, op)
}

fn print_contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    print_maps(printer)?;
    print_structured(printer, &["indexing_maps"])
}

fn parse_contract<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_maps(parser, op)?;
    parse_named(parser, op)
}

fn print_elementwise(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let kind = printer.need("kind")?;
    let body = elementwise_body(printer.context(), kind).ok_or(NotCustom::UseGeneric)?;
    printer.text(" kind=");
    printer.attribute(kind)?;
    let output = *printer.operands(1)?.first().ok_or(NotCustom::UseGeneric)?;
    let output = printer.type_of(output)?;
    let given = printer.need("indexing_maps")?;
    let count = printer.all_operands().len();
    let default = identity_maps(printer.context(), output, count).ok_or(NotCustom::UseGeneric)?;
    if given != default {
        print_maps(printer)?;
    }
    print_structured_as(printer, body, &["kind", "indexing_maps"])
}

fn parse_elementwise<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.text().expect_word("kind")?;
    parser.text().expect(b'=')?;
    let start = parser.text().here();
    let kind = parser.text().attribute()?;
    let context = parser.context();
    let Some(body) = elementwise_body(context, kind) else {
        return Err(parser.error_at(start, "expected `#linalg.elementwise_kind<...>`"));
    };
    parser.set(op, "kind", kind);
    parse_maps(parser, op)?;
    parser.optional_dictionary(op)?;
    parse_operands(parser, op, true)?;
    op.add_results(parser.optional_arrow()?);
    make_body(parser, op, body)?;
    if op.find(context, "indexing_maps").is_none()
        && let Some(&output) = op.operand_types().last()
    {
        let output = parser.resolved(output)?;
        let Some(maps) = identity_maps(context, output, op.operand_types().len()) else {
            return Err(parser.error_at(op.place(), "the type to write to must be a ranked tensor or memref"));
        };
        parser.set(op, "indexing_maps", maps);
    }
    Ok(Continuation::Done)
}
