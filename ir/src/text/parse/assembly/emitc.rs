//! The operations of `emitc` that have parsers of their own.

use super::{Continuation, OpState, Parsed};
use crate::body::TypeRef;

use crate::text::parse::module::OpParser;
use crate::upstream::common::regions::{parse_branches, parse_end};

pub(in crate::text) fn include<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let standard = parser.at.eat(b'<');
    let name = parser.at.string()?;
    let name = parser.context().string(name);
    parser.set(custom, "include", name);
    if standard {
        parser.at.expect(b'>')?;
        let unit = parser.context().unit();
        parser.set(custom, "is_standard_include", unit);
    }
    Ok(Continuation::Done)
}

pub(in crate::text) fn if_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    custom.add(condition, boolean.into());
    parse_branches(parser, custom)
}

pub(in crate::text) fn for_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let variable = parser.value_name()?;
    parser.at.expect(b'=')?;
    let lower = parser.operand_name()?;
    parser.at.expect_word("to")?;
    let upper = parser.operand_name()?;
    parser.at.expect_word("step")?;
    let step = parser.operand_name()?;
    let ty: TypeRef = if parser.at.eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    for name in [lower, upper, step] {
        custom.add(name, ty);
    }
    let arguments = vec![parser.argument(variable, ty)?];
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

pub(in crate::text) fn do_op<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_block(custom);
            parser.at.expect_word("while")?;
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
