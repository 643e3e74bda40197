//! The indexing maps that text leaves out.

use mlirbc_ir::affine::{AffineExpression, AffineMap, AffineOperator};
use mlirbc_ir::{Attribute, AttributeData, Context, Type, TypeData};

/// The maps of a matrix product, where text shows none.
pub(super) fn default_maps(context: &Context, name: &str) -> Option<Attribute> {
    let maps: [&[u32]; 3] = match name {
        "linalg.matmul" => [&[0, 2], &[2, 1], &[0, 1]],
        "linalg.batch_matmul" => [&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]],
        "linalg.batch_reduce_matmul" => [&[0, 1, 3], &[0, 3, 2], &[1, 2]],
        _ => return None,
    };
    let dimensions = maps.iter().copied().flatten().max().map_or(0, |&most| most + 1);
    let map = |results: &&[u32]| {
        let results = results.iter().map(|&at| AffineExpression::Dimension(at)).collect();
        context.attribute(AttributeData::AffineMap(AffineMap { dimensions, symbols: 0, results }))
    };
    Some(context.attribute(AttributeData::Array(maps.iter().map(map).collect())))
}

/// The maps of an elementwise operation that writes to this type, where text shows none.
pub(super) fn identity_maps(context: &Context, output: Type, count: usize) -> Option<Attribute> {
    let shape = match &context[output] {
        TypeData::RankedTensor { shape, .. } | TypeData::MemRef { shape, .. } => shape,
        _ => return None,
    };
    let dimensions = u32::try_from(shape.len()).ok()?;
    let results = (0..dimensions).map(AffineExpression::Dimension).collect();
    let map = context.attribute(AttributeData::AffineMap(AffineMap { dimensions, symbols: 0, results }));
    Some(context.attribute(AttributeData::Array(vec![map; count].into())))
}

/// Of each named operation with maps of its own: its name, how many loops it has, and for each operand what its map gives.
/// `s` and `t` stand for strides and dilations. `maps.py` makes it from the operations as mlir-tblgen makes them.
const MAPS: &str = include_str!("named.maps");

/// The maps that MLIR notes in named operations when it looks at them, and that text leaves out. `numbers` gives the values
/// of `strides` and `dilations`.
pub(super) fn noted_maps(
    context: &Context,
    name: &str,
    numbers: &dyn Fn(&str) -> Option<Vec<i64>>,
) -> Option<Attribute> {
    let line = MAPS.lines().find(|line| line.split('|').next() == Some(name))?;
    let mut parts = line.split('|').skip(1);
    let loops: u32 = parts.next()?.parse().ok()?;
    let (strides, dilations) = (numbers("strides"), numbers("dilations"));
    let leaf = |word: &str| {
        let at: u32 = word.get(1..)?.parse().ok()?;
        let list = match word.as_bytes()[0] {
            b'd' => return Some(AffineExpression::Dimension(at)),
            b's' => &strides,
            b't' => &dilations,
            _ => return None,
        };
        // What is not given is 1.
        Some(AffineExpression::Constant(match list {
            None => 1,
            Some(list) if list.len() == 1 => list[0],
            Some(list) => *list.get(at as usize)?,
        }))
    };
    let product = |text: &str| fold(AffineOperator::Mul, text.split(" * ").map(leaf));
    let sum = |text: &str| fold(AffineOperator::Add, text.split(" + ").map(product));
    let mut maps = Vec::new();
    for part in parts {
        // Of a scalar, a map gives nothing.
        let results = part.split(", ").filter(|result| !result.is_empty()).map(sum).collect::<Option<_>>()?;
        maps.push(context.attribute(AttributeData::AffineMap(AffineMap { dimensions: loops, symbols: 0, results })));
    }
    Some(context.attribute(AttributeData::Array(maps.into())))
}

/// All of these with the operator between them.
fn fold(operator: AffineOperator, mut of: impl Iterator<Item = Option<AffineExpression>>) -> Option<AffineExpression> {
    let first = of.next()??;
    of.try_fold(first, |left, right| Some(AffineExpression::binary(operator, left, right?)))
}

/// The integers of dense elements of 64 bits; one stands for all.
pub(super) fn dense_numbers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    match &context[attribute] {
        AttributeData::DenseElements { data, .. } => {
            Some(data.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
        }
        _ => None,
    }
}
