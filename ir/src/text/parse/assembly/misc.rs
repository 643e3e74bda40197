//! Operations of several dialects that have parsers of their own.

use super::linalg::pair;
use super::{Custom, Next};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::ModuleParser;
use crate::types::TypeData;

pub(in crate::text) fn select<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
    Ok(Next::Done)
}

pub(in crate::text) fn alloc_tensor<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
    Ok(Next::Done)
}

pub(in crate::text) fn alloca_scope<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.ensure_terminator(custom, "memref.alloca_scope.return")?;
            parser.optional_dictionary(custom)?;
            Ok(Next::Done)
        }),
    ))
}

pub(in crate::text) fn const_shape<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
    Ok(Next::Done)
}

/// The attribute of an entry in which enums are bare words.
fn tosa_value(parser: &mut ModuleParser<'_>, name: &[u8]) -> Result<Attribute> {
    let word = parser.at.peek_word();
    if matches!(name, b"nan_mode" | b"rounding_mode" | b"mode") && !word.is_empty() {
        parser.at.word();
        let mnemonic: &[u8] = if name == b"mode" { b"resize_mode" } else { name };
        let text = [b"#tosa.", mnemonic, b"<", word, b">"].concat();
        return crate::text::parse_attribute(parser.context(), &text);
    }
    parser.at.attribute()
}

pub(in crate::text) fn tosa<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    if parser.at.eat(b'{') && !parser.at.eat(b'}') {
        loop {
            let name = parser.at.word();
            if name.is_empty() {
                return Err(parser.at.expected("the name of an attribute"));
            }
            let value = if parser.at.eat(b'=') { tosa_value(parser, name)? } else { parser.context().unit() };
            custom.attributes.push((parser.context().identifier(name), value));
            if parser.at.eat(b'}') {
                break;
            }
            parser.at.expect(b',')?;
        }
    }
    parser.at.expect(b':')?;
    let (inputs, results) = parser.functional()?;
    pair(parser, custom, names, inputs)?;
    custom.result_types = results;
    Ok(Next::Done)
}

/// `%item : type in %range {...} -> ^block`
pub(in crate::text) fn pdl_foreach<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
    Ok(Next::Region(
        vec![(name, ty, location)],
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.optional_dictionary(custom)?;
            if !parser.at.eat_arrow() {
                return Err(parser.at.expected("`->` and a block"));
            }
            let start = parser.at.here();
            let label = parser.at.block_label()?;
            if let Some(op) = custom.op {
                parser.frame().successors.push((op, vec![(label, start)]));
            }
            Ok(Next::Done)
        }),
    ))
}
