//! What operations need, with all that stands in them: enumerants and types.

use hashbrown::HashSet;
use mlirbc_ir::{Attribute, AttributeData, Context, OpRef, Result, Type, TypeData};
use rspirv::spirv::{Capability, StorageClass};

use super::availability::{Availability, Need, operation};
use super::types::of_type;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, decoration_of_name, enumerant_of, view as attribute_view};
use crate::dialect::types::{SpirvType, view};

/// How far needs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// In the operation and its attributes that are enumerants, as MLIR's interfaces of operations do.
    Operation,
    /// In its types as well, as MLIR's passes do.
    Types,
    /// In attributes that may be absent as well, in decorations and built-ins, which are attributes, and in what MLIR has no operation for.
    All,
}

/// Gives each need of an operation, versions first, then extensions, then capabilities; thereafter those of its types, alike. What
/// stands in its regions is not looked at.
///
/// # Errors
/// Where the operation cannot be read.
pub fn of_operation(op: OpRef<'_>, depth: Depth, each: &mut dyn FnMut(Need)) -> Result<()> {
    let context = op.module().context();
    let mut needs = Vec::new();
    let name = op.name();
    match operation(&name) {
        Some(found) => {
            needs.extend(found.own.needs());
            for attribute in found.attributes.iter().filter(|it| depth == Depth::All || !it.optional) {
                let value = op.attribute(&attribute.name)?;
                if let Some(value) = value.and_then(|value| enumerant_of(context, value, attribute.kind)) {
                    enumerants(attribute.kind, value, &mut needs);
                }
            }
            match name.strip_prefix("spirv.").unwrap_or_default() {
                "Dot" => dot(op, &mut needs)?,
                "SDot" | "SUDot" | "UDot" | "SDotAccSat" | "SUDotAccSat" | "UDotAccSat" => integer_dot(op, &mut needs)?,
                _ => {}
            }
        }
        None if depth == Depth::All => {
            needs.extend(Availability::of_name(&name).into_iter().flat_map(Availability::needs));
        }
        None => {}
    }
    if depth == Depth::All {
        attributes(op, &mut needs)?;
        if op.is("spirv.module") && names_memory(op)? {
            needs.push(Need::Least(4));
        }
    }
    in_order(&needs, each);
    if depth != Depth::Operation {
        for ty in types(op)? {
            needs.clear();
            of_type(context, ty, &mut |need| needs.push(need));
            if depth == Depth::All {
                decorations_of_type(context, ty, &mut needs);
            }
            in_order(&needs, each);
        }
    }
    Ok(())
}

/// Calls `each` with an operation and every one inside it, each behind what it holds.
///
/// # Errors
/// Where one cannot be read, and what `each` gives.
pub fn post_order<'m>(op: OpRef<'m>, mut each: impl FnMut(OpRef<'m>) -> Result<()>) -> Result<()> {
    let mut open = vec![(op, op.ops()?)];
    while let Some((op, inside)) = open.last_mut() {
        match inside.next() {
            Some(next) => open.push((next, next.ops()?)),
            None => {
                each(*op)?;
                open.pop();
            }
        }
    }
    Ok(())
}

/// Versions first, then extensions, then capabilities.
fn in_order(needs: &[Need], each: &mut dyn FnMut(Need)) {
    for wanted in 0..3 {
        let rank = |need: &&Need| match need {
            Need::Least(_) | Need::Most(_) => 0,
            Need::Extension(_) => 1,
            Need::Capability(_) => 2,
        };
        needs.iter().filter(|need| rank(need) == wanted).for_each(|need| each(*need));
    }
}

/// The needs of a case, or of each bit.
fn enumerants(kind: EnumKind, value: u32, needs: &mut Vec<Need>) {
    let values = (0..32).map(|bit| value & 1 << bit).filter(|bit| *bit != 0);
    let mut add = |value| needs.extend(Availability::of(kind, value).into_iter().flat_map(Availability::needs));
    if kind.is_mask() { values.for_each(add) } else { add(value) }
}

/// A product of vectors of another number than IEEE's has needs that MLIR says in code.
fn dot(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let is_brain = |ty: Type| match &context[ty] {
        TypeData::Float(kind) => *kind == mlirbc_ir::number::FloatKind::BF16,
        _ => false,
    };
    if op.results().next().map(|result| op.type_of(result)).transpose()?.is_some_and(is_brain) {
        needs.push(Need::Extension(&["SPV_KHR_bfloat16"]));
        needs.push(Need::Capability(&[Capability::BFloat16DotProductKHR as u32]));
    }
    Ok(())
}

/// What a product of vectors of integers needs, which MLIR says in code.
fn integer_dot(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    needs.retain(|need| matches!(need, Need::Least(_) | Need::Most(_)));
    needs.push(Need::Extension(&["SPV_KHR_integer_dot_product"]));
    needs.push(Need::Capability(&[Capability::DotProduct as u32]));
    let context = op.module().context();
    let Some(&factor) = op.operands().first() else { return Ok(()) };
    needs.push(Need::Capability(match &context[op.type_of(factor)?] {
        TypeData::Integer { .. } => &[Capability::DotProductInput4x8BitPacked as u32],
        TypeData::Vector { element, .. } if matches!(context[*element], TypeData::Integer { width: 8, .. }) => {
            &[Capability::DotProductInput4x8Bit as u32]
        }
        _ => &[Capability::DotProductInputAll as u32],
    }));
    Ok(())
}

/// The types of operands and results, of a variable, and of what a function takes and gives.
fn types(op: OpRef<'_>) -> Result<Vec<Type>> {
    let mut types = Vec::new();
    for value in op.operands().iter().copied().chain(op.results()) {
        types.push(op.type_of(value)?);
    }
    let said = match &*op.name() {
        "spirv.GlobalVariable" => op.attribute("type")?,
        "spirv.func" => op.attribute("function_type")?,
        _ => None,
    };
    let context = op.module().context();
    if let Some(AttributeData::Type(ty)) = said.map(|ty| &context[ty]) {
        match &context[*ty] {
            TypeData::Function { inputs, results } => types.extend(inputs.iter().chain(results)),
            _ => types.push(*ty),
        }
    }
    Ok(types)
}

/// The needs of attributes: of decorations, which are attributes by name, and of enumerants; of a module, those of sets of instructions that it
/// names.
fn attributes(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let dictionaries: [Option<Attribute>; 2] = op.dictionaries()?.into();
    for (name, value) in dictionaries.into_iter().flatten().flat_map(|it| context.entries(it).unwrap_or_default()) {
        let name = context.bytes(*name);
        let decoration = decoration_of_name(name);
        match (decoration, &context[*value]) {
            // A built-in is a name in MLIR.
            (Some(decoration), AttributeData::String { value, .. }) => {
                let built_in = std::str::from_utf8(value).ok().and_then(|name| EnumKind::BuiltIn.value(name));
                decoration_with(decoration, built_in, needs);
            }
            (Some(decoration), _) => decoration_with(decoration, None, needs),
            (None, AttributeData::Array(names)) if name == b"spirv_binary.imports" => {
                let is_of_tools = |name: &Attribute| match &context[*name] {
                    AttributeData::String { value, .. } => value.starts_with(b"NonSemantic."),
                    _ => false,
                };
                if names.iter().any(is_of_tools) {
                    needs.push(Need::Extension(&["SPV_KHR_non_semantic_info"]));
                }
            }
            _ => {}
        }
        if let Some(SpirvAttribute::Enumerant(kind, value)) = attribute_view(context, *value) {
            enumerants(kind, value, needs);
        }
    }
    Ok(())
}

/// Whether an entry point of a module names variables that are neither inputs nor outputs, as only later versions let it.
fn names_memory(module: OpRef<'_>) -> Result<bool> {
    let context = module.module().context();
    let mut memory = HashSet::new();
    for op in module.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
        let (Some(name), Some(ty)) = (op.symbol_name()?, op.attribute("type")?) else { continue };
        let AttributeData::Type(ty) = context[ty] else { continue };
        if let Some(SpirvType::Pointer { class, .. }) = view(context, ty)
            && ![StorageClass::Input as u32, StorageClass::Output as u32].contains(&class)
        {
            memory.insert(name);
        }
    }
    let is_memory = |name: &Attribute| match &context[*name] {
        AttributeData::SymbolRef { root, .. } => memory.contains(root),
        _ => false,
    };
    for op in module.ops()?.filter(|op| op.is("spirv.EntryPoint")) {
        if let Some(AttributeData::Array(names)) = op.attribute("interface")?.map(|names| &context[names])
            && names.iter().any(is_memory)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The needs of a decoration, and of what it names if that is a built-in.
fn decoration_with(decoration: u32, operand: Option<u32>, needs: &mut Vec<Need>) {
    let mut add = |kind, value| needs.extend(Availability::of(kind, value).into_iter().flat_map(Availability::needs));
    add(EnumKind::Decoration, decoration);
    if decoration == rspirv::spirv::Decoration::BuiltIn as u32
        && let Some(operand) = operand
    {
        add(EnumKind::BuiltIn, operand);
    }
}

/// The needs of decorations of a type and of what it is made of.
fn decorations_of_type(context: &Context, ty: Type, needs: &mut Vec<Need>) {
    let (mut left, mut seen) = (vec![ty], HashSet::new());
    while let Some(ty) = left.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match view(context, ty) {
            Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) => left.push(element),
            Some(SpirvType::Pointer { pointee, .. }) => left.push(pointee),
            Some(SpirvType::Struct(structure)) => {
                let of_members = structure.members.iter().flat_map(|member| &member.decorations);
                for decoration in of_members.chain(&structure.decorations) {
                    let operand = decoration.value.and_then(|value| match &context[value] {
                        AttributeData::Integer { value, .. } => value.to_u64().and_then(|value| value.try_into().ok()),
                        _ => None,
                    });
                    decoration_with(decoration.decoration, operand, needs);
                }
                left.extend(structure.members.iter().map(|member| member.ty));
            }
            _ => {}
        }
    }
}
