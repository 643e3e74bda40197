//! The operations of `vector` that have parsers of their own.

use super::{Continuation, OpState, Parsed, linalg};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::assembly::vector::{mask_type, outer_product, outside, usual_map};
use crate::text::parse::module::OpParser;
use crate::types::{Type, TypeData};

/// Sets the map and the bounds that text leaves out, and gives the map.
fn transfer_attributes<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    shaped: Type,
    vector: Type,
) -> Result<Attribute> {
    let context = parser.context();
    if !matches!(context[vector], TypeData::Vector { .. }) || context[shaped].shape().is_none() {
        return Err(parser.at.error_at(custom.at, "expected a shaped type and a vector type"));
    }
    let map = match custom.find(context, "permutation_map") {
        Some(map) => map,
        None => {
            let Some(map) = usual_map(context, shaped, vector) else {
                return Err(parser.at.error_at(custom.at, "the vector has more dimensions than what it is read from"));
            };
            parser.set(custom, "permutation_map", map);
            map
        }
    };
    let AttributeData::AffineMap(data) = &context[map] else {
        return Err(parser.at.error_at(custom.at, "expected an affine map"));
    };
    if custom.find(context, "in_bounds").is_none() {
        parser.set(custom, "in_bounds", outside(context, data.results.len()));
    }
    Ok(map)
}

pub(in crate::text) fn transfer_read<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
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
        let ty = mask_type(parser.context(), vector_type, map);
        let ty = ty.ok_or_else(|| parser.at.error_at(custom.at, "the type of the mask is not known"))?;
        custom.add(mask, ty.into());
    }
    custom.result_types.push(vector);
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    Ok(Continuation::Done)
}

pub(in crate::text) fn transfer_write<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
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
        let ty = mask_type(parser.context(), vector_type, map);
        let ty = ty.ok_or_else(|| parser.at.error_at(custom.at, "the type of the mask is not known"))?;
        custom.add(mask, ty.into());
    }
    // Writing to a tensor gives another one.
    if matches!(parser.context()[shaped_type], TypeData::RankedTensor { .. }) {
        custom.result_types.push(shaped);
    }
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    Ok(Continuation::Done)
}

pub(in crate::text) fn contract<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
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
    Ok(Continuation::Done)
}

pub(in crate::text) fn outerproduct<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let left = parser.any_type()?;
    parser.at.expect(b',')?;
    let right = parser.any_type()?;
    let context = parser.context();
    let (left_type, right_type) = (parser.resolved(left)?, parser.resolved(right)?);
    let result: TypeRef = outer_product(context, left_type, right_type).into();
    let mut types = vec![left, right];
    if names.len() == 3 {
        types.push(result);
    }
    linalg::pair(parser, custom, names, types)?;
    custom.result_types.push(result);
    Ok(Continuation::Done)
}

/// `%mask { operation } : type -> type`
pub(in crate::text) fn mask<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
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
            Ok(Continuation::Done)
        }),
    ))
}
