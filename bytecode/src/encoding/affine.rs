//! Affine maps and integer sets, as MLIR encodes them since release 24.

use mlirbc_ir::affine::{AffineExpression, AffineMap, AffineOperator, IntegerSet};
use mlirbc_ir::{AttributeData, Error, Result};

use super::{EntryReader, EntryWriter};

/// The number of affine maps among the builtin attributes.
pub(super) const MAP: u64 = 23;
/// The number of integer sets.
pub(super) const SET: u64 = 24;

/// How deep the tree of operators of one expression may be, as in text.
const MAX_DEPTH: u32 = 256;

/// What a map is like, as the two low bits of its head say; the number of dimensions is above them.
mod kind {
    /// Every dimension in its place: nothing follows.
    pub(super) const IDENTITY: u64 = 0;
    /// Every dimension once: their numbers follow.
    pub(super) const PERMUTATION: u64 = 1;
    /// Some dimensions, each once at most: how many, and their numbers.
    pub(super) const PROJECTION: u64 = 2;
    /// Any other: how many symbols, and the results.
    pub(super) const GENERAL: u64 = 3;
}

/// The operators, from the code 3 on; the codes before are a dimension, a symbol and a constant.
const OPERATORS: [AffineOperator; 5] =
    [AffineOperator::Add, AffineOperator::Mul, AffineOperator::Mod, AffineOperator::FloorDiv, AffineOperator::CeilDiv];

pub(super) fn read_map(reader: &mut EntryReader<'_, '_>) -> Result<AttributeData> {
    let head = reader.varint()?;
    let dimensions = small(reader, head >> 2)?;
    let map = match head & 3 {
        kind::IDENTITY => {
            // A few bytes ask for any number of results.
            reader.expand(u64::from(dimensions) * size_of::<AffineExpression>() as u64)?;
            AffineMap::identity(dimensions)
        }
        kind::PERMUTATION => {
            if dimensions as usize > reader.remaining() {
                return Err(reader.error(format!(
                    "{} announced, {} left",
                    Error::counted(dimensions, "result"),
                    Error::counted(reader.remaining(), "byte")
                )));
            }
            let results = (0..dimensions).map(|_| dimension(reader)).collect::<Result<_>>()?;
            AffineMap { dimensions, symbols: 0, results }
        }
        kind::PROJECTION => AffineMap { dimensions, symbols: 0, results: reader.list(dimension)?.into() },
        _ => {
            let symbols = reader.varint()?;
            let symbols = small(reader, symbols)?;
            let results = reader.list(|reader| expression(reader, 0))?;
            AffineMap { dimensions, symbols, results: results.into() }
        }
    };
    Ok(AttributeData::AffineMap(map))
}

pub(super) fn read_set(reader: &mut EntryReader<'_, '_>) -> Result<AttributeData> {
    let (dimensions, symbols) = (reader.varint()?, reader.varint()?);
    let (dimensions, symbols) = (small(reader, dimensions)?, small(reader, symbols)?);
    let expressions = reader.list(|reader| expression(reader, 0))?;
    let constraints = expressions.into_iter().map(|each| Ok((each, reader.bool()?))).collect::<Result<_>>()?;
    Ok(AttributeData::IntegerSet(IntegerSet { dimensions, symbols, constraints }))
}

fn small(reader: &EntryReader<'_, '_>, value: u64) -> Result<u32> {
    u32::try_from(value).map_err(|_| reader.error(format!("{value} dimensions or symbols are too many")))
}

fn dimension(reader: &mut EntryReader<'_, '_>) -> Result<AffineExpression> {
    let at = reader.varint()?;
    Ok(AffineExpression::Dimension(small(reader, at)?))
}

/// An expression in prefix order. Made by the makers that text uses, which bring it to MLIR's normal form: of what MLIR
/// writes they change nothing.
fn expression(reader: &mut EntryReader<'_, '_>, depth: u32) -> Result<AffineExpression> {
    if depth > MAX_DEPTH {
        return Err(reader.error(format!("affine expression is nested deeper than {MAX_DEPTH} levels")));
    }
    let code = reader.varint()?;
    let operator = match code {
        0 => return dimension(reader),
        1 => {
            let at = reader.varint()?;
            return Ok(AffineExpression::Symbol(small(reader, at)?));
        }
        2 => return Ok(AffineExpression::Constant(reader.signed_varint()?)),
        _ => {
            let operator = usize::try_from(code - 3).ok().and_then(|at| OPERATORS.get(at));
            *operator.ok_or_else(|| reader.error(format!("no affine expression has the code {code}")))?
        }
    };
    let (left, right) = (expression(reader, depth + 1)?, expression(reader, depth + 1)?);
    let symbolic = right.is_symbolic_or_constant();
    let affine = match operator {
        AffineOperator::Add => true,
        AffineOperator::Mul => symbolic || left.is_symbolic_or_constant(),
        _ => symbolic,
    };
    if !affine {
        return Err(reader.error("non-affine expression: an operand has to be either a constant or symbolic"));
    }
    let made = AffineExpression::binary(operator, left, right);
    if made.depth() > MAX_DEPTH {
        return Err(reader.error(format!("affine expression is nested deeper than {MAX_DEPTH} levels")));
    }
    Ok(made)
}

pub(super) fn write_map(map: &AffineMap, writer: &mut EntryWriter<'_>) {
    writer.varint(MAP);
    let head = u64::from(map.dimensions) << 2;
    if map.is_identity() {
        return writer.varint(head | kind::IDENTITY);
    }
    match projected(map) {
        Some(chosen) => {
            let permutation = chosen.len() == map.dimensions as usize;
            writer.varint(head | if permutation { kind::PERMUTATION } else { kind::PROJECTION });
            if !permutation {
                writer.varint(chosen.len() as u64);
            }
            chosen.into_iter().for_each(|at| writer.varint(at.into()));
        }
        None => {
            writer.varint(head | kind::GENERAL);
            writer.varint(map.symbols.into());
            writer.list(map.results.iter(), write_expression);
        }
    }
}

pub(super) fn write_set(set: &IntegerSet, writer: &mut EntryWriter<'_>) {
    writer.varint(SET);
    writer.varint(set.dimensions.into());
    writer.varint(set.symbols.into());
    writer.list(set.constraints.iter(), |writer, (expression, _)| write_expression(writer, expression));
    set.constraints.iter().for_each(|&(_, is_equality)| writer.bool(is_equality));
}

/// The dimensions that the results are, where each is one and none comes twice, and there are no symbols.
fn projected(map: &AffineMap) -> Option<Vec<u32>> {
    if map.symbols > 0 || map.results.len() > map.dimensions as usize {
        return None;
    }
    let chosen = map.results.iter().map(|result| match result {
        AffineExpression::Dimension(at) => Some(*at),
        _ => None,
    });
    let chosen: Vec<u32> = chosen.collect::<Option<_>>()?;
    let mut sorted = chosen.clone();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair[0] != pair[1]).then_some(chosen)
}

/// Expressions are at most [`MAX_DEPTH`] deep where they were read; the depth of those that were built is the builder's.
fn write_expression(writer: &mut EntryWriter<'_>, expression: &AffineExpression) {
    let mut stack = vec![expression];
    while let Some(expression) = stack.pop() {
        match expression {
            AffineExpression::Dimension(at) => [0, (*at).into()].into_iter().for_each(|word| writer.varint(word)),
            AffineExpression::Symbol(at) => [1, (*at).into()].into_iter().for_each(|word| writer.varint(word)),
            AffineExpression::Constant(value) => {
                writer.varint(2);
                writer.signed_varint(*value);
            }
            AffineExpression::Binary(operator, sides) => {
                let code = OPERATORS.iter().position(|each| each == operator).unwrap_or(0) as u64 + 3;
                writer.varint(code);
                stack.push(&sides.1);
                stack.push(&sides.0);
            }
        }
    }
}
