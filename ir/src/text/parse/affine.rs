//! Parsing affine maps and integer sets.

use std::collections::HashMap;

use super::Parser;
use crate::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use crate::error::{Error, Result};

type Arguments<'a> = HashMap<&'a [u8], AffineExpression>;

/// How deep the tree of operators in one affine expression may be: a sum of so many terms.
const MAX_AFFINE_DEPTH: u32 = 256;

impl<'a> Parser<'a> {
    /// Parses what stands inside `affine_map<...>`.
    ///
    /// # Errors
    /// Where no map is next.
    pub fn affine_map(&mut self) -> Result<AffineMap> {
        let (arguments, dimensions, symbols) = self.affine_arguments()?;
        if !self.eat_arrow() {
            return Err(self.expected("`->`"));
        }
        let mut results = Vec::new();
        self.expect(b'(')?;
        self.list(b')', |parser| {
            results.push(parser.affine_expression(&arguments)?);
            Ok(())
        })?;
        Ok(AffineMap { dimensions, symbols, results: results.into() })
    }

    /// Parses what stands inside `affine_set<...>`.
    ///
    /// # Errors
    /// Where no set is next.
    pub fn integer_set(&mut self) -> Result<IntegerSet> {
        let (arguments, dimensions, symbols) = self.affine_arguments()?;
        self.expect(b':')?;
        let mut constraints = Vec::new();
        self.expect(b'(')?;
        self.list(b')', |parser| {
            constraints.push(parser.constraint(&arguments)?);
            Ok(())
        })?;
        if constraints.is_empty() {
            // A set without constraints holds everything.
            constraints.push((AffineExpression::Constant(0), true));
        }
        Ok(IntegerSet { dimensions, symbols, constraints: constraints.into() })
    }

    fn affine_arguments(&mut self) -> Result<(Arguments<'a>, u32, u32)> {
        let mut arguments = Arguments::new();
        let mut dimensions = 0;
        self.expect(b'(')?;
        self.list(b')', |parser| {
            parser.affine_argument(&mut arguments, AffineExpression::Dimension(dimensions))?;
            dimensions += 1;
            Ok(())
        })?;
        let mut symbols = 0;
        if self.eat(b'[') {
            self.list(b']', |parser| {
                parser.affine_argument(&mut arguments, AffineExpression::Symbol(symbols))?;
                symbols += 1;
                Ok(())
            })?;
        }
        Ok((arguments, dimensions, symbols))
    }

    fn affine_argument(&mut self, arguments: &mut Arguments<'a>, stands_for: AffineExpression) -> Result<()> {
        let name = self.peek_word();
        if name.is_empty() {
            return Err(self.expected("a name of a dimension or symbol"));
        }
        if arguments.insert(name, stands_for).is_some() {
            return Err(self.error(format!("redefinition of {}", Error::quoted(name))));
        }
        self.word();
        Ok(())
    }

    fn constraint(&mut self, arguments: &Arguments<'a>) -> Result<(AffineExpression, bool)> {
        let left = self.affine_expression(arguments)?;
        let comparison = self.text.get(self.at..self.at + 2).unwrap_or_default();
        let (equal, swap) = match comparison {
            b">=" => (false, false),
            b"<=" => (false, true),
            b"==" => (true, false),
            _ => return Err(self.expected("`==`, `>=` or `<=`")),
        };
        self.at += 2;
        let right = self.affine_expression(arguments)?;
        let (left, right) = if swap { (right, left) } else { (left, right) };
        Ok((AffineExpression::binary(AffineOperator::Add, left, right.negate()), equal))
    }

    /// Sums and differences.
    fn affine_expression(&mut self, arguments: &Arguments<'a>) -> Result<AffineExpression> {
        self.nested(|parser| {
            let mut left = parser.affine_product(arguments)?;
            loop {
                let negative = match parser.peek() {
                    Some(b'+') => false,
                    Some(b'-') if parser.text.get(parser.at + 1) != Some(&b'>') => true,
                    _ => return Ok(left),
                };
                parser.at += 1;
                let right = parser.affine_product(arguments)?;
                left =
                    AffineExpression::binary(AffineOperator::Add, left, if negative { right.negate() } else { right });
                parser.check_affine_depth(&left)?;
            }
        })
    }

    /// Products, quotients and remainders.
    fn affine_product(&mut self, arguments: &Arguments<'a>) -> Result<AffineExpression> {
        let mut left = self.affine_operand(arguments)?;
        loop {
            let operator = match self.peek() {
                Some(b'*') => AffineOperator::Mul,
                _ => match self.peek_word() {
                    b"mod" => AffineOperator::Mod,
                    b"floordiv" => AffineOperator::FloorDiv,
                    b"ceildiv" => AffineOperator::CeilDiv,
                    _ => return Ok(left),
                },
            };
            let start = self.at;
            if !self.eat(b'*') {
                self.word();
            }
            let right = self.affine_operand(arguments)?;
            let affine =
                right.is_symbolic_or_constant() || operator == AffineOperator::Mul && left.is_symbolic_or_constant();
            if !affine {
                return Err(
                    self.error_at(start, "non-affine expression: an operand has to be either a constant or symbolic")
                );
            }
            left = AffineExpression::binary(operator, left, right);
            self.check_affine_depth(&left)?;
        }
    }

    fn check_affine_depth(&mut self, expression: &AffineExpression) -> Result<()> {
        if expression.depth() > MAX_AFFINE_DEPTH {
            return Err(self.error(format!("affine expression is nested deeper than {MAX_AFFINE_DEPTH} levels")));
        }
        Ok(())
    }

    fn affine_operand(&mut self, arguments: &Arguments<'a>) -> Result<AffineExpression> {
        match self.peek() {
            Some(b'(') => {
                self.at += 1;
                let inner = self.affine_expression(arguments)?;
                self.expect(b')')?;
                Ok(inner)
            }
            Some(b'0'..=b'9') => self.affine_constant(false),
            Some(b'-') => {
                self.at += 1;
                if matches!(self.peek(), Some(b'0'..=b'9')) {
                    return self.affine_constant(true);
                }
                Ok(self.nested(|parser| parser.affine_operand(arguments))?.negate())
            }
            _ => {
                let name = self.peek_word();
                match arguments.get(name) {
                    Some(expression) => {
                        self.word();
                        Ok(expression.clone())
                    }
                    None if name.is_empty() => Err(self.expected("an affine expression")),
                    None => Err(self.error(format!("use of undeclared identifier {}", Error::quoted(name)))),
                }
            }
        }
    }

    fn affine_constant(&mut self, negative: bool) -> Result<AffineExpression> {
        let start = self.at;
        let value = self.literal().and_then(|mut literal| {
            literal.negative = negative;
            literal.to_i64()
        });
        match value {
            Some(value) => Ok(AffineExpression::Constant(value)),
            None => Err(self.error_at(start, "constant too large for index")),
        }
    }
}
