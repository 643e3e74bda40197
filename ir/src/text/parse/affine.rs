//! Parsing affine maps and integer sets.

use std::collections::HashMap;

use super::Parser;
use crate::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use crate::error::{Error, Result};

/// What stands for dimensions and symbols in an expression.
enum Arguments<'a, 'v> {
    /// Names that the map has given.
    Names(HashMap<&'a [u8], AffineExpression>),
    /// `%value` and `symbol(%value)`.
    Values(&'v mut AffineValues<'a>),
}

/// A value as text has it: its name and which of several results it is.
type ValueText<'a> = (&'a [u8], u64);

/// The values in affine expressions of an operation's text, in the order in which they come: `%i` is a dimension,
/// `symbol(%n)` a symbol.
///
/// [`Parser::affine_expression_of`] and [`Parser::affine_expressions_of`] fill it; [`AffineValues::places`]
/// says which values are the operands of the map.
#[derive(Default)]
pub struct AffineValues<'a> {
    /// What values stand for in the map at hand: all the same, however they are written later.
    known: HashMap<ValueText<'a>, AffineExpression>,
    places: HashMap<(ValueText<'a>, bool), u32>,
    /// Where in the text the values that are dimensions come first.
    dimensions: Vec<usize>,
    /// The same for those that are symbols.
    symbols: Vec<usize>,
}

impl<'a> AffineValues<'a> {
    fn get(&mut self, value: ValueText<'a>, at: usize, symbol: bool) -> AffineExpression {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let list = if symbol { &mut self.symbols } else { &mut self.dimensions };
        let place = *self.places.entry((value, symbol)).or_insert_with(|| {
            list.push(at);
            list.len() as u32 - 1
        });
        let expression = if symbol { AffineExpression::Symbol(place) } else { AffineExpression::Dimension(place) };
        self.known.insert(value, expression.clone());
        expression
    }

    /// Where in the text the values stand that are dimensions, and those that are symbols: each where it comes first.
    pub fn places(&self) -> (&[usize], &[usize]) {
        (&self.dimensions, &self.symbols)
    }
}

/// How deep the tree of operators in one affine expression may be: a sum of so many terms.
const MAX_AFFINE_DEPTH: u32 = 256;

impl<'a> Parser<'a> {
    /// Parses what stands inside `affine_map<...>`.
    ///
    /// # Errors
    /// Where no map is next.
    pub fn affine_map(&mut self) -> Result<AffineMap> {
        let (mut arguments, dimensions, symbols) = self.affine_arguments()?;
        if !self.eat_arrow() {
            return Err(self.expected("`->`"));
        }
        let mut results = Vec::new();
        self.expect(b'(')?;
        self.list(b')', |parser| {
            results.push(parser.affine_expression(&mut arguments)?);
            Ok(())
        })?;
        Ok(AffineMap { dimensions, symbols, results: results.into() })
    }

    /// Parses what stands inside `affine_set<...>`.
    ///
    /// # Errors
    /// Where no set is next.
    pub(crate) fn integer_set(&mut self) -> Result<IntegerSet> {
        let (mut arguments, dimensions, symbols) = self.affine_arguments()?;
        self.expect(b':')?;
        let mut constraints = Vec::new();
        self.expect(b'(')?;
        self.list(b')', |parser| {
            constraints.push(parser.constraint(&mut arguments)?);
            Ok(())
        })?;
        if constraints.is_empty() {
            // A set without constraints holds everything.
            constraints.push((AffineExpression::Constant(0), true));
        }
        Ok(IntegerSet { dimensions, symbols, constraints: constraints.into() })
    }

    /// Parses expressions over values, with commas between, up to the bracket that closes them: MLIR's
    /// `parseAffineMapOfSSAIds`.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn affine_expressions_of(&mut self, values: &mut AffineValues<'a>, close: u8) -> Result<Vec<AffineExpression>> {
        values.known.clear();
        let mut arguments = Arguments::Values(values);
        let mut results = Vec::new();
        self.list(close, |parser| {
            results.push(parser.affine_expression(&mut arguments)?);
            Ok(())
        })?;
        Ok(results)
    }

    /// Parses one expression over values: MLIR's `parseAffineExprOfSSAIds`.
    ///
    /// # Errors
    /// Where something else stands there.
    pub fn affine_expression_of(&mut self, values: &mut AffineValues<'a>) -> Result<AffineExpression> {
        values.known.clear();
        self.affine_expression(&mut Arguments::Values(values))
    }

    fn affine_arguments<'v>(&mut self) -> Result<(Arguments<'a, 'v>, u32, u32)> {
        let mut arguments = HashMap::new();
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
        Ok((Arguments::Names(arguments), dimensions, symbols))
    }

    fn affine_argument(
        &mut self,
        arguments: &mut HashMap<&'a [u8], AffineExpression>,
        stands_for: AffineExpression,
    ) -> Result<()> {
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

    fn constraint(&mut self, arguments: &mut Arguments<'a, '_>) -> Result<(AffineExpression, bool)> {
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
    fn affine_expression(&mut self, arguments: &mut Arguments<'a, '_>) -> Result<AffineExpression> {
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
    fn affine_product(&mut self, arguments: &mut Arguments<'a, '_>) -> Result<AffineExpression> {
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

    fn affine_operand(&mut self, arguments: &mut Arguments<'a, '_>) -> Result<AffineExpression> {
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
            _ => match arguments {
                Arguments::Names(names) => self.affine_name(names),
                Arguments::Values(values) => self.affine_value(values),
            },
        }
    }

    fn affine_name(&mut self, names: &HashMap<&'a [u8], AffineExpression>) -> Result<AffineExpression> {
        let name = self.peek_word();
        match names.get(name) {
            Some(expression) => {
                self.word();
                Ok(expression.clone())
            }
            None if name.is_empty() => Err(self.expected("an affine expression")),
            None => Err(self.error(format!("use of undeclared identifier {}", Error::quoted(name)))),
        }
    }

    /// `%value`, or `symbol(%value)`
    fn affine_value(&mut self, values: &mut AffineValues<'a>) -> Result<AffineExpression> {
        let symbol = self.eat_word(b"symbol");
        if symbol {
            self.expect(b'(')?;
        }
        let at = self.here();
        if self.text.get(at) != Some(&b'%') {
            return Err(self.expected("an affine expression"));
        }
        self.at += 1;
        let name = self.suffix_identifier()?;
        let mut number = 0;
        if self.eat(b'#') {
            number = match self.unsigned() {
                Some(number) => number,
                None => return Err(self.expected("the number of a result")),
            };
        }
        if symbol {
            self.expect(b')')?;
        }
        Ok(values.get((name, number), at, symbol))
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
