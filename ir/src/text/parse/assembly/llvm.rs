//! The operations of `llvm` that have parsers of their own, and the directives of its formats.

use super::function::{self, Signature};
use super::{Continuation, OpState, Parsed, ValueName};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::assembly::enum_value;
use crate::text::assembly::llvm::{CONVENTION, DYNAMIC_INDEX, LINKAGE, TAIL_CALL, compared, element, shuffled};
use crate::text::directive::DirectiveState;
use crate::text::directives::{case_label, case_values};
use crate::text::parse::module::OpParser;
use crate::types::Type;
use crate::upstream::llvm::{ArrayType, FunctionType, PlainType};

/// An attribute whose name and enum are these: of the case that is next, or of this one.
fn keyword<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    (name, mnemonic, enumeration): (&str, &str, &str),
    usual: &str,
) -> Result<()> {
    let cases = parser.checker.enumeration(enumeration);
    let word = parser.at.peek_word();
    let is_case = cases.is_some_and(|cases| cases.cases.iter().any(|case| case.text.as_bytes() == word));
    let found = if is_case && !word.is_empty() { parser.at.word() } else { usual.as_bytes() };
    let text = [b"#llvm.", mnemonic.as_bytes(), b"<", found, b">"].concat();
    let value = crate::text::parse_attribute(parser.context(), &text)?;
    parser.set(custom, name, value);
    Ok(())
}

/// A linkage, if one is next.
pub(in crate::text) fn linkage<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    _: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    keyword(parser, custom, LINKAGE, "external")
}

/// A calling convention, if one is next.
fn convention<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    keyword(parser, custom, CONVENTION, "ccc")
}

/// The word for a case of the enum of an attribute, or its case 0.
fn word<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str) {
    let definition = custom.definition.clone();
    let attribute = definition.attributes().iter().find(|attribute| attribute.name == name);
    let enumeration = attribute.and_then(|attribute| attribute.constraint.enumeration.as_ref());
    let cases = enumeration.and_then(|name| parser.checker.enumeration(name));
    let word = parser.at.peek_word();
    let case = cases.as_ref().and_then(|cases| {
        cases.cases.iter().find(|case| !case.text.is_empty() && case.text.as_bytes() == word).map(|case| case.value)
    });
    if case.is_some() {
        parser.at.word();
    }
    let value = parser.context().integer(64, case.unwrap_or(0));
    parser.set(custom, name, value);
}

fn comdat<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    if parser.at.eat_word(b"comdat") {
        parser.at.expect(b'(')?;
        let symbol = parser.at.attribute()?;
        parser.set(custom, "comdat", symbol);
        parser.at.expect(b')')?;
    }
    Ok(())
}

/// `(1, 16)`
fn vscale_range(parser: &mut OpParser<'_>) -> Result<[i32; 2]> {
    parser.at.expect(b'(')?;
    let mut range = [0, 0];
    for (number, close) in range.iter_mut().zip([b',', b')']) {
        let found = parser.at.signed().and_then(|number| i32::try_from(number).ok());
        *number = found.ok_or_else(|| parser.at.expected("a number of 32 bits"))?;
        parser.at.expect(close)?;
    }
    Ok(range)
}

pub(in crate::text) fn func<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    keyword(parser, custom, LINKAGE, "external")?;
    word(parser, custom, "visibility_");
    word(parser, custom, "unnamed_addr");
    convention(parser, custom)?;
    function::name(parser, custom)?;
    let signature = Signature::parse(parser, true)?;
    if signature.results.len() > 1 {
        return Err(parser.at.error("a function of this dialect has one result at most"));
    }
    let context = parser.context();
    let result = signature.results.first().copied().unwrap_or_else(|| PlainType::Void.ty(context));
    let ty = match FunctionType::new(context, result, &signature.inputs, signature.variadic) {
        Ok(ty) => context.attribute(AttributeData::Type(ty.into())),
        Err(error) => return Err(parser.at.error(error.message())),
    };
    parser.set(custom, "function_type", ty);
    signature.set_attributes(parser, custom);
    if parser.at.eat_word(b"vscale_range") {
        let [low, high] = vscale_range(parser)?;
        let text = format!("#llvm.vscale_range<minRange = {low} : i32, maxRange = {high} : i32>");
        let value = crate::text::parse_attribute(parser.context(), text.as_bytes())?;
        parser.set(custom, "vscale_range", value);
    }
    comdat(parser, custom)?;
    parser.keyword_dictionary(custom)?;
    function::body(parser, signature)
}

/// What stands before the name of a global and of an alias.
fn symbol_words<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    keyword(parser, custom, LINKAGE, "external")?;
    word(parser, custom, "visibility_");
    if parser.at.eat_word(b"thread_local") {
        let unit = parser.context().unit();
        parser.set(custom, "thread_local_", unit);
    }
    word(parser, custom, "unnamed_addr");
    Ok(())
}

fn initializer<'a>() -> Continuation<'a> {
    Continuation::Region(Vec::new(), Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done)))
}

pub(in crate::text) fn alias<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    symbol_words(parser, custom)?;
    function::name(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let ty = parser.at.colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(custom, "alias_type", ty);
    parser.open_brace()?;
    Ok(initializer())
}

pub(in crate::text) fn global<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    symbol_words(parser, custom)?;
    if parser.at.eat_word(b"constant") {
        let unit = parser.context().unit();
        parser.set(custom, "constant", unit);
    }
    function::name(parser, custom)?;
    parser.at.expect(b'(')?;
    let mut value = None;
    if !parser.at.is_at(b')') {
        let found = parser.at.attribute()?;
        value = Some(found);
        parser.set(custom, "value", found);
    }
    parser.at.expect(b')')?;
    comdat(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let context = parser.context();
    let string = match value.map(|value| &context[value]) {
        Some(AttributeData::String { value, .. }) => Some(value.len()),
        _ => None,
    };
    let ty = match string {
        Some(length) if !parser.at.is_at(b':') => {
            ArrayType::new(context, context.integer_type(8), length as u64)?.into()
        }
        _ => parser.at.colon_type()?,
    };
    let ty = context.attribute(AttributeData::Type(ty));
    parser.set(custom, "global_type", ty);
    Ok(if parser.at.eat(b'{') { initializer() } else { Continuation::Done })
}

pub(in crate::text) fn compare<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.at.here();
    let text = parser.at.string()?;
    let enumeration = custom.definition.attributes().iter().find(|attribute| attribute.name == "predicate");
    let enumeration = enumeration.and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| parser.checker.enumeration(&name));
    let value = cases.and_then(|cases| enum_value(&cases, &String::from_utf8_lossy(&text)));
    let Some(value) = value else { return Err(parser.at.error_at(at, "expected a way to compare")) };
    let predicate = parser.context().integer(64, value);
    parser.set(custom, "predicate", predicate);
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let result = compared(parser.context(), parser.resolved(ty)?);
    parser.add_operands(custom, names, vec![ty, ty])?;
    custom.result_types.push(result.into());
    Ok(Continuation::Done)
}

/// The values of operand bundles.
struct Bundles<'a> {
    names: Vec<ValueName<'a>>,
    types: Vec<TypeRef>,
    sizes: Vec<usize>,
    tags: Vec<Attribute>,
}

impl<'a> Bundles<'a> {
    /// `["tag"(%a : type), "tag"()]`, or nothing.
    fn parse(parser: &mut OpParser<'a>) -> Result<Self> {
        let mut bundles = Bundles { names: Vec::new(), types: Vec::new(), sizes: Vec::new(), tags: Vec::new() };
        if !parser.at.eat(b'[') || parser.at.eat(b']') {
            return Ok(bundles);
        }
        loop {
            let tag = parser.at.string()?;
            bundles.tags.push(parser.context().string(tag));
            parser.at.expect(b'(')?;
            let names = parser.operand_list()?;
            if !names.is_empty() {
                parser.at.expect(b':')?;
                let types = parser.types()?;
                if types.len() != names.len() {
                    return Err(parser.at.error("a bundle has more or fewer types than operands"));
                }
                bundles.types.extend(types);
            }
            parser.at.expect(b')')?;
            bundles.sizes.push(names.len());
            bundles.names.extend(names);
            if parser.at.eat(b']') {
                return Ok(bundles);
            }
            parser.at.expect(b',')?;
        }
    }

    fn tags(&self, parser: &OpParser<'_>) -> Option<Attribute> {
        let tags = AttributeData::Array(self.tags.clone().into());
        (!self.tags.is_empty()).then(|| parser.context().attribute(tags))
    }

    /// Gives them to a call, as the last of its operands: how many there are.
    fn add(self, parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<usize> {
        if let Some(tags) = self.tags(parser) {
            parser.set(custom, "op_bundle_tags", tags);
        }
        parser.set_segments(custom, "op_bundle_sizes", &self.sizes);
        let count = self.names.len();
        parser.add_operands(custom, self.names, self.types)?;
        Ok(count)
    }
}

/// `@name(%a)` or `%pointer(%a)`: the operands, of which a pointer is the first, and whether there is one.
fn callee<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<(Vec<ValueName<'a>>, bool)> {
    let mut names = Vec::new();
    let indirect = parser.at.is_at(b'%');
    if indirect {
        names.push(parser.operand_name()?);
    } else {
        let start = parser.at.here();
        let name = parser.at.attribute()?;
        if !matches!(&parser.context()[name], AttributeData::SymbolRef { nested, .. } if nested.is_empty()) {
            return Err(parser.at.error_at(start, "expected the name of a function, or a pointer to one"));
        }
        parser.set(custom, "callee", name);
    }
    names.extend(parser.operand_list_in(b'(', b')')?);
    Ok((names, indirect))
}

/// `vararg(type)`, or nothing.
fn variadic_type<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    if parser.at.eat_word(b"vararg") {
        parser.at.expect(b'(')?;
        let ty = parser.at.ty()?;
        let ty = parser.context().attribute(AttributeData::Type(ty));
        parser.set(custom, "var_callee_type", ty);
        parser.at.expect(b')')?;
    }
    Ok(())
}

/// `: pointer, (type {attributes}) -> (type {attributes})`: adds the operands of a call, with their types.
fn call_types<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    names: Vec<ValueName<'a>>,
    indirect: bool,
) -> Result<()> {
    parser.at.expect(b':')?;
    let mut types = Vec::new();
    if indirect {
        types.push(parser.any_type()?);
        parser.at.expect(b',')?;
    }
    let start = parser.at.here();
    let signature = Signature::parse(parser, false)?;
    if !signature.arguments.is_empty() || signature.results.len() > 1 {
        return Err(parser.at.error_at(start, "expected the types of the arguments and of at most one result"));
    }
    signature.set_attributes(parser, custom);
    types.extend(signature.inputs.into_iter().map(TypeRef::from));
    custom.result_types.extend(signature.results.into_iter().map(TypeRef::from));
    parser.add_operands(custom, names, types)
}

pub(in crate::text) fn call<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    convention(parser, custom)?;
    keyword(parser, custom, TAIL_CALL, "none")?;
    let (names, indirect) = callee(parser, custom)?;
    variadic_type(parser, custom)?;
    call_end(parser, custom, names, indirect)
}

pub(in crate::text) fn call_intrinsic<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let name = parser.at.string()?;
    let name = parser.context().string(name);
    parser.set(custom, "intrin", name);
    let names = parser.operand_list_in(b'(', b')')?;
    call_end(parser, custom, names, false)
}

/// Bundles, attributes and types of a call that goes nowhere else.
fn call_end<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    names: Vec<ValueName<'a>>,
    indirect: bool,
) -> Parsed<'a> {
    let bundles = Bundles::parse(parser)?;
    parser.optional_dictionary(custom)?;
    let count = names.len();
    call_types(parser, custom, names, indirect)?;
    let in_bundles = bundles.add(parser, custom)?;
    parser.set_segments(custom, "operandSegmentSizes", &[count, in_bundles]);
    Ok(Continuation::Done)
}

pub(in crate::text) fn invoke<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    convention(parser, custom)?;
    let (names, indirect) = callee(parser, custom)?;
    parser.at.expect_word("to")?;
    let normal = parser.successor(custom)?;
    parser.at.expect_word("unwind")?;
    let unwind = parser.successor(custom)?;
    variadic_type(parser, custom)?;
    let bundles = Bundles::parse(parser)?;
    parser.optional_dictionary(custom)?;
    let mut counts = vec![names.len(), normal.0.len(), unwind.0.len()];
    call_types(parser, custom, names, indirect)?;
    parser.add_operands(custom, normal.0, normal.1)?;
    parser.add_operands(custom, unwind.0, unwind.1)?;
    counts.push(bundles.add(parser, custom)?);
    parser.set_segments(custom, "operandSegmentSizes", &counts);
    Ok(Continuation::Done)
}

pub(in crate::text) fn landingpad<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    if parser.at.eat_word(b"cleanup") {
        let unit = parser.context().unit();
        parser.set(custom, "cleanup", unit);
    }
    while parser.at.eat(b'(') {
        if !parser.at.eat_word(b"catch") {
            parser.at.expect_word("filter")?;
        }
        let name = parser.operand_name()?;
        parser.at.expect(b':')?;
        let ty = parser.any_type()?;
        custom.add(name, ty);
        parser.at.expect(b')')?;
    }
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    custom.result_types.push(ty);
    Ok(Continuation::Done)
}

pub(in crate::text) fn alloca<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let inalloca = parser.at.eat_word(b"inalloca");
    let name = parser.operand_name()?;
    parser.at.expect_word("x")?;
    let element = parser.at.ty()?;
    parser.optional_dictionary(custom)?;
    let context = parser.context();
    // An alignment of zero is none.
    custom.attributes.retain(|&(name, value)| {
        context.bytes(name) != b"alignment"
            || !matches!(&context[value], AttributeData::Integer { value, .. } if value.to_u64() == Some(0))
    });
    if inalloca {
        parser.set(custom, "inalloca", context.unit());
    }
    let element = context.attribute(AttributeData::Type(element));
    parser.set(custom, "elem_type", element);
    parser.at.expect(b':')?;
    let (sizes, results) = parser.functional()?;
    if results.len() != 1 {
        return Err(parser.at.error("an allocation has one result"));
    }
    custom.result_types = results;
    parser.add_operands(custom, vec![name], sizes)?;
    Ok(Continuation::Done)
}

pub(in crate::text) fn indices<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let (mut values, mut numbers) = (Vec::new(), Vec::new());
    loop {
        let start = parser.at.here();
        if parser.at.is_at(b'%') {
            values.push(parser.operand_name()?);
            numbers.push(DYNAMIC_INDEX as i32);
        } else {
            match parser.at.signed().and_then(|number| i32::try_from(number).ok()) {
                // The lowest stands for a value.
                Some(number) if i64::from(number) != DYNAMIC_INDEX => numbers.push(number),
                _ => return Err(parser.at.error_at(start, "expected a value or a number of 32 bits")),
            }
        }
        if !parser.at.eat(b',') {
            break;
        }
    }
    state.set_operands(parser, 0, values)?;
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let element = parser.context().integer_type(32);
    let numbers = parser.context().attribute(AttributeData::DenseArray { element, data: data.into() });
    state.set_attribute(parser, custom, 1, numbers)
}

/// The only type of the operand that an argument stands for.
fn type_of<'a>(parser: &mut OpParser<'a>, state: &mut DirectiveState<'_, 'a>, position: usize) -> Result<Type> {
    match state.types(parser, position)? {
        Some(&[one]) => parser.resolved(one),
        _ => Err(parser.at.error("the type that another follows from is not known")),
    }
}

/// The integers of an attribute that has been parsed.
fn integers(parser: &mut OpParser<'_>, custom: &OpState<'_>, name: &str) -> Result<Vec<i64>> {
    let found = custom.find(parser.context(), name);
    let found = found.and_then(|found| crate::text::assembly::integers(parser.context(), found));
    found.ok_or_else(|| parser.at.expected("a list of numbers"))
}

pub(in crate::text) fn element_type<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let container = type_of(parser, state, 1)?;
    let position = integers(parser, custom, "position")?;
    let context = parser.context();
    let Some(element) = element(context, container, &position) else {
        return Err(parser.at.error("nothing in this type has that position"));
    };
    state.set_types(parser, 0, vec![element.into()])
}

pub(in crate::text) fn shuffle_type<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let vector = type_of(parser, state, 0)?;
    let mask = integers(parser, custom, "mask")?;
    match shuffled(parser.context(), vector, mask.len()) {
        Some(ty) => state.set_types(parser, 1, vec![ty.into()]),
        None => Err(parser.at.error("expected a vector type and a mask")),
    }
}

pub(in crate::text) fn bundles_of<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let bundles = Bundles::parse(parser)?;
    if let Some(tags) = bundles.tags(parser) {
        state.set_attribute(parser, custom, 2, tags)?;
    }
    for size in bundles.sizes {
        state.add_group(parser, 0, size)?;
    }
    state.set_operands(parser, 0, bundles.names)?;
    state.set_types(parser, 0, bundles.types)
}

/// `label: ^block(%a : type)` or `^block(%a : type)`, any number of them between brackets: the labels.
fn blocks<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
    position: usize,
    labelled: bool,
) -> Result<Vec<i64>> {
    let (mut labels, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
    parser.at.expect(b'[')?;
    parser.list(b']', |parser| {
        if labelled {
            labels.push(case_label(parser)?);
            parser.at.expect(b':')?;
        }
        let (more, more_types) = parser.successor(custom)?;
        state.add_group(parser, position, more.len())?;
        names.extend(more);
        types.extend(more_types);
        Ok(())
    })?;
    state.set_operands(parser, position, names)?;
    state.set_types(parser, position, types)?;
    Ok(labels)
}

pub(in crate::text) fn switch_cases<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let labels = blocks(parser, custom, state, 3, true)?;
    if labels.is_empty() {
        return Ok(());
    }
    let flag = type_of(parser, state, 0)?;
    let value = case_values(parser, flag, &labels)?;
    state.set_attribute(parser, custom, 1, value)
}

pub(in crate::text) fn successors<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    blocks(parser, custom, state, 2, false).map(drop)
}
