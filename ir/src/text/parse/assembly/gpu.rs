//! The operations of `gpu` that have parsers of their own.

use super::function::{Signature, name};
use super::linalg::pair;
use super::{Continuation, OpState, Parsed};
use crate::attribute::AttributeData;
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::OpParser;
use crate::text::parse::names::ValueName;
use crate::text::parse::regions::Argument;
use crate::upstream::common::regions::parse_end;

/// `workgroup(%name : type {attributes}, ...)`, if that keyword is next.
fn buffers<'a>(parser: &mut OpParser<'a>, keyword: &[u8]) -> Result<Signature<'a>> {
    let mut buffers = Signature::default();
    if !parser.at.eat_word(keyword) {
        return Ok(buffers);
    }
    parser.at.expect(b'(')?;
    parser.list(b')', |parser| {
        if !parser.at.is_at(b'%') {
            return Err(parser.at.expected("the name of a buffer"));
        }
        buffers.argument(parser)?;
        Ok(())
    })?;
    Ok(buffers)
}

/// Notes how many buffers are in the memory of a workgroup.
fn set_workgroup<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, count: usize) {
    let count = parser.context().integer(64, count as i64);
    parser.set(custom, "workgroup_attributions", count);
}

pub(in crate::text) fn func<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    name(parser, custom)?;
    let signature = Signature::parse(parser, false)?;
    if signature.arguments.len() != signature.inputs.len() {
        return Err(parser.at.error("the arguments must have names"));
    }
    let workgroup = buffers(parser, b"workgroup")?;
    set_workgroup(parser, custom, workgroup.inputs.len());
    let private = buffers(parser, b"private")?;
    if parser.at.eat_word(b"kernel") {
        let unit = parser.context().unit();
        parser.set(custom, "gpu.kernel", unit);
    }
    parser.keyword_dictionary(custom)?;
    signature.set(parser, custom);
    workgroup.set_argument_attributes(parser, custom, "workgroup_attrib_attrs");
    private.set_argument_attributes(parser, custom, "private_attrib_attrs");
    let mut arguments = signature.arguments;
    arguments.extend(workgroup.arguments);
    arguments.extend(private.arguments);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}

/// `(%id, %id, %id) in (%size = %value, %size = %value, %size = %value)` as ids, sizes and values.
fn sizes<'a>(parser: &mut OpParser<'a>) -> Result<[Vec<ValueName<'a>>; 3]> {
    let (mut ids, mut sizes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..3 {
        parser.at.expect(if at == 0 { b'(' } else { b',' })?;
        ids.push(parser.value_name()?);
    }
    parser.at.expect(b')')?;
    parser.at.expect_word("in")?;
    for at in 0..3 {
        parser.at.expect(if at == 0 { b'(' } else { b',' })?;
        sizes.push(parser.value_name()?);
        parser.at.expect(b'=')?;
        values.push(parser.operand_name()?);
    }
    parser.at.expect(b')')?;
    Ok([ids, sizes, values])
}

pub(in crate::text) fn launch<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let context = parser.context();
    let index: TypeRef = context.index_type().into();
    let mut segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0];
    if parser.at.eat_word(b"async") {
        if custom.named_results() == 0 {
            return Err(parser.at.error("what is `async` gives a token, which must have a name"));
        }
        let token: TypeRef = crate::text::parse_type(context, b"!gpu.async.token")?.into();
        custom.result_types.push(token);
        if parser.at.eat(b'[') {
            for name in parser.operand_list()? {
                custom.add(name, token);
                segments[0] += 1;
            }
            parser.at.expect(b']')?;
        }
    }
    let cluster = if parser.at.eat_word(b"clusters") { Some(sizes(parser)?) } else { None };
    parser.at.expect_word("blocks")?;
    let [block_ids, grid_sizes, grid] = sizes(parser)?;
    parser.at.expect_word("threads")?;
    let [thread_ids, block_sizes, block] = sizes(parser)?;
    let mut names = [block_ids, thread_ids, grid_sizes, block_sizes].concat();
    let mut values = [grid, block].concat();
    if let Some([ids, sizes, cluster]) = cluster {
        names.extend(ids);
        names.extend(sizes);
        values.extend(cluster);
        segments[7..10].fill(1);
    }
    for name in values {
        custom.add(name, index);
    }
    if parser.at.eat_word(b"dynamic_shared_memory_size") {
        let size = parser.operand_name()?;
        custom.add(size, context.integer_type(32).into());
        segments[10] = 1;
    }
    for name in ["module", "function"] {
        if parser.at.eat_word(name.as_bytes()) {
            parser.at.expect(b'(')?;
            let symbol = parser.at.attribute()?;
            if !matches!(&context[symbol], AttributeData::SymbolRef { nested, .. } if nested.is_empty()) {
                return Err(parser.at.error("a symbol of this module was expected"));
            }
            parser.at.expect(b')')?;
            parser.set(custom, name, symbol);
        }
    }
    let mut arguments: Vec<Argument<'a>> = Vec::new();
    for name in names {
        arguments.push(parser.argument(name, index)?);
    }
    let workgroup = buffers(parser, b"workgroup")?;
    set_workgroup(parser, custom, workgroup.inputs.len());
    let private = buffers(parser, b"private")?;
    if workgroup.has_argument_attributes(parser) || private.has_argument_attributes(parser) {
        return Err(parser.at.error("the buffers of a launch have no attributes"));
    }
    arguments.extend(workgroup.arguments);
    arguments.extend(private.arguments);
    parser.set_segments(custom, "operandSegmentSizes", &segments);
    parser.open_brace()?;
    Ok(Continuation::Region(
        arguments,
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.optional_dictionary(custom)?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn warp_execute<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    parser.at.expect(b'(')?;
    let lane = parser.operand_name()?;
    custom.add(lane, index);
    parser.at.expect(b')')?;
    parser.at.expect(b'[')?;
    let Some(size) = parser.at.signed() else { return Err(parser.at.expected("the size of a warp")) };
    let size = parser.context().integer(64, size);
    parser.set(custom, "warp_size", size);
    parser.at.expect(b']')?;
    if parser.at.eat_word(b"args") {
        parser.at.expect(b'(')?;
        let names = parser.operand_list()?;
        parser.at.expect(b':')?;
        let types = parser.types()?;
        parser.at.expect(b')')?;
        pair(parser, custom, names, types)?;
    }
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_end)))
}
