//! The directives of the formats of `stablehlo`.

use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Parameter, Result, Type, TypeData, TypeRef, Value};
use mlirbc_text::{
    DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed,
};

use super::{DIALECT, DotDimensionNumbers, Precision, convolution};

/// Attaches them to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let same = Directive::new(print_same_types, parse_same_types);
    dialect
        .directive("SameOperandsAndResultType", same)
        .directive("VariadicSameOperandsAndResultType", Directive::new(print_variadic_same, parse_variadic_same))
        .directive("PairwiseOpType", Directive::new(print_pairwise, parse_pairwise))
        .directive("TupleOpType", Directive::new(print_tuple, parse_tuple))
        .directive("ComplexOpType", Directive::new(print_complex, parse_complex))
        .directive("SelectOpType", Directive::new(print_select, parse_select))
        .directive("VariadicOperandWithAttribute", Directive::new(print_operands, parse_operands))
        .directive("SliceRanges", Directive::new(print_ranges, parse_ranges))
        .directive("ExponentMantissa", Directive::new(print_format, parse_format))
        .directive("CustomCallTarget", Directive::new(print_target, parse_target))
        .directive("PrecisionConfig", Directive::new(print_precision, parse_precision))
        .directive("PrecisionConfigAndAlgorithm", Directive::new(print_algorithm, parse_algorithm))
        .directive("DotDimensionNumbers", Directive::new(print_dot, parse_dot))
        .directive("ConvolutionDimensions", Directive::new(print_convolution, parse_convolution))
        .directive("WindowAttributes", Directive::new(print_window, parse_window))
}

type State<'p, 'a> = DirectiveState<'p, 'a>;

/// What stands for a list of types: a function type, or a type that is no function type.
enum Types {
    Function(Vec<TypeRef>, Vec<TypeRef>),
    One(TypeRef),
}

fn parse_types(parser: &mut OpParser<'_>) -> Result<Types> {
    Ok(match parser.text().is_at(b'(') {
        true => {
            let (inputs, results) = parser.functional()?;
            Types::Function(inputs, results)
        }
        false => Types::One(parser.any_type()?),
    })
}

/// Gives each operand one type of a function type, and the result its own.
fn set_function<'a>(
    parser: &mut OpParser<'a>,
    state: &mut State<'_, 'a>,
    inputs: Vec<TypeRef>,
    results: Vec<TypeRef>,
) -> Result<()> {
    let last = state.arguments().len() - 1;
    if inputs.len() != last || results.len() != 1 {
        return Err(parser.text().error("a function type of other operands and results"));
    }
    for (at, ty) in inputs.into_iter().enumerate() {
        state.set_types(parser, at, vec![ty])?;
    }
    state.set_types(parser, last, results)
}

/// The values that all arguments stand for, the result last.
fn one_each(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed<(Vec<Value>, Value)> {
    let mut values: Vec<Value> = (0..arguments.len()).map(|at| arguments.value(printer, at)).collect::<Printed<_>>()?;
    let result = values.pop().ok_or(NotCustom::UseGeneric)?;
    Ok((values, result))
}

/// `type`, where operands and result all have it, else `(type, type) -> type`.
fn print_same_types(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let (operands, result) = one_each(printer, arguments)?;
    print_same(printer, &operands, result)
}

fn print_same(printer: &mut OpPrinter<'_, '_>, operands: &[Value], result: Value) -> Printed {
    let ty = printer.type_of(result)?;
    // One type that is a function type would be read as several.
    if matches!(printer.context()[ty], TypeData::Function { .. }) {
        return Err(NotCustom::UseGeneric);
    }
    for operand in operands {
        if printer.type_of(*operand)? != ty {
            return printer.functional(operands, &[result]);
        }
    }
    printer.ty(ty)
}

fn parse_same_types<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    match parse_types(parser)? {
        Types::Function(inputs, results) => set_function(parser, state, inputs, results),
        Types::One(ty) => (0..state.arguments().len()).try_for_each(|at| state.set_types(parser, at, vec![ty])),
    }
}

/// The same of a list of operands: it, its types, and the result's.
fn print_variadic_same(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let operands = arguments.values(printer, 1)?;
    let result = arguments.value(printer, 2)?;
    print_same(printer, &operands, result)
}

fn parse_variadic_same<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let (inputs, results) = match parse_types(parser)? {
        Types::Function(inputs, results) => (inputs, results),
        Types::One(ty) => (vec![ty; state.operand_count(parser, 0)?], vec![ty]),
    };
    state.set_types(parser, 1, inputs)?;
    state.set_types(parser, 2, results)
}

/// Types that operands and results share, pair by pair.
fn print_pairwise(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let [operands, results] = [arguments.values(printer, 0)?, arguments.values(printer, 1)?];
    printer.expect_same_types(&operands, &results)?;
    printer.value_types(&operands)
}

fn parse_pairwise<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let types = parser.types()?;
    state.set_types(parser, 0, types.clone())?;
    state.set_types(parser, 1, types)
}

/// A tuple, which has the types of the operands.
fn print_tuple(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let operands = arguments.values(printer, 0)?;
    let result = arguments.value(printer, 1)?;
    let TypeData::Tuple(members) = printer.type_data(result)? else { return Err(NotCustom::UseGeneric) };
    let types: Vec<TypeRef> = members.iter().map(|&ty| ty.into()).collect();
    if types.len() != operands.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.expect_types(&operands, &types)?;
    printer.value_type(result)
}

fn parse_tuple<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let ty = parser.any_type()?;
    let context = parser.context();
    let TypeData::Tuple(members) = &context[parser.resolved(ty)?] else {
        return Err(parser.text().error("the type of a tuple was expected"));
    };
    state.set_types(parser, 0, members.iter().map(|&ty| ty.into()).collect())?;
    state.set_types(parser, 1, vec![ty])
}

/// The tensor of the numbers that complex ones of this tensor are made of. `None` for what is no tensor of complex numbers.
fn real_of(context: &Context, ty: Type) -> Option<Type> {
    let TypeData::RankedTensor { shape, element, encoding } = &context[ty] else { return None };
    let TypeData::Complex(real) = context[*element] else { return None };
    Some(context.ty(TypeData::RankedTensor { shape: shape.clone(), element: real, encoding: *encoding }))
}

/// The type of the complex numbers, where both operands have its parts', else a function type.
fn print_complex(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let (operands, result) = one_each(printer, arguments)?;
    let ty = printer.type_of(result)?;
    let real = real_of(printer.context(), ty);
    for operand in &operands {
        if Some(printer.type_of(*operand)?) != real {
            return printer.functional(&operands, &[result]);
        }
    }
    printer.ty(ty)
}

fn parse_complex<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let ty = match parse_types(parser)? {
        Types::Function(inputs, results) => return set_function(parser, state, inputs, results),
        Types::One(ty) => ty,
    };
    let Some(real) = real_of(parser.context(), parser.resolved(ty)?) else {
        return Err(parser.text().error("the type of a tensor of complex numbers was expected"));
    };
    state.set_types(parser, 0, vec![real.into()])?;
    state.set_types(parser, 1, vec![real.into()])?;
    state.set_types(parser, 2, vec![ty])
}

/// `condition, result`, where both others have the type of the result, else a function type.
fn print_select(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let (operands, result) = one_each(printer, arguments)?;
    let ty = printer.type_of(result)?;
    let [condition, others @ ..] = operands.as_slice() else { return Err(NotCustom::UseGeneric) };
    for other in others {
        if printer.type_of(*other)? != ty {
            return printer.functional(&operands, &[result]);
        }
    }
    printer.value_type(*condition)?;
    printer.text(", ");
    printer.ty(ty)
}

fn parse_select<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let condition = match parse_types(parser)? {
        Types::Function(inputs, results) => return set_function(parser, state, inputs, results),
        Types::One(ty) => ty,
    };
    parser.text().expect(b',')?;
    let ty = parser.any_type()?;
    state.set_types(parser, 0, vec![condition])?;
    (1..4).try_for_each(|at| state.set_types(parser, at, vec![ty]))
}

/// Operands, each with a comma behind it.
fn print_operands(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let operands = arguments.values(printer, 0)?;
    for (at, operand) in operands.into_iter().enumerate() {
        if at > 0 {
            printer.text(" ");
        }
        printer.value(operand);
        printer.text(",");
    }
    Ok(())
}

fn parse_operands<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let mut names = Vec::new();
    while parser.text().is_at(b'%') {
        names.push(parser.operand_name()?);
        parser.text().expect(b',')?;
    }
    state.set_operands(parser, 0, names)
}

/// `[start:limit, start:limit:stride]`
fn print_ranges(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let mut lists = Vec::new();
    for at in 0..3 {
        lists.push(arguments.integers(printer, at)?.ok_or(NotCustom::UseGeneric)?);
    }
    let [starts, limits, strides] = lists.as_slice() else { return Err(NotCustom::UseGeneric) };
    if starts.len() != limits.len() || starts.len() != strides.len() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("[");
    for (at, ((start, limit), stride)) in starts.iter().zip(limits).zip(strides).enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        printer.number(*start);
        printer.text(":");
        printer.number(*limit);
        if *stride != 1 {
            printer.text(":");
            printer.number(*stride);
        }
    }
    printer.text("]");
    Ok(())
}

fn number(parser: &mut OpParser<'_>) -> Result<i64> {
    super::parts::number(parser.text())
}

fn parse_ranges<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let [mut starts, mut limits, mut strides] = [const { Vec::new() }; 3];
    parser.text().expect(b'[')?;
    parser.list(b']', |parser| {
        starts.push(number(parser)?);
        parser.text().expect(b':')?;
        limits.push(number(parser)?);
        strides.push(if parser.text().eat(b':') { number(parser)? } else { 1 });
        Ok(())
    })?;
    for (at, numbers) in [starts, limits, strides].iter().enumerate() {
        let array = parser.i64_array(numbers);
        state.set_attribute(parser, op, at, array)?;
    }
    Ok(())
}

/// The number in an attribute of 32 bits.
fn number_of(context: &Context, attribute: Attribute) -> Printed<i64> {
    match &context[attribute] {
        AttributeData::Integer { ty, value } if *ty == context.integer_type(32) => {
            value.to_i64().ok_or(NotCustom::UseGeneric)
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `e5m10`
fn print_format(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    for (at, letter) in ["e", "m"].into_iter().enumerate() {
        let bits = number_of(printer.context(), arguments.required(printer, at)?)?;
        if bits < 0 {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(letter);
        printer.number(bits);
    }
    Ok(())
}

fn parse_format<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let at = parser.text().here();
    let word = parser.text().word();
    let digits = |text: &[u8]| -> Option<u32> {
        let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(text).ok().filter(|_| is_number)?.parse().ok()
    };
    let parts = word.strip_prefix(b"e").and_then(|rest| {
        let m = rest.iter().position(|&byte| byte == b'm')?;
        Some([digits(&rest[..m])?, digits(&rest[m + 1..])?])
    });
    let Some(parts) = parts.filter(|parts| parts.iter().all(|&bits| i32::try_from(bits).is_ok())) else {
        return Err(parser.error_at(at, "a format such as `e5m10` was expected"));
    };
    for (at, bits) in parts.into_iter().enumerate() {
        let bits = parser.context().integer(32, bits.into());
        state.set_attribute(parser, op, at, bits)?;
    }
    Ok(())
}

/// `@target`
fn print_target(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let target = arguments.required(printer, 0)?;
    match &printer.context()[target] {
        AttributeData::String { value, ty: None } => {
            printer.symbol(value);
            Ok(())
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

fn parse_target<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let name = parser.text().symbol_name()?;
    state.set_attribute(parser, op, 0, name.into())
}

/// The names of the cases in an array of precisions.
fn precisions(context: &Context, attribute: Attribute) -> Printed<Vec<&'static str>> {
    let AttributeData::Array(items) = &context[attribute] else { return Err(NotCustom::UseGeneric) };
    let name = |item: &Attribute| {
        let case = Precision::of(context, *item).ok_or(NotCustom::UseGeneric)? as u64;
        Ok(Precision::CASES.iter().find(|known| known.0 == case).map_or("", |known| known.1))
    };
    items.iter().map(name).collect()
}

/// `, precision = [HIGH, DEFAULT]`, where there are any that are not the default.
fn print_precision(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    if let Some(config) = arguments.attribute(printer, 0)? {
        let names = precisions(printer.context(), config)?;
        printer.text(format!(", precision = [{}]", names.join(", ")));
    }
    Ok(())
}

/// Parses behind the comma.
fn parse_precision_list<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    parser.text().expect(b'=')?;
    parser.text().expect(b'[')?;
    let mut items = Vec::new();
    parser.list(b']', |parser| {
        let word = parser.text().word();
        let case = Precision::CASES.iter().find(|(_, name)| name.as_bytes() == word);
        let case = case.and_then(|case| Precision::from_number(case.0));
        items.push(case.ok_or_else(|| parser.text().expected("a precision"))?.attribute(parser.context()));
        Ok(())
    })?;
    let items = parser.context().attribute(AttributeData::Array(items.into()));
    state.set_attribute(parser, op, 0, items)
}

fn parse_precision<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    if parser.text().eat(b',') {
        parser.text().expect_word("precision")?;
        parse_precision_list(parser, op, state)?;
    }
    Ok(())
}

/// The same, and `, algorithm = <...>` where there is one.
fn print_algorithm(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    print_precision(printer, arguments)?;
    if let Some(algorithm) = arguments.attribute(printer, 1)? {
        printer.context().attribute_parameters(algorithm, DIALECT, "dot_algorithm").ok_or(NotCustom::UseGeneric)?;
        printer.text(", algorithm = ");
        printer.stripped(algorithm)?;
    }
    Ok(())
}

fn parse_algorithm<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    if !parser.text().eat(b',') {
        return Ok(());
    }
    if parser.text().eat_word(b"precision") {
        parse_precision_list(parser, op, state)?;
        if !parser.text().eat(b',') {
            return Ok(());
        }
    }
    parser.text().expect_word("algorithm")?;
    parser.text().expect(b'=')?;
    let algorithm = parser.text().stripped_attribute(DIALECT, "dot_algorithm")?;
    state.set_attribute(parser, op, 1, algorithm)
}

fn list(numbers: &[i64]) -> String {
    format!("[{}]", numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
fn print_dot(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let numbers = arguments.required(printer, 0)?;
    let of = DotDimensionNumbers::of(printer.context(), numbers).ok_or(NotCustom::UseGeneric)?;
    let (lhs, rhs) = (of.lhs_batching_dimensions, of.rhs_batching_dimensions);
    if !lhs.is_empty() || !rhs.is_empty() {
        printer.text(format!("batching_dims = {} x {}, ", list(&lhs), list(&rhs)));
    }
    let (lhs, rhs) = (of.lhs_contracting_dimensions, of.rhs_contracting_dimensions);
    printer.text(format!("contracting_dims = {} x {}", list(&lhs), list(&rhs)));
    Ok(())
}

/// `= [0] x [0]`
fn parse_pair(parser: &mut OpParser<'_>) -> Result<[Vec<i64>; 2]> {
    let one = |parser: &mut OpParser<'_>| -> Result<Vec<i64>> {
        let mut numbers = Vec::new();
        parser.text().expect(b'[')?;
        parser.list(b']', |parser| {
            numbers.push(number(parser)?);
            Ok(())
        })?;
        Ok(numbers)
    };
    parser.text().expect(b'=')?;
    let lhs = one(parser)?;
    parser.text().expect_word("x")?;
    Ok([lhs, one(parser)?])
}

fn parse_dot<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let mut batching = [const { Vec::new() }; 2];
    if parser.text().eat_word(b"batching_dims") {
        batching = parse_pair(parser)?;
        parser.text().expect(b',')?;
    }
    parser.text().expect_word("contracting_dims")?;
    let contracting = parse_pair(parser)?;
    let [lhs_batching_dimensions, rhs_batching_dimensions] = batching;
    let [lhs_contracting_dimensions, rhs_contracting_dimensions] = contracting;
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions,
        rhs_batching_dimensions,
        lhs_contracting_dimensions,
        rhs_contracting_dimensions,
    };
    let numbers = numbers.attribute(parser.context());
    state.set_attribute(parser, op, 0, numbers)
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
fn print_convolution(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let numbers = arguments.required(printer, 0)?;
    let parameters = printer.context().attribute_parameters(numbers, DIALECT, "conv");
    printer.text(parameters.and_then(convolution::text_of).ok_or(NotCustom::UseGeneric)?);
    Ok(())
}

fn parse_convolution<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let parameters: Vec<Parameter> = convolution::parse(parser.text())?;
    let context = parser.context();
    state.set_attribute(parser, op, 0, context.dialect_attribute(DIALECT, "conv", parameters))
}

/// What the arguments of the directive are called, by position.
const WINDOW: [&str; 5] = ["stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"];

/// `stride = [1, 1], pad = [[0, 0], [1, 1]], reverse = [false, true]`, of those that are there.
fn print_window(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let mut before = "";
    for (at, name) in WINDOW.into_iter().enumerate() {
        let Some(attribute) = arguments.attribute(printer, at)? else { continue };
        let text = match name {
            "pad" => padding_text(printer.context(), attribute)?,
            _ => array_text(printer.context(), attribute, name == "reverse")?,
        };
        printer.text(format!("{before}{name} = {text}"));
        before = ", ";
    }
    Ok(())
}

fn array_text(context: &Context, attribute: Attribute, truths: bool) -> Printed<String> {
    let AttributeData::DenseArray { element, .. } = context[attribute] else { return Err(NotCustom::UseGeneric) };
    if element != context.integer_type(if truths { 1 } else { 64 }) {
        return Err(NotCustom::UseGeneric);
    }
    let numbers = mlirbc_ir::text::integers(context, attribute).ok_or(NotCustom::UseGeneric)?;
    if !truths {
        return Ok(list(&numbers));
    }
    let truths: Vec<String> = numbers.iter().map(|&truth| (truth != 0).to_string()).collect();
    Ok(format!("[{}]", truths.join(", ")))
}

/// Rows and columns of dense elements that are padding: a row for each dimension, before and behind.
fn padding_text(context: &Context, attribute: Attribute) -> Printed<String> {
    let AttributeData::DenseElements { ty, data } = &context[attribute] else { return Err(NotCustom::UseGeneric) };
    let TypeData::RankedTensor { shape, element, encoding: None } = &context[*ty] else {
        return Err(NotCustom::UseGeneric);
    };
    // What text shows are lists in a list: one of none has the shape `0x0`.
    let rows = match **shape {
        [rows, 2] if rows > 0 => usize::try_from(rows).ok().filter(|&rows| rows <= data.len().max(1 << 10)),
        [0, 0] => Some(0),
        _ => None,
    };
    let (Some(rows), true) = (rows, *element == context.integer_type(64)) else { return Err(NotCustom::UseGeneric) };
    let numbers: Vec<i64> =
        data.chunks_exact(8).map(|bytes| bytes.try_into().map(i64::from_le_bytes).unwrap_or_default()).collect();
    let row = |at: usize| match numbers.as_slice() {
        [splat] => Some(list(&[*splat, *splat])),
        _ => numbers.get(at * 2..at * 2 + 2).map(list),
    };
    let rows: Option<Vec<String>> = (0..rows).map(row).collect();
    Ok(format!("[{}]", rows.ok_or(NotCustom::UseGeneric)?.join(", ")))
}

fn parse_window<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut State<'_, 'a>) -> Result<()> {
    let mut seen = [false; WINDOW.len()];
    while !parser.text().is_at(b'}') {
        let word = parser.text().word();
        let at = WINDOW.iter().position(|name| name.as_bytes() == word);
        let Some(at) = at.filter(|&at| !std::mem::replace(&mut seen[at], true)) else {
            return Err(parser.text().expected("another attribute of the window"));
        };
        parser.text().expect(b'=')?;
        let context = parser.context();
        let value = match WINDOW[at] {
            "pad" => parse_padding(parser)?,
            "reverse" => parser.dense_array(context.integer_type(1))?,
            _ => parser.dense_array(context.integer_type(64))?,
        };
        state.set_attribute(parser, op, at, value)?;
        if !parser.text().eat(b',') {
            break;
        }
    }
    Ok(())
}

/// `[[0, 0], [1, 1]]`
fn parse_padding(parser: &mut OpParser<'_>) -> Result<Attribute> {
    let (mut rows, mut numbers) = (0, Vec::new());
    parser.text().expect(b'[')?;
    parser.list(b']', |parser| {
        rows += 1;
        parser.text().expect(b'[')?;
        numbers.push(number(parser)?);
        parser.text().expect(b',')?;
        numbers.push(number(parser)?);
        parser.text().expect(b']')
    })?;
    let context = parser.context();
    let shape = [rows, if rows == 0 { 0 } else { 2 }].into();
    let ty = TypeData::RankedTensor { shape, element: context.integer_type(64), encoding: None };
    // What is one number everywhere is held once.
    if numbers.windows(2).all(|pair| pair[0] == pair[1]) {
        numbers.truncate(1);
    }
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Ok(context.attribute(AttributeData::DenseElements { ty: context.ty(ty), data: data.into() }))
}
