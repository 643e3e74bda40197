//! The operations of `emitc` that have parsers of their own.

use super::scf::{argument, branches, end};
use super::{Custom, Next};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::ModuleParser;

pub(in crate::text) fn include<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let standard = parser.at.eat(b'<');
    let name = parser.at.string()?;
    let name = parser.context().string(name);
    parser.set(custom, "include", name);
    if standard {
        parser.at.expect(b'>')?;
        let unit = parser.context().unit();
        parser.set(custom, "is_standard_include", unit);
    }
    Ok(Next::Done)
}

pub(in crate::text) fn branch<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    custom.add(condition, boolean.into());
    branches(parser, "emitc.yield")
}

pub(in crate::text) fn repeat<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
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
    let arguments = vec![argument(parser, variable, ty)?];
    parser.open_brace()?;
    Ok(Next::Region(arguments, Box::new(end)))
}

pub(in crate::text) fn repeat_do<'a>(parser: &mut ModuleParser<'a>, _: &mut Custom<'a>) -> Result<Next<'a>> {
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.ensure_block(custom);
            parser.at.expect_word("while")?;
            parser.open_brace()?;
            Ok(Next::Region(
                Vec::new(),
                Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
                    parser.keyword_dictionary(custom)?;
                    Ok(Next::Done)
                }),
            ))
        }),
    ))
}
