//! What MLIR's serializer does to a module on the way to a binary.

use hashbrown::HashSet;
use mlirbc_ir::{AttributeData, BodyId, Context, Module, OpId, Result, Rewriter, Type};
use rspirv::spirv::{Decoration, StorageClass};

use crate::dialect::types::{self, SpirvType};
use crate::lower::SEPARATE;

/// Makes of a module that no binary was read as what can be written as one, as MLIR's serializer does while it writes: variables of functions
/// come first in them, structs that are resources are marked as blocks, and selections and loops begin in blocks of their own.
///
/// # Errors
/// Where a part of the module cannot be decoded.
pub fn serializable(module: &mut Module) -> Result<()> {
    variables_first(module)?;
    separate_headers(module)?;
    mark_blocks(module)
}

/// The bodies of all functions.
fn functions(module: &Module) -> Result<Vec<BodyId>> {
    let mut found = Vec::new();
    for top in module.operations()? {
        found.extend(top.walk()?.filter(|op| op.is("spirv.func")).filter_map(|op| op.body().region_body(op.id())));
    }
    Ok(found)
}

/// Moves variables of functions to where SPIR-V has them: before all else.
fn variables_first(module: &mut Module) -> Result<()> {
    for id in functions(module)? {
        module.rewrite(id, |rw| {
            let entry = rw.body().top_regions().first().and_then(|&region| rw.body().first_block(region));
            let first = entry.and_then(|entry| rw.body().first_operation(entry));
            let is_variable = |rw: &Rewriter<'_>, op: OpId| rw.op(op).is("spirv.Variable");
            // What one holds at first would be stored too early.
            let all: Vec<OpId> = rw.body().preorder().filter(|&op| is_variable(rw, op)).collect();
            let moved = all.into_iter().filter(|&op| rw.body().operands(op).is_empty()).collect::<Vec<_>>();
            let mut behind = first;
            while let Some(op) = behind.filter(|&op| is_variable(rw, op)) {
                behind = rw.body().next_operation(op);
            }
            let Some(behind) = behind else { return Ok(()) };
            moved.into_iter().try_for_each(|op| rw.move_before(op, behind))
        })?;
    }
    Ok(())
}

/// Says of selections and loops that they begin in blocks of their own: MLIR writes them so.
fn separate_headers(module: &mut Module) -> Result<()> {
    let unit = module.context().unit();
    for id in functions(module)? {
        module.rewrite(id, |rw| {
            let is_construct =
                |op: &OpId| ["spirv.mlir.selection", "spirv.mlir.loop"].iter().any(|name| rw.op(*op).is(name));
            let all: Vec<OpId> = rw.body().preorder().filter(is_construct).collect();
            all.into_iter().try_for_each(|op| rw.set_attribute(op, SEPARATE, unit))
        })?;
    }
    Ok(())
}

/// Says of structs that resources are that they are such.
fn mark_blocks(module: &mut Module) -> Result<()> {
    let context = module.context().clone();
    let mut resources = HashSet::new();
    for top in module.operations()? {
        for variable in top.walk()?.filter(|op| op.is("spirv.GlobalVariable")) {
            if let Some(AttributeData::Type(ty)) = variable.attribute("type")?.map(|ty| &context[ty])
                && let Some((SpirvType::Struct(_), pointee, class)) = pointee(&context, *ty)
                && [StorageClass::StorageBuffer, StorageClass::Uniform, StorageClass::PushConstant]
                    .iter()
                    .any(|of| *of as u32 == class)
            {
                resources.insert((pointee, class));
            }
        }
    }
    let marked = |ty: Type| {
        let (structure, pointee, class) = pointee(&context, ty)?;
        let SpirvType::Struct(mut structure) = structure else { return None };
        let said = [Decoration::Block as u32, Decoration::BufferBlock as u32];
        if !resources.contains(&(pointee, class))
            || structure.decorations.iter().any(|it| said.contains(&it.decoration))
        {
            return None;
        }
        structure.decorations.push(types::Decoration::plain(Decoration::Block as u32));
        Some(types::pointer(&context, types::structure(&context, &structure), class))
    };
    let tops: Vec<(BodyId, OpId)> = module.operations()?.map(|op| (op.body_id(), op.id())).collect();
    tops.into_iter().try_for_each(|top| module.replace_types(top, &|ty| marked(ty).unwrap_or(ty)))
}

/// What a pointer leads to, and the class of its memory.
fn pointee(context: &Context, ty: Type) -> Option<(SpirvType<'_>, Type, u32)> {
    match types::view(context, ty)? {
        SpirvType::Pointer { pointee, class } => Some((types::view(context, pointee)?, pointee, class)),
        _ => None,
    }
}
