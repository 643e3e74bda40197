//! Directives of dialects that have one or two of them.

use super::OpState;
use super::directives::{dense_i64, index_list, operand, set, unknown};
use super::format::{State, give};
use crate::attribute::AttributeData;
use crate::error::{Error, Result};
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::text::assembly::{VARIADICITIES, initializer_type, variadicity_array};
use crate::text::parse::module::OpParser;
use crate::types::DYNAMIC;

/// `2x?x4`; may be empty.
fn sizes(parser: &mut OpParser<'_>) -> Result<Vec<i64>> {
    let mut sizes = Vec::new();
    loop {
        if parser.at.eat(b'?') {
            sizes.push(DYNAMIC);
        } else {
            match parser.at.size()? {
                Some(size) => sizes.push(size),
                None if sizes.is_empty() => return Ok(sizes),
                None => return Err(parser.at.expected("a size behind `x`")),
            }
        }
        if parser.at.text.get(parser.at.at) != Some(&b'x') {
            return Ok(sizes);
        }
        parser.at.at += 1;
    }
}

pub(super) fn dimension_list<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let sizes = sizes(parser)?;
    let sizes = dense_i64(parser, &sizes);
    set(parser, custom, program, arguments.first(), sizes)
}

/// `16x16x4`, where each size is an attribute of its own.
pub(super) fn mnk<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let start = parser.at.here();
    let sizes = sizes(parser)?;
    if sizes.len() != arguments.len() || !sizes.iter().all(|size| (0..=i64::from(i32::MAX)).contains(size)) {
        return Err(parser
            .at
            .error_at(start, format!("expected {} with `x` between", Error::counted(arguments.len(), "size"))));
    }
    for (argument, size) in arguments.iter().zip(sizes) {
        let size = parser.context().integer(32, size);
        set(parser, custom, program, Some(argument), size)?;
    }
    Ok(())
}

/// `[1, %a]`, or nothing.
pub(super) fn optional_index_list<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    if !parser.at.is_at(b'[') {
        return Ok(());
    }
    let list = index_list(parser, b'[', b']')?;
    if list.numbers.is_empty() {
        return Err(parser.at.error("expected a number or a value"));
    }
    state.operands[at] = Some(list.values);
    let numbers = dense_i64(parser, &list.numbers);
    set(parser, custom, program, arguments.get(1), numbers)
}

/// `ordering(%a, %b -> type)`, or nothing.
pub(super) fn token_ordering<'a>(
    parser: &mut OpParser<'a>,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(consumed), Some(produced)) = (operand(arguments.first()), arguments.get(1)) else {
        return Err(unknown(parser));
    };
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.at.eat_word(b"ordering") {
        parser.at.expect(b'(')?;
        if parser.at.eat(b'(') {
            parser.at.expect(b')')?;
        } else {
            names = parser.operand_list()?;
        }
        if parser.at.eat_arrow() {
            types.push(parser.any_type()?);
        }
        parser.at.expect(b')')?;
    }
    state.operands[consumed] = Some(names);
    give(parser, state, produced, types)
}

/// `-> type` of one result by its number; that of all is known.
pub(super) fn results_type<'a>(
    parser: &mut OpParser<'a>,
    custom: &OpState<'a>,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(result) = arguments.get(1) else { return Err(unknown(parser)) };
    let ty = if custom.find(parser.context(), "index").is_some() {
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the type of the result"));
        }
        parser.any_type()?
    } else {
        crate::text::parse_type(parser.context(), b"!pdl.range<value>")?.into()
    };
    give(parser, state, result, vec![ty])
}

/// `type = value`
pub(super) fn emitc_value<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let ty = parser.at.ty()?;
    let attribute = parser.context().attribute(AttributeData::Type(ty));
    set(parser, custom, program, arguments.first(), attribute)?;
    if !parser.at.eat(b'=') {
        return Ok(());
    }
    let start = parser.at.here();
    let Some(ty) = initializer_type(parser.context(), ty) else {
        return Err(parser.at.error_at(start, "a global of this type cannot have a value"));
    };
    let value = super::attributes::typed(parser, ty)?;
    set(parser, custom, program, arguments.get(1), value)
}

/// `(name: %a, name: optional %b)`
pub(super) fn named_list<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut values, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    parser.at.expect(b'(')?;
    parser.list(b')', |parser| {
        let name = parser.at.word();
        if name.is_empty() {
            return Err(parser.at.expected("a name"));
        }
        names.push(parser.context().string(name));
        parser.at.expect(b':')?;
        let word = parser.at.peek_word();
        let kind = VARIADICITIES.iter().find(|kind| kind.as_bytes() == word && arguments.len() > 2);
        if kind.is_some() {
            parser.at.word();
        }
        kinds.push(*kind.unwrap_or(&"single"));
        values.push(parser.operand_name()?);
        Ok(())
    })?;
    state.operands[at] = Some(values);
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    set(parser, custom, program, arguments.get(1), names)?;
    if arguments.len() > 2 {
        let text = variadicity_array(&kinds);
        let kinds = crate::text::parse_attribute(parser.context(), text.as_bytes())?;
        set(parser, custom, program, arguments.get(2), kinds)?;
    }
    Ok(())
}

/// `{"name" = %a}`, or nothing.
pub(super) fn named_attributes<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut values) = (Vec::new(), Vec::new());
    if parser.at.eat(b'{') {
        loop {
            names.push(parser.at.attribute()?);
            parser.at.expect(b'=')?;
            values.push(parser.operand_name()?);
            if parser.at.eat(b'}') {
                break;
            }
            parser.at.expect(b',')?;
        }
    }
    state.operands[at] = Some(values);
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    set(parser, custom, program, arguments.get(1), names)
}
