//! The operations of `affine` that have parsers of their own.

use super::{Custom, Next};
use crate::affine::{AffineExpression, AffineMap};
use crate::attribute::AttributeData;
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::ModuleParser;

/// `(%dimensions)[%symbols]`
fn arguments<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<()> {
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

pub(in crate::text) fn apply<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let map = parser.at.attribute()?;
    parser.set(custom, "map", map);
    arguments(parser, custom)?;
    parser.optional_dictionary(custom)?;
    custom.result_types.push(parser.context().index_type().into());
    Ok(Next::Done)
}

/// A bound of a loop: how many operands it has.
fn bound<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>, name: &str, prefix: &[u8]) -> Result<usize> {
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

pub(in crate::text) fn repeat<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
        let pairs = super::scf::initial(parser)?;
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
            arguments.push(super::scf::argument(parser, name, ty)?);
            custom.add(value, ty);
        }
    }
    parser.set_segments(custom, "operandSegmentSizes", &[lower, upper, carried]);
    parser.open_brace()?;
    Ok(Next::Region(arguments, Box::new(super::scf::end)))
}

pub(in crate::text) fn branch<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let condition = parser.at.attribute()?;
    parser.set(custom, "condition", condition);
    arguments(parser, custom)?;
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.ensure_terminator(custom, "affine.yield")?;
            if parser.at.eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Next::Region(Vec::new(), Box::new(super::scf::end)));
            }
            parser.optional_dictionary(custom)?;
            Ok(Next::Done)
        }),
    ))
}
