//! Functions, globals and aliases.

use super::words::{CONVENTION, LINKAGE, case, keyword, parse_comdat, parse_convention, print_comdat, word, words};
use crate::llvm::{ArrayType, CConv, FunctionType, Linkage, NAME, PlainType, parameter};
use mlirbc_ir::{Attribute, AttributeData, Context, Parameter, Result};
use mlirbc_text::{Continuation, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, Signature, function};

pub(super) fn print_func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    if let Some(linkage) = case::<Linkage>(printer, LINKAGE)?.filter(|linkage| *linkage != Linkage::External) {
        printer.text(linkage.name());
        printer.text(" ");
    }
    words(printer, &["visibility_", "unnamed_addr"])?;
    if let Some(convention) = case::<CConv>(printer, CONVENTION)?.filter(|convention| *convention != CConv::C) {
        printer.text(convention.name());
        printer.text(" ");
    }
    function::print::name(printer)?;
    let ty = printer.type_in(printer.need("function_type")?)?;
    let context = printer.context();
    let function = FunctionType::of(context, ty).ok_or(NotCustom::UseGeneric)?;
    let result = function.result(context);
    let results = if result == PlainType::Void.ty(context) { &[][..] } else { &[result] };
    function::print::arguments(printer, &function.inputs(context), results, function.is_variadic(context))?;
    if let Some(range) = printer.get("vscale_range") {
        let bound = |name| vscale_bound(printer.context(), range, name).ok_or(NotCustom::UseGeneric);
        let (low, high) = (bound("minRange")?, bound("maxRange")?);
        printer.text(format!(" vscale_range({low}, {high})"));
    }
    print_comdat(printer)?;
    printer.dictionary_with_keyword(&[
        "function_type",
        "arg_attrs",
        "res_attrs",
        "linkage",
        "CConv",
        "visibility_",
        "comdat",
        "unnamed_addr",
        "vscale_range",
        "sym_name",
    ])?;
    function::print::body(printer)
}

/// A bound of a `vscale_range`, where it is of 32 bits as a parser makes it.
fn vscale_bound(context: &Context, range: Attribute, name: &str) -> Option<i64> {
    match parameter(context, range, name)? {
        Parameter::Attribute(bound) => match &context[*bound] {
            AttributeData::Integer { ty, value } if *ty == context.integer_type(32) => value.to_i64(),
            _ => None,
        },
        _ => None,
    }
}

/// `(1, 16)`
fn vscale_range(parser: &mut OpParser<'_>) -> Result<[i32; 2]> {
    parser.text().expect(b'(')?;
    let mut range = [0, 0];
    for (number, close) in range.iter_mut().zip([b',', b')']) {
        let found = parser.text().signed().and_then(|number| i32::try_from(number).ok());
        *number = found.ok_or_else(|| parser.text().expected("a number of 32 bits"))?;
        parser.text().expect(close)?;
    }
    Ok(range)
}

pub(super) fn parse_func<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    keyword(parser, op, LINKAGE, Linkage::External);
    word(parser, op, "visibility_");
    word(parser, op, "unnamed_addr");
    parse_convention(parser, op);
    function::parse::name(parser, op)?;
    let signature = Signature::parse(parser, true)?;
    if signature.results.len() > 1 {
        return Err(parser.text().error("a function of this dialect has one result at most"));
    }
    let context = parser.context();
    let result = signature.results.first().copied().unwrap_or_else(|| PlainType::Void.ty(context));
    let ty = match FunctionType::new(context, result, &signature.inputs, signature.variadic) {
        Ok(ty) => context.attribute(AttributeData::Type(ty.into())),
        Err(error) => return Err(parser.text().error(error.message())),
    };
    parser.set(op, "function_type", ty);
    signature.set_attributes(parser, op);
    if parser.text().eat_word(b"vscale_range") {
        let [low, high] = vscale_range(parser)?;
        let context = parser.context();
        let bounds = [low, high].map(|bound| Parameter::Attribute(context.integer(32, bound.into())));
        let value = context.dialect_attribute(NAME, "vscale_range", bounds);
        parser.set(op, "vscale_range", value);
    }
    parse_comdat(parser, op)?;
    parser.keyword_dictionary(op)?;
    function::parse::body(parser, signature)
}

/// What stands before the name of a global and of an alias.
fn print_symbol_words(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let linkage: Linkage = case(printer, LINKAGE)?.ok_or(NotCustom::UseGeneric)?;
    printer.text(linkage.name());
    printer.text(" ");
    words(printer, &["visibility_"])?;
    if printer.get("thread_local_").is_some() {
        printer.text("thread_local ");
    }
    words(printer, &["unnamed_addr"])
}

/// What stands before the name of a global and of an alias.
fn parse_symbol_words<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    keyword(parser, op, LINKAGE, Linkage::External);
    word(parser, op, "visibility_");
    if parser.text().eat_word(b"thread_local") {
        let unit = parser.context().unit();
        parser.set(op, "thread_local_", unit);
    }
    word(parser, op, "unnamed_addr");
    Ok(())
}

/// ` {...}` of a region whose arguments text has no place for.
fn print_initializer(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    printer.region_without_arguments(0, true)
}

fn parse_initializer<'a>() -> Continuation<'a> {
    Continuation::Region(Vec::new(), Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done)))
}

pub(super) fn print_alias(printer: &mut OpPrinter<'_, '_>) -> Printed {
    print_symbol_words(printer)?;
    function::print::name(printer)?;
    printer.dictionary(&["sym_name", "alias_type", "linkage", "unnamed_addr", "thread_local_", "visibility_"])?;
    let ty = printer.type_in(printer.need("alias_type")?)?;
    printer.text(" : ");
    printer.ty(ty)?;
    print_initializer(printer)
}

pub(super) fn parse_alias<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_symbol_words(parser, op)?;
    function::parse::name(parser, op)?;
    parser.optional_dictionary(op)?;
    let ty = parser.text().colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(op, "alias_type", ty);
    parser.open_brace()?;
    Ok(parse_initializer())
}

pub(super) fn print_global(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // A parser gives it where text does not, and then it is shown.
    printer.need("addr_space")?;
    print_symbol_words(printer)?;
    if printer.get("constant").is_some() {
        printer.text("constant ");
    }
    function::print::name(printer)?;
    printer.text("(");
    let value = printer.get("value");
    if let Some(value) = value {
        printer.attribute(value)?;
    }
    printer.text(")");
    print_comdat(printer)?;
    printer.dictionary(&[
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "visibility_",
        "comdat",
    ])?;
    let ty = printer.type_in(printer.need("global_type")?)?;
    if let Some(AttributeData::String { value, .. }) = value.map(|value| &printer.context()[value]) {
        // Text leaves out the type of a string, which follows from its length.
        let context = printer.context();
        let array = ArrayType::of(context, ty);
        let fits = array.is_some_and(|array| {
            (array.element(context), array.count(context)) == (context.integer_type(8), value.len() as u64)
        });
        return if fits && printer.is_empty_region(0)? { Ok(()) } else { Err(NotCustom::UseGeneric) };
    }
    printer.text(" : ");
    printer.ty(ty)?;
    if printer.is_empty_region(0)? { Ok(()) } else { print_initializer(printer) }
}

pub(super) fn parse_global<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse_symbol_words(parser, op)?;
    if parser.text().eat_word(b"constant") {
        let unit = parser.context().unit();
        parser.set(op, "constant", unit);
    }
    function::parse::name(parser, op)?;
    parser.text().expect(b'(')?;
    let mut value = None;
    if !parser.text().is_at(b')') {
        let found = parser.text().attribute()?;
        value = Some(found);
        parser.set(op, "value", found);
    }
    parser.text().expect(b')')?;
    parse_comdat(parser, op)?;
    parser.optional_dictionary(op)?;
    let context = parser.context();
    let string = match value.map(|value| &context[value]) {
        Some(AttributeData::String { value, .. }) => Some(value.len()),
        _ => None,
    };
    let ty = match string {
        Some(length) if !parser.text().is_at(b':') => {
            ArrayType::new(context, context.integer_type(8), length as u64)?.into()
        }
        _ => parser.text().colon_type()?,
    };
    let ty = context.attribute(AttributeData::Type(ty));
    parser.set(op, "global_type", ty);
    Ok(if parser.text().eat(b'{') { parse_initializer() } else { Continuation::Done })
}
