//! The dimensions of convolutions as text: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.

use mlirbc_ir::text::{DialectPrinter, Parser};
use mlirbc_ir::{Parameter, Result};

use super::parts::{number, numbers, print_numbers};

/// What the two dimensions that are not spatial are called, of input, kernel and output.
const LETTERS: [[&str; 2]; 3] = [["b", "f"], ["i", "o"], ["b", "f"]];

/// The names of all parameters, for dimensions that are not one of each kind.
const NAMES: [&str; 9] = [
    "input_batch_dimension",
    "input_feature_dimension",
    "input_spatial_dimensions",
    "kernel_input_feature_dimension",
    "kernel_output_feature_dimension",
    "kernel_spatial_dimensions",
    "output_batch_dimension",
    "output_feature_dimension",
    "output_spatial_dimensions",
];

/// The text of the parameters; `None` where dimensions of some operand are not each one thing.
pub(super) fn text_of(parameters: &[Parameter]) -> Option<String> {
    let [input, kernel, output] = [0, 1, 2].map(|at| group(parameters.get(at * 3..at * 3 + 3)?, LETTERS[at]));
    Some(format!("{}x{}->{}", input?, kernel?, output?))
}

fn group(parameters: &[Parameter], letters: [&str; 2]) -> Option<String> {
    let [Parameter::Signed(first), Parameter::Signed(second), Parameter::List(spatial)] = parameters else {
        return None;
    };
    let mut names = vec![String::new(); spatial.len() + 2];
    let mut put = |at: i64, name: String| {
        let place = names.get_mut(usize::try_from(at).ok()?).filter(|place| place.is_empty())?;
        *place = name;
        Some(())
    };
    put(*first, letters[0].to_owned())?;
    put(*second, letters[1].to_owned())?;
    for (number, at) in spatial.iter().enumerate() {
        let Parameter::Signed(at) = at else { return None };
        put(*at, number.to_string())?;
    }
    Some(format!("[{}]", names.join(", ")))
}

/// Prints `<...>`.
pub(super) fn print_attribute(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    printer.text("<");
    if let Some(text) = text_of(parameters) {
        printer.text(text);
    } else {
        for (at, (name, parameter)) in NAMES.into_iter().zip(parameters).enumerate() {
            printer.text(if at == 0 { "raw " } else { ", " }).text(name).text(" = ");
            match parameter {
                Parameter::Signed(number) => {
                    printer.text(number.to_string());
                }
                Parameter::List(items) => print_numbers(items, printer),
                _ => {}
            }
        }
    }
    printer.text(">");
}

/// Parses `<...>`.
pub(super) fn parse_attribute(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    let mut parameters = Vec::new();
    if parser.eat_word(b"raw") {
        for (at, name) in NAMES.into_iter().enumerate() {
            if at > 0 {
                parser.expect(b',')?;
            }
            parser.expect_word(name)?;
            parser.expect(b'=')?;
            parameters.push(if at % 3 == 2 { numbers(parser)? } else { Parameter::Signed(number(parser)?) });
        }
    } else {
        parameters = parse(parser)?;
    }
    parser.expect(b'>')?;
    Ok(parameters)
}

/// Parses what stands between the brackets.
pub(super) fn parse(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut parameters = parse_group(parser, LETTERS[0])?.to_vec();
    parser.expect_word("x")?;
    parameters.extend(parse_group(parser, LETTERS[1])?);
    if !parser.eat_arrow() {
        return Err(parser.expected("`->`"));
    }
    parameters.extend(parse_group(parser, LETTERS[2])?);
    Ok(parameters)
}

fn parse_group(parser: &mut Parser<'_>, letters: [&str; 2]) -> Result<[Parameter; 3]> {
    let mut others = [None; 2];
    let mut spatial: Vec<(u64, i64)> = Vec::new();
    let mut at = 0;
    parser.expect(b'[')?;
    parser.list(b']', |parser| {
        match parser.unsigned() {
            Some(number) => spatial.push((number, at)),
            None => {
                let word = parser.word();
                match letters.iter().position(|letter| letter.as_bytes() == word) {
                    Some(which) if others[which].is_none() => others[which] = Some(at),
                    _ => return Err(parser.error("another dimension is expected here")),
                }
            }
        }
        at += 1;
        Ok(())
    })?;
    let [Some(first), Some(second)] = others else {
        return Err(parser.error(format!("dimensions `{}` and `{}` are needed", letters[0], letters[1])));
    };
    spatial.sort_unstable();
    if !spatial.iter().zip(0..).all(|((number, _), expected)| *number == expected) {
        return Err(parser.error("spatial dimensions are numbered from 0, each once"));
    }
    let spatial = spatial.into_iter().map(|(_, at)| Parameter::Signed(at)).collect();
    Ok([Parameter::Signed(first), Parameter::Signed(second), Parameter::List(spatial)])
}
