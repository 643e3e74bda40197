//! The assembly of `scf` that its definitions leave to code.

use crate::common::regions::{
    CarriedValues, WHILE, parse_branches, parse_dictionary, parse_end, print_argument_names, print_branches,
    print_carried_values, print_result_types,
};
use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Dialect, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, IndexList, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("for", CustomAssembly { print: print_for, parse: parse_for })
        .assembly("if", CustomAssembly { print: print_if, parse: parse_if })
        .assembly("while", WHILE)
        .assembly("parallel", CustomAssembly { print: print_parallel, parse: parse_parallel })
        .assembly("forall", CustomAssembly { print: print_forall, parse: parse_forall })
        .assembly("forall.in_parallel", CustomAssembly { print: print_in_parallel, parse: parse_in_parallel })
        .assembly("execute_region", CustomAssembly { print: print_execute_region, parse: parse_execute_region })
}

/// `%i = %lower to %upper step %step iter_args(%a = %b) -> (type) : type {...}`
fn print_for(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let initials = printer.operands(3)?;
    let arguments = printer.region_argument_types(0)?;
    if arguments.len() != initials.len() + 1 {
        return Err(NotCustom::UseGeneric);
    }
    let results = printer.all_results();
    let bounds: Vec<Value> = (0..3).map(|at| printer.at(at)).collect::<Printed<_>>()?;
    printer.expect_types(&bounds, &[arguments[0]; 3])?;
    printer.expect_types(&results, &arguments[1..])?;
    let unsigned = printer.get("unsignedCmp").is_some();
    printer.text(if unsigned { " unsigned " } else { " " });
    printer.region_argument_name(0, 0)?;
    for (at, word) in [" = ", " to ", " step "].into_iter().enumerate() {
        printer.text(word);
        let value = printer.at(at)?;
        printer.value(value);
    }
    print_carried_values(printer, " iter_args", 1, initials)?;
    printer.text(" ");
    let ty = printer.resolved(arguments[0])?;
    if printer.context()[ty] != TypeData::Index {
        printer.text(" : ");
        printer.ty(ty)?;
        printer.text(" ");
    }
    printer.body(0, false, !initials.is_empty())?;
    printer.dictionary(&["unsignedCmp"])
}

fn parse_for<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if parser.text().eat_word(b"unsigned") {
        let unit = parser.context().unit();
        parser.set(op, "unsignedCmp", unit);
    }
    let variable = parser.value_name()?;
    parser.text().expect(b'=')?;
    let lower = parser.operand_name()?;
    parser.text().expect_word("to")?;
    let upper = parser.operand_name()?;
    parser.text().expect_word("step")?;
    let step = parser.operand_name()?;
    let carried = CarriedValues::parse(parser, "iter_args")?;
    let ty = if parser.text().eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    for name in [lower, upper, step] {
        op.add(name, ty);
    }
    let mut arguments = vec![parser.argument(variable, ty)?];
    carried.add(parser, op, &mut arguments)?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

/// `%condition -> (type) {...} else {...}`
fn print_if(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results = printer.all_results();
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    print_result_types(printer, &results)?;
    print_branches(printer, &[])
}

fn parse_if<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    op.add(condition, boolean.into());
    op.add_results(parser.optional_arrow()?);
    parse_branches(parser, op)
}

/// `(%i) = (%lower) to (%upper) step (%step) init (%a) -> type {...}`
fn print_parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let lower = printer.operands(0)?;
    let arguments = printer.region_argument_types(0)?;
    let count = arguments.len();
    printer.expect_types(lower, &arguments)?;
    printer.expect_index(&arguments)?;
    printer.text(" (");
    print_argument_names(printer, count)?;
    for (at, word) in [") = (", ") to (", ") step ("].into_iter().enumerate() {
        printer.text(word);
        let values = printer.operands(at)?;
        printer.values(values);
    }
    printer.text(")");
    let initials = printer.operands(3)?;
    if !initials.is_empty() {
        printer.text(" init (");
        printer.values(initials);
        printer.text(")");
    }
    let results = printer.all_results();
    printer.expect_same_types(initials, &results)?;
    printer.optional_arrow(&results)?;
    printer.text(" ");
    printer.region(0, false, true);
    printer.dictionary(&[])
}

fn parse_parallel<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let variables = parser.operand_list_in(b'(', b')')?;
    let index: TypeRef = parser.context().index_type().into();
    let mut sizes = Vec::new();
    for word in ["=", "to", "step"] {
        if word == "=" {
            parser.text().expect(b'=')?;
        } else {
            parser.text().expect_word(word)?;
        }
        let names = parser.operand_list_in(b'(', b')')?;
        sizes.push(names.len());
        for name in names {
            op.add(name, index);
        }
    }
    let initials = if parser.text().eat_word(b"init") { parser.operand_list_in(b'(', b')')? } else { Vec::new() };
    sizes.push(initials.len());
    let types = parser.optional_arrow()?;
    parser.add_operands(op, initials, types.iter().copied())?;
    op.add_results(types);
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    let mut arguments = Vec::new();
    for name in variables {
        arguments.push(parser.argument(name, index)?);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

/// `(%i) in (4) shared_outs(%a = %b) -> (type) {...}`
fn print_forall(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let outputs = printer.operands(3)?;
    let arguments = printer.region_argument_types(0)?;
    let variables = arguments.len().checked_sub(outputs.len()).ok_or(NotCustom::UseGeneric)?;
    printer.expect_index(&arguments[..variables])?;
    let results = printer.all_results();
    printer.expect_same_types(outputs, &results)?;
    let numbers = |printer: &OpPrinter<'_, '_>, name: &str| {
        printer.need(name)?;
        printer.integers(name)
    };
    let (lower, upper, step) =
        (numbers(printer, "staticLowerBound")?, numbers(printer, "staticUpperBound")?, numbers(printer, "staticStep")?);
    let parts = [(lower.clone(), 0), (upper, 1), (step.clone(), 2)];
    printer.text(" (");
    print_argument_names(printer, variables)?;
    // Where only the ends are printed, each loop begins at 0 and goes on by 1, and nothing else.
    let sizes = [lower.len(), step.len(), printer.operands(0)?.len(), printer.operands(2)?.len()];
    let plain = lower.iter().all(|&bound| bound == 0) && step.iter().all(|&step| step == 1);
    if plain && sizes == [parts[1].0.len(), parts[1].0.len(), 0, 0] {
        printer.text(") in ");
        let values = printer.operands(1)?;
        printer.index_list(&parts[1].0, values, b"()")?;
    } else {
        for ((numbers, at), word) in parts.iter().zip([") = ", " to ", " step "]) {
            printer.text(word);
            let values = printer.operands(*at)?;
            printer.index_list(numbers, values, b"()")?;
        }
    }
    print_carried_values(printer, " shared_outs", variables, outputs)?;
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&["staticLowerBound", "staticUpperBound", "staticStep"])
}

fn parse_forall<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let variables = parser.operand_list_in(b'(', b')')?;
    let index: TypeRef = parser.context().index_type().into();
    let (lower, upper, step);
    if parser.text().eat_word(b"in") {
        let bounds = parser.index_list(b'(', b')')?;
        let plain = |number: i64| IndexList::of(vec![number; bounds.numbers.len()]);
        (lower, step) = (plain(0), plain(1));
        upper = bounds;
    } else {
        parser.text().expect(b'=')?;
        lower = parser.index_list(b'(', b')')?;
        parser.text().expect_word("to")?;
        upper = parser.index_list(b'(', b')')?;
        parser.text().expect_word("step")?;
        step = parser.index_list(b'(', b')')?;
    }
    let mut sizes = Vec::new();
    for (name, list) in [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step)] {
        let numbers = parser.i64_array(&list.numbers);
        parser.set(op, name, numbers);
        sizes.push(list.values.len());
        for value in list.values {
            op.add(value, index);
        }
    }
    let shared = CarriedValues::parse(parser, "shared_outs")?;
    sizes.push(shared.len());
    let mut arguments = Vec::new();
    for name in variables {
        arguments.push(parser.argument(name, index)?);
    }
    shared.add(parser, op, &mut arguments)?;
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(parse_end)))
}

fn print_in_parallel(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // A parser puts no terminator back.
    if printer.terminator(0)?.is_some_and(|last| last.has_trait(Traits::TERMINATOR)) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region_without_arguments(0, false)?;
    printer.dictionary(&[])
}

fn parse_in_parallel<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.ensure_block(op);
            parse_dictionary(parser, op)
        }),
    ))
}

fn print_execute_region(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results = printer.all_results();
    printer.optional_arrow(&results)?;
    printer.text(" ");
    if printer.get("no_inline").is_some() {
        printer.text("no_inline ");
    }
    printer.region_without_arguments(0, true)?;
    printer.dictionary(&["no_inline"])
}

fn parse_execute_region<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    op.add_results(parser.optional_arrow()?);
    if parser.text().eat_word(b"no_inline") {
        let unit = parser.context().unit();
        parser.set(op, "no_inline", unit);
    }
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_dictionary)))
}
