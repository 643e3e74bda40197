//! The assembly of `shape` that its definitions leave to code.

use crate::common::regions::{parse_dictionary, parse_end, print_result_types};
use mlirbc_ir::{AttributeData, Dialect, TypeData};
use mlirbc_text::function::FUNCTION;
use mlirbc_text::function::{parse, print};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
    dense_integers,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("assuming", CustomAssembly { print: print_assuming, parse: parse_assuming })
        .assembly("const_shape", CustomAssembly { print: print_const_shape, parse: parse_const_shape })
        .assembly("func", FUNCTION)
        .assembly("function_library", CustomAssembly { print: print_function_library, parse: parse_function_library })
        .assembly("reduce", CustomAssembly { print: print_reduce, parse: parse_reduce })
}

/// `[1, 2] : type`
fn print_const_shape(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let shape = printer.need("shape")?;
    let context = printer.context();
    // A list of sizes, as a parser makes it.
    let is_list = match &context[shape] {
        AttributeData::DenseElements { ty, .. } => match &context[*ty] {
            TypeData::RankedTensor { shape, element, encoding: None } => {
                shape.len() == 1 && context[*element] == TypeData::Index
            }
            _ => false,
        },
        _ => false,
    };
    if !is_list {
        return Err(NotCustom::UseGeneric);
    }
    let sizes = dense_integers(context, shape).ok_or(NotCustom::UseGeneric)?;
    let result = printer.result(0)?;
    printer.dictionary(&["shape"])?;
    printer.text(" [");
    for (at, size) in sizes.into_iter().enumerate() {
        printer.text(if at > 0 { ", " } else { "" });
        printer.number(size);
    }
    printer.text("] : ");
    printer.value_type(result)
}

fn parse_const_shape<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(op)?;
    let mut numbers = Vec::new();
    parser.text().expect(b'[')?;
    parser.text().list(b']', |parser| match parser.signed() {
        Some(number) => {
            numbers.push(number);
            Ok(())
        }
        None => Err(parser.expected("a size")),
    })?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let context = parser.context();
    let shape: Box<[i64]> = Box::new([numbers.len() as i64]);
    let tensor = context.ty(TypeData::RankedTensor { shape, element: context.index_type(), encoding: None });
    let mut data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    if numbers.len() > 1 && numbers.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(8);
    }
    let value = context.attribute(AttributeData::DenseElements { ty: tensor, data: data.into() });
    parser.set(op, "shape", value);
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `%witness -> (type) {...}`
fn print_assuming(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if !printer.region_argument_types(0)?.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    let witness = printer.at(0)?;
    let results = printer.all_results();
    printer.text(" ");
    printer.value(witness);
    print_result_types(printer, &results)?;
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&[])
}

fn parse_assuming<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let witness = parser.operand_name()?;
    let ty = parser.context().dialect_type(super::NAME, "witness", []);
    op.add(witness, ty.into());
    op.add_results(parser.optional_arrow()?);
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_end)))
}

/// `(%shape, %initial) : type -> type {...}`
fn print_reduce(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.all_operands();
    let (shape, initial) = operands.split_first().ok_or(NotCustom::UseGeneric)?;
    let results = printer.all_results();
    printer.expect_same_types(initial, &results)?;
    printer.text("(");
    printer.values(operands);
    printer.text(") : ");
    printer.value_type(*shape)?;
    printer.optional_arrow(&results)?;
    printer.text(" ");
    printer.region(0, true, true);
    printer.dictionary(&[])
}

fn parse_reduce<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list_in(b'(', b')')?;
    parser.text().expect(b':')?;
    let mut types = vec![parser.any_type()?];
    let results = parser.optional_arrow()?;
    types.extend_from_slice(&results);
    op.add_results(results);
    parser.add_operands(op, names, types)?;
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_dictionary)))
}

/// `@name {...} mapping {...}`
fn print_function_library(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    print::name(printer)?;
    let mapping = printer.need("mapping")?;
    printer.dictionary_with_keyword(&["sym_name", "mapping"])?;
    printer.text(" ");
    printer.region_without_arguments(0, true)?;
    printer.text(" mapping ");
    printer.attribute(mapping)
}

fn parse_function_library<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse::name(parser, op)?;
    parser.keyword_dictionary(op)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            // An empty block is printed as none.
            parser.ensure_block(op);
            parser.text().expect_word("mapping")?;
            if !parser.text().is_at(b'{') {
                return Err(parser.text().expected("a dictionary"));
            }
            let mapping = parser.text().attribute()?;
            parser.set(op, "mapping", mapping);
            Ok(Continuation::Done)
        }),
    ))
}
