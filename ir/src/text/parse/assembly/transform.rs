//! The directives and operations of `transform` that stand for code.

use super::directives::{dense_i64, index_list, operand, set, unknown};
use super::format::{State, give};
use super::{Continuation, OpState, Parsed};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::ods::Element;
use crate::text::assembly::DEEPEST_OPTION;
use crate::text::assembly::program::Program;
use crate::text::parse::module::OpParser;
use crate::text::parse::names::ValueName;
use crate::types::DYNAMIC;

/// `type`, or `(type) -> type`, or `(type) -> (type, type)`
pub(super) fn semi_function_type<'a>(
    parser: &mut OpParser<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(input), Some(result)) = (arguments.first(), arguments.get(1)) else { return Err(unknown(parser)) };
    let Element::Type(of) = result else { return Err(unknown(parser)) };
    let one = match &**of {
        Element::Result(at) => program.details.results[*at as usize].multiplicity == crate::ods::Multiplicity::One,
        _ => false,
    };
    let open = parser.at.eat(b'(');
    if !open && one {
        return Err(parser.at.expected("`(`, a type and `)`"));
    }
    let ty = parser.any_type()?;
    give(parser, state, input, vec![ty])?;
    let mut types = Vec::new();
    if open {
        parser.at.expect(b')')?;
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the types of the results"));
        }
        types = if one { vec![parser.any_type()?] } else { parser.arrow_types()? };
    }
    give(parser, state, result, types)
}

/// `all`, or `1, 2`, or `except(1, 2)`
pub(super) fn match_dims<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let unit = parser.context().unit();
    let mut numbers = Vec::new();
    if parser.at.eat_word(b"all") {
        set(parser, custom, program, arguments.get(2), unit)?;
    } else {
        let inverted = parser.at.eat_word(b"except");
        if inverted {
            set(parser, custom, program, arguments.get(1), unit)?;
            parser.at.expect(b'(')?;
        }
        loop {
            match parser.at.signed() {
                Some(number) => numbers.push(number),
                None => return Err(parser.at.expected("a position")),
            }
            if !parser.at.eat(b',') {
                break;
            }
        }
        if inverted {
            parser.at.expect(b')')?;
        }
    }
    let numbers = dense_i64(parser, &numbers);
    set(parser, custom, program, arguments.first(), numbers)
}

/// `@matcher -> @action`, with commas between.
pub(super) fn match_symbols<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let symbol = |parser: &mut OpParser<'a>| -> Result<Attribute> {
        let root = parser.at.symbol_name()?;
        Ok(parser.context().attribute(AttributeData::SymbolRef { root, nested: Box::default() }))
    };
    let (mut matchers, mut actions) = (Vec::new(), Vec::new());
    loop {
        matchers.push(symbol(parser)?);
        if !parser.at.eat_arrow() {
            return Err(parser.at.expected("`->` and the symbol of an action"));
        }
        actions.push(symbol(parser)?);
        if !parser.at.eat(b',') {
            break;
        }
    }
    for (argument, list) in arguments.iter().zip([matchers, actions]) {
        let list = parser.context().attribute(AttributeData::Array(list.into()));
        set(parser, custom, program, Some(argument), list)?;
    }
    Ok(())
}

/// `%root, %more : (type, type)`
pub(super) fn sequence_operands<'a>(
    parser: &mut OpParser<'a>,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(root), Some(extra)) = (operand(arguments.first()), operand(arguments.get(2))) else {
        return Err(unknown(parser));
    };
    let mut names = parser.operand_list()?;
    let mut types = Vec::new();
    if !names.is_empty() {
        parser.at.expect(b':')?;
        let open = parser.at.eat(b'(');
        types = parser.types()?;
        if open {
            parser.at.expect(b')')?;
        }
        if types.len() != names.len() {
            return Err(parser.at.error("there are more or fewer types than operands"));
        }
    }
    let first = names.len().min(1);
    state.operands[extra] = Some(names.split_off(first));
    state.operand_types[extra] = Some(types.split_off(first));
    (state.operands[root], state.operand_types[root]) = (Some(names), Some(types));
    Ok(())
}

/// `(type) -> type`, which is the type of all results.
pub(super) fn one_result_type<'a>(
    parser: &mut OpParser<'a>,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let start = parser.at.here();
    let (inputs, results) = parser.functional()?;
    let (&[input], &[result]) = (inputs.as_slice(), results.as_slice()) else {
        return Err(parser.at.error_at(start, "expected a function type with one input and one result"));
    };
    for (at, argument) in arguments.iter().enumerate() {
        give(parser, state, argument, vec![if at == 0 { input } else { result }])?;
    }
    Ok(())
}

/// `*(%handle)`, or `[1, %a]`
pub(super) fn packed_or_list<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(packed), Some(values)) = (operand(arguments.first()), operand(arguments.get(1))) else {
        return Err(unknown(parser));
    };
    let mut numbers = Vec::new();
    if parser.at.eat(b'*') {
        parser.at.expect(b'(')?;
        state.operands[packed] = Some(vec![parser.operand_name()?]);
        parser.at.expect(b')')?;
    } else {
        let list = index_list(parser, b'[', b']')?;
        numbers = list.numbers;
        state.operands[values] = Some(list.values);
    }
    let numbers = dense_i64(parser, &numbers);
    set(parser, custom, program, arguments.get(2), numbers)
}

/// `2`, or `%parameter`
pub(super) fn selected_region<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(parameter) = operand(arguments.get(1)) else { return Err(unknown(parser)) };
    if parser.at.is_at(b'%') {
        state.operands[parameter] = Some(vec![parser.operand_name()?]);
        return Ok(());
    }
    let Some(number) = parser.at.unsigned().and_then(|number| i64::try_from(number).ok()) else {
        return Err(parser.at.expected("the number of a region, or a parameter"));
    };
    let index = parser.context().index_type();
    let value = crate::number::ApInt::from_u64(64, number as u64);
    let value = parser.context().attribute(AttributeData::Integer { ty: index, value });
    set(parser, custom, program, arguments.first(), value)
}

/// `{"name" = value, "name" = %parameter}`
pub(super) fn pass_options<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(parameters) = operand(arguments.get(1)) else { return Err(unknown(parser)) };
    let start = parser.at.here();
    let (mut entries, mut names) = (Vec::new(), Vec::new());
    parser.at.expect(b'{')?;
    loop {
        let name = if parser.at.is_at(b'"') { parser.at.string()?.into_owned() } else { parser.at.word().to_vec() };
        if name.is_empty() {
            return Err(parser.at.expected("the name of an option"));
        }
        parser.at.expect(b'=')?;
        let value = pass_option(parser, &mut names, DEEPEST_OPTION)?;
        entries.push((parser.context().identifier(&name), value));
        if parser.at.eat(b'}') {
            break;
        }
        parser.at.expect(b',')?;
    }
    state.operands[parameters] = Some(names);
    let options = parser.context().dictionary(entries).map_err(|error| error.at(start as u64))?;
    set(parser, custom, program, arguments.first(), options)
}

fn pass_option<'a>(parser: &mut OpParser<'a>, names: &mut Vec<ValueName<'a>>, depth: usize) -> Result<Attribute> {
    if depth == 0 {
        return parser.at.attribute();
    }
    if parser.at.is_at(b'%') {
        let text = format!("#transform.param_operand<index = {} : i64>", names.len());
        names.push(parser.operand_name()?);
        return crate::text::parse_attribute(parser.context(), text.as_bytes());
    }
    if !parser.at.eat(b'[') {
        return parser.at.attribute();
    }
    let mut items = Vec::new();
    parser.list(b']', |parser| {
        items.push(pass_option(parser, names, depth - 1)?);
        Ok(())
    })?;
    Ok(parser.context().attribute(AttributeData::Array(items.into())))
}

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
