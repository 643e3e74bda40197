//! The operations of `affine` that have parsers of their own.

use super::{Continuation, OpState, Parsed};
use crate::affine::{AffineExpression, AffineMap};
use crate::attribute::AttributeData;
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::AffineValues;
use crate::text::assembly::REDUCTIONS;
use crate::text::parse::module::OpParser;
use crate::text::parse::names::ValueName;
use crate::types::{Type, TypeData};
use crate::upstream::common::regions::{parse_end, parse_initial_values};

/// `(%dimensions)[%symbols]`
fn arguments<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    let index: TypeRef = parser.context().index_type().into();
    parser.at.expect(b'(')?;
    for name in parser.operand_list()? {
        custom.add(name, index);
    }
    parser.at.expect(b')')?;
    if parser.at.eat(b'[') {
        for name in parser.operand_list()? {
            custom.add(name, index);
        }
        parser.at.expect(b']')?;
    }
    Ok(())
}

pub(in crate::text) fn apply<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let map = parser.at.attribute()?;
    parser.set(custom, "map", map);
    arguments(parser, custom)?;
    parser.optional_dictionary(custom)?;
    custom.result_types.push(parser.context().index_type().into());
    Ok(Continuation::Done)
}

/// A bound of a loop: how many operands it has.
fn bound<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str, prefix: &[u8]) -> Result<usize> {
    let before = custom.operands.len();
    let context = parser.context();
    let map = |symbols: u32, result: AffineExpression| {
        context.attribute(AttributeData::AffineMap(AffineMap { dimensions: 0, symbols, results: Box::new([result]) }))
    };
    let value = match parser.at.peek() {
        Some(b'%') => {
            let name = parser.operand_name()?;
            custom.add(name, context.index_type().into());
            map(1, AffineExpression::symbol(0))
        }
        Some(b'-' | b'0'..=b'9') => match parser.at.signed() {
            Some(number) => map(0, AffineExpression::Constant(number)),
            None => return Err(parser.at.expected("a number")),
        },
        _ => {
            parser.at.eat_word(prefix);
            let value = parser.at.attribute()?;
            arguments(parser, custom)?;
            value
        }
    };
    parser.set(custom, name, value);
    Ok(custom.operands.len() - before)
}

pub(in crate::text) fn for_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    let variable = parser.value_name()?;
    let location = match parser.at.trailing_location()? {
        Some(location) => location,
        None => parser.location_of(variable.at)?,
    };
    parser.at.expect(b'=')?;
    let lower = bound(parser, custom, "lowerBoundMap", b"max")?;
    parser.at.expect_word("to")?;
    let upper = bound(parser, custom, "upperBoundMap", b"min")?;
    let mut step = 1;
    if parser.at.eat_word(b"step") {
        step = match parser.at.signed() {
            Some(step) => step,
            None => return Err(parser.at.expected("a number")),
        };
    }
    let value = crate::number::ApInt::from_i64(64, step);
    let step = parser.context().attribute(AttributeData::Integer { ty: parser.context().index_type(), value });
    parser.set(custom, "step", step);
    let mut arguments = vec![(variable, index, location)];
    let mut carried = 0;
    if parser.at.eat_word(b"iter_args") {
        let pairs = parse_initial_values(parser)?;
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the types of the results"));
        }
        custom.result_types = parser.arrow_types()?;
        carried = pairs.len();
        if carried != custom.result_types.len() {
            return Err(parser.at.error("there are more or fewer types than values that are carried on"));
        }
        for (at, (name, value)) in pairs.into_iter().enumerate() {
            let ty = custom.result_types[at];
            arguments.push(parser.argument(name, ty)?);
            custom.add(value, ty);
        }
    }
    parser.set_segments(custom, "operandSegmentSizes", &[lower, upper, carried]);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

pub(in crate::text) fn if_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.at.attribute()?;
    parser.set(custom, "condition", condition);
    arguments(parser, custom)?;
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_terminator(custom, "affine.yield")?;
            if parser.at.eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Continuation::Region(Vec::new(), Box::new(parse_end)));
            }
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

/// `[%i + 1, symbol(%n)]`: sets the map, and gives the values in it.
fn subscripts<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<Vec<ValueName<'a>>> {
    parser.at.expect(b'[')?;
    let mut values = AffineValues::default();
    let results = parser.at.affine_expressions_of(&mut values, b']')?;
    let (map, names) = values.into_map(parser, results)?;
    let map = parser.context().attribute(AttributeData::AffineMap(map));
    parser.set(custom, "map", map);
    Ok(names)
}

/// `: memref<...>`: the type and that of its elements.
pub(super) fn memref_type(parser: &mut OpParser<'_>) -> Result<(TypeRef, Type)> {
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    match parser.context()[parser.resolved(ty)?] {
        TypeData::MemRef { element, .. } => Ok((ty, element)),
        _ => Err(parser.at.error("the type of a memref was expected")),
    }
}

pub(super) fn add_indices<'a>(parser: &OpParser<'a>, custom: &mut OpState<'a>, indices: Vec<ValueName<'a>>) {
    for index in indices {
        custom.add(index, parser.context().index_type().into());
    }
}

pub(in crate::text) fn load<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = subscripts(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let (ty, element) = memref_type(parser)?;
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    custom.result_types.push(element.into());
    Ok(Continuation::Done)
}

pub(in crate::text) fn store<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.operand_name()?;
    parser.at.expect(b',')?;
    let memref = parser.operand_name()?;
    let indices = subscripts(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let (ty, element) = memref_type(parser)?;
    custom.add(value, element.into());
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    Ok(Continuation::Done)
}

pub(in crate::text) fn vector_load<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = subscripts(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let (ty, _) = memref_type(parser)?;
    parser.at.expect(b',')?;
    custom.result_types.push(parser.any_type()?);
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    Ok(Continuation::Done)
}

pub(in crate::text) fn vector_store<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.operand_name()?;
    parser.at.expect(b',')?;
    let memref = parser.operand_name()?;
    let indices = subscripts(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let (ty, _) = memref_type(parser)?;
    parser.at.expect(b',')?;
    let vector = parser.any_type()?;
    custom.add(value, vector);
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    Ok(Continuation::Done)
}

/// One of two words: whether it is the second.
fn either(parser: &mut OpParser<'_>, words: [&str; 2]) -> Result<bool> {
    if parser.at.eat_word(words[0].as_bytes()) {
        return Ok(false);
    }
    if parser.at.eat_word(words[1].as_bytes()) {
        return Ok(true);
    }
    Err(parser.at.expected(&format!("`{}` or `{}`", words[0], words[1])))
}

/// `, read, locality<3>, data`
pub(super) fn how_to_prefetch<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    parser.at.expect(b',')?;
    let write = either(parser, ["read", "write"])?;
    parser.at.expect(b',')?;
    parser.at.expect_word("locality")?;
    parser.at.expect(b'<')?;
    let start = parser.at.here();
    let locality = parser.at.signed().filter(|&locality| i32::try_from(locality).is_ok());
    let Some(locality) = locality else { return Err(parser.at.error_at(start, "expected a number of 32 bits")) };
    parser.at.expect(b'>')?;
    parser.at.expect(b',')?;
    let data = !either(parser, ["data", "instr"])?;
    let context = parser.context();
    parser.set(custom, "isWrite", context.integer(1, write.into()));
    parser.set(custom, "localityHint", context.integer(32, locality));
    parser.set(custom, "isDataCache", context.integer(1, data.into()));
    Ok(())
}

pub(in crate::text) fn prefetch<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = subscripts(parser, custom)?;
    how_to_prefetch(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let (ty, _) = memref_type(parser)?;
    custom.add(memref, ty);
    add_indices(parser, custom, indices);
    Ok(Continuation::Done)
}

/// `(max(%a, %b), 3)`: sets the map and which of its results are one group.
fn bounds<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, names: [&str; 2], keyword: &[u8]) -> Result<()> {
    let (mut values, mut results, mut groups) = (AffineValues::default(), Vec::new(), Vec::new());
    parser.at.expect(b'(')?;
    parser.at.list(b')', |parser| {
        let before = results.len();
        if parser.eat_word(keyword) {
            parser.expect(b'(')?;
            results.extend(parser.affine_expressions_of(&mut values, b')')?);
        } else {
            results.push(parser.affine_expression_of(&mut values)?);
        }
        groups.push((results.len() - before) as i32);
        Ok(())
    })?;
    let (map, operands) = values.into_map(parser, results)?;
    add_indices(parser, custom, operands);
    let context = parser.context();
    let map = context.attribute(AttributeData::AffineMap(map));
    let shape: Box<[i64]> = Box::new([groups.len() as i64]);
    let ty = context.ty(TypeData::RankedTensor { shape, element: context.integer_type(32), encoding: None });
    let mut data: Vec<u8> = groups.iter().flat_map(|size| size.to_le_bytes()).collect();
    if groups.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(4);
    }
    let groups = context.attribute(AttributeData::DenseElements { ty, data: data.into() });
    parser.set(custom, names[0], map);
    parser.set(custom, names[1], groups);
    Ok(())
}

/// An array of integers of 64 bits.
fn integers(parser: &OpParser<'_>, numbers: Vec<i64>) -> crate::attribute::Attribute {
    let context = parser.context();
    context.attribute(AttributeData::Array(numbers.into_iter().map(|number| context.integer(64, number)).collect()))
}

pub(in crate::text) fn parallel<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    let mut arguments = Vec::new();
    for name in parser.operand_list_in(b'(', b')')? {
        arguments.push(parser.argument(name, index)?);
    }
    parser.at.expect(b'=')?;
    bounds(parser, custom, ["lowerBoundsMap", "lowerBoundsGroups"], b"max")?;
    parser.at.expect_word("to")?;
    bounds(parser, custom, ["upperBoundsMap", "upperBoundsGroups"], b"min")?;
    let mut steps = vec![1; arguments.len()];
    if parser.at.eat_word(b"step") {
        steps.clear();
        parser.at.expect(b'(')?;
        parser.at.list(b')', |parser| match parser.signed() {
            Some(step) => {
                steps.push(step);
                Ok(())
            }
            None => Err(parser.expected("a number")),
        })?;
    }
    let steps = integers(parser, steps);
    parser.set(custom, "steps", steps);
    let mut reductions = Vec::new();
    if parser.at.eat_word(b"reduce") {
        parser.at.expect(b'(')?;
        loop {
            let start = parser.at.here();
            let text = parser.at.string()?;
            let kinds = parser.checker.enumeration(REDUCTIONS);
            let kind = kinds.and_then(|kinds| {
                kinds.cases.iter().find(|case| *case.text.as_bytes() == *text).map(|case| case.value)
            });
            let Some(kind) = kind else { return Err(parser.at.error_at(start, "expected a kind of reduction")) };
            reductions.push(kind);
            if parser.at.eat(b')') {
                break;
            }
            parser.at.expect(b',')?;
        }
    }
    let reductions = integers(parser, reductions);
    parser.set(custom, "reductions", reductions);
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}
