//! The operations of `memref` that have parsers of their own.

use super::{Continuation, OpState, Parsed};
use crate::attribute::AttributeData;
use crate::error::Result;
use crate::text::parse::module::OpParser;
use crate::text::parse::names::ValueName;
use crate::upstream::common::memrefs::{add_indices, parse_memref_type, parse_prefetch_hints};

/// `%memref[%i, %j]`
fn subscripts<'a>(parser: &mut OpParser<'a>) -> Result<(ValueName<'a>, Vec<ValueName<'a>>)> {
    let memref = parser.operand_name()?;
    parser.at.expect(b'[')?;
    let indices = parser.operand_list()?;
    parser.at.expect(b']')?;
    Ok((memref, indices))
}

pub(in crate::text) fn atomic<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let (memref, indices) = subscripts(parser)?;
    let (ty, element) = parse_memref_type(parser)?;
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    custom.result_types.push(element.into());
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn transpose<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let source = parser.operand_name()?;
    let map = parser.at.affine_map()?;
    let map = parser.context().attribute(AttributeData::AffineMap(map));
    parser.set(custom, "permutation", map);
    parser.optional_dictionary(custom)?;
    let (ty, _) = parse_memref_type(parser)?;
    custom.add(source, ty);
    parser.at.expect_word("to")?;
    custom.result_types.push(parser.any_type()?);
    Ok(Continuation::Done)
}

pub(in crate::text) fn prefetch<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let (memref, indices) = subscripts(parser)?;
    parse_prefetch_hints(parser, custom)?;
    let (ty, _) = parse_memref_type(parser)?;
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    Ok(Continuation::Done)
}

pub(in crate::text) fn dma_start<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let source = subscripts(parser)?;
    parser.at.expect(b',')?;
    let target = subscripts(parser)?;
    parser.at.expect(b',')?;
    let count = parser.operand_name()?;
    parser.at.expect(b',')?;
    let tag = subscripts(parser)?;
    let mut strides = Vec::new();
    while parser.at.eat(b',') {
        strides.push(parser.operand_name()?);
    }
    if !matches!(strides.len(), 0 | 2) {
        return Err(parser.at.error("a stride and the number of elements for each were expected"));
    }
    let (source_type, _) = parse_memref_type(parser)?;
    let mut next = || {
        parser.at.expect(b',')?;
        parser.any_type()
    };
    let (target_type, tag_type) = (next()?, next()?);
    custom.add(source.0, source_type);
    add_indices(parser, custom, source.1);
    custom.add(target.0, target_type);
    add_indices(parser, custom, target.1);
    add_indices(parser, custom, vec![count]);
    custom.add(tag.0, tag_type);
    add_indices(parser, custom, tag.1);
    add_indices(parser, custom, strides);
    Ok(Continuation::Done)
}
