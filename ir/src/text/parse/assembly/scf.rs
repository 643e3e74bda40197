//! The operations of `scf` that have parsers of their own.

use super::linalg::pair;
use super::{Continuation, OpState, Parsed};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::OpParser;
use crate::text::parse::names::ValueName;
use crate::text::parse::regions::Argument;

/// `(%arg = %initial, ...)`
pub(super) fn initial<'a>(parser: &mut OpParser<'a>) -> Result<Vec<(ValueName<'a>, ValueName<'a>)>> {
    let mut pairs = Vec::new();
    parser.at.expect(b'(')?;
    parser.list(b')', |parser| {
        let argument = parser.value_name()?;
        parser.at.expect(b'=')?;
        pairs.push((argument, parser.operand_name()?));
        Ok(())
    })?;
    Ok(pairs)
}

/// An argument of a region, which gives no location of its own.
pub(super) fn argument<'a>(parser: &mut OpParser<'a>, name: ValueName<'a>, ty: TypeRef) -> Result<Argument<'a>> {
    let location = parser.location_of(name.at)?;
    Ok((name, ty, location))
}

pub(super) fn end<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    if let Some(name) = custom.definition.implicit_terminator.clone() {
        parser.ensure_terminator(custom, &name)?;
    }
    parser.optional_dictionary(custom)?;
    Ok(Continuation::Done)
}

pub(in crate::text) fn for_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    if parser.at.eat_word(b"unsigned") {
        let unit = parser.context().unit();
        parser.set(custom, "unsignedCmp", unit);
    }
    let variable = parser.value_name()?;
    parser.at.expect(b'=')?;
    let lower = parser.operand_name()?;
    parser.at.expect_word("to")?;
    let upper = parser.operand_name()?;
    parser.at.expect_word("step")?;
    let step = parser.operand_name()?;
    let mut pairs = Vec::new();
    if parser.at.eat_word(b"iter_args") {
        pairs = initial(parser)?;
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the types of the results"));
        }
        custom.result_types = parser.arrow_types()?;
    }
    let ty = if parser.at.eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    if pairs.len() != custom.result_types.len() {
        return Err(parser.at.error("there are more or fewer types than values that are carried on"));
    }
    for name in [lower, upper, step] {
        custom.add(name, ty);
    }
    let mut arguments = vec![argument(parser, variable, ty)?];
    for (at, (name, value)) in pairs.into_iter().enumerate() {
        let ty = custom.result_types[at];
        arguments.push(argument(parser, name, ty)?);
        custom.add(value, ty);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(end)))
}

/// `{...}`, or `{...} else {...}`
pub(super) fn branches<'a>(parser: &mut OpParser<'a>, terminator: &'static str) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_terminator(custom, terminator)?;
            if parser.at.eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Continuation::Region(Vec::new(), Box::new(end)));
            }
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn if_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    custom.add(condition, boolean.into());
    custom.result_types = parser.optional_arrow()?;
    branches(parser, "scf.yield")
}

pub(in crate::text) fn while_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let pairs = if parser.at.is_at(b'(') { initial(parser)? } else { Vec::new() };
    parser.at.expect(b':')?;
    let (inputs, results) = parser.functional()?;
    custom.result_types = results;
    let (arguments, values): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let mut named = Vec::new();
    if arguments.len() == inputs.len() {
        for (name, &ty) in arguments.into_iter().zip(&inputs) {
            named.push(argument(parser, name, ty)?);
        }
    }
    pair(parser, custom, values, inputs)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        named,
        Box::new(|parser: &mut OpParser<'a>, _: &mut OpState<'a>| {
            parser.at.expect_word("do")?;
            parser.open_brace()?;
            Ok(Continuation::Region(
                Vec::new(),
                Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
                    parser.keyword_dictionary(custom)?;
                    Ok(Continuation::Done)
                }),
            ))
        }),
    ))
}

/// `(%a, %b)`
pub(super) fn names_in_parentheses<'a>(parser: &mut OpParser<'a>) -> Result<Vec<ValueName<'a>>> {
    parser.at.expect(b'(')?;
    let names = parser.operand_list()?;
    parser.at.expect(b')')?;
    Ok(names)
}

pub(in crate::text) fn parallel<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let variables = names_in_parentheses(parser)?;
    let index: TypeRef = parser.context().index_type().into();
    let mut sizes = Vec::new();
    for word in ["=", "to", "step"] {
        if word == "=" {
            parser.at.expect(b'=')?;
        } else {
            parser.at.expect_word(word)?;
        }
        let names = names_in_parentheses(parser)?;
        sizes.push(names.len());
        for name in names {
            custom.add(name, index);
        }
    }
    let initials = if parser.at.eat_word(b"init") { names_in_parentheses(parser)? } else { Vec::new() };
    sizes.push(initials.len());
    custom.result_types = parser.optional_arrow()?;
    let types = custom.result_types.clone();
    pair(parser, custom, initials, types)?;
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    let mut arguments = Vec::new();
    for name in variables {
        arguments.push(argument(parser, name, index)?);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(end)))
}

pub(in crate::text) fn forall<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let variables = names_in_parentheses(parser)?;
    let index: TypeRef = parser.context().index_type().into();
    let (lower, upper, step);
    if parser.at.eat_word(b"in") {
        let bounds = parser.index_list(b'(', b')')?;
        let plain = |number: i64| crate::text::IndexList::of(vec![number; bounds.numbers.len()]);
        (lower, step) = (plain(0), plain(1));
        upper = bounds;
    } else {
        parser.at.expect(b'=')?;
        lower = parser.index_list(b'(', b')')?;
        parser.at.expect_word("to")?;
        upper = parser.index_list(b'(', b')')?;
        parser.at.expect_word("step")?;
        step = parser.index_list(b'(', b')')?;
    }
    let mut sizes = Vec::new();
    for (name, list) in [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step)] {
        let numbers = parser.i64_array(&list.numbers);
        parser.set(custom, name, numbers);
        sizes.push(list.values.len());
        for value in list.values {
            custom.add(value, index);
        }
    }
    let mut pairs = Vec::new();
    if parser.at.eat_word(b"shared_outs") {
        pairs = initial(parser)?;
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the types of the results"));
        }
        custom.result_types = parser.arrow_types()?;
    }
    if pairs.len() != custom.result_types.len() {
        return Err(parser.at.error("there are more or fewer types than shared values"));
    }
    sizes.push(pairs.len());
    let mut arguments = Vec::new();
    for name in variables {
        arguments.push(argument(parser, name, index)?);
    }
    for (at, (name, value)) in pairs.into_iter().enumerate() {
        let ty = custom.result_types[at];
        arguments.push(argument(parser, name, ty)?);
        custom.add(value, ty);
    }
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    parser.open_brace()?;
    Ok(Continuation::Region(
        arguments,
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_forall_terminator(custom)?;
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn in_parallel<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_block(custom);
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn execute_region<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    custom.result_types = parser.optional_arrow()?;
    if parser.at.eat_word(b"no_inline") {
        let unit = parser.context().unit();
        parser.set(custom, "no_inline", unit);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}
