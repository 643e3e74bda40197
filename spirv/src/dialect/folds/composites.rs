//! Parts of composites.

use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Numbers, Result, Type, TypeData};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::FARTHEST;
use crate::dialect::types::{self, NumberOrSymbol, SpirvType};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.fold("CompositeExtract", composite_extract)
}

/// What was put in at that place, however many other places were set after that; what the composite was made of; or what the
/// constant has there. An insertion that touches a part of what is taken out, or all of it and more, ends the search.
fn composite_extract(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(indices) = fold.attribute("indices")?.and_then(|indices| places(context, indices)) else {
        return Ok(Folded::No);
    };
    let mut composite = fold.operand(0);
    for _ in 0..FARTHEST {
        let Some(insert) = fold.defined_by(composite, "spirv.CompositeInsert") else { break };
        let inserted = insert.attribute("indices")?.map(|inserted| &context[inserted]);
        let (&[object, before], Some(AttributeData::Array(inserted))) = (insert.operands(), inserted) else {
            return Ok(Folded::No);
        };
        let inserted: Vec<Option<usize>> = inserted.iter().map(|&index| place(context, index)).collect();
        let differ = |(one, other): (&Option<usize>, &usize)| one.is_some_and(|one| one != *other);
        if !inserted.iter().zip(&indices).any(differ) {
            let same = inserted.iter().copied().eq(indices.iter().copied().map(Some));
            return Ok(if same { Folded::value(object) } else { Folded::No });
        }
        composite = before;
    }
    if let Some(construct) = fold.defined_by(composite, "spirv.CompositeConstruct")
        && let [place] = *indices
        && member_count(context, fold.type_of(composite)?) == Some(construct.operands().len())
        && let Some(&value) = construct.operands().get(place)
    {
        return Ok(Folded::value(value));
    }
    Ok(Folded::maybe(fold.constant(0).and_then(|constant| part(context, constant, &indices))))
}

/// The numbers of an array of integers.
pub(crate) fn places(context: &Context, indices: Attribute) -> Option<Vec<usize>> {
    let AttributeData::Array(indices) = &context[indices] else { return None };
    indices.iter().map(|&index| place(context, index)).collect()
}

fn place(context: &Context, index: Attribute) -> Option<usize> {
    match &context[index] {
        AttributeData::Integer { value, .. } => usize::try_from(value.to_u64()?).ok(),
        _ => None,
    }
}

/// How many values a composite of that type can be made of at most.
pub(crate) fn member_count(context: &Context, ty: Type) -> Option<usize> {
    if let TypeData::Vector { .. } = &context[ty] {
        return usize::try_from(context[ty].element_count()?).ok();
    }
    match types::view(context, ty)? {
        SpirvType::Array { count: NumberOrSymbol::Known(count), .. } => usize::try_from(count).ok(),
        SpirvType::Matrix { columns, .. } => usize::try_from(columns).ok(),
        SpirvType::Struct(structure) => Some(structure.members.len()),
        _ => None,
    }
}

/// The part of a constant that the places lead to.
fn part(context: &Context, mut constant: Attribute, mut places: &[usize]) -> Option<Attribute> {
    while let [place, rest @ ..] = places {
        let AttributeData::Array(items) = &context[constant] else { return element(context, constant, places) };
        constant = *items.get(*place)?;
        places = rest;
    }
    Some(constant)
}

/// The element of dense ones at that place, which has one number for each dimension.
fn element(context: &Context, constant: Attribute, places: &[usize]) -> Option<Attribute> {
    let numbers = Numbers::of(context, constant)?;
    let shape = context[numbers.ty].shape().filter(|shape| shape.len() == places.len())?;
    let at = shape.iter().zip(places).try_fold(0u64, |at, (&size, &place)| {
        let (size, place) = (u64::try_from(size).ok()?, u64::try_from(place).ok()?);
        (place < size).then(|| at.checked_mul(size)?.checked_add(place))?
    })?;
    context.numbers(context[numbers.ty].element()?, &[numbers.get(at)]).ok()
}
