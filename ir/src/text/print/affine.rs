//! Affine maps and integer sets as text.

use super::output::push_number;
use super::{Piece, Printer};
use crate::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};

impl<'a> Printer<'a> {
    pub(super) fn print_affine_map(&mut self, map: &'a AffineMap) {
        self.out.buffer.extend_from_slice(b"affine_map<");
        push_arguments(&mut self.out.buffer, map.dimensions, map.symbols);
        self.push([Piece::Text(" -> ("), Piece::Affines(&map.results), Piece::Text(")>")]);
    }

    pub(super) fn print_integer_set(&mut self, set: &'a IntegerSet) {
        self.out.buffer.extend_from_slice(b"affine_set<");
        push_arguments(&mut self.out.buffer, set.dimensions, set.symbols);
        self.push([Piece::Text(" : ("), Piece::Constraints(&set.constraints), Piece::Text(")>")]);
    }

    /// Prints an expression; `strong` puts parentheses around operators.
    pub(super) fn print_affine(&mut self, expression: &'a AffineExpression, strong: bool) {
        use AffineExpression::{Binary, Constant};
        let out = &mut self.out.buffer;
        let (operator, sides) = match expression {
            AffineExpression::Dimension(at) => {
                out.push(b'd');
                return push_number(out, at);
            }
            AffineExpression::Symbol(at) => {
                out.push(b's');
                return push_number(out, at);
            }
            Constant(value) => return push_number(out, value),
            Binary(operator, sides) => (*operator, &**sides),
        };
        if strong {
            out.push(b'(');
            self.stack.push(Piece::Text(")"));
        }
        let (left, right) = sides;
        let spelling = match operator {
            AffineOperator::Add => {
                self.print_sum(left, right);
                return;
            }
            AffineOperator::Mul if *right == Constant(-1) => {
                self.push([Piece::Text("-"), Piece::Affine(left, true)]);
                return;
            }
            AffineOperator::Mul => " * ",
            AffineOperator::Mod => " mod ",
            AffineOperator::FloorDiv => " floordiv ",
            AffineOperator::CeilDiv => " ceildiv ",
        };
        self.push([Piece::Affine(left, true), Piece::Text(spelling), Piece::Affine(right, true)]);
    }

    /// A sum, as a difference where the right side has a negative constant.
    fn print_sum(&mut self, left: &'a AffineExpression, right: &'a AffineExpression) {
        use AffineExpression::{Binary, Constant};
        match right {
            Binary(AffineOperator::Mul, product) if product.1 == Constant(-1) => {
                let strong = matches!(product.0, Binary(AffineOperator::Add, _));
                self.push([Piece::Affine(left, false), Piece::Text(" - "), Piece::Affine(&product.0, strong)]);
            }
            Binary(AffineOperator::Mul, product) if matches!(product.1, Constant(factor) if factor < -1 && factor != i64::MIN) =>
            {
                let Constant(factor) = product.1 else { return };
                self.push([
                    Piece::Affine(left, false),
                    Piece::Text(" - "),
                    Piece::Affine(&product.0, true),
                    Piece::Bytes(format!(" * {}", -factor).into_bytes()),
                ]);
            }
            // The lowest integer has no opposite to subtract.
            Constant(value) if *value < 0 && *value != i64::MIN => {
                self.push([Piece::Affine(left, false), Piece::Bytes(format!(" - {}", -value).into_bytes())])
            }
            _ => self.push([Piece::Affine(left, false), Piece::Text(" + "), Piece::Affine(right, false)]),
        }
    }
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
