//! The directives of `transform`'s formats.

use mlirbc_ir::body::Value;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Context, Parameter, Result, Type, TypeData};
use mlirbc_text::{
    Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter, OpState, Printed, ValueName,
};

use super::{NAME, PARAM_OPERAND, operand_number};

pub(super) const SEMI_FUNCTION_TYPE: Directive = Directive::new(print_semi_function, parse_semi_function);
pub(super) const MATCH_DIMS: Directive = Directive::new(print_dims, parse_dims);
pub(super) const MATCH_SYMBOLS: Directive = Directive::new(print_symbols, parse_symbols);
pub(super) const SEQUENCE_OPERANDS: Directive = Directive::new(print_sequence, parse_sequence);
pub(super) const ONE_RESULT_TYPE: Directive = Directive::new(print_one_result, parse_one_result);
pub(super) const PACKED_OR_LIST: Directive = Directive::new(print_packed, parse_packed);
pub(super) const SELECTED_REGION: Directive = Directive::new(print_selected, parse_selected);
pub(super) const PASS_OPTIONS: Directive = Directive::new(print_options, parse_options);

/// How deep parameters stand in arrays of a pass's options; what is deeper is an attribute as any other.
const DEEPEST_OPTION: usize = 8;

/// The number of the operand that `#transform.param_operand<index = 0 : i64>` stands for.
fn param_operand(context: &Context, attribute: Attribute) -> Option<usize> {
    operand_number(context, context.attribute_parameters(attribute, NAME, PARAM_OPERAND.mnemonic)?)
}

/// `type`, or `(type) -> type`, or `(type) -> (type, type)`
fn print_semi_function(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let input = arguments.value(printer, 0)?;
    let results = arguments.values(printer, 1)?;
    no_functions(printer, &[input])?;
    no_functions(printer, &results)?;
    if results.is_empty() {
        return printer.value_type(input);
    }
    printer.text("(");
    printer.value_type(input)?;
    printer.text(") -> ");
    if results.len() > 1 {
        printer.text("(");
    }
    printer.value_types(&results)?;
    if results.len() > 1 {
        printer.text(")");
    }
    Ok(())
}

/// `type`, or `(type) -> type`, or `(type) -> (type, type)`
fn parse_semi_function<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let one = state.is_one_result(1);
    let open = parser.text().eat(b'(');
    if !open && one {
        return Err(parser.text().expected("`(`, a type and `)`"));
    }
    let ty = parser.any_type()?;
    state.set_types(parser, 0, vec![ty])?;
    let mut types = Vec::new();
    if open {
        parser.text().expect(b')')?;
        if !parser.text().eat_arrow() {
            return Err(parser.text().expected("`->` and the types of the results"));
        }
        types = if one { vec![parser.any_type()?] } else { parser.arrow_types()? };
    }
    state.set_types(parser, 1, types)
}

/// `all`, or `1, 2`, or `except(1, 2)`
fn print_dims(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let numbers = arguments.integers(printer, 0)?.ok_or(NotCustom::UseGeneric)?;
    let inverted = arguments.attribute(printer, 1)?.is_some();
    if arguments.attribute(printer, 2)?.is_some() {
        if inverted || !numbers.is_empty() {
            return Err(NotCustom::UseGeneric);
        }
        printer.text("all");
        return Ok(());
    }
    if numbers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    if inverted {
        printer.text("except(");
    }
    for (at, number) in numbers.into_iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.number(number);
    }
    if inverted {
        printer.text(")");
    }
    Ok(())
}

/// `all`, or `1, 2`, or `except(1, 2)`
fn parse_dims<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let unit = parser.context().unit();
    let mut numbers = Vec::new();
    if parser.text().eat_word(b"all") {
        state.set_attribute(parser, op, 2, unit)?;
    } else {
        let inverted = parser.text().eat_word(b"except");
        if inverted {
            state.set_attribute(parser, op, 1, unit)?;
            parser.text().expect(b'(')?;
        }
        loop {
            match parser.text().signed() {
                Some(number) => numbers.push(number),
                None => return Err(parser.text().expected("a position")),
            }
            if !parser.text().eat(b',') {
                break;
            }
        }
        if inverted {
            parser.text().expect(b')')?;
        }
    }
    let numbers = parser.i64_array(&numbers);
    state.set_attribute(parser, op, 0, numbers)
}

/// `@matcher -> @action`, a line each.
fn print_symbols(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let symbols = |printer: &OpPrinter<'_, '_>, position: usize| {
        let array = printer.array(arguments.required(printer, position)?)?.to_vec();
        let flat = |item: &Attribute| matches!(&printer.context()[*item], AttributeData::SymbolRef { nested, .. } if nested.is_empty());
        if array.iter().all(flat) { Ok(array) } else { Err(NotCustom::UseGeneric) }
    };
    let matchers = symbols(printer, 0)?;
    let actions = symbols(printer, 1)?;
    if matchers.len() != actions.len() || matchers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    for (at, (&matcher, &action)) in matchers.iter().zip(&actions).enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.new_line();
        printer.text("    ");
        printer.attribute(matcher)?;
        printer.text(" -> ");
        printer.attribute(action)?;
    }
    Ok(())
}

/// `@matcher -> @action`, with commas between.
fn parse_symbols<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let symbol = |parser: &mut OpParser<'a>| -> Result<Attribute> {
        let root = parser.text().symbol_name()?;
        Ok(parser.context().attribute(AttributeData::SymbolRef { root, nested: Box::default() }))
    };
    let (mut matchers, mut actions) = (Vec::new(), Vec::new());
    loop {
        matchers.push(symbol(parser)?);
        if !parser.text().eat_arrow() {
            return Err(parser.text().expected("`->` and the symbol of an action"));
        }
        actions.push(symbol(parser)?);
        if !parser.text().eat(b',') {
            break;
        }
    }
    for (at, list) in [matchers, actions].into_iter().enumerate() {
        let list = parser.context().attribute(AttributeData::Array(list.into()));
        state.set_attribute(parser, op, at, list)?;
    }
    Ok(())
}

/// `%root, %more : (type, type)`
fn print_sequence(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let (root, extra) = (arguments.values(printer, 0)?, arguments.values(printer, 2)?);
    let all = [root.as_slice(), &extra].concat();
    if root.is_empty() {
        return if extra.is_empty() { Ok(()) } else { Err(NotCustom::UseGeneric) };
    }
    no_functions(printer, &all)?;
    printer.values(&all);
    printer.text(" : ");
    if !extra.is_empty() {
        printer.text("(");
    }
    printer.value_types(&all)?;
    if !extra.is_empty() {
        printer.text(")");
    }
    Ok(())
}

/// `%root, %more : (type, type)`
fn parse_sequence<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let mut names = parser.operand_list()?;
    let mut types = Vec::new();
    if !names.is_empty() {
        parser.text().expect(b':')?;
        let open = parser.text().eat(b'(');
        types = parser.types()?;
        if open {
            parser.text().expect(b')')?;
        }
        if types.len() != names.len() {
            return Err(parser.text().error("there are more or fewer types than operands"));
        }
    }
    let first = names.len().min(1);
    state.set_operands(parser, 2, names.split_off(first))?;
    state.set_types(parser, 2, types.split_off(first))?;
    state.set_operands(parser, 0, names)?;
    state.set_types(parser, 0, types)
}

/// `(type) -> type`, where all results have the same type.
fn print_one_result(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let input = arguments.values(printer, 0)?;
    let results = printer.all_results();
    let types: Vec<Type> = results.iter().map(|&result| printer.type_of(result)).collect::<Printed<_>>()?;
    if input.len() != 1 || types.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(NotCustom::UseGeneric);
    }
    printer.functional(&input, results.get(..1).ok_or(NotCustom::UseGeneric)?)
}

/// `(type) -> type`, which is the type of all results.
fn parse_one_result<'a>(
    parser: &mut OpParser<'a>,
    _: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let start = parser.text().here();
    let (inputs, results) = parser.functional()?;
    let (&[input], &[result]) = (inputs.as_slice(), results.as_slice()) else {
        return Err(parser.error_at(start, "expected a function type with one input and one result"));
    };
    for at in 0..state.arguments().len() {
        state.set_types(parser, at, vec![if at == 0 { input } else { result }])?;
    }
    Ok(())
}

/// `*(%handle)`, or `[1, %a]`
fn print_packed(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let (packed, list) = (arguments.values(printer, 0)?, arguments.values(printer, 1)?);
    let numbers = arguments.integers(printer, 2)?.unwrap_or_default();
    let Some(&packed) = packed.first() else { return printer.index_list(&numbers, &list, b"[]") };
    if !list.is_empty() || !numbers.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("*(");
    printer.value(packed);
    printer.text(")");
    Ok(())
}

/// `*(%handle)`, or `[1, %a]`
fn parse_packed<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    let mut numbers = Vec::new();
    if parser.text().eat(b'*') {
        parser.text().expect(b'(')?;
        let name = parser.operand_name()?;
        state.set_operands(parser, 0, vec![name])?;
        parser.text().expect(b')')?;
    } else {
        let list = parser.index_list(b'[', b']')?;
        numbers = list.numbers;
        state.set_operands(parser, 1, list.values)?;
    }
    let numbers = parser.i64_array(&numbers);
    state.set_attribute(parser, op, 2, numbers)
}

/// `2`, or `%parameter`
fn print_selected(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let number = arguments.attribute(printer, 0)?.map(|number| &printer.context()[number]);
    match (number, arguments.values(printer, 1)?.as_slice()) {
        (Some(AttributeData::Integer { ty, value }), []) if printer.context()[*ty] == TypeData::Index => {
            printer.number(value.to_i64().filter(|&number| number >= 0).ok_or(NotCustom::UseGeneric)?);
            Ok(())
        }
        (None, &[parameter]) => {
            printer.value(parameter);
            Ok(())
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `2`, or `%parameter`
fn parse_selected<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    if parser.text().is_at(b'%') {
        let name = parser.operand_name()?;
        return state.set_operands(parser, 1, vec![name]);
    }
    let Some(number) = parser.text().unsigned().and_then(|number| i64::try_from(number).ok()) else {
        return Err(parser.text().expected("the number of a region, or a parameter"));
    };
    let index = parser.context().index_type();
    let value = ApInt::from_u64(64, number as u64);
    let value = parser.context().attribute(AttributeData::Integer { ty: index, value });
    state.set_attribute(parser, op, 0, value)
}

/// `{"name" = value, "name" = %parameter}`
fn print_options(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let options = arguments.required(printer, 0)?;
    let parameters = arguments.values(printer, 1)?;
    let AttributeData::Dictionary(options) = &printer.context()[options] else { return Err(NotCustom::UseGeneric) };
    let mut used = 0;
    for (at, &(name, value)) in options.iter().enumerate() {
        printer.text(if at == 0 { "{" } else { ", " });
        let name = printer.context().bytes(name);
        printer.quoted(name);
        printer.text(" = ");
        print_option(printer, value, &parameters, &mut used, DEEPEST_OPTION)?;
    }
    if used != parameters.len() || options.is_empty() {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("}");
    Ok(())
}

/// `{"name" = value, "name" = %parameter}`
fn parse_options<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let start = parser.text().here();
    let (mut entries, mut names) = (Vec::new(), Vec::new());
    parser.text().expect(b'{')?;
    loop {
        let name = if parser.text().is_at(b'"') {
            parser.text().string()?.into_owned()
        } else {
            parser.text().word().to_vec()
        };
        if name.is_empty() {
            return Err(parser.text().expected("the name of an option"));
        }
        parser.text().expect(b'=')?;
        let value = parse_option(parser, &mut names, DEEPEST_OPTION)?;
        entries.push((parser.context().identifier(&name), value));
        if parser.text().eat(b'}') {
            break;
        }
        parser.text().expect(b',')?;
    }
    state.set_operands(parser, 1, names)?;
    let options = parser.context().dictionary(entries).map_err(|error| error.at(start as u64))?;
    state.set_attribute(parser, op, 0, options)
}

/// Says that none of these is a function, whose type has parentheses of its own.
fn no_functions(printer: &OpPrinter<'_, '_>, values: &[Value]) -> Printed {
    for &value in values {
        if matches!(printer.type_data(value)?, TypeData::Function { .. }) {
            return Err(NotCustom::UseGeneric);
        }
    }
    Ok(())
}

fn print_option(
    printer: &mut OpPrinter<'_, '_>,
    value: Attribute,
    parameters: &[Value],
    used: &mut usize,
    depth: usize,
) -> Printed {
    if depth == 0 {
        return printer.attribute(value);
    }
    if let Some(number) = param_operand(printer.context(), value) {
        // Text says nothing but the order of parameters.
        let parameter = *parameters.get(number).filter(|_| number == *used).ok_or(NotCustom::UseGeneric)?;
        *used += 1;
        printer.value(parameter);
        return Ok(());
    }
    let AttributeData::Array(items) = &printer.context()[value] else { return printer.attribute(value) };
    printer.text("[");
    for (at, &item) in items.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        print_option(printer, item, parameters, used, depth - 1)?;
    }
    printer.text("]");
    Ok(())
}

fn parse_option<'a>(parser: &mut OpParser<'a>, names: &mut Vec<ValueName<'a>>, depth: usize) -> Result<Attribute> {
    if depth == 0 {
        return parser.text().attribute();
    }
    if parser.text().is_at(b'%') {
        let index = Parameter::Attribute(parser.context().integer(64, names.len() as i64));
        names.push(parser.operand_name()?);
        return Ok(parser.context().dialect_attribute(NAME, PARAM_OPERAND.mnemonic, [index]));
    }
    if !parser.text().eat(b'[') {
        return parser.text().attribute();
    }
    let mut items = Vec::new();
    parser.list(b']', |parser| {
        items.push(parse_option(parser, names, depth - 1)?);
        Ok(())
    })?;
    Ok(parser.context().attribute(AttributeData::Array(items.into())))
}
