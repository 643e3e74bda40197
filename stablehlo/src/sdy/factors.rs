//! Rules of `sdy` that say how an operation may be split: `<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}>`. Factors have
//! numbers; text calls them `i` to `z`, then `z_1` and so on.

use mlirbc_ir::text::{DialectPrinter, Parser};
use mlirbc_ir::{Parameter, Result};

use super::attributes::{parse_list, print_list};
use crate::stablehlo::parts::number;

/// The number of `z`.
const LAST_LETTER: i64 = 17;

/// What text calls the factors in lists beside the mappings.
const GROUPS: [&str; 4] = ["reduction", "need_replication", "permutation", "blocked_propagation"];

fn symbol(factor: i64) -> String {
    match u8::try_from(factor) {
        Ok(letter @ 0..=17) => char::from(b'i' + letter).to_string(),
        _ => format!("z_{}", factor.wrapping_sub(LAST_LETTER)),
    }
}

fn symbols(factors: &Parameter, between: &str) -> String {
    let Parameter::List(factors) = factors else { return String::new() };
    let symbol =
        |factor: &Parameter| if let Parameter::Signed(factor) = factor { symbol(*factor) } else { String::new() };
    factors.iter().map(symbol).collect::<Vec<_>>().join(between)
}

/// The factors that a word names: `jz_1` two of them.
fn factors(parser: &mut Parser<'_>) -> Result<Vec<i64>> {
    let word = parser.word();
    let mut factors = Vec::new();
    let mut rest = word;
    while let Some((&first, behind)) = rest.split_first() {
        let numbered = rest.strip_prefix(b"z_").map(|digits| {
            let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits.split_at(count)
        });
        let factor = match numbered {
            Some((digits, behind)) => {
                rest = behind;
                let number = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('0'));
                number.and_then(|digits| digits.parse::<i64>().ok()?.checked_add(LAST_LETTER))
            }
            None => {
                rest = behind;
                (b'i'..=b'z').contains(&first).then(|| i64::from(first - b'i'))
            }
        };
        factors.push(factor.ok_or_else(|| parser.error("factors are called `i` to `z`, and `z_1` and so on"))?);
    }
    Ok(factors)
}

fn one_factor(parser: &mut Parser<'_>) -> Result<i64> {
    match factors(parser)?[..] {
        [factor] => Ok(factor),
        _ => Err(parser.error("one factor was expected")),
    }
}

fn list(numbers: Vec<i64>) -> Parameter {
    Parameter::List(numbers.into_iter().map(Parameter::Signed).collect())
}

/// `ij`: the space before it is left out where the mnemonic is.
pub(super) fn print_dim(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let symbols = symbols(&parameters[0], "");
    if !symbols.is_empty() {
        printer.text(" ").text(symbols);
    }
}

pub(super) fn parse_dim(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.eat(b'*');
    Ok(vec![list(factors(parser)?)])
}

/// `[i, jk]`
pub(super) fn print_tensor(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["[", "]"], printer);
}

pub(super) fn parse_tensor(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'[')?;
    Ok(vec![parse_list(parser, "dim_mapping", b']')?])
}

/// The whole rule.
pub(super) fn print_rule(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let [sizes, operands, results, groups @ .., custom] = parameters else { return };
    print_list(operands, ["<(", ")->"], printer);
    print_list(results, ["(", ")"], printer);
    if let Parameter::List(sizes) = sizes
        && !sizes.is_empty()
    {
        let size = |(factor, size): (i64, &Parameter)| match size {
            Parameter::Signed(size) => format!("{}={size}", symbol(factor)),
            _ => String::new(),
        };
        printer.text(format!(" {{{}}}", (0..).zip(sizes).map(size).collect::<Vec<_>>().join(", ")));
    }
    for (name, factors) in GROUPS.into_iter().zip(groups) {
        if matches!(factors, Parameter::List(factors) if !factors.is_empty()) {
            printer.text(format!(" {name}={{{}}}", symbols(factors, ", ")));
        }
    }
    printer.text(if *custom == Parameter::Bool(true) { ", custom>" } else { ">" });
}

pub(super) fn parse_rule(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    parser.expect(b'(')?;
    let operands = parse_list(parser, "tensor_mapping", b')')?;
    if !parser.eat_arrow() {
        return Err(parser.expected("`->`"));
    }
    parser.expect(b'(')?;
    let results = parse_list(parser, "tensor_mapping", b')')?;
    let mut sizes = Vec::new();
    if parser.eat(b'{') {
        parser.list(b'}', |parser| {
            if one_factor(parser)? != sizes.len() as i64 {
                return Err(parser.error("sizes are given factor by factor, from `i` on"));
            }
            parser.expect(b'=')?;
            sizes.push(number(parser)?);
            Ok(())
        })?;
    }
    let mut parameters = vec![list(sizes), operands, results];
    for name in GROUPS {
        let mut group = Vec::new();
        if parser.eat_word(name.as_bytes()) {
            parser.expect(b'=')?;
            parser.expect(b'{')?;
            parser.list(b'}', |parser| {
                group.push(one_factor(parser)?);
                Ok(())
            })?;
        }
        parameters.push(list(group));
    }
    let custom = parser.eat(b',');
    if custom {
        parser.expect_word("custom")?;
    }
    parser.expect(b'>')?;
    parameters.push(Parameter::Bool(custom));
    Ok(parameters)
}
