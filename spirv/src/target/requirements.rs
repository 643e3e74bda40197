//! What operations need, with all that stands in them: enumerants and types.

use hashbrown::HashSet;
use mlirbc_ir::{AttributeData, OpRef, Result, Type, TypeData};
use rspirv::spirv::Capability;

use super::availability::{Availability, Need, operation, singles};
use super::types::{of_type, relaxed};
use super::unsaid;
use crate::dialect::attributes::enumerant_of;

/// How far needs are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// In the operation and its attributes that are enumerants, as MLIR's interfaces of operations do.
    Operation,
    /// In its types as well, as MLIR's passes do.
    Types,
    /// In all that MLIR does not look at as well: attributes that may be absent, decorations and built-ins, which are attributes, types in
    /// attributes, what MLIR has no operation for, and rules that its definitions do not have. Of a need all is said that meets it.
    All,
}

/// Gives each need of an operation, versions first, then extensions, then capabilities; thereafter those of its types, alike. What
/// stands in its regions is not looked at.
///
/// # Errors
/// Where the operation cannot be read.
pub fn of_operation(op: OpRef<'_>, depth: Depth, each: &mut dyn FnMut(Need)) -> Result<()> {
    Search::default().operation(op, depth, each)
}

/// A search for the needs of many operations, all at the same depth: each type is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Search {
    needs: Vec<Need>,
    types: Vec<Type>,
    seen: HashSet<Type>,
}

impl Search {
    /// What [`of_operation`] gives, but for types that were seen before.
    pub(crate) fn operation(&mut self, op: OpRef<'_>, depth: Depth, each: &mut dyn FnMut(Need)) -> Result<()> {
        let Search { needs, types, seen } = self;
        needs.clear();
        of_itself(op, depth, needs)?;
        in_order(needs, each);
        if depth == Depth::Operation {
            return Ok(());
        }
        types.clear();
        add_types(op, types)?;
        if depth == Depth::All {
            unsaid::types(op, types)?;
        }
        let context = op.module().context();
        for &ty in types.iter() {
            if !seen.insert(ty) {
                continue;
            }
            needs.clear();
            of_type(context, ty, &mut |need| needs.push(if depth == Depth::All { relaxed(need) } else { need }));
            if depth == Depth::All {
                unsaid::of_type(context, ty, needs);
            }
            in_order(needs, each);
        }
        Ok(())
    }
}

/// The needs of an operation without its types.
fn of_itself(op: OpRef<'_>, depth: Depth, needs: &mut Vec<Need>) -> Result<()> {
    let context = op.module().context();
    let name = op.name();
    match operation(&name) {
        Some(found) => {
            needs.extend(found.own.needs());
            for attribute in found.attributes.iter().filter(|it| depth == Depth::All || !it.optional) {
                let value = op.attribute(&attribute.name)?;
                if let Some(value) = value.and_then(|value| enumerant_of(context, value, attribute.kind)) {
                    match depth {
                        Depth::All => unsaid::enumerants(attribute.kind, value, needs),
                        _ => needs.extend(singles(attribute.kind, value).flat_map(|one| {
                            Availability::of(attribute.kind, one).into_iter().flat_map(Availability::needs)
                        })),
                    }
                }
            }
            match name.strip_prefix("spirv.").unwrap_or_default() {
                "Dot" => dot(op, needs)?,
                "SDot" | "SUDot" | "UDot" | "SDotAccSat" | "SUDotAccSat" | "UDotAccSat" => integer_dot(op, needs)?,
                _ => {}
            }
        }
        None if depth == Depth::All => {
            needs.extend(Availability::of_name(&name).into_iter().flat_map(Availability::needs));
        }
        None => {}
    }
    if depth == Depth::All {
        unsaid::of_operation(op, needs)?;
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
            Need::Least(_) | Need::Most(_) | Need::Since(..) => 0,
            Need::Extension(_) => 1,
            Need::Capability(_) => 2,
        };
        needs.iter().filter(|need| rank(need) == wanted).for_each(|need| each(*need));
    }
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

/// Adds the types of operands and results, of a variable, and of what a function takes and gives.
fn add_types(op: OpRef<'_>, types: &mut Vec<Type>) -> Result<()> {
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
    Ok(())
}
