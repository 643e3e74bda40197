//! Operations whose body is shown, or, where it is one operation, that operation alone.

use super::{expect_outputs_as_results, parse_numbers, parse_operands, print_numbers, print_operands};
use crate::arith::FastMathFlags;
use crate::common::cases::case_of;
use mlirbc_ir::body::Value;
use mlirbc_ir::{NamedAttribute, OpRef, Result, Type, TypeData};
use mlirbc_text::{Continuation, CustomAssembly, ImpliedOp, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed};

/// `{ arith.addf } ins(%a : type) outs(%b : type) {attributes}`, or without the operation, and behind it
/// `(%in: type, %init: type) {...}`.
pub(super) const MAP: CustomAssembly = CustomAssembly {
    print: |printer| print(printer, |arguments| _ = arguments.pop(), |printer| printer.dictionary(&[])),
    parse: |parser, op| parse(parser, op, |numbers| _ = numbers.pop(), |_, _| Ok(())),
};

/// The same, with `dimensions = [0]` before the attributes.
pub(super) const REDUCE: CustomAssembly = CustomAssembly {
    print: |printer| {
        print(printer, |arguments| last_to_front(arguments), |printer| print_numbers(printer, "dimensions"))
    },
    parse: |parser, op| {
        parse(parser, op, |numbers| last_to_front(numbers), |parser, op| parse_numbers(parser, op, "dimensions"))
    },
};

/// What is reduced to comes first.
fn last_to_front<T>(list: &mut [T]) {
    let by = usize::from(!list.is_empty());
    list.rotate_right(by);
}

/// `taken` makes of the body's arguments those that its only operation takes.
fn print(
    printer: &mut OpPrinter<'_, '_>,
    taken: fn(&mut Vec<Value>),
    rest: fn(&mut OpPrinter<'_, '_>) -> Printed,
) -> Printed {
    if printer.is_empty_region(0)? {
        return Err(NotCustom::UseGeneric);
    }
    let payload = payload(printer, taken)?;
    if let Some(payload) = payload {
        print_payload(printer, payload)?;
    }
    expect_outputs_as_results(printer)?;
    print_operands(printer)?;
    rest(printer)?;
    if payload.is_none() {
        printer.new_line();
        printer.text("  ");
        printer.region_arguments(0)?;
        printer.text(" ");
        printer.indented_region(0, 1);
    }
    Ok(())
}

/// `taken` makes of the numbers of the body's arguments those that its only operation takes.
fn parse<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    taken: fn(&mut Vec<usize>),
    rest: fn(&mut OpParser<'a>, &mut OpState<'a>) -> Result<()>,
) -> Parsed<'a> {
    let payload = parse_payload(parser)?;
    let [inputs, _] = parse_operands(parser, op, false)?;
    let outputs = op.operand_types()[inputs..].to_vec();
    for output in outputs {
        let ty = parser.resolved(output)?;
        if matches!(parser.context()[ty], TypeData::RankedTensor { .. }) {
            op.add_result(output);
        }
    }
    rest(parser, op)?;
    parser.optional_dictionary(op)?;
    match payload {
        Some(payload) => make_body(parser, op, payload, taken).map(|()| Continuation::Done),
        None => parse_body(parser),
    }
}

/// The operation that a body holds beside its terminator, where text shows nothing else of the body: it gives what the body
/// yields.
fn payload<'m>(printer: &OpPrinter<'_, 'm>, taken: fn(&mut Vec<Value>)) -> Printed<Option<OpRef<'m>>> {
    let Some((arguments, mut operations)) = printer.only_block(0)? else { return Ok(None) };
    let (Some(first), Some(last), None) = (operations.next(), operations.next(), operations.next()) else {
        return Ok(None);
    };
    let mut inputs = arguments.to_vec();
    taken(&mut inputs);
    if inputs.is_empty() || first.operands() != inputs || !printer.is_its_attributes(first)? {
        return Ok(None);
    }
    // The rest of the body is made up when it is read.
    let fits = first.results().len() == 1
        && last.name() == "linalg.yield"
        && last.operands().iter().copied().eq(first.results())
        && printer.says_nothing(last)?;
    let element = |value: Value| -> Printed<Option<Type>> { Ok(printer.type_data(value)?.element()) };
    let operands = printer.all_operands();
    for (&argument, &operand) in arguments.iter().zip(operands) {
        if Some(first.type_of(argument)?) != element(operand)? {
            return Ok(None);
        }
    }
    let output = *operands.last().ok_or(NotCustom::UseGeneric)?;
    let result = first.results().next().map(|result| first.type_of(result)).transpose()?;
    let fits = fits && operands.len() == arguments.len() && result == element(output)?;
    Ok(Some(first).filter(|_| fits))
}

/// ` { arith.addf {attributes} }`
fn print_payload<'m>(printer: &mut OpPrinter<'_, 'm>, payload: OpRef<'m>) -> Printed {
    let all = printer.attributes_of(payload)?;
    let context = printer.context();
    let definition = payload.definition().ok_or(NotCustom::UseGeneric)?;
    let is_none = |entry: &&NamedAttribute| case_of(context, entry.1, "arith", "fastmath") == Some(FastMathFlags::NONE);
    let left_out = all.iter().find(is_none).map(|entry| context.bytes(entry.0));
    if left_out.is_some_and(|name| name != b"fastmath" || definition.inherent(name).is_none()) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" { ");
    printer.text(&definition.name);
    printer.dictionary_of(&all, &|name| left_out == Some(name), false)?;
    printer.text(" }");
    Ok(())
}

/// `{ arith.addf {attributes} }`, if it is next.
fn parse_payload(parser: &mut OpParser<'_>) -> Result<Option<ImpliedOp>> {
    if !parser.text().eat(b'{') {
        return Ok(None);
    }
    let payload = parser.implied_operation()?;
    parser.text().expect(b'}')?;
    Ok(Some(payload))
}

/// Makes a body of one operation.
fn make_body<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    payload: ImpliedOp,
    taken: fn(&mut Vec<usize>),
) -> Result<()> {
    let context = parser.context();
    let mut types = Vec::with_capacity(op.operand_types().len());
    for &ty in op.operand_types() {
        let ty = parser.resolved(ty)?;
        let Some(element) = context[ty].element() else {
            return Err(parser.error_at(op.place(), "an operand has a type without elements"));
        };
        types.push(element);
    }
    let Some(&output) = types.last() else {
        return Err(parser.error_at(op.place(), "an operation with a body must have operands"));
    };
    let location = parser.location_of(op.place())?;
    let mut numbers: Vec<usize> = (0..types.len()).collect();
    taken(&mut numbers);
    let payload = payload.operands(numbers).results(vec![output]);
    let end = ImpliedOp::new("linalg.yield", [types.len()], Vec::new());
    parser.implied_region(op, &types, [payload, end], location)
}

/// `(%in: type, %init: type) {`, and the body.
fn parse_body<'a>(parser: &mut OpParser<'a>) -> Parsed<'a> {
    let arguments = parser.region_arguments()?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}
