//! The assembly of `linalg` that its definitions leave to code.

mod copies;
mod named;
mod payload;

use crate::common::iterators;
use crate::linalg::{CASES, NAME};
use mlirbc_ir::body::TypeRef;
use mlirbc_ir::{Context, Dialect, Result, Type, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Operations whose definitions say how they are written.
const WITH_FORMAT: [&str; 7] = [
    "index",
    "pack",
    "softmax",
    "unpack",
    "winograd_filter_transform",
    "winograd_input_transform",
    "winograd_output_transform",
];

/// Attaches it to the dialect.
pub(super) fn attach(mut dialect: Dialect) -> Dialect {
    // All others are named after their bodies.
    let tables = dialect.tables().to_vec();
    for definition in tables.iter().flat_map(|table| table.dialect("linalg")) {
        let name = definition.name.split_once('.').map_or("", |(_, name)| name);
        if !WITH_FORMAT.contains(&name) {
            dialect = dialect.assembly(name, named::NAMED);
        }
    }
    dialect
        .assembly("yield", CustomAssembly { print: print_yield, parse: parse_yield })
        .assembly("generic", CustomAssembly { print: print_generic, parse: parse_generic })
        .assembly("matmul", named::MATMUL)
        .assembly("batch_matmul", named::MATMUL)
        .assembly("batch_reduce_matmul", named::MATMUL)
        .assembly("contract", named::CONTRACT)
        .assembly("elementwise", named::ELEMENTWISE)
        .assembly("transpose", copies::TRANSPOSE)
        .assembly("broadcast", copies::BROADCAST)
        .assembly("map", payload::MAP)
        .assembly("reduce", payload::REDUCE)
}

/// `%a, %b {attributes} : type, type`
fn print_yield(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.all_operands();
    if !operands.is_empty() {
        printer.text(" ");
        printer.values(operands);
    }
    printer.dictionary(&[])?;
    if !operands.is_empty() {
        printer.text(" : ");
        printer.value_types(operands)?;
    }
    Ok(())
}

fn parse_yield<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    if !names.is_empty() {
        parser.text().expect(b':')?;
        let types = parser.types()?;
        parser.add_operands(op, names, types)?;
    }
    Ok(Continuation::Done)
}

/// `{attributes} ins(%a : type) outs(%b : type) attrs = {attributes} {...} -> type`
fn print_generic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    const SHOWN: [&str; 4] = ["doc", "indexing_maps", "iterator_types", "library_call"];
    let context = printer.context();
    iterators::print(printer, &SHOWN, (NAME, CASES))?;
    print_operands(printer)?;
    let all = printer.all_attributes();
    let left_out = |name: &[u8]| SHOWN.iter().any(|shown| shown.as_bytes() == name) || name == b"operandSegmentSizes";
    if all.iter().any(|entry| !left_out(context.bytes(entry.0))) {
        printer.text(" attrs = ");
        printer.dictionary_of(&all, &left_out, false)?;
    }
    if printer.is_empty_region(0)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region(0, true, true);
    print_results(printer)
}

fn parse_generic<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if matches!(parser.text().peek(), Some(b'{' | b'#')) {
        iterators::parse(parser, op, (NAME, CASES))?;
    }
    parse_operands(parser, op, true)?;
    if parser.text().eat_word(b"attrs") {
        parser.text().expect(b'=')?;
        parser.optional_dictionary(op)?;
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            op.add_results(parser.optional_arrow()?);
            Ok(Continuation::Done)
        }),
    ))
}

/// ` ins(%a : type) outs(%b : type)`
fn print_operands(printer: &mut OpPrinter<'_, '_>) -> Printed {
    for (at, word) in [" ins(", " outs("].into_iter().enumerate() {
        let values = printer.operands(at)?;
        if !values.is_empty() {
            printer.text(word);
            printer.values(values);
            printer.text(" : ");
            printer.value_types(values)?;
            printer.text(")");
        }
    }
    Ok(())
}

/// `ins(%a : type) outs(%b : type)`: how many of each.
fn parse_operands<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, segments: bool) -> Result<[usize; 2]> {
    let mut sizes = [0, 0];
    for (at, word) in [b"ins".as_slice(), b"outs"].into_iter().enumerate() {
        if parser.text().eat_word(word) {
            parser.text().expect(b'(')?;
            let names = parser.operand_list()?;
            sizes[at] = names.len();
            parser.text().expect(b':')?;
            let types = parser.types()?;
            parser.add_operands(op, names, types)?;
            parser.text().expect(b')')?;
        }
    }
    if segments {
        parser.set_segments(op, "operandSegmentSizes", &sizes);
    }
    Ok(sizes)
}

fn print_results(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results = printer.all_results();
    printer.optional_arrow(&results)
}

/// The results are the tensors that are written to: their types are not shown.
fn expect_outputs_as_results(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut tensors = Vec::new();
    for &output in printer.operands(1)? {
        if matches!(printer.type_data(output)?, TypeData::RankedTensor { .. }) {
            tensors.push(printer.type_of(output)?);
        }
    }
    let results: Vec<Type> =
        printer.all_results().into_iter().map(|result| printer.type_of(result)).collect::<Printed<_>>()?;
    if results == tensors { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// ` name = [1, 2] {attributes}`
fn print_numbers(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    printer.text(" ");
    printer.text(name);
    printer.text(" = ");
    printer.need(name)?;
    let numbers = printer.integers(name)?;
    printer.index_list(&numbers, &[], b"[]")?;
    printer.text(" ");
    printer.dictionary(&[name])
}

/// `name = [1, 2]`
fn parse_numbers<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, name: &str) -> Result<()> {
    parser.text().expect_word(name)?;
    parser.text().expect(b'=')?;
    let element = parser.context().integer_type(64);
    let value = parser.dense_array(element)?;
    parser.set(op, name, value);
    Ok(())
}

/// The type of the elements that a body sees of an operand: those of its type, or that itself.
fn element(context: &Context, ty: Type) -> Type {
    context[ty].element().unwrap_or(ty)
}

/// The same of each operand that was parsed.
fn elements(parser: &OpParser<'_>, types: &[TypeRef]) -> Result<Vec<Type>> {
    types.iter().map(|&ty| Ok(element(parser.context(), parser.resolved(ty)?))).collect()
}

/// Whether a block has an argument for each operand, of the type that a parser makes it: that of the operand's elements.
fn takes_elements(printer: &OpPrinter<'_, '_>, arguments: &[Type]) -> Printed<bool> {
    let operands = printer.all_operands();
    if operands.len() != arguments.len() {
        return Ok(false);
    }
    for (&operand, &argument) in operands.iter().zip(arguments) {
        if element(printer.context(), printer.type_of(operand)?) != argument {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The types of the arguments of the body.
fn argument_types(printer: &OpPrinter<'_, '_>) -> Printed<Vec<Type>> {
    printer.region_argument_types(0)?.into_iter().map(|ty| printer.resolved(ty)).collect()
}

/// ` indexing_maps = [map, map]`, where the operation has them.
fn print_maps(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(maps) = printer.get("indexing_maps") {
        printer.text(" indexing_maps = [");
        let maps = printer.array(maps)?;
        for (at, &map) in maps.iter().enumerate() {
            if at > 0 {
                printer.text(", ");
            }
            printer.attribute(map)?;
        }
        printer.text("]");
    }
    Ok(())
}

fn parse_maps<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    if parser.text().eat_word(b"indexing_maps") {
        parser.text().expect(b'=')?;
        let maps = parser.text().attribute()?;
        parser.set(op, "indexing_maps", maps);
    }
    Ok(())
}
