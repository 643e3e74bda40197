//! The operations of `vector` that have parsers of their own.

use super::{Custom, Next, linalg};
use crate::affine::{AffineExpression, AffineMap};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::ModuleParser;
use crate::types::{Type, TypeData};

/// Sets the map and the bounds that text leaves out, and gives the map.
fn transfer_attributes<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    shaped: Type,
    vector: Type,
) -> Result<Attribute> {
    let context = parser.context();
    let (TypeData::Vector { shape, .. }, Some(outer)) = (&context[vector], context[shaped].shape()) else {
        return Err(parser.at.error_at(custom.at, "expected a shaped type and a vector type"));
    };
    // A memory of vectors is transferred by its own elements.
    let inner = match context[shaped].element().map(|element| &context[element]) {
        Some(TypeData::Vector { shape, .. }) => shape.len(),
        _ => 0,
    };
    let (rank, results) = (outer.len(), shape.len().saturating_sub(inner));
    let map = match custom.find(context, "permutation_map") {
        Some(map) => map,
        None => {
            let Some(first) = rank.checked_sub(results) else {
                return Err(parser.at.error_at(custom.at, "the vector has more dimensions than what it is read from"));
            };
            let results = (first..rank).map(|at| AffineExpression::Dimension(at as u32)).collect();
            let map = AffineMap { dimensions: rank as u32, symbols: 0, results };
            let map = context.attribute(AttributeData::AffineMap(map));
            parser.set(custom, "permutation_map", map);
            map
        }
    };
    let AttributeData::AffineMap(data) = &context[map] else {
        return Err(parser.at.error_at(custom.at, "expected an affine map"));
    };
    if custom.find(context, "in_bounds").is_none() {
        let flag = context.integer(1, 0);
        let flags = context.attribute(AttributeData::Array(vec![flag; data.results.len()].into()));
        parser.set(custom, "in_bounds", flags);
    }
    Ok(map)
}

/// The type of the mask of a transfer: a bit for each element of what is transferred before it is permuted.
fn mask_type(parser: &ModuleParser<'_>, at: usize, vector: Type, map: Attribute) -> Result<TypeRef> {
    let context = parser.context();
    let wrong = || parser.at.error_at(at, "the type of the mask is not known");
    let (TypeData::Vector { shape, scalable, .. }, AttributeData::AffineMap(map)) = (&context[vector], &context[map])
    else {
        return Err(wrong());
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
        sizes.push(*shape.get(number).ok_or_else(wrong)?);
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
    Ok(context.ty(TypeData::Vector { shape: sizes.into(), scalable: flags.into(), element }).into())
}

pub(in crate::text) fn transfer_read<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let base = parser.operand_name()?;
    parser.at.expect(b'[')?;
    let indices = parser.operand_list()?;
    parser.at.expect(b']')?;
    parser.at.expect(b',')?;
    let rest = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let shaped = parser.any_type()?;
    parser.at.expect(b',')?;
    let vector = parser.any_type()?;
    let (shaped_type, vector_type) = (parser.resolved(shaped)?, parser.resolved(vector)?);
    let map = transfer_attributes(parser, custom, shaped_type, vector_type)?;
    let index: TypeRef = parser.context().index_type().into();
    let sizes = [1, indices.len(), 1, rest.len().saturating_sub(1)];
    custom.add(base, shaped);
    for name in indices {
        custom.add(name, index);
    }
    let mut rest = rest.into_iter();
    let (Some(padding), mask, None) = (rest.next(), rest.next(), rest.next()) else {
        return Err(parser.at.error_at(custom.at, "expected a value for padding and at most a mask"));
    };
    let element = parser.context()[shaped_type].element();
    let Some(element) = element else { return Err(parser.at.error_at(custom.at, "expected a shaped type")) };
    custom.add(padding, element.into());
    if let Some(mask) = mask {
        let ty = mask_type(parser, custom.at, vector_type, map)?;
        custom.add(mask, ty);
    }
    custom.result_types.push(vector);
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    Ok(Next::Done)
}

pub(in crate::text) fn transfer_write<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let value = parser.operand_name()?;
    parser.at.expect(b',')?;
    let base = parser.operand_name()?;
    parser.at.expect(b'[')?;
    let indices = parser.operand_list()?;
    parser.at.expect(b']')?;
    let mask = if parser.at.eat(b',') { Some(parser.operand_name()?) } else { None };
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let vector = parser.any_type()?;
    parser.at.expect(b',')?;
    let shaped = parser.any_type()?;
    let (shaped_type, vector_type) = (parser.resolved(shaped)?, parser.resolved(vector)?);
    let map = transfer_attributes(parser, custom, shaped_type, vector_type)?;
    let index: TypeRef = parser.context().index_type().into();
    let sizes = [1, 1, indices.len(), usize::from(mask.is_some())];
    custom.add(value, vector);
    custom.add(base, shaped);
    for name in indices {
        custom.add(name, index);
    }
    if let Some(mask) = mask {
        let ty = mask_type(parser, custom.at, vector_type, map)?;
        custom.add(mask, ty);
    }
    // Writing to a tensor gives another one.
    if matches!(parser.context()[shaped_type], TypeData::RankedTensor { .. }) {
        custom.result_types.push(shaped);
    }
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    Ok(Next::Done)
}

pub(in crate::text) fn contract<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    linalg::shown(parser, custom, "vector")?;
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let left = parser.any_type()?;
    parser.at.expect(b',')?;
    let right = parser.any_type()?;
    parser.at.expect_word("into")?;
    let result = parser.any_type()?;
    linalg::pair(parser, custom, names, vec![left, right, result])?;
    custom.result_types.push(result);
    Ok(Next::Done)
}

pub(in crate::text) fn outerproduct<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let left = parser.any_type()?;
    parser.at.expect(b',')?;
    let right = parser.any_type()?;
    let context = parser.context();
    let (left_type, right_type) = (parser.resolved(left)?, parser.resolved(right)?);
    let result: TypeRef = match (&context[left_type], &context[right_type]) {
        (
            TypeData::Vector { shape, scalable, element },
            TypeData::Vector { shape: other, scalable: other_scalable, .. },
        ) => {
            let flag = |flags: &[bool]| flags.first().copied().unwrap_or(false);
            let flags = [flag(scalable), flag(other_scalable)];
            let flags: Box<[bool]> = if flags.contains(&true) { flags.into() } else { Box::default() };
            let shape = [shape.as_ref(), other.as_ref()].concat().into();
            context.ty(TypeData::Vector { shape, scalable: flags, element: *element }).into()
        }
        _ => left,
    };
    let mut types = vec![left, right];
    if names.len() == 3 {
        types.push(result);
    }
    linalg::pair(parser, custom, names, types)?;
    custom.result_types.push(result);
    Ok(Next::Done)
}

/// `%mask { operation } : type -> type`
pub(in crate::text) fn mask<'a>(parser: &mut ModuleParser<'a>, _: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(move |parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.yield_all(custom, "vector.yield")?;
            parser.optional_dictionary(custom)?;
            parser.at.expect(b':')?;
            let mask = parser.any_type()?;
            if parser.at.eat_arrow() {
                custom.result_types = parser.types()?;
            }
            let mut types = vec![mask];
            if names.len() == 2 {
                types.extend(custom.result_types.first().copied());
            }
            linalg::pair(parser, custom, names, types)?;
            Ok(Next::Done)
        }),
    ))
}
