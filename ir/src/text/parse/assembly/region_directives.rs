//! The directives of assembly formats that stand for code and show regions.

use std::rc::Rc;

use super::directives::{dense_i64, set};
use super::format::{State, step_on};
use super::{Continuation, OpState, Parsed};

use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::text::parse::module::OpParser;

/// Whether the directive shows regions.
pub(super) fn has_regions(name: &str) -> bool {
    matches!(name, "SingleBlockRegion" | "SwitchCases")
}

/// Parses the directive that the state is at, and then the rest of the format.
pub(super) fn parse<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: Rc<Program>,
    state: State<'a>,
) -> Parsed<'a> {
    let (name, arguments) = state.directive(&program);
    match (name, arguments) {
        ("SwitchCases", [_, Element::Region(cases)]) => {
            let cases = *cases;
            switch_cases(parser, custom, program, state, cases, Vec::new())
        }
        ("SingleBlockRegion", [Element::Region(number)]) => {
            let number = *number;
            single_block(parser, custom, program, state, number)
        }
        _ => Err(parser.at.error("this directive cannot be read")),
    }
}

/// `case 1 {...}`, as often as it comes.
fn switch_cases<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: Rc<Program>,
    mut state: State<'a>,
    regions: u32,
    mut cases: Vec<i64>,
) -> Parsed<'a> {
    if !parser.at.eat_word(b"case") {
        let cases = dense_i64(parser, &cases);
        set(parser, custom, &program, state.directive(&program).1.first(), cases)?;
        return step_on(parser, custom, program, state);
    }
    match parser.at.signed() {
        Some(case) => cases.push(case),
        None => return Err(parser.at.expected("the number of a case")),
    }
    parser.open_brace()?;
    state.regions.push(regions);
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            switch_cases(parser, custom, program, state, regions, cases)
        }),
    ))
}

/// `{...}`, or nothing for an empty block.
fn single_block<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: Rc<Program>,
    mut state: State<'a>,
    number: u32,
) -> Parsed<'a> {
    state.regions.push(number);
    if !parser.at.eat(b'{') {
        parser.empty_region(custom);
        parser.ensure_block(custom);
        return step_on(parser, custom, program, state);
    }
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            parser.ensure_block(custom);
            step_on(parser, custom, program, state)
        }),
    ))
}
