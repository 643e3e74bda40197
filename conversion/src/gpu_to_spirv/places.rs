//! Which thread of how many: built-in variables.

use mlirbc_dialects::case_of;
use mlirbc_dialects::gpu::Dimension;
use mlirbc_ir::{OpId, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::types::pointer;
use rspirv::spirv::{Capability, StorageClass};

use crate::common::{Look, Rw, reference};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::types::vector_of;
use crate::to_spirv::variables::name_of_built_in;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};
use mlirbc_spirv::dialect::abi::{ENTRY_POINT_ABI, EntryPointAbi};

/// Numbers of three dimensions, and their built-in variables.
const TRIPLES: [(&str, &str); 5] = [
    ("gpu.block_dim", "WorkgroupSize"),
    ("gpu.block_id", "WorkgroupId"),
    ("gpu.grid_dim", "NumWorkgroups"),
    ("gpu.thread_id", "LocalInvocationId"),
    ("gpu.global_id", "GlobalInvocationId"),
];

/// Numbers of one dimension.
const SINGLES: [(&str, &str); 4] = [
    ("gpu.subgroup_id", "SubgroupId"),
    ("gpu.num_subgroups", "NumSubgroups"),
    ("gpu.lane_id", "SubgroupLocalInvocationId"),
    ("gpu.subgroup_size", "SubgroupSize"),
];

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    let set = TRIPLES.iter().fold(set, |set, &(from, built_in)| {
        set.with(from, 1, move |spirv, rw, op, _| one_of_three(spirv, rw, op, built_in))
    });
    let set = SINGLES
        .iter()
        .fold(set, |set, &(from, built_in)| set.with(from, 1, move |spirv, rw, op, _| single(spirv, rw, op, built_in)));
    set.with("gpu.block_dim", 10, known_size)
}

fn dimension(rw: &Rw<'_, '_>, op: OpId) -> Result<usize, NoMatch> {
    let dimension = case_of::<Dimension>(rw.context(), rw.attribute(op, "dimension")?, "gpu", "dim");
    dimension.map(|dimension| dimension.value() as usize).ok_or(NoMatch::Reason("a number of no dimension"))
}

/// What a built-in variable of that type holds.
pub(super) fn load(rw: &mut Rw<'_, '_>, built_in: &str, ty: mlirbc_ir::Type) -> Result<Value, NoMatch> {
    let context = rw.context();
    let to = pointer(context, ty, StorageClass::Input as u32);
    let name = reference(context, context.identifier(name_of_built_in(built_in)));
    let address = rw.emit_with("spirv.mlir.addressof", &[], to, vec![(context.static_identifier("variable"), name)])?;
    Ok(rw.emit("spirv.Load", &[address], ty)?)
}

fn one_of_three(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, built_in: &str) -> Outcome {
    let context = rw.context();
    let index = spirv.index_type(context);
    // Vulkan has no others than those of 32 bits.
    let ty = if spirv.has(Capability::Shader) { context.integer_type(32) } else { index };
    let place = dimension(rw, op)?;
    let all = load(rw, built_in, vector_of(context, 3, ty))?;
    let one = rw.extract(all, &[place as i32], ty)?;
    let made = if ty == index { one } else { rw.emit("spirv.UConvert", &[one], index)? };
    Ok(rw.replace(op, [made])?)
}

fn single(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, built_in: &str) -> Outcome {
    let context = rw.context();
    let (index, ty) = (spirv.index_type(context), context.integer_type(32));
    let one = load(rw, built_in, ty)?;
    let made = if ty == index { one } else { rw.emit("spirv.UConvert", &[one], index)? };
    Ok(rw.replace(op, [made])?)
}

/// The size of a workgroup that the entry point around says.
fn known_size(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let function = rw.module().owner(rw.body_id());
    let unknown = NoMatch::Reason("no size is said");
    let Some((body, function)) = function else { return Err(unknown) };
    let said = rw.module().operation(body, function)?.attribute(ENTRY_POINT_ABI)?;
    let sizes = said.and_then(|said| EntryPointAbi::of(context, said)).and_then(|abi| abi.workgroup_size);
    let at = dimension(rw, op)?;
    let size = sizes.and_then(|sizes| sizes.get(at).copied()).ok_or(unknown)?;
    let made = rw.integer(spirv.index_type(context), i64::from(size) as u64)?;
    Ok(rw.replace(op, [made])?)
}
