//! Affine maps and integer sets as text.

use super::output::push_number;
use super::{Piece, Printer};
use crate::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use crate::error::{Error, Result};

impl<'a> Printer<'a> {
    pub(super) fn print_affine_map(&mut self, map: &'a AffineMap) {
        self.out.buffer.extend_from_slice(b"affine_map<");
        push_arguments(&mut self.out.buffer, map.dimensions, map.symbols);
        self.push([Piece::Text(" -> ("), Piece::Affines(&map.results), Piece::Text(")>")]);
    }

    /// Prints a map without the `affine_map<...>` around it.
    ///
    /// # Errors
    /// As [`Printer::attribute`].
    #[doc(hidden)]
    pub fn bare_affine_map(&mut self, map: &'a AffineMap) -> Result<()> {
        // It holds nothing that could have an alias.
        if self.visits.is_some() {
            return Ok(());
        }
        push_arguments(&mut self.out.buffer, map.dimensions, map.symbols);
        self.out.buffer.extend_from_slice(b" -> (");
        self.print(Piece::Affines(&map.results))?;
        self.out.buffer.push(b')');
        Ok(())
    }

    pub(super) fn print_integer_set(&mut self, set: &'a IntegerSet) {
        self.out.buffer.extend_from_slice(b"affine_set<");
        push_arguments(&mut self.out.buffer, set.dimensions, set.symbols);
        self.push([Piece::Text(" : ("), Piece::Constraints(&set.constraints), Piece::Text(")>")]);
    }

    /// Prints an expression; `strong` puts parentheses around operators.
    pub(super) fn print_affine(&mut self, expression: &'a AffineExpression, strong: bool) {
        let name = |out: &mut Vec<u8>, name: u8, at: u32| {
            out.push(name);
            push_number(out, at);
        };
        match expression {
            AffineExpression::Dimension(at) => name(&mut self.out.buffer, b'd', *at),
            AffineExpression::Symbol(at) => name(&mut self.out.buffer, b's', *at),
            AffineExpression::Constant(value) => push_number(&mut self.out.buffer, value),
            AffineExpression::Binary(operator, sides) => {
                self.push(parts(*operator, &sides.0, &sides.1, strong).map(|part| match part {
                    Part::Text(text) => Piece::Text(text),
                    Part::Number(number) => Piece::Bytes(number.to_string().into_bytes()),
                    Part::Expression(inner, strong) => Piece::Affine(inner, strong),
                }));
            }
        }
    }
}

/// A part of what an expression is written as.
enum Part<'a> {
    Text(&'static str),
    Number(i64),
    /// With parentheses around operators, or without.
    Expression(&'a AffineExpression, bool),
}

/// What two sides with an operator between them are written as.
fn parts<'a>(
    operator: AffineOperator,
    left: &'a AffineExpression,
    right: &'a AffineExpression,
    strong: bool,
) -> [Part<'a>; 7] {
    use AffineExpression::{Binary, Constant};
    let nothing = || Part::Text("");
    let (weak, tight) = (|inner| Part::Expression(inner, false), |inner| Part::Expression(inner, true));
    let [first, second, third, fourth, fifth] = match (operator, right) {
        (AffineOperator::Mul, Constant(-1)) => [Part::Text("-"), tight(left), nothing(), nothing(), nothing()],
        (AffineOperator::Mul, _) => [tight(left), Part::Text(" * "), tight(right), nothing(), nothing()],
        (AffineOperator::Mod, _) => [tight(left), Part::Text(" mod "), tight(right), nothing(), nothing()],
        (AffineOperator::FloorDiv, _) => [tight(left), Part::Text(" floordiv "), tight(right), nothing(), nothing()],
        (AffineOperator::CeilDiv, _) => [tight(left), Part::Text(" ceildiv "), tight(right), nothing(), nothing()],
        // A sum, as a difference where the right side has a negative constant.
        (AffineOperator::Add, Binary(AffineOperator::Mul, product)) => match &**product {
            (factor, Constant(-1)) => {
                let strong = matches!(factor, Binary(AffineOperator::Add, _));
                [weak(left), Part::Text(" - "), Part::Expression(factor, strong), nothing(), nothing()]
            }
            (factor, Constant(by)) if *by < -1 && *by != i64::MIN => {
                [weak(left), Part::Text(" - "), tight(factor), Part::Text(" * "), Part::Number(-by)]
            }
            _ => [weak(left), Part::Text(" + "), weak(right), nothing(), nothing()],
        },
        // The lowest integer has no opposite to subtract.
        (AffineOperator::Add, Constant(value)) if *value < 0 && *value != i64::MIN => {
            [weak(left), Part::Text(" - "), Part::Number(-value), nothing(), nothing()]
        }
        (AffineOperator::Add, _) => [weak(left), Part::Text(" + "), weak(right), nothing(), nothing()],
    };
    let (open, close) = if strong { ("(", ")") } else { ("", "") };
    [Part::Text(open), first, second, third, fourth, fifth, Part::Text(close)]
}

/// Writes an expression with other text in place of its dimensions and symbols, which `name` is asked for as they come.
///
/// # Errors
/// Those of `name`, and where the text is over [`Printer::DEFAULT_LIMIT`] bytes long.
#[doc(hidden)]
pub fn push_affine<E: From<Error>>(
    out: &mut Vec<u8>,
    expression: &AffineExpression,
    mut name: impl FnMut(&AffineExpression, &mut Vec<u8>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let (start, mut left) = (out.len(), vec![Part::Expression(expression, false)]);
    while let Some(part) = left.pop() {
        match part {
            Part::Text(text) => out.extend_from_slice(text.as_bytes()),
            Part::Number(number) | Part::Expression(&AffineExpression::Constant(number), _) => push_number(out, number),
            Part::Expression(AffineExpression::Binary(operator, sides), strong) => {
                left.extend(parts(*operator, &sides.0, &sides.1, strong).into_iter().rev());
            }
            Part::Expression(leaf, _) => name(leaf, out)?,
        }
        if (out.len() - start) as u64 > Printer::DEFAULT_LIMIT {
            let message = format!("the text of an affine expression is over {} bytes long", Printer::DEFAULT_LIMIT);
            return Err(Error::misuse(message).into());
        }
    }
    Ok(())
}

/// `(d0, d1)[s0]`
fn push_arguments(out: &mut Vec<u8>, dimensions: u32, symbols: u32) {
    let list = |out: &mut Vec<u8>, name: u8, count: u32| {
        for at in 0..count {
            if at > 0 {
                out.extend_from_slice(b", ");
            }
            out.push(name);
            push_number(out, at);
        }
    };
    out.push(b'(');
    list(out, b'd', dimensions);
    out.push(b')');
    if symbols != 0 {
        out.push(b'[');
        list(out, b's', symbols);
        out.push(b']');
    }
}
