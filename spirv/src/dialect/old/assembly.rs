//! Operations whose text was another one. What a text of the time leaves out is found from the types and constants before it, as
//! MLIR's parser of the time did; the form of today is read, too, where it can be told apart.

use mlirbc_ir::{AttributeData, Dialect, Result, Type, TypeRef};
use mlirbc_text::function::parse as function;
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpState, ParseFn, Parsed, Signature, ValueName,
};

use crate::dialect::assembly::parse::{element, pointer, quoted, storage_class, word};
use crate::dialect::types::{self, SpirvType};
use crate::dialect::{DIALECT, EnumKind};

/// By the names of today.
const OPERATIONS: [(&str, ParseFn); 24] = [
    ("module", module),
    ("func", func),
    ("AccessChain", access_chain),
    ("PtrAccessChain", element_access_chain),
    ("InBoundsPtrAccessChain", element_access_chain),
    ("CompositeConstruct", composite_construct),
    ("MatrixTimesScalar", matrix_times_scalar),
    ("VectorShuffle", vector_shuffle),
    ("ImageDrefGather", image_dref_gather),
    ("INTEL.SubgroupBlockRead", block_read),
    ("INTEL.SubgroupBlockWrite", block_write),
    ("GroupNonUniformFAdd", group_operation),
    ("GroupNonUniformFMax", group_operation),
    ("GroupNonUniformFMin", group_operation),
    ("GroupNonUniformFMul", group_operation),
    ("GroupNonUniformIAdd", group_operation),
    ("GroupNonUniformIMul", group_operation),
    ("GroupNonUniformSMax", group_operation),
    ("GroupNonUniformSMin", group_operation),
    ("GroupNonUniformUMax", group_operation),
    ("GroupNonUniformUMin", group_operation),
    ("GroupNonUniformBitwiseAnd", group_operation),
    ("GroupNonUniformBitwiseOr", group_operation),
    ("GroupNonUniformBitwiseXor", group_operation),
];

pub(super) fn attach(dialect: Dialect) -> Dialect {
    let assembly = |parse| CustomAssembly { print: |_| Err(NotCustom::UseGeneric), parse };
    OPERATIONS.into_iter().fold(dialect, |dialect, (operation, parse)| dialect.assembly(operation, assembly(parse)))
}

/// `Logical GLSL450 requires #spv.vce<...> {...}`; in the first years `"Logical" "GLSL450" {...} attributes {...}`.
fn module<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if parser.text().is_at(b'@') {
        function::name(parser, op)?;
    }
    for (name, kind) in [("addressing_model", EnumKind::AddressingModel), ("memory_model", EnumKind::MemoryModel)] {
        let value = match parser.text().is_at(b'"') {
            true => quoted(parser, kind)?,
            false => word(parser, kind)?,
        };
        parser.set(op, name, value);
    }
    if parser.text().eat_word(b"requires") {
        let triple = parser.text().attribute()?;
        parser.set(op, "vce_triple", triple);
    }
    parser.keyword_dictionary(op)?;
    parser.open_brace()?;
    let rest = |parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
        parser.ensure_block(op);
        parser.keyword_dictionary(op)?;
        Ok(Continuation::Done)
    };
    Ok(Continuation::Region(Vec::new(), Box::new(rest)))
}

/// `@f(%arg0: f32) -> () "None" {...}`, of which the first years had no control.
fn func<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    function::name(parser, op)?;
    let signature = Signature::parse(parser, false)?;
    signature.set(parser, op);
    if parser.text().is_at(b'"') {
        let control = quoted(parser, EnumKind::FunctionControl)?;
        parser.set(op, "function_control", control);
    }
    parser.keyword_dictionary(op)?;
    function::body(parser, signature)
}

/// The type that indices go to in a composite. Which member of a struct it is, a constant says that stands before.
fn indexed<'a>(parser: &mut OpParser<'a>, mut ty: Type, indices: &[ValueName<'a>]) -> Result<Type> {
    let context = parser.context();
    for index in indices {
        let member = match types::view(context, ty) {
            Some(SpirvType::Struct(_)) => match constant(parser, index) {
                Some(member) => member,
                None => {
                    let message =
                        "which member of a struct this is, no constant before it says: the result type is not known";
                    return Err(parser.error_at(index.place(), message));
                }
            },
            _ => 0,
        };
        ty = types::part(context, ty, member)
            .ok_or_else(|| parser.error_at(index.place(), "the type that this is an index into has no such part"))?;
    }
    Ok(ty)
}

/// The number that a constant before it has.
fn constant<'a>(parser: &mut OpParser<'a>, name: &ValueName<'a>) -> Option<u32> {
    let context = parser.context();
    let (_, (operation, properties)) = parser.defined(name).and_then(|(ty, of)| Some((ty, of?)))?;
    if context.operation_text(operation) != b"spirv.Constant" {
        return None;
    }
    let AttributeData::Dictionary(entries) = &context[properties?.in_context()?] else { return None };
    let value = entries.iter().find(|entry| context.bytes(entry.0) == b"value")?.1;
    match &context[value] {
        AttributeData::Integer { value, .. } => u32::try_from(value.to_u64()?).ok(),
        _ => None,
    }
}

/// `%base[%index, %index] : !spv.ptr<...>, i32, i32`; in the first years without the types of the indices, which were 32 bits wide.
fn access_chain<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    chain(parser, op, 0)
}

/// The same of a pointer to one of several elements: the first index says which one.
fn element_access_chain<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    chain(parser, op, 1)
}

fn chain<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, elements: usize) -> Parsed<'a> {
    let base = parser.operand_name()?;
    let indices = parser.operand_list_in(b'[', b']')?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let at = parser.text().here();
    let ty = parser.any_type()?;
    op.add(base, ty);
    let mut index_type = parser.context().integer_type(32).into();
    let typed = parser.text().is_at(b',');
    for &index in &indices {
        if typed {
            parser.text().expect(b',')?;
            index_type = parser.any_type()?;
        }
        op.add(index, index_type);
    }
    if parser.text().eat_arrow() {
        let result = parser.any_type()?;
        op.add_result(result);
        return Ok(Continuation::Done);
    }
    let context = parser.context();
    let Some(SpirvType::Pointer { pointee, class }) = types::view(context, parser.resolved(ty)?) else {
        return Err(parser.error_at(at, "expected a pointer type"));
    };
    let part = indexed(parser, pointee, indices.get(elements..).unwrap_or_default())?;
    op.add_result(types::pointer(context, part, class).into());
    Ok(Continuation::Done)
}

/// `%a, %b : vector<2xf32>`
fn composite_construct<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let at = parser.text().here();
    if parser.text().is_at(b'(') {
        let (inputs, results) = parser.functional()?;
        if inputs.len() != names.len() {
            return Err(parser.error_at(at, "there are more or fewer types than operands"));
        }
        names.into_iter().zip(inputs).for_each(|(name, ty)| op.add(name, ty));
        op.add_results(results);
        return Ok(Continuation::Done);
    }
    let ty = parser.any_type()?;
    let (context, composite) = (parser.context(), parser.resolved(ty)?);
    for (number, name) in names.into_iter().enumerate() {
        let Some(part) = u32::try_from(number).ok().and_then(|number| types::part(context, composite, number)) else {
            return Err(parser.error_at(name.place(), "the type has no part for this"));
        };
        op.add(name, part.into());
    }
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `%m, %s : !spv.matrix<...>, f32 -> !spv.matrix<...>`
fn matrix_times_scalar<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let matrix = parser.operand_name()?;
    parser.text().expect(b',')?;
    let scalar = parser.operand_name()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    parser.text().expect(b',')?;
    let scalar_type = parser.any_type()?;
    let result = if parser.text().eat_arrow() { parser.any_type()? } else { ty };
    op.add(matrix, ty);
    op.add(scalar, scalar_type);
    op.add_result(result);
    Ok(Continuation::Done)
}

/// `%a : type, %b : type`, up to its end; of today, `%a, %b : type, type`.
fn typed_operands<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, count: usize) -> Result<()> {
    let mut names = vec![parser.operand_name()?];
    if parser.text().is_at(b',') {
        while names.len() < count {
            parser.text().expect(b',')?;
            names.push(parser.operand_name()?);
        }
        parser.optional_dictionary(op)?;
    }
    parser.text().expect(b':')?;
    if names.len() == count {
        for (number, name) in names.into_iter().enumerate() {
            if number > 0 {
                parser.text().expect(b',')?;
            }
            let ty = parser.any_type()?;
            op.add(name, ty);
        }
        return Ok(());
    }
    let mut name = names.remove(0);
    for number in 0..count {
        if number > 0 {
            parser.text().expect(b',')?;
            name = parser.operand_name()?;
            parser.text().expect(b':')?;
        }
        let ty = parser.any_type()?;
        op.add(name, ty);
    }
    Ok(())
}

fn arrow_result<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if !parser.text().eat_arrow() {
        return Err(parser.text().expected("`->`"));
    }
    let ty = parser.any_type()?;
    op.add_result(ty);
    parser.optional_dictionary(op)?;
    Ok(Continuation::Done)
}

/// `[1 : i32, 3 : i32] %a : vector<4xf32>, %b : vector<4xf32> -> vector<2xf32>`
fn vector_shuffle<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(op)?;
    let components = parser.text().attribute()?;
    parser.set(op, "components", components);
    typed_operands(parser, op, 2)?;
    arrow_result(parser, op)
}

/// `%image : type, %coordinate : type, %dref : type ["Bias"] (%a : type) -> type`
fn image_dref_gather<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(op)?;
    typed_operands(parser, op, 3)?;
    if parser.text().eat(b'[') {
        let operands = quoted(parser, EnumKind::ImageOperands)?;
        parser.set(op, "image_operands", operands);
        parser.text().expect(b']')?;
    }
    if parser.text().eat(b'(') {
        let names = parser.operand_list()?;
        parser.text().expect(b':')?;
        for (number, name) in names.into_iter().enumerate() {
            if number > 0 {
                parser.text().expect(b',')?;
            }
            let ty = parser.any_type()?;
            op.add(name, ty);
        }
        parser.text().expect(b')')?;
    }
    parser.optional_dictionary(op)?;
    arrow_result(parser, op)
}

/// `"StorageBuffer" %pointer : i32`
fn block_read<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let ty = block(parser, op, false)?;
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `"StorageBuffer" %pointer, %value : i32`
fn block_write<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    block(parser, op, true)?;
    Ok(Continuation::Done)
}

/// The pointer to a block, and what is written there. The printer of the time left out the storage class that its parser asked for: then
/// the pointer says it.
fn block<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, writes: bool) -> Result<TypeRef> {
    let at = parser.text().here();
    let class = if parser.text().is_at(b'"') { Some(storage_class(parser)?) } else { None };
    let address = parser.operand_name()?;
    let mut value = None;
    if writes {
        parser.text().expect(b',')?;
        value = Some(parser.operand_name()?);
    }
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let pointer = match class {
        Some(class) => {
            let pointee = element(parser, ty)?;
            pointer(parser, at, class, pointee)?
        }
        None => match parser.defined(&address) {
            Some((pointer, _)) => pointer,
            None => return Err(parser.error_at(at, "expected a storage class, or a pointer that was defined before")),
        },
    };
    op.add(address, pointer);
    if let Some(value) = value {
        op.add(value, ty);
    }
    Ok(ty)
}

/// `"Workgroup" "ClusteredReduce" %value cluster_size(%size) : f32`, which is the type of the result: the value may have another sign.
fn group_operation<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    for (name, kind) in [("execution_scope", EnumKind::Scope), ("group_operation", EnumKind::GroupOperation)] {
        let value = match parser.text().peek() {
            Some(b'"') => quoted(parser, kind)?,
            Some(b'<') => parser.text().stripped_attribute(DIALECT, kind.mnemonic())?,
            _ => word(parser, kind)?,
        };
        parser.set(op, name, value);
    }
    let value = parser.operand_name()?;
    let mut size = None;
    if parser.text().eat_word(b"cluster_size") {
        parser.text().expect(b'(')?;
        size = Some(parser.operand_name()?);
        parser.text().expect(b')')?;
    }
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let value_type = parser.defined(&value).map_or(ty, |defined| defined.0);
    op.add(value, value_type);
    if let Some(size) = size {
        let word: TypeRef = parser.context().integer_type(32).into();
        let size_type = if parser.text().eat(b',') { parser.any_type()? } else { word };
        op.add(size, size_type);
    }
    let result = if parser.text().eat_arrow() { parser.any_type()? } else { ty };
    op.add_result(result);
    Ok(Continuation::Done)
}
