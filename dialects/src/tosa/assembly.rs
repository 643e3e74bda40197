//! The assembly of `tosa` that its definitions leave to code.

use crate::common::regions::{WHILE, parse_dictionary, parse_initial_values, print_initial_values};
use mlirbc_ir::body::Value;
use mlirbc_ir::text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
    is_bare_keyword, is_word, parse_attribute, print_attribute, split_symbol,
};
use mlirbc_ir::{Attribute, AttributeData, Dialect, Result};

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

/// The attribute of an entry in which enums are bare words.
fn parse_value(parser: &mut OpParser<'_>, name: &[u8]) -> Result<Attribute> {
    let word = parser.text().peek_word();
    if matches!(name, b"nan_mode" | b"rounding_mode" | b"mode" | b"block_size") && !word.is_empty() {
        parser.text().word();
        let mnemonic: &[u8] = if name == b"mode" { b"resize_mode" } else { name };
        let text = [b"#tosa.", mnemonic, b"<", word, b">"].concat();
        return parse_attribute(parser.context(), &text);
    }
    parser.text().attribute()
}

/// Operands, a dictionary in which enums are bare words and the usual treatment of NaN is left out, and a type.
fn print_with_enums(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let operands = printer.op().operands();
    printer.values(operands);
    let context = printer.context();
    let mut first = true;
    for (name, value) in printer.all_attributes() {
        let text = match &context[value] {
            AttributeData::Text { .. } => Some(print_attribute(context, value)?),
            _ => None,
        };
        let symbol = text.as_ref().and_then(|text| split_symbol(text.as_bytes()));
        let name = context.bytes(name);
        if name == b"nan_mode" && matches!(symbol, Some((b"tosa", b"nan_mode", b"<PROPAGATE>"))) {
            continue;
        }
        // By the name of the attribute a parser knows which enum a bare word is of.
        let wanted: Option<&[u8]> = match name {
            b"mode" => Some(b"resize_mode"),
            b"nan_mode" | b"rounding_mode" | b"block_size" => Some(name),
            _ => None,
        };
        if !std::str::from_utf8(name).is_ok_and(is_bare_keyword) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(if std::mem::take(&mut first) { " {" } else { ", " });
        printer.text(name);
        printer.text(" = ");
        match (wanted, symbol) {
            (Some(wanted), found) => {
                let (b"tosa", mnemonic, case) = found.ok_or(NotCustom::UseGeneric)? else {
                    return Err(NotCustom::UseGeneric);
                };
                if mnemonic != wanted {
                    return Err(NotCustom::UseGeneric);
                }
                let case = case.strip_prefix(b"<").and_then(|case| case.strip_suffix(b">"));
                printer.text(case.filter(|case| is_word(case)).ok_or(NotCustom::UseGeneric)?);
            }
            _ => printer.attribute(value)?,
        }
    }
    if !first {
        printer.text("}");
    }
    printer.text(" : ");
    let results: Vec<Value> = printer.op().results().collect();
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
    let results: Vec<Value> = printer.op().results().collect();
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
