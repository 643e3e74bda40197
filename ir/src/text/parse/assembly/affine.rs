//! The operations of `affine` that have parsers of their own.

use super::{Custom, Hand, Next};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::parse::module::ModuleParser;

pub(super) fn find(name: &str) -> Option<Hand> {
    Some(match name {
        "apply" | "min" | "max" => apply,
        _ => return None,
    })
}

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

fn apply<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let map = parser.at.attribute()?;
    parser.set(custom, "map", map);
    arguments(parser, custom)?;
    parser.optional_dictionary(custom)?;
    custom.result_types.push(parser.context().index_type().into());
    Ok(Next::Done)
}
