//! `vhlo` as text, and what its attributes and types may hold.

use mlirbc_ir::number::FloatKind;
use mlirbc_ir::text::{DialectPrinter, DialectText, Elision, Parser};
use mlirbc_ir::{AttributeData, Context, DYNAMIC, DialectValue, Error, Parameter, Result, TypeData};

use super::forms::{ATTRIBUTES, Cases, Field, Form, TYPES, code, code_of, names};
use super::types::{from_builtin, to_builtin};

pub(super) struct Text;

/// The code of the form whose fields the parameters of a type with that code are.
pub(super) fn kept_as(code: usize) -> usize {
    if code == code::TENSOR { code::ENCODED_TENSOR } else { code }
}

impl DialectText for Text {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match code_of(&ATTRIBUTES, context.bytes(value.mnemonic)) {
            Some(code) => verify(context, &ATTRIBUTES[code], &value.parameters),
            None => Err(unknown(context, value)),
        }
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match code_of(&TYPES, context.bytes(value.mnemonic)) {
            Some(code) => verify(context, &TYPES[kept_as(code)], &value.parameters),
            None => Err(unknown(context, value)),
        }
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        let Some(code) = code_of(&ATTRIBUTES, context.bytes(value.mnemonic)) else { return false };
        let form = &ATTRIBUTES[code];
        if verify(context, form, &value.parameters).is_err() {
            return false;
        }
        if let ([Field::Case(cases)], [Parameter::Unsigned(number)]) = (form.fields, &*value.parameters) {
            printer.text(" ").text(cases.word(*number).unwrap_or_default());
            return true;
        }
        printer.text("<");
        match (names(code), &*value.parameters) {
            (Some(names), parameters) => {
                let shown = names.iter().zip(form.fields).zip(parameters).filter(|(_, it)| **it != Parameter::None);
                for (at, ((name, field), parameter)) in shown.enumerate() {
                    printer.text(if at == 0 { "" } else { ", " }).text(name).text(" = ");
                    print(*field, parameter, printer);
                }
            }
            // What it holds shows its type, but in numbers with a point, whose type is that of the dialect.
            (None, [Parameter::Type(ty), Parameter::Attribute(held)]) => {
                let is_float = form.fields[1] == Field::Float;
                printer.attribute(*held, if is_float { Elision::Must } else { Elision::Never });
                if is_float {
                    printer.text(" : ").ty(*ty);
                }
            }
            (None, parameters) => {
                form.fields.iter().zip(parameters).for_each(|(&field, parameter)| print(field, parameter, printer));
            }
        }
        printer.text(">");
        true
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        let Some(code) = code_of(&TYPES, context.bytes(value.mnemonic)) else { return false };
        if verify(context, &TYPES[kept_as(code)], &value.parameters).is_err() {
            return false;
        }
        if !value.parameters.is_empty() {
            printer.text("<");
            print_parameters(code, &value.parameters, printer);
            printer.text(">");
        }
        true
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let Some(code) = code_of(&ATTRIBUTES, mnemonic) else { return Ok(None) };
        let form = &ATTRIBUTES[code];
        if let [Field::Case(cases)] = form.fields {
            return Ok(Some([Parameter::Unsigned(case(cases, parser)?)].into()));
        }
        parser.expect(b'<')?;
        let parameters = match (names(code), form.fields) {
            (Some(names), fields) => parse_named(names, fields, parser)?,
            (None, [Field::Type, Field::Float]) => parse_float(parser)?,
            (None, [Field::Type, _]) => {
                let held = parser.attribute()?;
                let ty = parser.context()[held].ty().and_then(|ty| from_builtin(parser.context(), ty));
                let ty = ty.ok_or_else(|| parser.error("no type of vhlo stands for that of the value"))?;
                vec![Parameter::Type(ty), Parameter::Attribute(held)]
            }
            (None, fields) => fields.iter().map(|&field| parse(field, parser)).collect::<Result<_>>()?,
        };
        parser.expect(b'>')?;
        Ok(Some(parameters.into()))
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let Some(code) = code_of(&TYPES, mnemonic) else { return Ok(None) };
        if TYPES[code].fields.is_empty() {
            return Ok(Some(Box::default()));
        }
        parser.expect(b'<')?;
        let parameters = parse_parameters(code, parser)?;
        parser.expect(b'>')?;
        Ok(Some(parameters.into()))
    }
}

fn unknown(context: &Context, value: &DialectValue) -> Error {
    Error::verification(format!("vhlo has no {}", Error::quoted(context.bytes(value.mnemonic))))
}

/// Checks that these are parameters of the form.
pub(super) fn verify(context: &Context, form: &Form, parameters: &[Parameter]) -> Result<()> {
    let wrong = || Error::verification(format!("`{}` has other parameters", form.mnemonic));
    if form.fields.len() != parameters.len() {
        return Err(wrong());
    }
    let mut before = None;
    for (&field, parameter) in form.fields.iter().zip(parameters) {
        if !holds(context, field, parameter, before) {
            return Err(wrong());
        }
        before = Some(parameter);
    }
    Ok(())
}

fn holds(context: &Context, field: Field, parameter: &Parameter, before: Option<&Parameter>) -> bool {
    let all = |is: fn(&Parameter) -> bool| match parameter {
        Parameter::List(items) => items.iter().all(is),
        _ => false,
    };
    match (field, parameter) {
        (Field::Type, Parameter::Type(_))
        | (Field::Attribute, Parameter::Attribute(_))
        | (Field::Encoding | Field::Followed | Field::Flagged, Parameter::Attribute(_) | Parameter::None)
        | (Field::Unsigned, Parameter::Unsigned(_))
        | (Field::Signed, Parameter::Signed(_))
        | (Field::Bool, Parameter::Bool(_))
        | (Field::Double, Parameter::Double(_)) => true,
        (Field::Types, _) => all(|item| matches!(item, Parameter::Type(_))),
        (Field::Attributes, _) => all(|item| matches!(item, Parameter::Attribute(_))),
        (Field::Pairs, Parameter::List(items)) => {
            items.len() % 2 == 0 && all(|item| matches!(item, Parameter::Attribute(_)))
        }
        (Field::Numbers, _) => all(|item| matches!(item, Parameter::Signed(_))),
        (Field::Doubles, _) => all(|item| matches!(item, Parameter::Double(_))),
        (Field::Case(cases), Parameter::Unsigned(number)) => cases.word(*number).is_some(),
        (_, Parameter::Attribute(held)) => match (field, &context[*held]) {
            (Field::String, AttributeData::String { ty: None, .. }) => true,
            (Field::Integer, data @ AttributeData::Integer { .. })
            | (Field::Float, data @ AttributeData::Float { .. })
            | (Field::Elements, data @ AttributeData::DenseElements { .. }) => {
                matches!(before, Some(&Parameter::Type(ty)) if to_builtin(context, ty) == data.ty())
            }
            _ => false,
        },
        _ => false,
    }
}

fn print(field: Field, parameter: &Parameter, printer: &mut DialectPrinter<'_>) {
    match (field, parameter) {
        (Field::Pairs, Parameter::List(items)) => {
            printer.text("{");
            for (at, item) in items.iter().enumerate() {
                printer.text(if at == 0 {
                    ""
                } else if at % 2 == 1 {
                    " = "
                } else {
                    ", "
                });
                print(Field::Attribute, item, printer);
            }
            printer.text("}");
        }
        (_, Parameter::List(items)) => {
            printer.text("[");
            for (at, item) in items.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " });
                match item {
                    Parameter::Signed(DYNAMIC) => _ = printer.text("?"),
                    item => print(field, item, printer),
                }
            }
            printer.text("]");
        }
        (_, Parameter::Type(ty)) => _ = printer.ty(*ty),
        (_, Parameter::Attribute(attribute)) => _ = printer.attribute(*attribute, Elision::Never),
        (_, Parameter::Bool(value)) => _ = printer.text(value.to_string()),
        (_, Parameter::Unsigned(value)) => _ = printer.text(value.to_string()),
        (_, Parameter::Signed(value)) => _ = printer.text(value.to_string()),
        (_, Parameter::Double(bits)) => _ = printer.double(f64::from_bits(*bits)),
        (_, Parameter::None | Parameter::String(_)) => {}
    }
}

/// Types with commas between; where there are none, parentheses if asked for.
fn print_types(types: &Parameter, parentheses: bool, printer: &mut DialectPrinter<'_>) {
    let Parameter::List(types) = types else { return };
    if types.is_empty() && parentheses {
        printer.text("()");
    }
    for (at, ty) in types.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        print(Field::Type, ty, printer);
    }
}

fn print_shaped(shape: &Parameter, element: &Parameter, printer: &mut DialectPrinter<'_>) {
    if let Parameter::List(sizes) = shape {
        for size in sizes {
            match size {
                Parameter::Signed(DYNAMIC) => _ = printer.text("?"),
                size => print(Field::Signed, size, printer),
            }
            printer.text("x");
        }
    }
    print(Field::Type, element, printer);
}

fn print_parameters(code: usize, parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    match (code, parameters) {
        (code::FUNCTION, [inputs, results]) => {
            printer.text("(");
            print_types(inputs, true, printer);
            printer.text(") -> ");
            print_types(results, true, printer);
        }
        (code::TENSOR, [encoding, shape, element]) => {
            print_shaped(shape, element, printer);
            if let Parameter::Attribute(encoding) = encoding {
                printer.text(", ").attribute(*encoding, Elision::Never);
            }
        }
        (code::BUFFER, [shape, element]) => print_shaped(shape, element, printer),
        (code::QUANTIZED, [flags, storage, expressed, scale, zero, min, max]) => {
            let parts =
                [(storage, ":"), (expressed, ", "), (scale, ":"), (zero, ", "), (min, ":"), (max, ", "), (flags, "")];
            print_parts(&parts, printer);
        }
        (code::QUANTIZED_PER_AXIS, [flags, storage, expressed, axis, min, max, scales, zeros]) => {
            let parts = [
                (storage, ":"),
                (expressed, ", "),
                (axis, ", "),
                (scales, ", "),
                (zeros, ", "),
                (min, ":"),
                (max, ", "),
                (flags, ""),
            ];
            print_parts(&parts, printer);
        }
        (_, [types @ Parameter::List(_)]) => print_types(types, false, printer),
        (_, parameters) => parameters.iter().for_each(|parameter| print(Field::Type, parameter, printer)),
    }
}

/// Parameters, each with what follows it.
fn print_parts(parts: &[(&Parameter, &str)], printer: &mut DialectPrinter<'_>) {
    for (parameter, separator) in parts {
        print(Field::Signed, parameter, printer);
        printer.text(separator);
    }
}

fn case(cases: &Cases, parser: &mut Parser<'_>) -> Result<u64> {
    let word = parser.word();
    cases.number(word).ok_or_else(|| parser.error(format!("{} is no case of the enum", Error::quoted(word))))
}

fn parse_float(parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    // The type that says what the number is stands behind it.
    let start = parser.position();
    let context = parser.context();
    parser.typed_attribute(context.float_type(FloatKind::F64))?;
    parser.expect(b':')?;
    let ty = parser.ty()?;
    let end = parser.position();
    let float = to_builtin(context, ty).filter(|&ty| matches!(context[ty], TypeData::Float(_)));
    let Some(float) = float else { return Err(parser.error("the type of a number with a point is another")) };
    parser.seek(start);
    let held = parser.typed_attribute(float)?;
    parser.seek(end);
    Ok(vec![Parameter::Type(ty), Parameter::Attribute(held)])
}

/// Parses `name = value` in the order of the fields.
fn parse_named(names: &[&str], fields: &[Field], parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    let mut parameters = Vec::new();
    for (name, &field) in names.iter().zip(fields) {
        let is_optional = matches!(field, Field::Followed | Field::Flagged);
        if is_optional && parser.is_at(b'>') {
            parameters.push(Parameter::None);
            continue;
        }
        if !parameters.is_empty() {
            parser.expect(b',')?;
        }
        parser.expect_word(name)?;
        parser.expect(b'=')?;
        parameters.push(parse(field, parser)?);
    }
    Ok(parameters)
}

fn parse(field: Field, parser: &mut Parser<'_>) -> Result<Parameter> {
    Ok(match field {
        Field::Type => Parameter::Type(parser.ty()?),
        Field::String => {
            let string = parser.string()?;
            Parameter::Attribute(parser.context().string(string))
        }
        Field::Unsigned => {
            Parameter::Unsigned(parser.unsigned().ok_or_else(|| parser.expected("a number that is not negative"))?)
        }
        Field::Signed => Parameter::Signed(signed(parser)?),
        Field::Bool => match parser.word() {
            b"true" => Parameter::Bool(true),
            b"false" => Parameter::Bool(false),
            _ => return Err(parser.expected("true or false")),
        },
        Field::Double => Parameter::Double(parser.double()?.to_bits()),
        Field::Case(cases) => Parameter::Unsigned(case(cases, parser)?),
        Field::Pairs => {
            let mut items = Vec::new();
            parser.expect(b'{')?;
            parser.list(b'}', |parser| {
                items.push(Parameter::Attribute(parser.attribute()?));
                parser.expect(b'=')?;
                items.push(Parameter::Attribute(parser.attribute()?));
                Ok(())
            })?;
            Parameter::List(items.into())
        }
        Field::Attributes => parse_list(Field::Attribute, parser)?,
        Field::Types => parse_list(Field::Type, parser)?,
        Field::Numbers => parse_list(Field::Signed, parser)?,
        Field::Doubles => parse_list(Field::Double, parser)?,
        _ => Parameter::Attribute(parser.attribute()?),
    })
}

fn parse_list(item: Field, parser: &mut Parser<'_>) -> Result<Parameter> {
    let mut items = Vec::new();
    parser.expect(b'[')?;
    parser.list(b']', |parser| {
        items.push(match parser.eat(b'?') {
            true => Parameter::Signed(DYNAMIC),
            false => parse(item, parser)?,
        });
        Ok(())
    })?;
    Ok(Parameter::List(items.into()))
}

fn signed(parser: &mut Parser<'_>) -> Result<i64> {
    parser.signed().ok_or_else(|| parser.expected("a number"))
}

/// Types up to the end of the form, or to what closes their parentheses.
fn types_until(close: u8, parser: &mut Parser<'_>) -> Result<Parameter> {
    let mut types = Vec::new();
    if parser.eat(b'(') {
        parser.expect(b')')?;
    } else if !parser.is_at(close) {
        loop {
            types.push(Parameter::Type(parser.ty()?));
            if !parser.eat(b',') {
                break;
            }
        }
    }
    Ok(Parameter::List(types.into()))
}

/// `4x?x`, and the type behind it.
fn shaped(parser: &mut Parser<'_>) -> Result<[Parameter; 2]> {
    let mut sizes = Vec::new();
    while !parser.is_at(b'!') {
        let size = if parser.eat(b'?') {
            DYNAMIC
        } else {
            let digits = std::str::from_utf8(parser.decimal_digits()).ok().and_then(|digits| digits.parse().ok());
            digits.ok_or_else(|| parser.expected("a size, or a type of vhlo"))?
        };
        sizes.push(Parameter::Signed(size));
        if !parser.eat_next(b'x') {
            return Err(parser.expected("`x`"));
        }
    }
    Ok([Parameter::List(sizes.into()), Parameter::Type(parser.ty()?)])
}

fn parse_parameters(code: usize, parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
    Ok(match code {
        code::FUNCTION => {
            parser.expect(b'(')?;
            let inputs = types_until(b')', parser)?;
            parser.expect(b')')?;
            if !parser.eat_arrow() {
                return Err(parser.expected("`->`"));
            }
            vec![inputs, types_until(b'>', parser)?]
        }
        code::TENSOR => {
            let [shape, element] = shaped(parser)?;
            let encoding = if parser.eat(b',') { Parameter::Attribute(parser.attribute()?) } else { Parameter::None };
            vec![encoding, shape, element]
        }
        code::BUFFER => shaped(parser)?.into(),
        code::QUANTIZED => {
            let kinds = [Field::Type, Field::Type, Field::Double, Field::Signed, Field::Signed, Field::Signed];
            let [storage, expressed, scale, zero, min, max] = parts(kinds, b":,:,:,", parser)?;
            vec![parse(Field::Unsigned, parser)?, storage, expressed, scale, zero, min, max]
        }
        code::QUANTIZED_PER_AXIS => {
            let kinds = [
                Field::Type,
                Field::Type,
                Field::Unsigned,
                Field::Doubles,
                Field::Numbers,
                Field::Signed,
                Field::Signed,
            ];
            let [storage, expressed, axis, scales, zeros, min, max] = parts(kinds, b":,,,,:,", parser)?;
            vec![parse(Field::Unsigned, parser)?, storage, expressed, axis, min, max, scales, zeros]
        }
        _ => match TYPES[code].fields {
            [Field::Types] => vec![types_until(b'>', parser)?],
            fields => fields.iter().map(|&field| parse(field, parser)).collect::<Result<_>>()?,
        },
    })
}

/// Parameters of these kinds, each with the sign that follows it.
fn parts<const N: usize>(kinds: [Field; N], signs: &[u8], parser: &mut Parser<'_>) -> Result<[Parameter; N]> {
    let mut all = [const { Parameter::None }; N];
    for ((place, kind), &sign) in all.iter_mut().zip(kinds).zip(signs) {
        *place = parse(kind, parser)?;
        parser.expect(sign)?;
    }
    Ok(all)
}
