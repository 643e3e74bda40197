//! What operations need that MLIR does not say: its passes do not look at decorations, which are attributes, nor at built-ins, nor into
//! attributes, and some rules stand in no definition.

use hashbrown::HashSet;
use mlirbc_ir::{Attribute, AttributeData, Context, OpRef, Result, Type, TypeData, Value};
use rspirv::spirv::{AddressingModel, Capability, Decoration, StorageClass};

use super::availability::{Availability, Need, named, of_instruction, singles};
use super::types::ASKED;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, decoration_of_name, enumerant_of, view as attribute_view};
use crate::dialect::types::{SpirvType, view};
use crate::grammar::{Instruction, OperandClass};

/// What an operation needs beside what its definition says.
pub(super) fn of_operation(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    attributes(op, needs)?;
    match op.name().strip_prefix("spirv.").unwrap_or_default() {
        "module" if names_memory(op)? => needs.push(Need::Least(4)),
        "Select" => select(op, needs)?,
        "Bitcast" => bitcast(op, needs)?,
        "IsFinite" => needs.push(Need::Capability(&[Capability::Kernel as u32])),
        name if name.starts_with("Atomic") => atomic(op, needs)?,
        "Variable" | "GlobalVariable" if op.attribute("non_writable")?.is_some() => read_only(op, needs)?,
        _ => {}
    }
    variable_pointers(op, needs)
}

/// Atomic operations on integers of 64 bits need to be there.
fn atomic(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    for value in op.operands().iter().skip(1).chain(&op.results().collect::<Vec<_>>()) {
        if matches!(context[op.type_of(*value)?], TypeData::Integer { width: 64, .. }) {
            needs.push(Need::Capability(&[Capability::Int64Atomics as u32]));
            break;
        }
    }
    Ok(())
}

/// What built-ins and barriers name without need: to write to such a built-in would need it, and of barriers nobody asks it.
const FREE: [u32; 3] =
    [Capability::ClipDistance as u32, Capability::CullDistance as u32, Capability::AtomicStorage as u32];

/// Whether modules do without the capability where they name what needs it.
pub(crate) fn is_free(need: Need) -> bool {
    matches!(need, Need::Capability([capability]) if FREE.contains(capability))
}

/// Whether it shows in a module that it needs a capability.
pub(crate) fn is_shown(capability: u32) -> bool {
    !FREE.contains(&capability) && (named().capabilities.contains(&capability) || ASKED.contains(&capability))
}

/// The same of an extension.
pub(crate) fn is_shown_extension(name: &str) -> bool {
    named().extensions.contains(name)
}

/// The needs of an enumerant, or of one bit of a mask.
fn of_enumerant(kind: EnumKind, value: u32) -> impl Iterator<Item = Need> {
    let is_named = matches!(kind, EnumKind::BuiltIn | EnumKind::MemorySemantics);
    Availability::needs_of(kind, value).filter(move |need| !(is_named && is_free(*need)))
}

/// The needs of a case, or of each bit.
pub(super) fn enumerants(kind: EnumKind, value: u32, needs: &mut Vec<Need>) {
    needs.extend(singles(kind, value).flat_map(|one| of_enumerant(kind, one)));
}

/// Adds the types that stand in attributes of an operation: in those that make it, and in those that say what a binary had. Of others that it
/// has beside nothing becomes part of a binary.
pub(super) fn types(op: OpRef<'_>, types: &mut Vec<Type>) -> Result<()> {
    let context = op.module().context();
    let (attributes, properties) = op.dictionaries()?;
    let mut left: Vec<Attribute> = properties.into_iter().collect();
    if let Some(AttributeData::Dictionary(entries)) = attributes.map(|attributes| &context[attributes]) {
        left.extend(
            entries.iter().filter(|(name, _)| context.bytes(*name).starts_with(b"spirv_binary.")).map(|entry| entry.1),
        );
    }
    let mut seen = HashSet::new();
    let mut add = |ty: Type| match &context[ty] {
        TypeData::Function { inputs, results } => types.extend(inputs.iter().chain(results)),
        _ => types.push(ty),
    };
    while let Some(attribute) = left.pop() {
        if !seen.insert(attribute) {
            continue;
        }
        match &context[attribute] {
            AttributeData::Array(list) => left.extend(list),
            // Cases of a switch are no constants.
            AttributeData::Dictionary(entries) => {
                left.extend(entries.iter().filter(|entry| context.bytes(entry.0) != b"literals").map(|entry| entry.1))
            }
            AttributeData::Type(ty) | AttributeData::Integer { ty, .. } | AttributeData::Float { ty, .. } => add(*ty),
            AttributeData::DenseElements { ty, .. } => add(*ty),
            _ => {}
        }
    }
    Ok(())
}

/// The needs of decorations of a type and of what it is made of.
pub(super) fn of_type(context: &Context, ty: Type, needs: &mut Vec<Need>) {
    if view(context, ty).is_none() {
        return;
    }
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
                    let operand = decoration.value.and_then(|value| number(context, value));
                    decoration_with(decoration.decoration, operand, needs);
                }
                left.extend(structure.members.iter().map(|member| member.ty));
            }
            _ => {}
        }
    }
}

/// The needs of attributes: of decorations, which are attributes by name or stand in lists, and of enumerants; those of sets of
/// instructions that are named.
fn attributes(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let (attributes, properties) = op.dictionaries()?;
    for (is_property, dictionary) in [(false, attributes), (true, properties)] {
        for &(name, value) in dictionary.map_or(Ok(&[][..]), |it| context.entries(it)).unwrap_or_default() {
            let name = context.bytes(name);
            // That of an access is not how something is decorated.
            let decoration = decoration_of_name(name).filter(|_| !is_property || name != b"alignment");
            match (decoration, &context[value]) {
                // A built-in is a name in MLIR.
                (Some(decoration), AttributeData::String { value, .. }) => {
                    let built_in = std::str::from_utf8(value).ok().and_then(|name| EnumKind::BuiltIn.value(name));
                    decoration_with(decoration, built_in, needs);
                }
                (Some(decoration), _) => decoration_with(decoration, None, needs),
                (None, AttributeData::Array(list)) if name == b"spirv_binary.decorations" => {
                    for one in list.iter().filter_map(|one| items(context, *one)) {
                        let mut words = one.iter().map(|word| number(context, *word));
                        if let Some(decoration) = words.next().flatten() {
                            decoration_with(decoration, words.next().flatten(), needs);
                        }
                    }
                }
                (None, AttributeData::Array(names)) if name == b"spirv_binary.imports" => {
                    needs.extend(names.iter().find_map(|name| of_set(context, *name)));
                }
                (None, AttributeData::Array(list)) if name == b"spirv_binary.debug" => {
                    needs.extend(list.iter().filter_map(|one| of_debug(context, *one)));
                }
                (None, AttributeData::Array(words)) if name == b"literals" => {
                    literals(context, &op.name(), words, needs);
                }
                (None, _) if name == b"set" => needs.extend(of_set(context, value)),
                _ => {}
            }
            if let Some(SpirvAttribute::Enumerant(kind, value)) = attribute_view(context, value) {
                enumerants(kind, value, needs);
            }
        }
    }
    Ok(())
}

/// The needs of enumerants among the words of an instruction that MLIR has no operation for.
fn literals(context: &Context, name: &str, words: &[Attribute], needs: &mut Vec<Need>) {
    let instruction = name.strip_prefix("spirv.").and_then(Instruction::find);
    let operands = instruction.map_or(&[][..], |instruction| &instruction.operands);
    let operands = operands.iter().filter(|operand| operand.kind.class() != OperandClass::Id);
    for (operand, word) in operands.zip(words) {
        match (operand.kind.class(), EnumKind::of_grammar(operand.kind), number(context, *word)) {
            (_, Some(kind), Some(word)) => enumerants(kind, word, needs),
            (OperandClass::Word, _, Some(_)) => {}
            // Behind others there may be more words.
            _ => return,
        }
        if operand.kind.class() == OperandClass::Value && operand.kind.has_parameters() {
            return;
        }
    }
}

/// The version that an instruction of the debug section needs, which is a list that begins with its name.
fn of_debug(context: &Context, instruction: Attribute) -> Option<Need> {
    let AttributeData::String { value, .. } = &context[*items(context, instruction)?.first()?] else { return None };
    let known = Instruction::find(std::str::from_utf8(value).ok()?.strip_prefix("Op")?)?;
    of_instruction(known.opcode)?.least.map(Need::Least)
}

/// What a set of instructions needs, by its name.
fn of_set(context: &Context, name: Attribute) -> Option<Need> {
    match &context[name] {
        AttributeData::String { value, .. } if value.starts_with(b"NonSemantic.") => {
            Some(Need::Extension(&["SPV_KHR_non_semantic_info"]))
        }
        _ => None,
    }
}

/// The needs of a decoration, and of what it names if that is a built-in.
fn decoration_with(decoration: u32, operand: Option<u32>, needs: &mut Vec<Need>) {
    needs.extend(of_enumerant(EnumKind::Decoration, decoration));
    if decoration == Decoration::BuiltIn as u32
        && let Some(operand) = operand
    {
        needs.extend(of_enumerant(EnumKind::BuiltIn, operand));
    }
}

/// Whether an entry point of a module names variables that are neither inputs nor outputs, as only later versions let it.
fn names_memory(module: OpRef<'_>) -> Result<bool> {
    let context = module.module().context();
    let mut memory = HashSet::new();
    for op in module.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
        let (Some(name), Some(ty)) = (op.symbol_name()?, op.attribute("type")?) else { continue };
        let AttributeData::Type(ty) = context[ty] else { continue };
        if let Some(class) = class_of(context, ty)
            && ![StorageClass::Input, StorageClass::Output].contains(&class)
        {
            memory.insert(name);
        }
    }
    let is_memory = |name: &Attribute| match &context[*name] {
        AttributeData::SymbolRef { root, .. } => memory.contains(root),
        _ => false,
    };
    for op in module.ops()?.filter(|op| op.is("spirv.EntryPoint")) {
        if let Some(names) = op.attribute("interface")?.and_then(|names| items(context, names))
            && names.iter().any(is_memory)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A selection of what is no number by one condition, or of what has parts that are none, is newer than others.
fn select(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let (Some(&condition), Some(result)) = (op.operands().first(), op.results().next()) else { return Ok(()) };
    let is_vector = |ty: Type| matches!(context[ty], TypeData::Vector { .. });
    let ty = op.type_of(result)?;
    let is_composite = match view(context, ty) {
        Some(SpirvType::Pointer { .. }) | None => is_vector(ty) && !is_vector(op.type_of(condition)?),
        Some(_) => true,
    };
    if is_composite {
        needs.push(Need::Least(4));
    }
    Ok(())
}

/// Vectors and pointers are cast into each other since there are pointers that are numbers.
fn bitcast(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let (mut pointers, mut vectors) = (0, 0);
    for value in op.operands().iter().copied().chain(op.results()) {
        let ty = op.type_of(value)?;
        pointers += usize::from(class_of(context, ty).is_some());
        vectors += usize::from(matches!(context[ty], TypeData::Vector { .. }));
    }
    if (pointers, vectors) == (1, 1) {
        needs.push(Need::Since(5, &["SPV_KHR_physical_storage_buffer"]));
    }
    Ok(())
}

/// To say of a variable of a function or an invocation that nobody writes to it is newer than to say it of others.
fn read_only(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let said = op.attribute("type")?.and_then(|ty| match context[ty] {
        AttributeData::Type(ty) => Some(ty),
        _ => None,
    });
    let ty = op.results().next().map(|result| op.type_of(result)).transpose()?.or(said);
    if let Some(StorageClass::Function | StorageClass::Private) = ty.and_then(|ty| class_of(context, ty)) {
        needs.push(Need::Least(4));
    }
    Ok(())
}

/// What pointers need that are not known where the module is compiled, where it cannot compute with addresses: those that are selected,
/// loaded, come out of a function, or go into another block or a function.
fn variable_pointers(op: OpRef<'_>, needs: &mut Vec<Need>) -> Result<()> {
    const ANY: &[u32] = &[Capability::VariablePointers as u32];
    const STORED: &[u32] = &[Capability::VariablePointersStorageBuffer as u32, Capability::VariablePointers as u32];
    let context = op.module().context();
    let name = op.name();
    let name = name.strip_prefix("spirv.").unwrap_or_default();
    let gives = matches!(name, "Select" | "Load" | "FunctionCall" | "mlir.selection" | "mlir.loop");
    let takes = matches!(name, "Branch" | "BranchConditional" | "Switch" | "FunctionCall" | "ReturnValue");
    let results = op.results().filter(|_| gives);
    for value in results.chain(op.operands().iter().copied().filter(|_| takes)) {
        let need = match class_of(context, op.type_of(value)?) {
            Some(StorageClass::StorageBuffer) => Need::Capability(STORED),
            // A variable may go into a function.
            Some(StorageClass::Workgroup) if !is_variable(op, value) => Need::Capability(ANY),
            _ => continue,
        };
        if !needs.contains(&need) && is_logical(op)? {
            needs.push(need);
        }
    }
    Ok(())
}

fn is_variable(op: OpRef<'_>, value: Value) -> bool {
    op.defining_operation(value).is_some_and(|by| by.is("spirv.mlir.addressof"))
}

/// Whether an operation stands in a module that cannot compute with addresses.
fn is_logical(op: OpRef<'_>) -> Result<bool> {
    let context = op.module().context();
    let mut around = Some(op);
    while let Some(op) = around {
        if op.is("spirv.module") {
            let model = op.attribute("addressing_model")?;
            let model = model.and_then(|model| enumerant_of(context, model, EnumKind::AddressingModel));
            return Ok(
                model != Some(AddressingModel::Physical32 as u32) && model != Some(AddressingModel::Physical64 as u32)
            );
        }
        around = op.parent_op()?;
    }
    Ok(false)
}

fn class_of(context: &Context, ty: Type) -> Option<StorageClass> {
    match view(context, ty) {
        Some(SpirvType::Pointer { class, .. }) => StorageClass::from_u32(class),
        _ => None,
    }
}

fn items(context: &Context, list: Attribute) -> Option<&[Attribute]> {
    match &context[list] {
        AttributeData::Array(items) => Some(items),
        _ => None,
    }
}

fn number(context: &Context, value: Attribute) -> Option<u32> {
    context.integer_of(value)?.to_u64()?.try_into().ok()
}
