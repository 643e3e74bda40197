//! The operations of `transform` that have parsers of their own.

use super::{Continuation, OpState, Parsed};
use crate::body::TypeRef;
use crate::text::parse::module::OpParser;
use crate::types::DYNAMIC;

pub(in crate::text) fn split<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let target = parser.operand_name()?;
    parser.at.expect_word("after")?;
    let (mut dynamic, mut size) = (None, DYNAMIC);
    if parser.at.is_at(b'%') {
        dynamic = Some(parser.operand_name()?);
    } else {
        match parser.at.signed() {
            Some(number) => size = number,
            None => return Err(parser.at.expected("a size or a value")),
        }
    }
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty: TypeRef = parser.any_type()?;
    custom.add(target, ty);
    if let Some(dynamic) = dynamic {
        parser.at.expect(b',')?;
        let ty = parser.any_type()?;
        custom.add(dynamic, ty);
    }
    let size = parser.context().integer(64, size);
    parser.set(custom, "static_chunk_sizes", size);
    custom.result_types.push(ty);
    Ok(Continuation::Done)
}
