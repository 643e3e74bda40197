//! Operations of several dialects that have parsers of their own.

use super::linalg::pair;
use super::{Continuation, OpState, Parsed};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::OpParser;
use crate::types::TypeData;
use crate::upstream::common::regions::parse_initial_values;

pub(in crate::text) fn select<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let mut condition: TypeRef = parser.context().integer_type(1).into();
    let mut ty = parser.any_type()?;
    if parser.at.eat(b',') {
        condition = std::mem::replace(&mut ty, parser.any_type()?);
    }
    pair(parser, custom, names, vec![condition, ty, ty])?;
    custom.result_types.push(ty);
    Ok(Continuation::Done)
}

pub(in crate::text) fn alloc_tensor<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.at.expect(b'(')?;
    let sizes = parser.operand_list()?;
    parser.at.expect(b')')?;
    let mut copy = None;
    if parser.at.eat_word(b"copy") {
        parser.at.expect(b'(')?;
        copy = Some(parser.operand_name()?);
        parser.at.expect(b')')?;
    }
    let mut hint = None;
    if parser.at.eat_word(b"size_hint") {
        parser.at.expect(b'=')?;
        hint = Some(parser.operand_name()?);
    }
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let index: TypeRef = parser.context().index_type().into();
    let segments = [sizes.len(), usize::from(copy.is_some()), usize::from(hint.is_some())];
    for name in sizes {
        custom.add(name, index);
    }
    if let Some(copy) = copy {
        custom.add(copy, ty);
    }
    if let Some(hint) = hint {
        custom.add(hint, index);
    }
    parser.set_segments(custom, "operandSegmentSizes", &segments);
    custom.result_types.push(ty);
    Ok(Continuation::Done)
}

pub(in crate::text) fn const_shape<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(custom)?;
    let mut numbers = Vec::new();
    parser.at.expect(b'[')?;
    parser.at.list(b']', |parser| match parser.signed() {
        Some(number) => {
            numbers.push(number);
            Ok(())
        }
        None => Err(parser.expected("a size")),
    })?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let context = parser.context();
    let shape: Box<[i64]> = Box::new([numbers.len() as i64]);
    let tensor = context.ty(TypeData::RankedTensor { shape, element: context.index_type(), encoding: None });
    let mut data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    if numbers.len() > 1 && numbers.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(8);
    }
    let value = context.attribute(AttributeData::DenseElements { ty: tensor, data: data.into() });
    parser.set(custom, "shape", value);
    custom.result_types.push(ty);
    Ok(Continuation::Done)
}

/// The attribute of an entry in which enums are bare words.
fn tosa_value(parser: &mut OpParser<'_>, name: &[u8]) -> Result<Attribute> {
    let word = parser.at.peek_word();
    if matches!(name, b"nan_mode" | b"rounding_mode" | b"mode" | b"block_size") && !word.is_empty() {
        parser.at.word();
        let mnemonic: &[u8] = if name == b"mode" { b"resize_mode" } else { name };
        let text = [b"#tosa.", mnemonic, b"<", word, b">"].concat();
        return crate::text::parse_attribute(parser.context(), &text);
    }
    parser.at.attribute()
}

pub(in crate::text) fn tosa<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    if parser.at.eat(b'{') {
        parser.list(b'}', |parser| {
            let name = parser.at.word();
            if name.is_empty() {
                return Err(parser.at.expected("the name of an attribute"));
            }
            let value = if parser.at.eat(b'=') { tosa_value(parser, name)? } else { parser.context().unit() };
            custom.attributes.push((parser.context().identifier(name), value));
            Ok(())
        })?;
    }
    parser.at.expect(b':')?;
    let (inputs, results) = parser.functional()?;
    pair(parser, custom, names, inputs)?;
    custom.result_types = results;
    Ok(Continuation::Done)
}

/// The type of what is in an asynchronous value.
pub(crate) fn awaited(parser: &mut OpParser<'_>, ty: TypeRef) -> Result<Option<TypeRef>> {
    let text = crate::text::print_type(parser.context(), parser.resolved(ty)?)?;
    match crate::text::assembly::async_value(&text) {
        Some(inner) => Ok(Some(crate::text::parse_type(parser.context(), inner.as_bytes())?.into())),
        None => Ok(None),
    }
}

pub(in crate::text) fn execute<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let token: TypeRef = crate::text::parse_type(parser.context(), b"!async.token")?.into();
    let mut sizes = [0, 0];
    if parser.at.eat(b'[') {
        for name in parser.operand_list()? {
            custom.add(name, token);
            sizes[0] += 1;
        }
        parser.at.expect(b']')?;
    }
    let mut arguments = Vec::new();
    if parser.at.eat(b'(') {
        parser.list(b')', |parser| {
            let value = parser.operand_name()?;
            parser.at.expect_word("as")?;
            let name = parser.value_name()?;
            parser.at.expect(b':')?;
            let ty = parser.any_type()?;
            let Some(inner) = awaited(parser, ty)? else {
                return Err(parser.at.error("the type of an asynchronous value was expected"));
            };
            custom.add(value, ty);
            sizes[1] += 1;
            arguments.push(parser.argument(name, inner)?);
            Ok(())
        })?;
    }
    custom.result_types.push(token);
    let results = parser.optional_arrow()?;
    custom.result_types.extend(results);
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    parser.keyword_dictionary(custom)?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}

pub(in crate::text) fn assuming<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let witness = parser.operand_name()?;
    let ty = crate::text::parse_type(parser.context(), b"!shape.witness")?;
    custom.add(witness, ty.into());
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_terminator(custom, "shape.assuming_yield")?;
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

/// `%item : type in %range {...} -> ^block`
pub(in crate::text) fn pdl_foreach<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let name = parser.value_name()?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let item = parser.resolved(ty)?;
    let item = crate::text::print_type(parser.context(), item)?;
    let range = crate::text::assembly::pdl_range(&item);
    let location = match parser.at.trailing_location()? {
        Some(location) => location,
        None => parser.location_of(name.at)?,
    };
    parser.at.expect_word("in")?;
    let values = parser.operand_name()?;
    let range = crate::text::parse_type(parser.context(), range.as_bytes())?;
    custom.add(values, range.into());
    parser.open_brace()?;
    Ok(Continuation::Region(
        vec![(name, ty, location)],
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.optional_dictionary(custom)?;
            if !parser.at.eat_arrow() {
                return Err(parser.at.expected("`->` and a block"));
            }
            let start = parser.at.here();
            let label = parser.at.block_label()?;
            if let Some(op) = custom.op {
                parser.frame().successors.push((op, vec![(label, start)]));
            }
            Ok(Continuation::Done)
        }),
    ))
}

/// A dictionary behind the last region.
fn dictionary_behind<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(custom)?;
    Ok(Continuation::Done)
}

pub(in crate::text) fn shape_reduce<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.at.expect(b'(')?;
    let names = parser.operand_list()?;
    parser.at.expect(b')')?;
    parser.at.expect(b':')?;
    let mut types = vec![parser.any_type()?];
    custom.result_types = parser.optional_arrow()?;
    types.extend_from_slice(&custom.result_types);
    pair(parser, custom, names, types)?;
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(dictionary_behind)))
}

pub(in crate::text) fn function_library<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    super::function::name(parser, custom)?;
    parser.keyword_dictionary(custom)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.at.expect_word("mapping")?;
            if !parser.at.is_at(b'{') {
                return Err(parser.at.expected("a dictionary"));
            }
            let mapping = parser.at.attribute()?;
            parser.set(custom, "mapping", mapping);
            Ok(Continuation::Done)
        }),
    ))
}

/// Operands of one type.
pub(in crate::text) fn same_types<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    for name in names {
        custom.add(name, ty);
    }
    custom.result_types.push(crate::text::parse_type(parser.context(), b"!smt.bool")?.into());
    Ok(Continuation::Done)
}

pub(in crate::text) fn cond_if<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    // The names are given again by the blocks.
    let values: Vec<_> = match parser.at.is_at(b'(') {
        true => parse_initial_values(parser)?.into_iter().map(|pair| pair.1).collect(),
        false => Vec::new(),
    };
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    custom.add(condition, ty);
    if parser.at.is_at(b'(') {
        let (inputs, results) = parser.functional()?;
        pair(parser, custom, values, inputs)?;
        custom.result_types = results;
    } else {
        pair(parser, custom, values, Vec::new())?;
        custom.result_types = parser.optional_arrow()?;
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            if parser.at.eat_word(b"else") {
                parser.open_brace()?;
                return Ok(Continuation::Region(Vec::new(), Box::new(dictionary_behind)));
            }
            dictionary_behind(parser, custom)
        }),
    ))
}

pub(in crate::text) fn smt_integer<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let negative = parser.at.eat(b'-');
    let start = parser.at.here();
    let rest = &parser.at.text[start..];
    let digits = rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
    let text = String::from_utf8_lossy(&rest[..digits]);
    let value = crate::text::assembly::smt_integer(parser.context(), &text, negative).filter(|_| digits > 0);
    let Some(value) = value else { return Err(parser.at.expected("a number in decimal digits")) };
    parser.at.at = start + digits;
    parser.set(custom, "value", value);
    parser.optional_dictionary(custom)?;
    custom.result_types.push(crate::text::parse_type(parser.context(), b"!smt.int")?.into());
    Ok(Continuation::Done)
}

/// `#smt.bv<5> : !smt.bv<32>`: the type is that of the result.
pub(in crate::text) fn smt_bits<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let start = parser.at.here();
    let value = parser.at.attribute()?;
    let text = crate::text::print_attribute(parser.context(), value)?;
    let Some((_, ty)) = text.split_once(" : ") else {
        return Err(parser.at.error_at(start, "expected bits and their type"));
    };
    custom.result_types.push(crate::text::parse_type(parser.context(), ty.as_bytes())?.into());
    parser.set(custom, "value", value);
    parser.optional_dictionary(custom)?;
    Ok(Continuation::Done)
}
