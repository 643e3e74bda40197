//! `affine.for` and `affine.parallel`.

use super::values::{expressions, map_of, parse_arguments, print_arguments};
use crate::arith::AtomicRMWKind;
use crate::common::memrefs::add_indices;
use crate::common::regions::{CarriedValues, parse_end, print_argument_names, print_carried_values};
use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::AffineValues;
use mlirbc_ir::{Attribute, AttributeData, Context, Result, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, dense_integers,
};

pub(super) const FOR: CustomAssembly = CustomAssembly { print: print_for, parse: parse_for };
pub(super) const PARALLEL: CustomAssembly = CustomAssembly { print: print_parallel, parse: parse_parallel };

/// A bound of a loop: a number, a symbol, or a map of which the greatest or least result counts.
fn print_bound(printer: &mut OpPrinter<'_, '_>, name: &str, prefix: &str, values: &[Value]) -> Printed {
    let map = map_of(printer, name)?;
    match (&*map.results, map.dimensions, map.symbols) {
        ([AffineExpression::Constant(number)], 0, 0) if values.is_empty() => {
            printer.number(*number);
            return Ok(());
        }
        ([AffineExpression::Symbol(0)], 0, 1) if values.len() == 1 => {
            printer.value(values[0]);
            return Ok(());
        }
        ([_], ..) => {}
        _ => {
            printer.text(prefix);
            printer.text(" ");
        }
    }
    printer.attribute(printer.need(name)?)?;
    print_arguments(printer, map.dimensions, map.symbols, values)
}

/// A bound of a loop: how many operands it has.
fn parse_bound<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, name: &str, prefix: &[u8]) -> Result<usize> {
    let context = parser.context();
    let map = |symbols: u32, result: AffineExpression| {
        context.attribute(AttributeData::AffineMap(AffineMap { dimensions: 0, symbols, results: Box::new([result]) }))
    };
    let (value, count) = match parser.text().peek() {
        Some(b'%') => {
            let name = parser.operand_name()?;
            op.add(name, context.index_type().into());
            (map(1, AffineExpression::Symbol(0)), 1)
        }
        Some(b'-' | b'0'..=b'9') => match parser.text().signed() {
            Some(number) => (map(0, AffineExpression::Constant(number)), 0),
            None => return Err(parser.text().expected("a number")),
        },
        _ => {
            parser.text().eat_word(prefix);
            (parser.text().attribute()?, parse_arguments(parser, op)?)
        }
    };
    parser.set(op, name, value);
    Ok(count)
}

/// `%i = 0 to min #map(%a)[%n] step 2 iter_args(%b = %c) -> (type) {...}`
fn print_for(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (lower, upper, initials) = (printer.operands(0)?, printer.operands(1)?, printer.operands(2)?);
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != initials.len() + 1 {
        return Err(NotCustom::UseGeneric);
    }
    printer.expect_index(&arguments[..1])?;
    let results = printer.all_results();
    printer.expect_same_types(initials, &results)?;
    printer.text(" ");
    printer.region_argument(0, 0, &[], true)?;
    printer.text(" = ");
    print_bound(printer, "lowerBoundMap", "max", lower)?;
    printer.text(" to ");
    print_bound(printer, "upperBoundMap", "min", upper)?;
    let step = printer.need("step")?;
    let AttributeData::Integer { value, .. } = &printer.context()[step] else { return Err(NotCustom::UseGeneric) };
    let step = value.to_i64().ok_or(NotCustom::UseGeneric)?;
    if step != 1 {
        printer.text(" step ");
        printer.number(step);
    }
    print_carried_values(printer, " iter_args", 1, initials)?;
    printer.text(" ");
    printer.body(0, false, !initials.is_empty())?;
    printer.dictionary(&["lowerBoundMap", "upperBoundMap", "step"])
}

fn parse_for<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    let variable = parser.value_name()?;
    let mut arguments = vec![parser.located_argument(variable, index)?];
    parser.text().expect(b'=')?;
    let lower = parse_bound(parser, op, "lowerBoundMap", b"max")?;
    parser.text().expect_word("to")?;
    let upper = parse_bound(parser, op, "upperBoundMap", b"min")?;
    let mut step = 1;
    if parser.text().eat_word(b"step") {
        step = match parser.text().signed() {
            Some(step) => step,
            None => return Err(parser.text().expected("a number")),
        };
    }
    let value = ApInt::from_i64(64, step);
    let step = parser.context().attribute(AttributeData::Integer { ty: parser.context().index_type(), value });
    parser.set(op, "step", step);
    let carried = CarriedValues::parse(parser, "iter_args")?;
    parser.set_segments(op, "operandSegmentSizes", &[lower, upper, carried.len()]);
    carried.add(parser, op, &mut arguments)?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

/// `(max(%a, %b), 3)`: bounds of which several may be one group.
fn print_bounds(
    printer: &mut OpPrinter<'_, '_>,
    names: [&str; 2],
    keyword: &str,
    values: &[Value],
    count: usize,
) -> Printed {
    let attribute = printer.need(names[1])?;
    let groups =
        dense_integers(printer.context(), attribute).filter(|all| all.len() == count).ok_or(NotCustom::UseGeneric)?;
    let sizes: Option<Vec<i32>> = groups.iter().map(|&size| size.try_into().ok()).collect();
    if sizes.is_none_or(|sizes| sizes_of_groups(printer.context(), &sizes) != attribute) {
        return Err(NotCustom::UseGeneric);
    }
    let mut ends = Vec::new();
    for &size in &groups {
        let size = usize::try_from(size).ok().filter(|&size| size > 0).ok_or(NotCustom::UseGeneric)?;
        ends.push(size.checked_add(ends.last().copied().unwrap_or(0)).ok_or(NotCustom::UseGeneric)?);
    }
    let all = expressions(printer, names[0], values, |result| ends.partition_point(|&end| end <= result))?;
    let mut from = 0;
    printer.text("(");
    for (at, end) in ends.into_iter().enumerate() {
        let group = all.get(from..end).ok_or(NotCustom::UseGeneric)?;
        from = end;
        printer.text(if at > 0 { ", " } else { "" });
        if group.len() > 1 {
            printer.text(keyword);
            printer.text("(");
        }
        printer.text(group.join(&b", "[..]));
        printer.text(if group.len() > 1 { ")" } else { "" });
    }
    printer.text(")");
    if from == all.len() { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// `(max(%a, %b), 3)`: sets the map and which of its results are one group.
fn parse_bounds<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, names: [&str; 2], keyword: &[u8]) -> Result<()> {
    let (mut values, mut results, mut groups) = (AffineValues::default(), Vec::new(), Vec::new());
    parser.text().expect(b'(')?;
    parser.text().list(b')', |parser| {
        let before = results.len();
        if parser.eat_word(keyword) {
            parser.expect(b'(')?;
            results.extend(parser.affine_expressions_of(&mut values, b')')?);
        } else {
            results.push(parser.affine_expression_of(&mut values)?);
        }
        groups.push((results.len() - before) as i32);
        Ok(())
    })?;
    let (map, operands) = parser.affine_map_of(&values, results)?;
    add_indices(parser, op, operands);
    let context = parser.context();
    let map = context.attribute(AttributeData::AffineMap(map));
    let groups = sizes_of_groups(context, &groups);
    parser.set(op, names[0], map);
    parser.set(op, names[1], groups);
    Ok(())
}

/// How many results of the map each bound has, as the parser holds it.
fn sizes_of_groups(context: &Context, sizes: &[i32]) -> Attribute {
    let shape: Box<[i64]> = Box::new([sizes.len() as i64]);
    let ty = context.ty(TypeData::RankedTensor { shape, element: context.integer_type(32), encoding: None });
    let mut data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    if sizes.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(4);
    }
    context.attribute(AttributeData::DenseElements { ty, data: data.into() })
}

fn required_integers(printer: &OpPrinter<'_, '_>, name: &str) -> Printed<Vec<i64>> {
    printer.need(name)?;
    printer.integers(name)
}

/// An array of integers of 64 bits.
fn integer_array(context: &Context, numbers: Vec<i64>) -> Attribute {
    context.attribute(AttributeData::Array(numbers.into_iter().map(|number| context.integer(64, number)).collect()))
}

/// `(%i) = (max(%a, 0)) to (%b) step (2) reduce ("addf") -> (type) {...}`
fn print_parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let variables = printer.region_argument_types(0)?;
    printer.expect_index(&variables)?;
    let count = variables.len();
    let operands = printer.all_operands();
    let lower = map_of(printer, "lowerBoundsMap")?;
    let lower = (lower.dimensions as usize).checked_add(lower.symbols as usize).ok_or(NotCustom::UseGeneric)?;
    let (lower, upper) = operands.split_at_checked(lower).ok_or(NotCustom::UseGeneric)?;
    let (steps, reductions) = (required_integers(printer, "steps")?, required_integers(printer, "reductions")?);
    let results = printer.all_results();
    if steps.len() != count || reductions.len() != results.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" (");
    print_argument_names(printer, count)?;
    printer.text(") = ");
    print_bounds(printer, ["lowerBoundsMap", "lowerBoundsGroups"], "max", lower, count)?;
    printer.text(" to ");
    print_bounds(printer, ["upperBoundsMap", "upperBoundsGroups"], "min", upper, count)?;
    if steps.iter().any(|&step| step != 1) {
        for (at, step) in steps.into_iter().enumerate() {
            printer.text(if at == 0 { " step (" } else { ", " });
            printer.number(step);
        }
        printer.text(")");
    }
    if !results.is_empty() {
        for (at, kind) in reductions.into_iter().enumerate() {
            printer.text(if at == 0 { " reduce (" } else { ", " });
            let kind = AtomicRMWKind::from_value(kind).ok_or(NotCustom::UseGeneric)?;
            printer.quoted(kind.name().as_bytes());
        }
        printer.text(") -> (");
        printer.value_types(&results)?;
        printer.text(")");
    }
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&[
        "reductions",
        "lowerBoundsMap",
        "lowerBoundsGroups",
        "upperBoundsMap",
        "upperBoundsGroups",
        "steps",
    ])
}

fn parse_parallel<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let index: TypeRef = parser.context().index_type().into();
    let mut arguments = Vec::new();
    for name in parser.operand_list_in(b'(', b')')? {
        arguments.push(parser.argument(name, index)?);
    }
    parser.text().expect(b'=')?;
    parse_bounds(parser, op, ["lowerBoundsMap", "lowerBoundsGroups"], b"max")?;
    parser.text().expect_word("to")?;
    parse_bounds(parser, op, ["upperBoundsMap", "upperBoundsGroups"], b"min")?;
    let mut steps = vec![1; arguments.len()];
    if parser.text().eat_word(b"step") {
        steps.clear();
        parser.text().expect(b'(')?;
        parser.text().list(b')', |parser| match parser.signed() {
            Some(step) => {
                steps.push(step);
                Ok(())
            }
            None => Err(parser.expected("a number")),
        })?;
    }
    let steps = integer_array(parser.context(), steps);
    parser.set(op, "steps", steps);
    let mut reductions = Vec::new();
    if parser.text().eat_word(b"reduce") {
        parser.text().expect(b'(')?;
        loop {
            let start = parser.text().here();
            let text = parser.text().string()?;
            let kind = std::str::from_utf8(&text).ok().and_then(AtomicRMWKind::from_name);
            let Some(kind) = kind else { return Err(parser.text().error_at(start, "expected a kind of reduction")) };
            reductions.push(kind.value());
            if parser.text().eat(b')') {
                break;
            }
            parser.text().expect(b',')?;
        }
    }
    let reductions = integer_array(parser.context(), reductions);
    parser.set(op, "reductions", reductions);
    op.add_results(parser.optional_arrow()?);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}
