//! What shaders have no pointers for, and no branches: there, pointers are to what a variable is made of, and control flow is structured.
//!
//! MLIR's conversions make binaries that no driver takes of some of it. Here it becomes something else, or is refused.

use mlirbc_dialects::case_of;
use mlirbc_dialects::gpu::AddressSpace;
use mlirbc_ir::{BodyId, Context, Module, OpId, OpRef, Result, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern, ConversionPatterns, not_legalized};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use rspirv::spirv::StorageClass;

use crate::common::{Look, Rw, dense_array, element, splat};
use crate::to_spirv::emit::Emit;

/// Operations that shaders have nothing for, and why.
const REFUSED: [(&str, &str); 3] = [
    ("cf.cond_br", "shaders branch in structured control flow alone, such as that of scf"),
    ("cf.switch", "shaders branch in structured control flow alone, such as that of scf"),
    ("memref.extract_aligned_pointer_as_index", "pointers of shaders are no numbers"),
];

/// Gives memory of the spaces of the dialect `gpu` storage classes.
pub(super) fn assign_spaces(module: &mut Module, place: (BodyId, OpId)) -> Result<()> {
    let context = module.context().clone();
    module.replace_types(place, &|ty| in_space(&context, ty).unwrap_or(ty))
}

fn in_space(context: &Context, ty: Type) -> Option<Type> {
    let TypeData::MemRef { shape, element, layout, space } = context[ty].clone() else { return None };
    let space = match case_of(context, space?, "gpu", "address_space")? {
        AddressSpace::Global => None,
        AddressSpace::Workgroup => Some(StorageClass::Workgroup),
        AddressSpace::Private => Some(StorageClass::Function),
    };
    let space = space.map(|class| enumerant(context, EnumKind::StorageClass, class as u32));
    Some(context.ty(TypeData::MemRef { shape, element, layout, space }))
}

/// Refuses what stands in a module of kernels for shaders that they have nothing for.
pub(super) fn refuse(kernels: OpRef<'_>) -> Result<()> {
    let context = kernels.module().context();
    for op in kernels.walk()? {
        let reason = REFUSED.iter().find(|row| op.is(row.0)).map(|row| row.1);
        // In a kernel it is a constant.
        let of_function = || op.module().owner(op.body_id()).is_some_and(|function| is_function(op.module(), function));
        let of_memory = || op.operands().first().map(|&value| op.type_of(value)).transpose();
        let reason = match reason {
            None if op.is("arith.bitcast")
                && matches!(of_memory()?.map(|ty| &context[ty]), Some(TypeData::MemRef { .. })) =>
            {
                Some("memory of shaders is of one type")
            }
            None if op.is("gpu.block_dim") && of_function() => Some("how large a workgroup is, only a kernel knows"),
            reason => reason,
        };
        if reason.is_some() {
            return Err(not_legalized(op, false, reason));
        }
    }
    Ok(())
}

fn is_function(module: &Module, (body, op): (BodyId, OpId)) -> bool {
    module.operation(body, op).is_ok_and(|owner| owner.is("func.func"))
}

/// Adds the patterns for shaders, which come before others.
pub(super) fn add_to(patterns: ConversionPatterns) -> ConversionPatterns {
    let pattern = |name, convert| ConversionPattern::new(name, convert).benefit(20);
    patterns
        .on("vector.load", pattern("elements loaded", load))
        .on("vector.store", pattern("elements stored", store))
        .on("math.isfinite", pattern("neither infinite nor no number", is_finite))
}

/// How many elements a vector of one dimension has, and of which type they are.
fn elements(context: &Context, vector: Type) -> Result<(i64, Type), NoMatch> {
    match &context[vector] {
        TypeData::Vector { shape, scalable, element } if !scalable.contains(&true) => match **shape {
            [count] => Ok((count, *element)),
            _ => Err(NoMatch::Reason("a vector of more than one dimension")),
        },
        _ => Err(NoMatch::Reason("no vector of known size")),
    }
}

/// The indices of each element of a vector in memory, which begins at these.
fn places(rw: &mut Rw<'_, '_>, first: &[Value], count: i64) -> Result<Vec<Vec<Value>>, NoMatch> {
    let Some((&last, others)) = first.split_last() else { return Err(NoMatch::Reason("memory without dimensions")) };
    let index = rw.context().index_type();
    let mut all = vec![first.to_vec()];
    for number in 1..count {
        let value = (rw.context().static_identifier("value"), splat(rw.context(), index, number)?);
        let number = rw.emit_with("arith.constant", &[], index, vec![value])?;
        let place = rw.emit("arith.addi", &[last, number], index)?;
        all.push([others, &[place]].concat());
    }
    Ok(all)
}

fn load(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let operands = rw.body().operands(op).to_vec();
    let vector = rw.result_type(op)?;
    let [memory, first @ ..] = &*operands else { return Err(NoMatch::Reason("a load from nowhere")) };
    if element(rw.context(), rw.ty(*memory)?) == vector {
        let made = rw.emit("memref.load", &operands, vector)?;
        return Ok(rw.replace(op, [made])?);
    }
    let (count, element) = elements(rw.context(), vector)?;
    let mut values = Vec::new();
    for place in places(rw, first, count)? {
        values.push(rw.emit("memref.load", &[&[*memory], &*place].concat(), element)?);
    }
    let made = rw.emit("vector.from_elements", &values, vector)?;
    Ok(rw.replace(op, [made])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let operands = rw.body().operands(op).to_vec();
    let [value, memory, first @ ..] = &*operands else { return Err(NoMatch::Reason("a store to nowhere")) };
    let vector = rw.ty(*value)?;
    if element(rw.context(), rw.ty(*memory)?) == vector {
        rw.emit_nothing("memref.store", &operands, Vec::new())?;
        return Ok(rw.erase(op)?);
    }
    let (count, element) = elements(rw.context(), vector)?;
    for (number, place) in places(rw, first, count)?.into_iter().enumerate() {
        let context = rw.context();
        let position = dense_array(context, 64, [number as i64]);
        let position = vec![(context.static_identifier("static_position"), position)];
        let one = rw.emit_with("vector.extract", &[*value], element, position)?;
        rw.emit_nothing("memref.store", &[&[one, *memory], &*place].concat(), Vec::new())?;
    }
    Ok(rw.erase(op)?)
}

fn is_finite(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (operand, ty) = (rw.body().operands(op).to_vec(), rw.result_type(op)?);
    let infinite = rw.emit("math.isinf", &operand, ty)?;
    let no_number = rw.emit("math.isnan", &operand, ty)?;
    let either = rw.emit("arith.ori", &[infinite, no_number], ty)?;
    let value = (rw.context().static_identifier("value"), splat(rw.context(), ty, 1)?);
    let all = rw.emit_with("arith.constant", &[], ty, vec![value])?;
    let made = rw.emit("arith.xori", &[either, all], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Puts what is done before the condition of a loop in blocks of its own, where there is control flow in it: the header of a loop has to
/// end with it, and can be no header of another construct.
pub(super) fn split_headers(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let mut headers = Vec::new();
    for op in module.operation(body, op)?.walk()?.filter(|op| op.is("spirv.mlir.loop")) {
        let body = op.body();
        let entry = body.regions(op.id()).next().and_then(|region| body.first_block(region));
        let Some(header) = entry.and_then(|entry| body.next_block(entry)) else { continue };
        let holds = body.operations(header).any(|op| body.region_count_of(op) > 0);
        headers.extend(body.first_operation(header).filter(|_| holds).map(|first| (op.body_id(), header, first)));
    }
    for (body, header, first) in headers {
        module.rewrite(body, |rw| {
            let at = rw.body().location(first);
            let rest = rw.split_block(first)?;
            rw.set_insertion_point_to_end(header)?;
            rw.build("spirv.Branch").at(at).successors([rest]).create().map(drop)
        })?;
    }
    Ok(())
}
