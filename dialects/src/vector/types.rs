//! What text leaves out of the operations of `vector`.

use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::{Attribute, AttributeData, Context, Type, TypeData};

/// The map of a transfer between memory of the one type and a vector of the other, where text shows none: the last dimensions
/// as they are.
pub(super) fn usual_map(context: &Context, shaped: Type, vector: Type) -> Option<Attribute> {
    let (TypeData::Vector { shape, .. }, Some(outer)) = (&context[vector], context[shaped].shape()) else {
        return None;
    };
    // A memory of vectors is transferred by its own elements.
    let inner = match context[shaped].element().map(|element| &context[element]) {
        Some(TypeData::Vector { shape, .. }) => shape.len(),
        _ => 0,
    };
    let (rank, results) = (outer.len(), shape.len().saturating_sub(inner));
    let results = (rank.checked_sub(results)?..rank).map(|at| AffineExpression::Dimension(at as u32)).collect();
    Some(context.attribute(AttributeData::AffineMap(AffineMap { dimensions: rank as u32, symbols: 0, results })))
}

/// The bounds of a transfer where text shows none: along no dimension it is known to stay inside.
pub(super) fn outside(context: &Context, dimensions: usize) -> Attribute {
    let flag = context.integer(1, 0);
    context.attribute(AttributeData::Array(vec![flag; dimensions].into()))
}

/// The type of the mask of a transfer: a bit for each element of what is transferred before it is permuted.
pub(super) fn mask_type(context: &Context, vector: Type, map: Attribute) -> Option<Type> {
    let (TypeData::Vector { shape, scalable, .. }, AttributeData::AffineMap(map)) = (&context[vector], &context[map])
    else {
        return None;
    };
    // By dimension of the memory the dimension of the vector that goes along it.
    let mut along: Vec<(u32, usize)> = Vec::new();
    for (number, result) in map.results.iter().enumerate() {
        if let AffineExpression::Dimension(dimension) = result {
            along.push((*dimension, number));
        }
    }
    along.sort_unstable();
    let mut sizes = Vec::new();
    let mut flags = Vec::new();
    for (_, number) in along {
        sizes.push(*shape.get(number)?);
        flags.push(scalable.get(number).copied().unwrap_or(false));
    }
    if !flags.contains(&true) {
        flags.clear();
    }
    if sizes.is_empty() {
        sizes.push(1);
        flags.clear();
    }
    let element = context.integer_type(1);
    Some(context.ty(TypeData::Vector { shape: sizes.into(), scalable: flags.into(), element }))
}

/// The type of the outer product of two values: of a vector and a number it is that of the vector.
pub(super) fn outer_product(context: &Context, left: Type, right: Type) -> Type {
    match (&context[left], &context[right]) {
        (
            TypeData::Vector { shape, scalable, element },
            TypeData::Vector { shape: other, scalable: other_scalable, .. },
        ) => {
            let flag = |flags: &[bool]| flags.first().copied().unwrap_or(false);
            let flags = [flag(scalable), flag(other_scalable)];
            let flags: Box<[bool]> = if flags.contains(&true) { flags.into() } else { Box::default() };
            let shape = [shape.as_ref(), other.as_ref()].concat().into();
            context.ty(TypeData::Vector { shape, scalable: flags, element: *element })
        }
        _ => left,
    }
}
