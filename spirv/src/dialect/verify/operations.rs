//! Memory, composites and constants.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Attribute, AttributeData, Context, OpRef, Result, Type, TypeData};

use super::{need, number, numbers, wrong};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::dialect::table::mlir;
use crate::dialect::types::{self, NumberOrSymbol, SpirvType};

/// The mask bit that an alignment goes with.
const ALIGNED: u32 = 2;

/// The storage class of variables in functions.
const FUNCTION: u32 = 7;

/// How deep composites of constants are looked into.
const DEEPEST: u32 = 64;

fn operand(op: OpRef<'_>, at: usize) -> Result<Option<Type>> {
    op.operands().get(at).map(|&value| op.type_of(value)).transpose()
}

fn result(op: OpRef<'_>) -> Result<Option<Type>> {
    op.results().next().map(|value| op.type_of(value)).transpose()
}

/// What a pointer points to, and its storage class; `None` where the type says neither.
fn pointer(context: &Context, ty: Option<Type>) -> Option<(Type, u32)> {
    match types::view(context, ty?)? {
        SpirvType::Pointer { pointee, class } => Some((pointee, class)),
        _ => None,
    }
}

/// Whether the alignment that an access asks for is given, and no other.
fn access(op: OpRef<'_>, mask: &str, alignment: &str) -> Result<()> {
    let context = op.module().context();
    let aligned = match op.attribute(mask)? {
        None => Some(false),
        Some(mask) => attributes::enumerant_of(context, mask, EnumKind::MemoryAccess).map(|mask| mask & ALIGNED != 0),
    };
    match (aligned, op.attribute(alignment)?.is_some()) {
        (Some(true), false) => Err(wrong("missing alignment value")),
        (Some(false), true) => {
            Err(wrong("invalid alignment specification without aligned memory access specification"))
        }
        _ => Ok(()),
    }
}

pub(super) fn variable(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let class = op.attribute("storage_class")?;
    let class = class.and_then(|class| attributes::enumerant_of(context, class, EnumKind::StorageClass));
    if let Some(class) = class {
        need(class == FUNCTION, "can only be used to model function-level variables")?;
        let of_result = pointer(context, result(op)?).map(|pointer| pointer.1);
        need(of_result.is_none_or(|of| of == class), "storage class must match result pointer's storage class")?;
    }
    if let Some(&initializer) = op.operands().first() {
        let from = op.defining_operation(initializer).map(|from| from.name().into_owned());
        let known = from.as_deref().is_some_and(|name| {
            let constants = ["spirv.Constant", "spirv.mlir.addressof", "spirv.mlir.referenceof", "spirv.Undef"];
            constants.contains(&name) || name == "spirv.EXT.ConstantCompositeReplicate" || !mlir().has(name)
        });
        need(known, "initializer must be the result of a constant or spirv.GlobalVariable op")?;
    }
    for name in ["binding", "descriptor_set", "built_in"] {
        if op.attribute(name)?.is_some() {
            return Err(wrong(format!("cannot have '{name}' (only allowed in spirv.GlobalVariable)")));
        }
    }
    Ok(())
}

/// Whether a pointer points to values of a type.
fn points_to(op: OpRef<'_>, pointer: Option<Type>, value: Option<Type>) -> Result<()> {
    let context = op.module().context();
    match (self::pointer(context, pointer), value) {
        (Some((pointee, _)), Some(value)) => {
            need(types::is_same(context, pointee, value), "mismatch in result type and pointer type")
        }
        _ => Ok(()),
    }
}

pub(super) fn load(op: OpRef<'_>) -> Result<()> {
    points_to(op, operand(op, 0)?, result(op)?)?;
    access(op, "memory_access", "alignment")
}

pub(super) fn store(op: OpRef<'_>) -> Result<()> {
    points_to(op, operand(op, 0)?, operand(op, 1)?)?;
    access(op, "memory_access", "alignment")
}

pub(super) fn copy_memory(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let pointees = (pointer(context, operand(op, 0)?), pointer(context, operand(op, 1)?));
    if let (Some((target, _)), Some((source, _))) = pointees {
        need(target == source, "both operands must be pointers to the same type")?;
    }
    access(op, "memory_access", "alignment")?;
    access(op, "source_memory_access", "source_alignment")
}

/// The integer that a value is a constant of.
fn constant_number(op: OpRef<'_>, at: usize) -> Result<Option<i64>> {
    let Some(from) = op.operands().get(at).and_then(|&value| op.defining_operation(value)) else { return Ok(None) };
    match from.is("spirv.Constant") {
        true => Ok(from.attribute("value")?.and_then(|value| number(op.module().context(), value))),
        false => Ok(None),
    }
}

/// Whether a type that is not known to have parts may have them.
fn is_unknown(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::Text { .. } | TypeData::Encoded(_))
}

pub(super) fn access_chain(op: OpRef<'_>, first: usize) -> Result<()> {
    let context = op.module().context();
    let (Some(expected), Some(found)) = (accessed(op, first)?, result(op)?) else { return Ok(()) };
    if is_unknown(context, found) || types::is_same(context, found, expected) {
        return Ok(());
    }
    let (expected, found) = (context.show(expected), context.show(found));
    Err(wrong(format!("invalid result type: expected '{expected}', but provided '{found}'")))
}

/// The type of a pointer to what an access leads to, whose indices are its operands from that one on; `None` where it cannot be known.
///
/// # Errors
/// Where there is nothing that it leads to.
pub(crate) fn accessed(op: OpRef<'_>, first: usize) -> Result<Option<Type>> {
    let context = op.module().context();
    let Some(base) = operand(op, 0)? else { return Ok(None) };
    let Some((mut ty, class)) = pointer(context, Some(base)) else {
        let is_other = matches!(types::view(context, base), Some(SpirvType::Other { .. }));
        need(is_unknown(context, base) || is_other, "expected a pointer to composite type")?;
        return Ok(None);
    };
    for at in first..op.operands().len() {
        if is_unknown(context, ty) {
            return Ok(None);
        }
        let is_struct = matches!(types::view(context, ty), Some(SpirvType::Struct(_)));
        let index = if is_struct { constant_number(op, at)? } else { Some(0) };
        let Some(index) = index else {
            let from = op.operands().get(at).and_then(|&value| op.defining_operation(value));
            // What the grammar alone knows may be a constant too.
            let constant = from.is_some_and(|from| !mlir().has(&from.name()));
            need(constant, "index must be an integer spirv.Constant to access element of spirv.struct")?;
            return Ok(None);
        };
        let part = u32::try_from(index).ok().and_then(|index| types::part(context, ty, index));
        let Some(part) = part else {
            let message = match is_struct {
                true => format!("index {index} out of bounds for '{}'", context.show(ty)),
                false => format!("cannot extract from non-composite type '{}'", context.show(ty)),
            };
            return Err(wrong(message));
        };
        ty = part;
    }
    Ok(Some(types::pointer(context, ty, class)))
}

/// The type of the part that indices lead to; `None` where that is not known.
fn part_at(op: OpRef<'_>, composite: Option<Type>) -> Result<Option<Type>> {
    let context = op.module().context();
    let (Some(mut ty), Some(indices)) = (composite, op.attribute("indices")?) else { return Ok(None) };
    let Some(indices) = numbers(context, indices) else { return Ok(None) };
    for index in indices {
        if is_unknown(context, ty) {
            return Ok(None);
        }
        let part = u32::try_from(index).ok().and_then(|index| types::part(context, ty, index));
        let Some(part) = part else {
            return Err(wrong(format!("index {index} out of bounds for '{}'", context.show(ty))));
        };
        ty = part;
    }
    Ok(Some(ty))
}

pub(super) fn extract(op: OpRef<'_>) -> Result<()> {
    match (part_at(op, operand(op, 0)?)?, result(op)?) {
        (Some(expected), Some(found)) => need(expected == found, "the result is of another type than the part"),
        _ => Ok(()),
    }
}

pub(super) fn insert(op: OpRef<'_>) -> Result<()> {
    let composite = operand(op, 1)?;
    if let (Some(expected), Some(found)) = (part_at(op, composite)?, operand(op, 0)?) {
        need(expected == found, "the object is of another type than the part")?;
    }
    need(composite == result(op)?, "result type should be the same as the composite type")
}

pub(super) fn construct(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let Some(ty) = result(op)? else { return Ok(()) };
    let operands: Vec<Type> = op.operands().iter().map(|&value| op.type_of(value)).collect::<Result<_>>()?;
    let count = |wanted: u64| {
        let message = format!("has incorrect number of operands: expected {wanted}, but provided {}", operands.len());
        need(operands.len() as u64 == wanted, &message)
    };
    match (&context[ty], types::view(context, ty)) {
        (TypeData::Vector { shape, element, .. }, _) => {
            // Parts may be vectors themselves.
            let mut parts = 0i64;
            for &operand in &operands {
                let (size, of) = match &context[operand] {
                    TypeData::Vector { shape, element, .. } => (shape.first().copied().unwrap_or(0), *element),
                    _ => (1, operand),
                };
                need(of == *element, "operand element type mismatch")?;
                parts = parts.saturating_add(size);
            }
            need(Some(&parts) == shape.first(), "op has incorrect number of operands")
        }
        (_, Some(SpirvType::CooperativeMatrix { element, .. })) => {
            count(1)?;
            need(operands.first() == Some(&element), "operand type mismatch")
        }
        (_, Some(SpirvType::Tensor { .. } | SpirvType::Array { count: NumberOrSymbol::Symbol(_), .. })) => Ok(()),
        (_, Some(view @ (SpirvType::Array { .. } | SpirvType::Matrix { .. } | SpirvType::Struct(_)))) => {
            count(match &view {
                SpirvType::Array { count: NumberOrSymbol::Known(count), .. } => u64::from(*count),
                SpirvType::Matrix { columns, .. } => u64::from(*columns),
                SpirvType::Struct(structure) => structure.members.len() as u64,
                _ => 0,
            })?;
            for (&operand, at) in operands.iter().zip(0..) {
                let wanted = types::part(context, ty, at);
                need(wanted.is_none_or(|wanted| wanted == operand), "operand type mismatch")?;
            }
            Ok(())
        }
        _ if is_unknown(context, ty) => Ok(()),
        _ => Err(wrong("cannot create a composite of a type that is not composite")),
    }
}

/// A constant is of the type of its value.
pub(super) fn constant_type(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let (Some(value), Some(result)) = (op.attribute("value")?, result(op)?) else { return Ok(()) };
    let context = checker.context();
    let ty = match &context[value] {
        AttributeData::Integer { ty, .. } | AttributeData::Float { ty, .. } => *ty,
        AttributeData::DenseElements { ty, .. } if context[*ty].shape().is_some_and(|shape| shape.len() == 1) => {
            let (of_value, of_result) = (&context[*ty], &context[result]);
            match (of_value.element(), of_result.element()) {
                (Some(left), Some(right)) if checker.same_type(left, right) == Some(false) => {
                    return Err(wrong("the elements of its value are of another type than those of its result"));
                }
                _ => return Ok(()),
            }
        }
        AttributeData::DenseElements { .. } | AttributeData::Array(_) | AttributeData::DenseResource { .. } => {
            return Ok(());
        }
        AttributeData::Text { .. } | AttributeData::Dialect(_) | AttributeData::Encoded(_) => return Ok(()),
        _ => return Err(wrong("its value is no number and no composite of such")),
    };
    checker.expect_types("the types of its results", &[result], &[ty])
}

/// The parts of a constant are of the types of the parts of its type.
pub(super) fn constant(op: OpRef<'_>) -> Result<()> {
    let (Some(value), Some(ty)) = (op.attribute("value")?, result(op)?) else { return Ok(()) };
    parts_fit(op.module().context(), value, ty, DEEPEST)
}

/// Whether the parts of an array attribute are of the types of the parts of a composite.
fn parts_fit(context: &Context, value: Attribute, ty: Type, left: u32) -> Result<()> {
    match &context[value] {
        AttributeData::Array(items) => {
            let Some(left) = left.checked_sub(1) else { return Ok(()) };
            for (&item, at) in items.iter().zip(0..) {
                // Which of an array's elements it is does not matter; MLIR does not count them either.
                let at = if matches!(types::view(context, ty), Some(SpirvType::Struct(_))) { at } else { 0 };
                match types::part(context, ty, at) {
                    Some(part) => parts_fit(context, item, part, left)?,
                    None if is_unknown(context, ty) => return Ok(()),
                    None => return Err(wrong(format!("'{}' has no such part", context.show(ty)))),
                }
            }
            Ok(())
        }
        AttributeData::Integer { ty: own, .. } | AttributeData::Float { ty: own, .. }
            if *own != ty && !is_unknown(context, ty) =>
        {
            let (ty, own) = (context.show(ty), context.show(*own));
            Err(wrong(format!("result type ('{ty}') does not match value type ('{own}')")))
        }
        _ => Ok(()),
    }
}

/// How many bits a number, or a vector of numbers, has.
fn bits(context: &Context, ty: Type) -> Option<u64> {
    match &context[ty] {
        TypeData::Integer { width, .. } => Some(u64::from(*width)),
        TypeData::Float(kind) => Some(u64::from(kind.width())),
        TypeData::Vector { element, .. } => bits(context, *element)?.checked_mul(context[ty].element_count()?),
        _ => None,
    }
}

pub(super) fn bitcast(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let (Some(from), Some(to)) = (operand(op, 0)?, result(op)?) else { return Ok(()) };
    need(from != to, "result type must be different from operand type")?;
    match (bits(context, from), bits(context, to)) {
        (Some(from), Some(to)) => {
            need(from == to, &format!("mismatch in result type bitwidth {to} and operand type bitwidth {from}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn shuffle(op: OpRef<'_>) -> Result<()> {
    let context = op.module().context();
    let size = |ty: Option<Type>| ty.and_then(|ty| context[ty].element_count());
    let (Some(left), Some(right)) = (size(operand(op, 0)?), size(operand(op, 1)?)) else { return Ok(()) };
    let Some(components) = op.attribute("components")?.and_then(|it| numbers(context, it)) else { return Ok(()) };
    let total = i64::try_from(left.saturating_add(right)).unwrap_or(i64::MAX);
    let wrong = components.iter().find(|&&at| ![-1, i64::from(u32::MAX)].contains(&at) && !(0..total).contains(&at));
    need(wrong.is_none(), &format!("component selector out of range: expected to be in [0, {total}) or 0xffffffff"))
}
