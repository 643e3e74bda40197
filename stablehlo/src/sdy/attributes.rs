//! Attributes of `sdy`: meshes of devices, and how tensors are split over them.

use mlirbc_ir::text::{DialectPrinter, Elision, Parser};
use mlirbc_ir::{AttributeData, Context, Error, Parameter, Result};

use super::factors::{parse_dim, parse_rule, parse_tensor, print_dim, print_rule, print_tensor};
use super::{DIALECT, edges};
use crate::stablehlo::parts::{Form, Forms, Part, Text, name, number, numbers, print_numbers};

/// Of what tensors whose sum is not made yet are parts.
const REDUCTIONS: &[(u64, &str)] = &[(0, "SUM"), (1, "MAX"), (2, "MIN")];

/// All attributes. Those that have several codes have none here.
pub(super) const FORMS: Forms = Forms {
    dialect: DIALECT,
    types: &[],
    attributes: &[
        Form::new("manual_axes", 0, &[("value", Part::Attributes(""))], Text::Own(print_braced, parse_names))
            .rule(are_names),
        Form::new("mesh_axis", 1, &[("name", Part::Name), ("size", Part::Int)], Text::Own(print_axis, parse_axis)),
        Form::new(
            "mesh",
            2,
            &[("axes", Part::Attributes("mesh_axis")), ("device_ids", Part::Ints)],
            Text::Own(print_mesh, parse_mesh),
        ),
        Form::new(
            "sub_axis_info",
            3,
            &[("pre_size", Part::Int), ("size", Part::Int)],
            Text::Own(print_sub_axis, parse_sub_axis),
        ),
        Form::new(
            "axis_ref",
            4,
            &[("name", Part::Name), ("sub_axis_info", Part::Optional("sub_axis_info"))],
            Text::Own(print_axis_ref, parse_axis_ref),
        ),
        Form::new(
            "dimension_sharding",
            5,
            &[("axes", Part::Attributes("axis_ref")), ("is_closed", Part::Bool), ("priority", Part::OptionalInt)],
            Text::Own(print_dimension, parse_dimension),
        ),
        Form::new(
            "sharding",
            6,
            &[
                ("mesh_or_ref", Part::Attribute("")),
                ("dim_shardings", Part::Attributes("dimension_sharding")),
                ("replicated_axes", Part::Attributes("axis_ref")),
                ("unreduced_axes", Part::Attributes("axis_ref")),
                ("reduction_op", Part::Case(REDUCTIONS)),
            ],
            Text::Own(print_sharding, parse_sharding),
        )
        .without_code(),
        Form::new(
            "sharding_per_value",
            7,
            &[("shardings", Part::Attributes("sharding"))],
            Text::Own(print_per_value, parse_per_value),
        )
        .without_code(),
        Form::new("dim_mapping", 8, &[("factor_indices", Part::Ints)], Text::Own(print_dim, parse_dim)),
        Form::new(
            "tensor_mapping",
            9,
            &[("dim_mappings", Part::Attributes("dim_mapping"))],
            Text::Own(print_tensor, parse_tensor),
        ),
        Form::new(
            "op_sharding_rule",
            10,
            &[
                ("factor_sizes", Part::Ints),
                ("operand_mappings", Part::Attributes("tensor_mapping")),
                ("result_mappings", Part::Attributes("tensor_mapping")),
                ("reduction_factors", Part::Ints),
                ("need_replication_factors", Part::Ints),
                ("permutation_factors", Part::Ints),
                ("blocked_propagation_factors", Part::Ints),
                ("is_custom_rule", Part::Bool),
            ],
            Text::Own(print_rule, parse_rule),
        ),
        Form::new(
            "axis_ref_list",
            11,
            &[("value", Part::Attributes("axis_ref"))],
            Text::Own(print_braced, |parser| parse_braced(parser, "axis_ref")),
        ),
        Form::new(
            "list_of_axis_ref_lists",
            12,
            &[("value", Part::Attributes("axis_ref_list"))],
            Text::Own(print_bracketed, |parser| parse_bracketed(parser, "axis_ref_list")),
        ),
        Form::new(
            "all_to_all_param",
            13,
            &[("axes", Part::Attributes("axis_ref")), ("src_dim", Part::Int), ("tgt_dim", Part::Int)],
            Text::Own(print_all_to_all, parse_all_to_all),
        ),
        Form::new(
            "all_to_all_param_list",
            14,
            &[("value", Part::Attributes("all_to_all_param"))],
            Text::Own(print_bracketed, |parser| parse_bracketed(parser, "all_to_all_param")),
        ),
        edges::DETAILS,
        edges::STEP,
        edges::EDGES,
    ],
};

fn are_names(context: &Context, parameters: &[Parameter]) -> Result<()> {
    let is_name = |item: &Parameter| matches!(item, Parameter::Attribute(name) if matches!(context[*name], AttributeData::String { .. }));
    match parameters {
        [Parameter::List(names)] if names.iter().all(is_name) => Ok(()),
        _ => Err(Error::verification("axes are strings")),
    }
}

/// Prints attributes with commas between, those of the dialect without its name and their mnemonic.
pub(super) fn print_list(items: &Parameter, around: [&str; 2], printer: &mut DialectPrinter<'_>) {
    let Parameter::List(items) = items else { return };
    printer.text(around[0]);
    for (at, item) in items.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        if let Parameter::Attribute(attribute) = item {
            printer.stripped_attribute(*attribute);
        }
    }
    printer.text(around[1]);
}

/// Parses attributes of that mnemonic with commas between, up to and with `close`.
pub(super) fn parse_list(parser: &mut Parser<'_>, mnemonic: &str, close: u8) -> Result<Parameter> {
    let mut items = Vec::new();
    parser.list(close, |parser| {
        items.push(Parameter::Attribute(parser.stripped_attribute(DIALECT, mnemonic)?));
        Ok(())
    })?;
    Ok(Parameter::List(items.into()))
}

fn print_braced(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["{", "}"], printer);
}

fn parse_braced(parser: &mut Parser<'_>, mnemonic: &str) -> Result<Vec<Parameter>> {
    parser.expect(b'{')?;
    Ok(vec![parse_list(parser, mnemonic, b'}')?])
}

fn print_bracketed(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["[", "]"], printer);
}

fn parse_bracketed(parser: &mut Parser<'_>, mnemonic: &str) -> Result<Vec<Parameter>> {
    parser.expect(b'[')?;
    Ok(vec![parse_list(parser, mnemonic, b']')?])
}

/// `{"a", "b"}`
fn parse_names(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut names = Vec::new();
    parser.expect(b'{')?;
    parser.list(b'}', |parser| {
        names.push(name(parser)?);
        Ok(())
    })?;
    Ok(vec![Parameter::List(names.into())])
}

/// Prints a string in quotes.
fn print_name(name: &Parameter, printer: &mut DialectPrinter<'_>) {
    let context = printer.context();
    if let Parameter::Attribute(name) = name
        && let AttributeData::String { value, .. } = &context[*name]
    {
        printer.string(value);
    }
}

fn print_number(number: &Parameter, printer: &mut DialectPrinter<'_>) {
    if let Parameter::Signed(number) = number {
        printer.text(number.to_string());
    }
}

/// `"a"=2`
fn print_axis(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_name(&parameters[0], printer);
    printer.text("=");
    print_number(&parameters[1], printer);
}

fn parse_axis(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let name = name(parser)?;
    parser.expect(b'=')?;
    Ok(vec![name, Parameter::Signed(number(parser)?)])
}

/// `<["a"=2, "b"=4], device_ids=[1, 0, ...]>`
fn print_mesh(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["<[", "]"], printer);
    if let Parameter::List(ids) = &parameters[1]
        && !ids.is_empty()
    {
        printer.text(", device_ids=");
        print_numbers(ids, printer);
    }
    printer.text(">");
}

fn parse_mesh(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    parser.expect(b'[')?;
    let axes = parse_list(parser, "mesh_axis", b']')?;
    let mut ids = Parameter::List(Box::default());
    if parser.eat(b',') {
        parser.expect_word("device_ids")?;
        parser.expect(b'=')?;
        let given = numbers(parser)?;
        // Devices in their order need not be said.
        let in_order =
            matches!(&given, Parameter::List(ids) if ids.iter().zip(0..).all(|(id, at)| *id == Parameter::Signed(at)));
        if !in_order || matches!(&axes, Parameter::List(axes) if axes.is_empty()) {
            ids = given;
        }
    }
    parser.expect(b'>')?;
    Ok(vec![axes, ids])
}

/// `(1)2`
fn print_sub_axis(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    printer.text("(");
    print_number(&parameters[0], printer);
    printer.text(")");
    print_number(&parameters[1], printer);
}

fn parse_sub_axis(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'(')?;
    let before = number(parser)?;
    parser.expect(b')')?;
    Ok(vec![Parameter::Signed(before), Parameter::Signed(number(parser)?)])
}

/// `"a":(1)2`
fn print_axis_ref(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_name(&parameters[0], printer);
    if let Parameter::Attribute(part) = parameters[1] {
        printer.text(":").stripped_attribute(part);
    }
}

fn parse_axis_ref(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let name = name(parser)?;
    let part = match parser.eat(b':') {
        true => Parameter::Attribute(parser.stripped_attribute(DIALECT, "sub_axis_info")?),
        false => Parameter::None,
    };
    Ok(vec![name, part])
}

/// `{"a", ?}p1`
fn print_dimension(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["{", ""], printer);
    let has_axes = matches!(&parameters[0], Parameter::List(axes) if !axes.is_empty());
    printer.text(match (&parameters[1], has_axes) {
        (Parameter::Bool(true), _) => "}",
        (_, true) => ", ?}",
        (_, false) => "?}",
    });
    if let Parameter::Signed(priority) = parameters[2] {
        printer.text(format!("p{priority}"));
    }
}

fn parse_dimension(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let (mut axes, mut is_closed) = (Vec::new(), true);
    parser.expect(b'{')?;
    while !parser.eat(b'}') {
        if !axes.is_empty() {
            parser.expect(b',')?;
        }
        if parser.eat(b'?') {
            is_closed = false;
            parser.expect(b'}')?;
            break;
        }
        axes.push(Parameter::Attribute(parser.stripped_attribute(DIALECT, "axis_ref")?));
    }
    let mut priority = Parameter::None;
    if parser.peek() == Some(b'p') {
        let digits = &parser.word()[1..];
        let is_number = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || !digits.starts_with(b"0"));
        let number = std::str::from_utf8(digits).ok().filter(|_| is_number).and_then(|digits| digits.parse().ok());
        priority = Parameter::Signed(number.ok_or_else(|| parser.error("a priority such as `p1` was expected"))?);
    }
    Ok(vec![Parameter::List(axes.into()), Parameter::Bool(is_closed), priority])
}

/// `<@mesh, [{"a"}, {?}], replicated={"b"}, unreduced={"c"}>`
fn print_sharding(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let [Parameter::Attribute(mesh), dimensions, replicated, unreduced, reduction] = parameters else { return };
    let context = printer.context();
    printer.text("<");
    if matches!(&context[*mesh], AttributeData::Dialect(value) if context.bytes(value.mnemonic) == b"mesh") {
        printer.text("mesh").stripped_attribute(*mesh);
    } else {
        printer.attribute(*mesh, Elision::Never);
    }
    print_list(dimensions, [", [", "]"], printer);
    let has = |axes: &Parameter| matches!(axes, Parameter::List(axes) if !axes.is_empty());
    if has(replicated) {
        print_list(replicated, [", replicated={", "}"], printer);
    }
    if has(unreduced) {
        let before = match reduction {
            Parameter::Unsigned(1) => ", unreduced=max{",
            Parameter::Unsigned(2) => ", unreduced=min{",
            _ => ", unreduced={",
        };
        print_list(unreduced, [before, "}"], printer);
    }
    printer.text(">");
}

fn parse_sharding(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    let mesh = match parser.eat_word(b"mesh") {
        true => parser.stripped_attribute(DIALECT, "mesh")?,
        false => parser.attribute()?,
    };
    parser.expect(b',')?;
    parser.expect(b'[')?;
    let dimensions = parse_list(parser, "dimension_sharding", b']')?;
    let [mut replicated, mut unreduced] = [const { None }; 2];
    let mut reduction = 0;
    while parser.eat(b',') {
        let is_replicated = parser.eat_word(b"replicated");
        if !is_replicated {
            parser.expect_word("unreduced")?;
        }
        parser.expect(b'=')?;
        if !is_replicated {
            reduction = if parser.eat_word(b"max") { 1 } else { u64::from(parser.eat_word(b"min")) * 2 };
        }
        parser.expect(b'{')?;
        let axes = parse_list(parser, "axis_ref", b'}')?;
        if if is_replicated { &mut replicated } else { &mut unreduced }.replace(axes).is_some() {
            return Err(parser.error("axes are given twice"));
        }
    }
    parser.expect(b'>')?;
    let none = || Parameter::List(Box::default());
    Ok(vec![
        Parameter::Attribute(mesh),
        dimensions,
        replicated.unwrap_or_else(none),
        unreduced.unwrap_or_else(none),
        Parameter::Unsigned(reduction),
    ])
}

/// `<[<@mesh, [{"a"}]>, ...]>`
fn print_per_value(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["<[", "]>"], printer);
}

fn parse_per_value(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    parser.expect(b'<')?;
    let shardings = parse_bracketed(parser, "sharding")?;
    parser.expect(b'>')?;
    Ok(shardings)
}

/// `{"a"}: 0->1`
fn print_all_to_all(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    print_list(&parameters[0], ["{", "}: "], printer);
    print_number(&parameters[1], printer);
    printer.text("->");
    print_number(&parameters[2], printer);
}

fn parse_all_to_all(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut parameters = parse_braced(parser, "axis_ref")?;
    parser.expect(b':')?;
    parameters.push(Parameter::Signed(number(parser)?));
    if !parser.eat_arrow() {
        return Err(parser.expected("`->`"));
    }
    parameters.push(Parameter::Signed(number(parser)?));
    Ok(parameters)
}
