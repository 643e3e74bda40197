//! The operations of `spirv` that have parsers of their own.

use super::function::{self, Signature};
use super::{Custom, Next, directives};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::assembly::spirv::{composite_part, part_type};
use crate::text::parse::module::ModuleParser;
use crate::text::parse_attribute;

/// The attribute of an enum from its case, which is checked by whoever knows the dialect.
fn enum_attribute(parser: &ModuleParser<'_>, at: usize, mnemonic: &str, case: &[u8]) -> Result<Attribute> {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|');
    if case.is_empty() || !case.iter().all(fits) {
        return Err(parser.at.error_at(at, format!("expected a case of `#spirv.{mnemonic}`")));
    }
    let text = [b"#spirv.", mnemonic.as_bytes(), b"<", case, b">"].concat();
    parse_attribute(parser.context(), &text).map_err(|error| parser.at.error_at(at, error.message()))
}

/// `"Case"`
fn quoted(parser: &mut ModuleParser<'_>, mnemonic: &str) -> Result<Attribute> {
    let at = parser.at.here();
    let case = parser.at.string()?;
    enum_attribute(parser, at, mnemonic, &case)
}

fn word(parser: &mut ModuleParser<'_>, mnemonic: &str) -> Result<Attribute> {
    let at = parser.at.here();
    let case = parser.at.word();
    enum_attribute(parser, at, mnemonic, case)
}

/// A pointer type from the storage class in front of it and what it points to.
fn pointer(parser: &ModuleParser<'_>, at: usize, class: &[u8], pointee: TypeRef) -> Result<TypeRef> {
    let pointee = crate::text::print_type(parser.context(), parser.resolved(pointee)?)?;
    let text = [b"!spirv.ptr<", pointee.as_bytes(), b", ", class, b">"].concat();
    match crate::text::parse_type(parser.context(), &text) {
        Ok(ty) => Ok(ty.into()),
        Err(error) => Err(parser.at.error_at(at, error.message())),
    }
}

fn storage_class(parser: &mut ModuleParser<'_>) -> Result<Vec<u8>> {
    let at = parser.at.here();
    let class = parser.at.string()?.into_owned();
    if class.is_empty() || !class.iter().all(u8::is_ascii_alphanumeric) {
        return Err(parser.at.error_at(at, "expected a storage class"));
    }
    Ok(class)
}

/// An integer of 32 bits.
fn integer(parser: &mut ModuleParser<'_>, width: u32) -> Result<Attribute> {
    let ty = parser.context().integer_type(width);
    super::attributes::typed(parser, ty)
}

pub(in crate::text) fn module<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    if parser.at.is_at(b'@') {
        function::name(parser, custom)?;
    }
    for (name, mnemonic) in [("addressing_model", "addressing_model"), ("memory_model", "memory_model")] {
        let value = word(parser, mnemonic)?;
        parser.set(custom, name, value);
    }
    if parser.at.eat_word(b"requires") {
        let triple = parser.at.attribute()?;
        parser.set(custom, "vce_triple", triple);
    }
    parser.keyword_dictionary(custom)?;
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.ensure_block(custom);
            Ok(Next::Done)
        }),
    ))
}

pub(in crate::text) fn func<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    let signature = Signature::parse(parser, false)?;
    signature.set(parser, custom);
    let control = quoted(parser, "function_control")?;
    parser.set(custom, "function_control", control);
    parser.keyword_dictionary(custom)?;
    function::body(parser, signature)
}

pub(in crate::text) fn graph<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    let signature = Signature::parse(parser, false)?;
    signature.set(parser, custom);
    parser.keyword_dictionary(custom)?;
    function::body(parser, signature)
}

pub(in crate::text) fn global_variable<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    if parser.at.eat_word(b"initializer") {
        parser.at.expect(b'(')?;
        let symbol = parser.at.attribute()?;
        parser.set(custom, "initializer", symbol);
        parser.at.expect(b')')?;
    }
    bindings(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let ty = parser.at.colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(custom, "type", ty);
    Ok(Next::Done)
}

/// `bind(set, binding)`, `built_in("Name")`
fn bindings<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<()> {
    if parser.at.eat_word(b"bind") {
        parser.at.expect(b'(')?;
        let set = integer(parser, 32)?;
        parser.set(custom, "descriptor_set", set);
        parser.at.expect(b',')?;
        let binding = integer(parser, 32)?;
        parser.set(custom, "binding", binding);
        parser.at.expect(b')')?;
    }
    if parser.at.eat_word(b"built_in") {
        parser.at.expect(b'(')?;
        let name = parser.at.string()?;
        let name = parser.context().string(name);
        parser.set(custom, "built_in", name);
        parser.at.expect(b')')?;
    }
    Ok(())
}

pub(in crate::text) fn spec_constant<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    if parser.at.eat_word(b"spec_id") {
        parser.at.expect(b'(')?;
        // Upstream reads one of 64 bits, though it makes those of 32.
        let id = integer(parser, 64)?;
        parser.set(custom, "spec_id", id);
        parser.at.expect(b')')?;
    }
    parser.at.expect(b'=')?;
    let value = parser.at.attribute()?;
    parser.set(custom, "default_value", value);
    Ok(Next::Done)
}

pub(in crate::text) fn spec_constant_composite<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    let mut parts = Vec::new();
    parser.at.expect(b'(')?;
    parser.at.list(b')', |parser| {
        parts.push(parser.attribute()?);
        Ok(())
    })?;
    let parts = parser.context().attribute(AttributeData::Array(parts.into()));
    parser.set(custom, "constituents", parts);
    let ty = parser.at.colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(custom, "type", ty);
    Ok(Next::Done)
}

pub(in crate::text) fn replicate<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    function::name(parser, custom)?;
    parser.at.expect(b'(')?;
    let part = parser.at.attribute()?;
    parser.set(custom, "constituent", part);
    parser.at.expect(b')')?;
    let ty = parser.at.colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(custom, "type", ty);
    Ok(Next::Done)
}

/// `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32`: the operation inside, and what yields its result.
pub(in crate::text) fn spec_constant_operation<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    parser.at.expect_word("wraps")?;
    parser.wrapped(custom, "spirv.mlir.yield")?;
    Ok(Next::Done)
}

fn symbols<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<()> {
    let function = parser.at.attribute()?;
    parser.set(custom, "fn", function);
    let mut interface = Vec::new();
    while parser.at.eat(b',') {
        interface.push(parser.at.attribute()?);
    }
    let interface = parser.context().attribute(AttributeData::Array(interface.into()));
    parser.set(custom, "interface", interface);
    Ok(())
}

pub(in crate::text) fn entry_point<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let model = quoted(parser, "execution_model")?;
    parser.set(custom, "execution_model", model);
    symbols(parser, custom)?;
    Ok(Next::Done)
}

pub(in crate::text) fn graph_entry_point<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    symbols(parser, custom)?;
    Ok(Next::Done)
}

pub(in crate::text) fn execution_mode<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let function = parser.at.attribute()?;
    parser.set(custom, "fn", function);
    let mode = quoted(parser, "execution_mode")?;
    parser.set(custom, "execution_mode", mode);
    let mut values = Vec::new();
    while parser.at.eat(b',') {
        values.push(integer(parser, 32)?);
    }
    let values = parser.context().attribute(AttributeData::Array(values.into()));
    parser.set(custom, "values", values);
    Ok(Next::Done)
}

pub(in crate::text) fn constant<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let value = parser.at.attribute()?;
    parser.set(custom, "value", value);
    let own = crate::text::assembly::attribute_type(&parser.context()[value]);
    let ty = if parser.at.eat(b':') {
        parser.any_type()?
    } else {
        match own {
            Some(ty) => ty.into(),
            None => return Err(parser.at.expected("`:` and a type")),
        }
    };
    parser.optional_dictionary(custom)?;
    custom.result_types.push(ty);
    Ok(Next::Done)
}

/// `["Volatile|Aligned", 4]`
fn memory_access<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    access: &str,
    alignment: &str,
) -> Result<()> {
    if parser.at.eat(b'[') {
        let value = quoted(parser, "memory_access")?;
        parser.set(custom, access, value);
        if parser.at.eat(b',') {
            let value = integer(parser, 32)?;
            parser.set(custom, alignment, value);
        }
        parser.at.expect(b']')?;
    }
    Ok(())
}

pub(in crate::text) fn load<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    memory_access(parser, custom, "memory_access", "alignment")?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let pointer = pointer(parser, at, &class, ty)?;
    custom.add(address, pointer);
    custom.result_types.push(ty);
    Ok(Next::Done)
}

pub(in crate::text) fn store<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    parser.at.expect(b',')?;
    let value = parser.operand_name()?;
    memory_access(parser, custom, "memory_access", "alignment")?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    parser.optional_dictionary(custom)?;
    let pointer = pointer(parser, at, &class, ty)?;
    custom.add(address, pointer);
    custom.add(value, ty);
    Ok(Next::Done)
}

pub(in crate::text) fn block_write<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    parser.at.expect(b',')?;
    let value = parser.operand_name()?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    // A vector is written to where its elements go.
    let resolved = parser.resolved(ty)?;
    let pointee = match &parser.context()[resolved] {
        crate::types::TypeData::Vector { element, .. } => TypeRef::from(*element),
        _ => ty,
    };
    let pointer = pointer(parser, at, &class, pointee)?;
    custom.add(address, pointer);
    custom.add(value, ty);
    Ok(Next::Done)
}

pub(in crate::text) fn copy_memory<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let target_class = storage_class(parser)?;
    let target = parser.operand_name()?;
    parser.at.expect(b',')?;
    let source_class = storage_class(parser)?;
    let source = parser.operand_name()?;
    memory_access(parser, custom, "memory_access", "alignment")?;
    if parser.at.eat(b',') {
        memory_access(parser, custom, "source_memory_access", "source_alignment")?;
    }
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let (first, second) = (pointer(parser, at, &target_class, ty)?, pointer(parser, at, &source_class, ty)?);
    custom.add(target, first);
    custom.add(source, second);
    Ok(Next::Done)
}

pub(in crate::text) fn variable<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let mut initializer = None;
    if parser.at.eat_word(b"init") {
        parser.at.expect(b'(')?;
        initializer = Some(parser.operand_name()?);
        parser.at.expect(b')')?;
    }
    bindings(parser, custom)?;
    parser.optional_dictionary(custom)?;
    let at = parser.at.here();
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let text = crate::text::print_type(parser.context(), parser.resolved(ty)?)?;
    let parts =
        text.strip_prefix("!spirv.ptr<").and_then(|rest| rest.strip_suffix('>')).and_then(|rest| rest.rsplit_once(','));
    let Some((pointee, class)) = parts else {
        return Err(parser.at.error_at(at, "expected a pointer type"));
    };
    let class = enum_attribute(parser, at, "storage_class", class.trim().as_bytes())?;
    parser.set(custom, "storage_class", class);
    if let Some(initializer) = initializer {
        let pointee = crate::text::parse_type(parser.context(), pointee.trim().as_bytes())?;
        custom.add(initializer, pointee.into());
    }
    custom.result_types.push(ty);
    Ok(Next::Done)
}

pub(in crate::text) fn composite_extract<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    let at = parser.at.here();
    let composite = parser.operand_name()?;
    let indices = parser.at.attribute()?;
    parser.set(custom, "indices", indices);
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let wrong = || parser.at.error_at(at, "the indices do not fit the type of the composite");
    let element = part_type(parser.context(), parser.resolved(ty)?, indices).ok_or_else(wrong)?;
    custom.add(composite, ty);
    custom.result_types.push(element.into());
    Ok(Next::Done)
}

pub(in crate::text) fn composite_insert<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    let object = parser.operand_name()?;
    parser.at.expect(b',')?;
    let composite = parser.operand_name()?;
    let indices = parser.at.attribute()?;
    parser.set(custom, "indices", indices);
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let object_type = parser.any_type()?;
    parser.at.expect_word("into")?;
    let ty = parser.any_type()?;
    custom.add(object, object_type);
    custom.add(composite, ty);
    custom.result_types.push(ty);
    Ok(Next::Done)
}

pub(in crate::text) fn branch_conditional<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<Next<'a>> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    custom.add(condition, boolean.into());
    if parser.at.eat(b'[') {
        let mut weights = Vec::new();
        loop {
            weights.push(integer(parser, 32)?);
            if parser.at.eat(b']') {
                break;
            }
            parser.at.expect(b',')?;
        }
        let weights = parser.context().attribute(AttributeData::Array(weights.into()));
        parser.set(custom, "branch_weights", weights);
    }
    let mut sizes = vec![1];
    for _ in 0..2 {
        parser.at.expect(b',')?;
        let (names, types) = directives::successor(parser, custom)?;
        if names.len() != types.len() {
            return Err(parser.at.error("there are more or fewer types than operands"));
        }
        sizes.push(names.len());
        for (name, ty) in names.into_iter().zip(types) {
            custom.add(name, ty);
        }
    }
    parser.set_segments(custom, "operandSegmentSizes", &sizes);
    Ok(Next::Done)
}

fn control<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>, name: &str) -> Result<Next<'a>> {
    let mut case = b"None".to_vec();
    let at = parser.at.here();
    if parser.at.eat_word(b"control") {
        parser.at.expect(b'(')?;
        case.clear();
        loop {
            case.extend_from_slice(parser.at.word());
            if !parser.at.eat(b'|') {
                break;
            }
            case.push(b'|');
        }
        parser.at.expect(b')')?;
    }
    let value = enum_attribute(parser, at, name, &case)?;
    parser.set(custom, name, value);
    if parser.at.eat_arrow() {
        custom.result_types = parser.types()?;
    }
    parser.open_brace()?;
    Ok(Next::Region(Vec::new(), Box::new(|_: &mut ModuleParser<'a>, _: &mut Custom<'a>| Ok(Next::Done))))
}

pub(in crate::text) fn selection<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    control(parser, custom, "selection_control")
}

pub(in crate::text) fn repeat<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    control(parser, custom, "loop_control")
}

pub(in crate::text) fn struct_of_two<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let text = crate::text::print_type(parser.context(), parser.resolved(ty)?)?;
    let Some(member) = composite_part(&text, 0) else {
        return Err(parser.at.error_at(at, "expected a struct type of two members"));
    };
    let member = crate::text::parse_type(parser.context(), member.as_bytes())?;
    for name in names {
        custom.add(name, member.into());
    }
    custom.result_types.push(ty);
    Ok(Next::Done)
}

pub(in crate::text) fn three<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    for name in names {
        custom.add(name, ty);
    }
    custom.result_types.push(ty);
    Ok(Next::Done)
}
