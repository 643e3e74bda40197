//! Along which edges of the data flow axes were propagated: what Shardy writes down where it is asked to say why a tensor is split.
//!
//! Bytecode holds these as text. A reference that stands alone, `edge_value_ref`, is kept as it is: what Shardy prints of it cannot be read.

use mlirbc_ir::text::{DialectPrinter, Parser};
use mlirbc_ir::{Context, Error, Parameter, Result};

use super::attributes::{parse_list, print_list};
use crate::stablehlo::parts::{Form, Part, Text, number};
use crate::stablehlo::views::Held;

use super::DIALECT;

/// What an edge begins and ends at, by number.
const NODES: [&str; 2] = ["operand", "result"];

/// One axis: where it came from and where it went. Both are numbers of [`NODES`], each followed by the number of the value.
pub(super) const DETAILS: Form = Form::new(
    "axis_to_propagation_details",
    0,
    &[("axis_name", Part::Attribute("axis_ref")), ("source", Part::Ints), ("targets", Part::Ints)],
    Text::Own(print_details, parse_details),
)
.without_code()
.rule(are_edges);

/// Axes in one step.
pub(super) const STEP: Form = Form::new(
    "propagation_one_step",
    0,
    &[("step_index", Part::Int), ("axis_entries", Part::Attributes("axis_to_propagation_details"))],
    Text::Own(print_step, parse_step),
)
.without_code()
.rule(is_step);

/// All steps.
pub(super) const EDGES: Form = Form::new(
    "propagation_edges",
    0,
    &[("value", Part::Attributes("propagation_one_step"))],
    Text::Own(|parameters, printer| print_list(&parameters[0], ["<[", "]>"], printer), parse_edges),
)
.without_code();

fn are_edges(_: &Context, parameters: &[Parameter]) -> Result<()> {
    let is_edge = |edge: &[i64]| matches!(*edge, [node, _] if (0..NODES.len() as i64).contains(&node));
    let count =
        |of: &Parameter| Vec::<i64>::of(of).filter(|ends| ends.chunks(2).all(is_edge)).map(|ends| ends.len() / 2);
    match parameters {
        [_, source, targets] if count(source) == Some(1) && count(targets).is_some_and(|count| count > 0) => Ok(()),
        _ => Err(Error::verification("an edge goes from one value to others")),
    }
}

fn is_step(_: &Context, parameters: &[Parameter]) -> Result<()> {
    match parameters {
        [Parameter::Signed(0..), _] => Ok(()),
        _ => Err(Error::verification("steps are numbered from 0 on")),
    }
}

fn print_ends(ends: &Parameter, printer: &mut DialectPrinter<'_>) {
    for (at, end) in Vec::<i64>::of(ends).unwrap_or_default().chunks(2).enumerate() {
        if let &[node, value] = end {
            printer.text(if at == 0 { "" } else { ", " });
            printer.text(NODES[node as usize]).text("-").text(value.to_string());
        }
    }
}

fn parse_end(parser: &mut Parser<'_>, ends: &mut Vec<i64>) -> Result<()> {
    let word = parser.word();
    let Some(node) = NODES.iter().position(|node| node.as_bytes().eq_ignore_ascii_case(word)) else {
        return Err(parser.expected("`operand` or `result`"));
    };
    parser.expect(b'-')?;
    ends.extend([node as i64, number(parser)?]);
    Ok(())
}

/// `"a" = operand-0 -> [result-0]`
fn print_details(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    printer.text("{");
    if let Parameter::Attribute(axis) = parameters[0] {
        printer.stripped_attribute(axis);
    }
    printer.text(" = ");
    print_ends(&parameters[1], printer);
    printer.text(" -> [");
    print_ends(&parameters[2], printer);
    printer.text("]}");
}

fn parse_details(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let (mut source, mut targets) = (Vec::new(), Vec::new());
    parser.expect(b'{')?;
    let axis = Parameter::Attribute(parser.stripped_attribute(DIALECT, "axis_ref")?);
    parser.expect(b'=')?;
    parse_end(parser, &mut source)?;
    if !parser.eat_arrow() {
        return Err(parser.expected("`->`"));
    }
    parser.expect(b'[')?;
    parser.list(b']', |parser| parse_end(parser, &mut targets))?;
    parser.expect(b'}')?;
    Ok(vec![axis, source.into_parameter(), targets.into_parameter()])
}

/// `{step-0 = [{"a" = operand-0 -> [result-0]}]}`
fn print_step(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    if let Parameter::Signed(step) = parameters[0] {
        printer.text("{step-").text(step.to_string()).text(" = ");
    }
    print_list(&parameters[1], ["[", "]}"], printer);
}

fn parse_step(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'{')?;
    parser.expect_word("step")?;
    parser.expect(b'-')?;
    let step = Parameter::Signed(number(parser)?);
    parser.expect(b'=')?;
    parser.expect(b'[')?;
    let entries = parse_list(parser, "axis_to_propagation_details", b']')?;
    parser.expect(b'}')?;
    Ok(vec![step, entries])
}

fn parse_edges(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    parser.expect(b'[')?;
    let steps = parse_list(parser, "propagation_one_step", b']')?;
    parser.expect(b'>')?;
    Ok(vec![steps])
}
