//! `convert-gpu-to-spirv` (`mlir/lib/Conversion/GPUToSPIRV`): kernels of the dialect `gpu`.
//!
//! Of each `gpu.module`, a `spirv.module` is made that stands before it; for kernels of OpenCL it stands in it, and functions without a
//! body take the place of the kernels. The module stays otherwise, since what launches a kernel names it. All that is in it has to be
//! converted, `arith`, `func`, `memref`, `scf` and `vector` included.
//!
//! Numbers of memory spaces become storage classes first, as by
//! [`map-memref-spirv-storage-class`](crate::memref_to_spirv::storage_class).
//!
//! | file | what |
//! | --- | --- |
//! | `functions.rs` | modules, functions, returns, barriers |
//! | `places.rs` | which thread of how many |
//! | `groups.rs` | shuffles, rotations, reductions |
//! | `matrices.rs` | matrices that a subgroup holds |
//! | `printf.rs` | text of kernels |

pub(crate) mod functions;
mod groups;
mod matrices;
mod places;
mod printf;

use mlirbc_ir::{AttributeData, BodyId, Context, Module, OpId, OpRef, Result, Type, TypeData, Value, ValueMap};
use mlirbc_rewrite::conversion::{Conversion, not_legalized};
use mlirbc_rewrite::{MakePass, NoMatch, Pass, PassInfo, Target};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::target::{Environment, lookup_or_default};
use rspirv::spirv::{Capability, StorageClass};

use crate::memref_to_spirv::storage_class::{self, Spaces};
use crate::to_spirv::{
    SpirvConversionTarget, SpirvPatterns, SpirvTypeConverter, TypeOptions, WIDE_INDEX, declare_variables,
};
use crate::{arith_to_spirv, func_to_spirv, memref_to_spirv, scf_to_spirv, vector_to_spirv};

/// Converts the kernels of a module.
struct GpuToSpirv(TypeOptions);

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-gpu-to-spirv",
    about: "convert kernels of the dialect gpu to modules of the dialect spirv",
    options: &[WIDE_INDEX],
    make: MakePass::With(|options| Ok(Box::new(GpuToSpirv(TypeOptions::of(options)?)))),
};

/// Adds the patterns of this conversion. Kernels want a type converter [with matrices](SpirvTypeConverter::with_matrices).
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    printf::add_to(matrices::add_to(groups::add_to(places::add_to(functions::add_to(set)))))
}

fn environment_of(op: OpRef<'_>) -> Result<Environment> {
    let context = op.module().context();
    Ok(Environment::of(context, lookup_or_default(op)?).unwrap_or_default())
}

fn is_for_kernels(environment: &Environment) -> bool {
    environment.has_capability(Capability::Kernel as u32)
}

impl Pass for GpuToSpirv {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let threads = target.threads();
        for (place, environment) in kernels(target)? {
            let for_kernels = is_for_kernels(&environment);
            let to = SpirvTypeConverter::with_matrices(environment, self.0);
            let set = arith_to_spirv::patterns(scf_to_spirv::patterns(patterns(SpirvPatterns::new(&to))));
            let set = vector_to_spirv::patterns(func_to_spirv::patterns(memref_to_spirv::patterns(set)));
            let target_of = to.explain(SpirvConversionTarget::new(to.environment()));
            let conversion = Conversion::new(target_of, set.into_patterns()).threads(threads);
            let made = convert(target.module(), place, &to, &conversion)?;
            if for_kernels {
                let inside = move_inside(target.module(), made, place.1)?;
                inside.map_or(Ok(()), |inside| leave_stubs(target.module(), place, inside))?;
            }
        }
        Ok(())
    }
}

/// The `gpu.module`s in what a pass runs on, and what each is for.
pub(crate) fn kernels(target: &Target<'_>) -> Result<Vec<((BodyId, OpId), Environment)>> {
    let mut kernels = Vec::new();
    for op in target.op()?.walk()?.filter(|op| op.is("gpu.module")) {
        kernels.push(((op.body_id(), op.id()), environment_of(op)?));
    }
    Ok(kernels)
}

/// Which storage classes memory spaces stand for on a target.
pub(crate) fn spaces_of(environment: &Environment) -> Spaces {
    if is_for_kernels(environment) { Spaces::OpenCl } else { Spaces::Vulkan }
}

/// Makes a `spirv.module` of a `gpu.module`, before it, and converts what is in that. Where it fails, nothing is left of it.
pub(crate) fn convert(
    module: &mut Module,
    (body, op): (BodyId, OpId),
    to: &SpirvTypeConverter,
    conversion: &Conversion,
) -> Result<(BodyId, OpId)> {
    let kernels = module.operation(body, op)?;
    let said = functions::module_attributes(to, kernels).map_err(|reason| match reason {
        NoMatch::Reason(reason) => not_legalized(kernels, false, Some(reason)),
        NoMatch::Error(error) => error,
    })?;
    let made = module.rewrite(body, |rw| {
        rw.set_insertion_point_before(op)?;
        let copy = rw.clone_operation(op, &mut ValueMap::default())?;
        let at = rw.body().location(op);
        let made = rw.build("spirv.module").at(at).attributes(said).regions(1).create()?;
        rw.move_body(copy, made)?;
        rw.erase(copy)?;
        Ok(made)
    })?;
    let place = (body, made);
    let converted = storage_class::map(module, place, spaces_of(to.environment()))
        .and_then(|()| allocate(module, place))
        .and_then(|()| conversion.run(module, place))
        .and_then(|()| declare_variables(module, place));
    if let Err(error) = converted {
        module.rewrite(body, |rw| rw.erase(made))?;
        return Err(error);
    }
    Ok(place)
}

/// Puts allocations in the place of a kernel's own memory, which are arguments that the type of the function does not have. MLIR drops these,
/// and fails where they are used.
pub(crate) fn allocate(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let mut kernels = Vec::new();
    for kernel in module.operation(body, op)?.walk()?.filter(|op| op.is("gpu.func")) {
        let Some(id) = kernel.body().region_body(kernel.id()) else { continue };
        kernels.push((id, function_inputs(kernel)?.map_or(0, <[Type]>::len)));
    }
    for (id, count) in kernels {
        module.rewrite(id, |rw| {
            let entry = rw.body().top_regions().first().and_then(|&region| rw.body().first_block(region));
            let Some(entry) = entry else { return Ok(()) };
            let own: Vec<Value> = rw.body().arguments(entry).get(count..).unwrap_or_default().to_vec();
            rw.build_uses();
            for (number, argument) in own.into_iter().enumerate().rev() {
                if rw.body().uses_of(argument).next().is_some() {
                    let ty = rw.module().ty(rw.body().ty(argument))?;
                    let is_shared = memory_class(rw.context(), ty) == Some(StorageClass::Workgroup);
                    let name = if is_shared { "memref.alloc" } else { "memref.alloca" };
                    rw.set_insertion_point_to_start(entry)?;
                    let none: [&[Value]; 2] = [&[], &[]];
                    let made = rw.build(name).operand_groups(none).result_type(ty).create()?;
                    rw.replace_uses(argument, rw.result(made, 0)?)?;
                }
                rw.erase_argument(entry, count + number)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The class of memory that a type is of.
fn memory_class(context: &Context, ty: Type) -> Option<StorageClass> {
    let TypeData::MemRef { space: Some(space), .. } = context[ty] else { return None };
    StorageClass::from_u32(enumerant_of(context, space, EnumKind::StorageClass)?)
}

/// The types that a function takes.
fn function_inputs(function: OpRef<'_>) -> Result<Option<&[Type]>> {
    let context = function.module().context();
    Ok(match function.attribute("function_type")?.map(|ty| &context[ty]) {
        Some(AttributeData::Type(ty)) => match &context[*ty] {
            TypeData::Function { inputs, .. } => Some(inputs),
            _ => None,
        },
        _ => None,
    })
}

/// Moves the `spirv.module` to the start of the `gpu.module`: the body that it is in then.
pub(crate) fn move_inside(module: &mut Module, (body, made): (BodyId, OpId), op: OpId) -> Result<Option<BodyId>> {
    let Some(inside) = module.body(body)?.region_body(op) else { return Ok(None) };
    module.rewrite_two(body, inside, |outer, inner| {
        let region = inner.body().top_regions().first().copied();
        let Some(block) = region.and_then(|region| inner.body().first_block(region)) else { return Ok(()) };
        inner.set_insertion_point_to_start(block)?;
        inner.move_from(outer, made, &mut ValueMap::default()).map(drop)
    })?;
    Ok(Some(inside))
}

/// Puts functions that do nothing in the place of the kernels of a module, which has that body.
fn leave_stubs(module: &mut Module, (body, op): (BodyId, OpId), inside: BodyId) -> Result<()> {
    let context = module.context().clone();
    let functions: Vec<OpId> =
        module.operation(body, op)?.ops()?.filter(|op| op.is("gpu.func")).map(|op| op.id()).collect();
    module.rewrite(inside, |rw| {
        for kernel in functions {
            let of = rw.op(kernel);
            let (ty, name) = (of.attribute("function_type")?, of.attribute("sym_name")?);
            let (Some(ty), Some(name)) = (ty, name) else { continue };
            let Some(inputs) = function_inputs(of)?.map(<[Type]>::to_vec) else { continue };
            rw.set_insertion_point_before(kernel)?;
            let at = rw.body().location(kernel);
            let stub = rw.build("func.func").at(at).attribute("sym_name", name).attribute("function_type", ty);
            let stub = stub.attribute("gpu.kernel", context.unit()).regions(1).create()?;
            rw.inside(stub, |rw| {
                let region = rw.body().top_regions()[0];
                let block = rw.create_block(region, None, inputs.iter().copied())?;
                rw.set_insertion_point_to_end(block)?;
                rw.build("func.return").at(at).create().map(drop)
            })?;
            rw.erase(kernel)?;
        }
        Ok(())
    })
}
