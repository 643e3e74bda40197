//! The assembly of `stablehlo` that its definitions leave to code, and names of results and arguments.

use mlirbc_ir::{AttributeData, Dialect, OpRef, Result, Type, TypeData, TypeRef, Value};
use mlirbc_text::{
    Argument, Continuation, CustomAssembly, DialectAssembly, ImpliedOp, NotCustom, OpParser, OpPrinter, OpState,
    Parsed, Printed, ValueName,
};

/// A constant, as `stablehlo` and `sdy` write it.
pub(crate) const CONSTANT: CustomAssembly = CustomAssembly { print: print_constant, parse: parse_constant };

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("constant", CONSTANT)
        .assembly("reduce", CustomAssembly { print: print_reduce, parse: parse_reduce })
        .assembly("while", CustomAssembly { print: print_while, parse: parse_while })
        .result_names("constant", constant_name)
        .argument_names("while", |_, _, count, set| {
            (0..count).for_each(|at| set(at, b"iterArg"));
            Ok(())
        })
}

/// `c` for integers, `cst` for all else.
fn constant_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(result) = op.results().next() else { return Ok(()) };
    let ty = op.module().ty(op.body().ty(result))?;
    let is_integer = context[ty].element().is_some_and(|element| matches!(context[element], TypeData::Integer { .. }));
    set(0, if is_integer { b"c" } else { b"cst" });
    Ok(())
}

/// ` {attributes} dense<1> : tensor<i32>`, or what stands behind the name in generic form where the value has another type.
fn print_constant(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let value = printer.need("value")?;
    let result = printer.result(0)?;
    let context = printer.context();
    let is_elements = matches!(
        context[value],
        AttributeData::DenseElements { .. } | AttributeData::DenseStrings { .. } | AttributeData::DenseResource { .. }
    );
    if is_elements && context[value].ty() == Some(printer.type_of(result)?) {
        printer.dictionary(&["value"])?;
        printer.text(" ");
        return printer.attribute(value);
    }
    printer.text("() <{value = ");
    printer.attribute(value)?;
    printer.text("}>");
    printer.dictionary(&["value"])?;
    printer.text(" : () -> ");
    printer.arrow_types(&[result])
}

fn parse_constant<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if parser.text().eat(b'(') {
        parser.text().expect(b')')?;
        parser.text().expect(b'<')?;
        parser.text().expect(b'{')?;
        parser.text().expect_word("value")?;
        parser.text().expect(b'=')?;
        let value = parser.text().attribute()?;
        parser.text().expect(b'}')?;
        parser.text().expect(b'>')?;
        parser.set(op, "value", value);
        parser.optional_dictionary(op)?;
        parser.text().expect(b':')?;
        let (inputs, results) = parser.functional()?;
        if !inputs.is_empty() {
            return Err(parser.text().error("a constant takes no operands"));
        }
        op.add_results(results);
        return Ok(Continuation::Done);
    }
    parser.optional_dictionary(op)?;
    let value = parser.text().attribute()?;
    let Some(ty) = parser.context()[value].ty() else {
        return Err(parser.text().error("an attribute with a type was expected"));
    };
    parser.set(op, "value", value);
    op.add_result(ty.into());
    Ok(Continuation::Done)
}

/// `(%a init: %z), (%b init: %y)`, then the dimensions.
fn print_reduce(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.all_operands();
    let (inputs, initials) = operands.split_at(operands.len() / 2);
    if inputs.len() != initials.len() {
        return Err(NotCustom::UseGeneric);
    }
    let body = printer.only_block(0)?;
    let dimensions = printer.need("dimensions")?;
    let context = printer.context();
    if !matches!(context[dimensions], AttributeData::DenseArray { element, .. } if element == context.integer_type(64))
    {
        return Err(NotCustom::UseGeneric);
    }
    let Some((arguments, operations)) = body else { return Err(NotCustom::UseGeneric) };
    if arguments.len() != operands.len() {
        return Err(NotCustom::UseGeneric);
    }
    let applied = applied(printer, arguments, &operations.take(3).collect::<Vec<_>>())?;
    for (at, (input, initial)) in inputs.iter().zip(initials).enumerate() {
        printer.text(if at == 0 { "(" } else { ", (" });
        printer.value(*input);
        printer.text(" init: ");
        printer.value(*initial);
        printer.text(")");
    }
    if let Some(inner) = applied {
        printer.text(" applies ");
        printer.text(context.operation_text(inner.operation_name()));
    }
    printer.text(" across dimensions = ");
    printer.list(dimensions)?;
    printer.dictionary(&["dimensions"])?;
    printer.text(" : ");
    let results = printer.all_results();
    printer.functional(operands, &results)?;
    if applied.is_some() {
        return Ok(());
    }
    printer.new_line();
    printer.text(" reducer");
    for at in 0..inputs.len() {
        printer.text("(");
        printer.region_argument(0, at, &[], false)?;
        printer.text(", ");
        printer.region_argument(0, at + inputs.len(), &[], false)?;
        printer.text(") ");
    }
    printer.text(" ");
    printer.region(0, false, true);
    Ok(())
}

/// The one operation that a body applies to its two arguments, where text need not show more of the body: it is commutative, and has nothing
/// but the type that the first operand of the reduction asks for. Where it is at another place than the reduction, that is lost: libStablehlo
/// prints it so.
fn applied<'m>(
    printer: &mut OpPrinter<'_, 'm>,
    arguments: &[Value],
    operations: &[OpRef<'m>],
) -> Printed<Option<OpRef<'m>>> {
    let &[inner, end] = operations else { return Ok(None) };
    let &[left, right] = arguments else { return Ok(None) };
    let is_binary = inner.definition().is_some_and(|definition| {
        definition.name.starts_with("stablehlo.") && is_commutative(&definition.name) && definition.regions().is_empty()
    });
    let results: Vec<Value> = inner.results().collect();
    if !is_binary || inner.operands() != [left, right] || end.name() != "stablehlo.return" || end.operands() != results
    {
        return Ok(None);
    }
    let &[result] = results.as_slice() else { return Ok(None) };
    let first = printer.at(0)?;
    let Some(scalar) = scalar_of(printer, first)? else { return Ok(None) };
    for value in [left, right, result] {
        if printer.resolved(inner.body().ty(value))? != scalar {
            return Ok(None);
        }
    }
    if !printer.is_implied(inner)? || !printer.says_nothing(end)? {
        return Ok(None);
    }
    Ok(Some(inner))
}

/// Whether operands of an operation may change places: those with the trait of `hlo`.
fn is_commutative(name: &str) -> bool {
    let name = name.strip_prefix("stablehlo.").unwrap_or_default();
    matches!(name, "add" | "maximum" | "minimum" | "multiply" | "and" | "or" | "xor")
}

/// The tensor of one element of that value's.
fn scalar_of(printer: &OpPrinter<'_, '_>, value: Value) -> Printed<Option<Type>> {
    let context = printer.context();
    Ok(context[printer.type_of(value)?].element().map(|element| scalar(context, element)))
}

fn scalar(context: &mlirbc_ir::Context, element: Type) -> Type {
    context.ty(TypeData::RankedTensor { shape: Box::default(), element, encoding: None })
}

fn parse_reduce<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let (mut inputs, mut initials) = (Vec::new(), Vec::new());
    loop {
        parser.text().expect(b'(')?;
        inputs.push(parser.operand_name()?);
        parser.text().expect_word("init")?;
        parser.text().expect(b':')?;
        initials.push(parser.operand_name()?);
        parser.text().expect(b')')?;
        if !parser.text().eat(b',') {
            break;
        }
    }
    let count = inputs.len();
    let implied = match parser.text().eat_word(b"applies") {
        true => Some(parser.text().word()),
        false => None,
    };
    parser.text().expect_word("across")?;
    parser.text().expect_word("dimensions")?;
    parser.text().expect(b'=')?;
    let dimensions = parser.dense_array(parser.context().integer_type(64))?;
    parser.set(op, "dimensions", dimensions);
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let (types, results) = parser.functional()?;
    let first = types.first().copied();
    inputs.extend(initials);
    parser.add_operands(op, inputs, types)?;
    op.add_results(results);
    let Some(name) = implied else { return parse_reducer(parser, count) };
    let name = std::str::from_utf8(name).ok().filter(|name| is_commutative(name)).map(str::to_owned);
    let (Some(name), 1, Some(first)) = (name, count, first) else {
        return Err(parser.text().error("only an operation of two operands that may change places is applied"));
    };
    let context = parser.context();
    let first = parser.resolved(first)?;
    let Some(element) = context[first].element() else {
        return Err(parser.text().error("the type of a tensor was expected"));
    };
    let ty = scalar(context, element);
    let location = parser.own_location(op)?;
    let payload = ImpliedOp::new(name, [0, 1], vec![ty]);
    let end = ImpliedOp::new("stablehlo.return", [2], Vec::new());
    parser.located_region(op, &[ty, ty], [payload, end], location)?;
    Ok(Continuation::Done)
}

/// `reducer(%x: type, %y: type) (%z: type, %w: type)  {...}`
fn parse_reducer<'a>(parser: &mut OpParser<'a>, count: usize) -> Parsed<'a> {
    parser.text().expect_word("reducer")?;
    let mut arguments: [Vec<Argument<'a>>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..count {
        for (at, list) in arguments.iter_mut().enumerate() {
            parser.text().expect(if at == 0 { b'(' } else { b',' })?;
            list.push(parser.typed_argument()?);
        }
        parser.text().expect(b')')?;
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        arguments.concat(),
        Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done)),
    ))
}

/// `(%iterArg = %x, ...) : type, type attributes {...}`, a line with `cond {...} do {...}`
fn print_while(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.all_operands();
    let results = printer.all_results();
    printer.expect_same_types(operands, &results)?;
    for region in 0..2 {
        let types = printer.region_argument_types(region)?;
        printer.expect_types(operands, &types)?;
    }
    printer.text("(");
    for (at, operand) in operands.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        printer.region_argument_name(1, at)?;
        printer.text(" = ");
        printer.value(*operand);
    }
    printer.text(")");
    if !operands.is_empty() {
        printer.text(" : ");
        printer.value_types(operands)?;
    }
    printer.dictionary_with_keyword(&[])?;
    printer.new_line();
    printer.text("cond ");
    printer.body(0, false, true)?;
    printer.text(" do ");
    printer.body(1, false, true)
}

/// The arguments of both regions, by name and type.
type Carried<'a> = Vec<(ValueName<'a>, TypeRef)>;

fn carried<'a>(parser: &mut OpParser<'a>, names: &Carried<'a>) -> Result<Vec<Argument<'a>>> {
    names.iter().map(|&(name, ty)| parser.argument(name, ty)).collect()
}

fn parse_while<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let (mut names, mut operands) = (Vec::new(), Vec::new());
    parser.text().expect(b'(')?;
    parser.list(b')', |parser| {
        names.push(parser.value_name()?);
        parser.text().expect(b'=')?;
        operands.push(parser.operand_name()?);
        Ok(())
    })?;
    let types = if parser.text().eat(b':') { parser.types()? } else { Vec::new() };
    parser.add_operands(op, operands, types.iter().copied())?;
    op.add_results(types.iter().copied());
    parser.keyword_dictionary(op)?;
    parser.text().expect_word("cond")?;
    parser.open_brace()?;
    let names: Carried<'a> = names.into_iter().zip(types).collect();
    let arguments = carried(parser, &names)?;
    let body = move |parser: &mut OpParser<'a>, _: &mut OpState<'a>| {
        parser.text().expect_word("do")?;
        parser.open_brace()?;
        let arguments = carried(parser, &names)?;
        Ok(Continuation::Region(
            arguments,
            Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done)),
        ))
    };
    Ok(Continuation::Region(arguments, Box::new(body)))
}
