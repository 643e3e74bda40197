//! The assembly of `tosa` that its definitions leave to code.

use super::{CASES, NAME, NanPropagationMode};
use crate::common::cases::{attribute_of_word, case_of, word_of};
use crate::common::regions::{WHILE, parse_dictionary, parse_initial_values, print_initial_values};
use mlirbc_ir::text::is_bare_keyword;
use mlirbc_ir::{Attribute, Dialect, Result};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// The mnemonic of what is done about NaN.
const NAN_MODE: &str = "nan_mode";

/// Operations whose enums are bare words in their dictionary.
const WITH_ENUMS: [&str; 14] = [
    "apply_scale",
    "rescale",
    "reduce_max",
    "reduce_min",
    "argmax",
    "max_pool2d",
    "clamp",
    "maximum",
    "minimum",
    "resize",
    "matmul_t_block_scaled",
    "max_pool2d_adaptive",
    "cast_from_block_scaled",
    "cast_to_block_scaled",
];

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let with_enums = CustomAssembly { print: print_with_enums, parse: parse_with_enums };
    WITH_ENUMS
        .iter()
        .fold(dialect, |dialect, operation| dialect.assembly(operation, with_enums))
        .assembly("cond_if", CustomAssembly { print: print_cond_if, parse: parse_cond_if })
        .assembly("while_loop", WHILE)
}

/// The mnemonic of the attribute that a bare word stands for in an entry of that name.
fn mnemonic_of(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"mode" => "resize_mode",
        b"nan_mode" => NAN_MODE,
        b"rounding_mode" => "rounding_mode",
        b"block_size" => "block_size",
        _ => return None,
    })
}

/// The attribute of an entry in which enums are bare words.
fn parse_value(parser: &mut OpParser<'_>, name: &[u8]) -> Result<Attribute> {
    match mnemonic_of(name) {
        Some(mnemonic) if !parser.text().peek_word().is_empty() => {
            let word = parser.text().word();
            Ok(attribute_of_word(parser.context(), NAME, mnemonic, CASES, word))
        }
        _ => parser.text().attribute(),
    }
}

/// Operands, a dictionary in which enums are bare words and the usual treatment of NaN is left out, and a type.
fn print_with_enums(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.all_operands();
    printer.values(operands);
    let context = printer.context();
    let mut first = true;
    for (name, value) in printer.all_attributes() {
        let name = context.bytes(name);
        // By the name of the entry a parser knows which enum a bare word is of.
        let word = mnemonic_of(name).map(|mnemonic| word_of(context, value, NAME, mnemonic, CASES));
        if name == b"nan_mode" && case_of(context, value, NAME, NAN_MODE) == Some(NanPropagationMode::PROPAGATE) {
            continue;
        }
        if !std::str::from_utf8(name).is_ok_and(is_bare_keyword) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(if std::mem::take(&mut first) { " {" } else { ", " });
        printer.text(name);
        printer.text(" = ");
        match word {
            Some(word) => printer.text(word.ok_or(NotCustom::UseGeneric)?),
            None => printer.attribute(value)?,
        }
    }
    if !first {
        printer.text("}");
    }
    printer.text(" : ");
    let results = printer.all_results();
    printer.functional(operands, &results)
}

fn parse_with_enums<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    if parser.text().eat(b'{') {
        parser.list(b'}', |parser| {
            let name = parser.text().word();
            if name.is_empty() {
                return Err(parser.text().expected("the name of an attribute"));
            }
            let value = if parser.text().eat(b'=') { parse_value(parser, name)? } else { parser.context().unit() };
            parser.set(op, name, value);
            Ok(())
        })?;
    }
    parser.text().expect(b':')?;
    let (inputs, results) = parser.functional()?;
    parser.add_operands(op, names, inputs)?;
    op.add_results(results);
    Ok(Continuation::Done)
}

/// `%condition (%a = %b) : type (type) -> type {...} else {...}`
fn print_cond_if(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (condition, inputs) = (printer.at(0)?, printer.operands(1)?);
    let results = printer.all_results();
    printer.text(" ");
    printer.value(condition);
    print_initial_values(printer, " ", 0, inputs)?;
    printer.text(" : ");
    printer.value_type(condition)?;
    if inputs.is_empty() {
        printer.optional_arrow(&results)?;
    } else {
        printer.text(" ");
        printer.functional(inputs, &results)?;
    }
    printer.text(" ");
    printer.region(0, true, true);
    if !printer.is_empty_region(1)? {
        printer.text(" else ");
        printer.region(1, true, true);
    }
    printer.dictionary(&[])
}

fn parse_cond_if<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    // The names are given again by the blocks.
    let values: Vec<_> = match parser.text().is_at(b'(') {
        true => parse_initial_values(parser)?.into_iter().map(|pair| pair.1).collect(),
        false => Vec::new(),
    };
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    op.add(condition, ty);
    if parser.text().is_at(b'(') {
        let (inputs, results) = parser.functional()?;
        parser.add_operands(op, values, inputs)?;
        op.add_results(results);
    } else {
        parser.add_operands(op, values, Vec::new())?;
        op.add_results(parser.optional_arrow()?);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            if parser.text().eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Continuation::Region(Vec::new(), Box::new(parse_dictionary)));
            }
            parse_dictionary(parser, op)
        }),
    ))
}
