//! How operations are parsed that their definitions leave to code.

use mlirbc_ir::{Attribute, AttributeData, Result, TypeData, TypeRef};
use mlirbc_text::function::parse as function;
use mlirbc_text::{Continuation, DirectiveState, OpParser, OpState, Parsed, Signature};

use crate::dialect::types::{self, SpirvType};
use crate::dialect::{EnumKind, attributes, old};

/// The value of an enum from its text.
fn case(parser: &OpParser<'_>, at: usize, kind: EnumKind, text: &[u8]) -> Result<u32> {
    let parse = |text| if parser.is_former() { old::enumerant(kind, text) } else { kind.parse(text) };
    let value = std::str::from_utf8(text).ok().and_then(parse);
    value.ok_or_else(|| parser.error_at(at, format!("expected a case of `#spirv.{}`", kind.mnemonic())))
}

fn enum_attribute(parser: &OpParser<'_>, at: usize, kind: EnumKind, text: &[u8]) -> Result<Attribute> {
    let value = case(parser, at, kind, text)?;
    Ok(attributes::enumerant(parser.context(), kind, value))
}

/// `"Case"`
pub(in crate::dialect) fn quoted(parser: &mut OpParser<'_>, kind: EnumKind) -> Result<Attribute> {
    let at = parser.text().here();
    let text = parser.text().string()?;
    enum_attribute(parser, at, kind, &text)
}

pub(in crate::dialect) fn word(parser: &mut OpParser<'_>, kind: EnumKind) -> Result<Attribute> {
    let at = parser.text().here();
    let text = parser.text().word();
    enum_attribute(parser, at, kind, text)
}

/// A pointer type from the storage class in front of it and what it points to.
pub(in crate::dialect) fn pointer(parser: &OpParser<'_>, at: usize, class: u32, pointee: TypeRef) -> Result<TypeRef> {
    let context = parser.context();
    let pointee = parser.resolved(pointee)?;
    types::check(context, &SpirvType::Pointer { pointee, class }).map_err(|message| parser.error_at(at, message))?;
    Ok(types::pointer(context, pointee, class).into())
}

pub(in crate::dialect) fn storage_class(parser: &mut OpParser<'_>) -> Result<u32> {
    let at = parser.text().here();
    let text = parser.text().string()?;
    case(parser, at, EnumKind::StorageClass, &text)
}

/// An integer of 32 bits.
fn integer(parser: &mut OpParser<'_>, width: u32) -> Result<Attribute> {
    let ty = parser.context().integer_type(width);
    parser.typed_attribute(ty)
}

pub(super) fn module<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if parser.text().is_at(b'@') {
        function::name(parser, op)?;
    }
    for (name, kind) in [("addressing_model", EnumKind::AddressingModel), ("memory_model", EnumKind::MemoryModel)] {
        let value = word(parser, kind)?;
        parser.set(op, name, value);
    }
    if parser.text().eat_word(b"requires") {
        let triple = parser.text().attribute()?;
        parser.set(op, "vce_triple", triple);
    }
    parser.keyword_dictionary(op)?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.ensure_block(op);
            Ok(Continuation::Done)
        }),
    ))
}

pub(super) fn func<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    let signature = Signature::parse(parser, false)?;
    signature.set(parser, op);
    let control = quoted(parser, EnumKind::FunctionControl)?;
    parser.set(op, "function_control", control);
    parser.keyword_dictionary(op)?;
    function::body(parser, signature)
}

pub(super) fn graph<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    let signature = Signature::parse(parser, false)?;
    signature.set(parser, op);
    parser.keyword_dictionary(op)?;
    function::body(parser, signature)
}

pub(super) fn global_variable<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    if parser.text().eat_word(b"initializer") {
        parser.text().expect(b'(')?;
        let symbol = parser.text().attribute()?;
        parser.set(op, "initializer", symbol);
        parser.text().expect(b')')?;
    }
    bindings(parser, op)?;
    parser.optional_dictionary(op)?;
    let ty = parser.text().colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(op, "type", ty);
    Ok(Continuation::Done)
}

/// `bind(set, binding)`, `built_in("Name")`
fn bindings<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    if parser.text().eat_word(b"bind") {
        parser.text().expect(b'(')?;
        let set = integer(parser, 32)?;
        parser.set(op, "descriptor_set", set);
        parser.text().expect(b',')?;
        let binding = integer(parser, 32)?;
        parser.set(op, "binding", binding);
        parser.text().expect(b')')?;
    }
    if parser.text().eat_word(b"built_in") {
        parser.text().expect(b'(')?;
        let name = parser.text().string()?;
        let name = parser.context().string(name);
        parser.set(op, "built_in", name);
        parser.text().expect(b')')?;
    }
    Ok(())
}

pub(super) fn spec_constant<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    if parser.text().eat_word(b"spec_id") {
        parser.text().expect(b'(')?;
        // Upstream reads one of 64 bits, though it makes those of 32.
        let id = integer(parser, 64)?;
        parser.set(op, "spec_id", id);
        parser.text().expect(b')')?;
    }
    parser.text().expect(b'=')?;
    let value = parser.text().attribute()?;
    parser.set(op, "default_value", value);
    Ok(Continuation::Done)
}

pub(super) fn spec_constant_composite<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    let mut parts = Vec::new();
    parser.text().expect(b'(')?;
    parser.text().list(b')', |parser| {
        parts.push(parser.attribute()?);
        Ok(())
    })?;
    let parts = parser.context().attribute(AttributeData::Array(parts.into()));
    parser.set(op, "constituents", parts);
    let ty = parser.text().colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(op, "type", ty);
    Ok(Continuation::Done)
}

pub(super) fn replicate<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    parser.text().expect(b'(')?;
    let part = parser.text().attribute()?;
    parser.set(op, "constituent", part);
    parser.text().expect(b')')?;
    let ty = parser.text().colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    parser.set(op, "type", ty);
    Ok(Continuation::Done)
}

/// `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32`: the operation inside, and what yields its result.
pub(super) fn spec_constant_operation<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.text().expect_word("wraps")?;
    parser.wrapped(op, "spirv.mlir.yield")?;
    Ok(Continuation::Done)
}

fn symbols<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Result<()> {
    let function = parser.text().attribute()?;
    parser.set(op, "fn", function);
    let mut interface = Vec::new();
    while parser.text().eat(b',') {
        interface.push(parser.text().attribute()?);
    }
    let interface = parser.context().attribute(AttributeData::Array(interface.into()));
    parser.set(op, "interface", interface);
    Ok(())
}

pub(super) fn entry_point<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let model = quoted(parser, EnumKind::ExecutionModel)?;
    parser.set(op, "execution_model", model);
    symbols(parser, op)?;
    Ok(Continuation::Done)
}

pub(super) fn graph_entry_point<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    symbols(parser, op)?;
    Ok(Continuation::Done)
}

pub(super) fn execution_mode<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let function = parser.text().attribute()?;
    parser.set(op, "fn", function);
    let mode = quoted(parser, EnumKind::ExecutionMode)?;
    parser.set(op, "execution_mode", mode);
    let mut values = Vec::new();
    while parser.text().eat(b',') {
        values.push(integer(parser, 32)?);
    }
    let values = parser.context().attribute(AttributeData::Array(values.into()));
    parser.set(op, "values", values);
    Ok(Continuation::Done)
}

pub(super) fn constant<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.text().attribute()?;
    parser.set(op, "value", value);
    let own = parser.context()[value].ty();
    let ty = if parser.text().eat(b':') {
        parser.any_type()?
    } else {
        match own {
            Some(ty) => ty.into(),
            None => return Err(parser.text().expected("`:` and a type")),
        }
    };
    parser.optional_dictionary(op)?;
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `["Volatile|Aligned", 4]`
fn memory_access<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, access: &str, alignment: &str) -> Result<()> {
    if parser.text().eat(b'[') {
        let value = quoted(parser, EnumKind::MemoryAccess)?;
        parser.set(op, access, value);
        if parser.text().eat(b',') {
            let value = integer(parser, 32)?;
            parser.set(op, alignment, value);
        }
        parser.text().expect(b']')?;
    }
    Ok(())
}

pub(super) fn load<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    memory_access(parser, op, "memory_access", "alignment")?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let pointer = pointer(parser, at, class, ty)?;
    op.add(address, pointer);
    op.add_result(ty);
    Ok(Continuation::Done)
}

pub(super) fn store<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    parser.text().expect(b',')?;
    let value = parser.operand_name()?;
    memory_access(parser, op, "memory_access", "alignment")?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    parser.optional_dictionary(op)?;
    let pointer = pointer(parser, at, class, ty)?;
    op.add(address, pointer);
    op.add(value, ty);
    Ok(Continuation::Done)
}

/// The element of a vector type, or the type itself: blocks of a subgroup lie element by element.
pub(in crate::dialect) fn element(parser: &OpParser<'_>, ty: TypeRef) -> Result<TypeRef> {
    Ok(match &parser.context()[parser.resolved(ty)?] {
        TypeData::Vector { element, .. } => TypeRef::from(*element),
        _ => ty,
    })
}

pub(super) fn block_write<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let class = storage_class(parser)?;
    let address = parser.operand_name()?;
    parser.text().expect(b',')?;
    let value = parser.operand_name()?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let pointee = element(parser, ty)?;
    let pointer = pointer(parser, at, class, pointee)?;
    op.add(address, pointer);
    op.add(value, ty);
    Ok(Continuation::Done)
}

pub(super) fn copy_memory<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let target_class = storage_class(parser)?;
    let target = parser.operand_name()?;
    parser.text().expect(b',')?;
    let source_class = storage_class(parser)?;
    let source = parser.operand_name()?;
    memory_access(parser, op, "memory_access", "alignment")?;
    if parser.text().eat(b',') {
        memory_access(parser, op, "source_memory_access", "source_alignment")?;
    }
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let (first, second) = (pointer(parser, at, target_class, ty)?, pointer(parser, at, source_class, ty)?);
    op.add(target, first);
    op.add(source, second);
    Ok(Continuation::Done)
}

pub(super) fn variable<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let mut initializer = None;
    if parser.text().eat_word(b"init") {
        parser.text().expect(b'(')?;
        initializer = Some(parser.operand_name()?);
        parser.text().expect(b')')?;
    }
    bindings(parser, op)?;
    parser.optional_dictionary(op)?;
    let at = parser.text().here();
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let Some(SpirvType::Pointer { pointee, class }) = types::view(parser.context(), parser.resolved(ty)?) else {
        return Err(parser.error_at(at, "expected a pointer type"));
    };
    let class = attributes::enumerant(parser.context(), EnumKind::StorageClass, class);
    parser.set(op, "storage_class", class);
    if let Some(initializer) = initializer {
        op.add(initializer, pointee.into());
    }
    op.add_result(ty);
    Ok(Continuation::Done)
}

pub(super) fn composite_extract<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let composite = parser.operand_name()?;
    let indices = parser.text().attribute()?;
    parser.set(op, "indices", indices);
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let wrong = || parser.error_at(at, "the indices do not fit the type of the composite");
    let element = super::part_type(parser.context(), parser.resolved(ty)?, indices).ok_or_else(wrong)?;
    op.add(composite, ty);
    op.add_result(element.into());
    Ok(Continuation::Done)
}

pub(super) fn composite_insert<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let object = parser.operand_name()?;
    parser.text().expect(b',')?;
    let composite = parser.operand_name()?;
    let indices = parser.text().attribute()?;
    parser.set(op, "indices", indices);
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let object_type = parser.any_type()?;
    parser.text().expect_word("into")?;
    let ty = parser.any_type()?;
    op.add(object, object_type);
    op.add(composite, ty);
    op.add_result(ty);
    Ok(Continuation::Done)
}

pub(super) fn branch_conditional<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let condition = parser.operand_name()?;
    let boolean = parser.context().integer_type(1);
    op.add(condition, boolean.into());
    if parser.text().eat(b'[') {
        let mut weights = Vec::new();
        loop {
            weights.push(integer(parser, 32)?);
            if parser.text().eat(b']') {
                break;
            }
            parser.text().expect(b',')?;
        }
        let weights = parser.context().attribute(AttributeData::Array(weights.into()));
        parser.set(op, "branch_weights", weights);
    }
    let mut sizes = vec![1];
    for _ in 0..2 {
        parser.text().expect(b',')?;
        let (names, types) = parser.successor(op)?;
        if names.len() != types.len() {
            return Err(parser.text().error("there are more or fewer types than operands"));
        }
        sizes.push(names.len());
        for (name, ty) in names.into_iter().zip(types) {
            op.add(name, ty);
        }
    }
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    Ok(Continuation::Done)
}

fn control<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, kind: EnumKind, name: &str) -> Parsed<'a> {
    let mut case = b"None".to_vec();
    let at = parser.text().here();
    if parser.text().eat_word(b"control") {
        parser.text().expect(b'(')?;
        case.clear();
        loop {
            case.extend_from_slice(parser.text().word());
            if !parser.text().eat(b'|') {
                break;
            }
            case.push(b'|');
        }
        parser.text().expect(b')')?;
    }
    let value = enum_attribute(parser, at, kind, &case)?;
    parser.set(op, name, value);
    if parser.text().eat_arrow() {
        for ty in parser.types()? {
            op.add_result(ty);
        }
    }
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}

pub(super) fn selection<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    control(parser, op, EnumKind::SelectionControl, "selection_control")
}

pub(super) fn loop_op<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    control(parser, op, EnumKind::LoopControl, "loop_control")
}

pub(super) fn struct_of_two<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let Some(member) = types::part(parser.context(), parser.resolved(ty)?, 0) else {
        return Err(parser.error_at(at, "expected a struct type of two members"));
    };
    for name in names {
        op.add(name, member.into());
    }
    op.add_result(ty);
    Ok(Continuation::Done)
}

pub(super) fn three<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let ty = parser.operands_of_one_type(op)?;
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// Whether what is next can be the operands of an image.
pub(super) fn starts_image_operands(parser: &mut OpParser<'_>) -> bool {
    parser.text().is_at(b'[')
}

/// `["Bias|Lod"]`
pub(super) fn image_operands<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    if !parser.text().eat(b'[') {
        return Ok(());
    }
    let value = quoted(parser, EnumKind::ImageOperands)?;
    parser.text().expect(b']')?;
    state.set_attribute(parser, op, 0, value)
}
