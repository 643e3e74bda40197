//! `lower-host-to-llvm` (`mlir/lib/Conversion/SPIRVToLLVM`): what a host does that launches kernels, for a processor that runs both.
//!
//! The kernels are modules of `spirv` beside the host, as `convert-gpu-to-spirv` leaves them: `@kernels` is `@__spv__kernels` there. A
//! launch becomes a call of `@__spv__kernels_NAME`, which is declared. What the kernel takes is copied before that to a variable of its own,
//! which `convert-spirv-to-llvm` names in the same way, and back behind it. Each function of the host has another one for C.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_dialects::llvm::FunctionType;
use mlirbc_ir::{AttributeData, BodyId, Context, Error, Identifier, Module, OpId, OpRef, Result, Type, TypeData};
use mlirbc_rewrite::conversion::{Adaptor, ConversionTarget};
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, Pass, PassInfo, Target};
use mlirbc_spirv::dialect::types::{SpirvType, view};

use crate::common::{Look, Rw, reference, symbol};
use crate::spirv_to_llvm::with_spirv;
use crate::to_llvm::declarations::{Declared, Kind, void};
use crate::to_llvm::descriptors::Descriptor;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::memory;
use crate::to_llvm::pass;
use crate::to_llvm::patterns::To;
use crate::to_llvm::{LlvmOptions, LlvmPatterns, LlvmTypeConverter};
use crate::{arith_to_llvm, func_to_llvm, memref_to_llvm};

/// Lowers a host and its launches.
struct LowerHost;

pub(crate) const INFO: PassInfo = PassInfo {
    name: "lower-host-to-llvm",
    about: "convert a host and its launches of kernels to the dialect llvm, for a processor that runs both",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(LowerHost))),
};

/// The pipeline of `mlir-opt` that makes a host and its kernels run on a processor.
pub(crate) const PIPELINE: PassInfo = PassInfo {
    name: "test-spirv-cpu-runner-pipeline",
    about: "make a host and its kernels run on a processor: outlining, SPIR-V, and LLVM",
    options: &[],
    make: MakePass::Pipeline(
        "gpu-kernel-outlining,convert-gpu-to-spirv,spirv.module(spirv-lower-abi-attrs,spirv-update-vce),\
         lower-host-to-llvm,convert-spirv-to-llvm",
    ),
};

/// Before the name of a module of kernels.
const PREFIX: &str = "__spv__";

/// What a module of kernels has.
#[derive(Debug, Default)]
struct Kernels {
    /// How many entry points.
    entries: usize,
    /// The variables that it shares with the host, by their bindings: their types, names and descriptor sets.
    variables: HashMap<i64, (Type, Identifier, i64)>,
}

/// The kernels of a host.
#[derive(Debug, Default)]
struct All {
    /// The modules of kernels by the module that they stand in, and by name.
    kernels: HashMap<(BodyId, Identifier), Kernels>,
    /// What is in the next module around each body.
    modules: HashMap<BodyId, BodyId>,
}

impl Pass for LowerHost {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some("builtin.module")
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (body, op) = target.place();
        prepare(target.module(), (body, op))?;
        let kernels: Arc<All> = Arc::new(all_kernels(target.op()?)?);
        let types = LlvmTypeConverter::with(LlvmOptions::default(), with_spirv);
        let set = arith_to_llvm::patterns(LlvmPatterns::inside(target.op()?, &types)?);
        let set = func_to_llvm::patterns(memref_to_llvm::patterns(set));
        let set = set.with("gpu.launch_func", 1, move |to, rw, op, operands| launch(to, rw, op, operands, &kernels));
        pass::convert(target, set, ConversionTarget::new())?;
        rename_entries(target.module(), (body, op))
    }
}

/// Erases the modules of kernels of `gpu`, and asks for functions for C.
fn prepare(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let (mut erased, mut functions) = (Vec::new(), Vec::new());
    for op in module.operation(body, op)?.ops()? {
        match &*op.name() {
            "gpu.module" => erased.push(op.id()),
            "func.func" => functions.push(op.id()),
            _ => {}
        }
    }
    let Some(inside) = module.body(body)?.region_body(op) else { return Ok(()) };
    module.rewrite(inside, |rw| {
        erased.into_iter().try_for_each(|op| rw.erase(op))?;
        let unit = rw.context().unit();
        functions.into_iter().try_for_each(|op| rw.set_attribute(op, "llvm.emit_c_interface", unit))
    })
}

fn all_kernels(op: OpRef<'_>) -> Result<All> {
    let context = op.module().context();
    let mut all = All::default();
    for module in op.walk()? {
        if let Some(inside) = module.body().region_body(module.id()) {
            let around = match module.is("builtin.module") {
                true => Some(inside),
                false => all.modules.get(&module.body_id()).copied(),
            };
            all.modules.extend(around.map(|around| (inside, around)));
        }
        if !module.is("spirv.module") {
            continue;
        }
        let Some(name) = module.symbol_name()? else { continue };
        let mut kernels = Kernels::default();
        for op in module.ops()? {
            kernels.entries += usize::from(op.is("spirv.EntryPoint"));
            let number = |name| {
                let value = op.attribute(name)?.and_then(|value| context.integer_of(value)?.to_i64());
                Ok::<_, Error>(value)
            };
            if !op.is("spirv.GlobalVariable") {
                continue;
            }
            if let (Some(set), Some(binding), Some(name), Some(ty)) =
                (number("descriptor_set")?, number("binding")?, op.symbol_name()?, op.attribute("type")?)
                && let AttributeData::Type(ty) = context[ty]
            {
                kernels.variables.insert(binding, (ty, name, set));
            }
        }
        all.kernels.insert((module.body_id(), name), kernels);
    }
    Ok(all)
}

/// The module of kernels that a launch names, its name, and that of the kernel.
fn named(context: &Context, kernel: mlirbc_ir::Attribute) -> Result<(String, String), NoMatch> {
    let wrong = NoMatch::Reason("a launch names no kernel of a module");
    let AttributeData::SymbolRef { root, nested } = &context[kernel] else { return Err(wrong) };
    let last = nested.last().ok_or(wrong)?;
    Ok((format!("{PREFIX}{}", context.text(*root)), context.text(*last).into_owned()))
}

fn launch(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, all: &All) -> Outcome {
    let context = rw.context();
    let (module, kernel) = named(context, rw.attribute(op, "kernel")?)?;
    let own = context.identifier(&module);
    let missing = || {
        NoMatch::Error(Error::verification(format!(
            "'gpu.launch_func' op SPIR-V kernel module '{module}' is not found"
        )))
    };
    let table = all.modules.get(&rw.body_id()).ok_or(NoMatch::Reason("a launch outside of a module"))?;
    let kernels = all.kernels.get(&(*table, own)).ok_or_else(missing)?;
    let name = context.identifier(format!("{module}_{kernel}"));
    let at = rw.body().location(op);
    let want = |rw: &Rw<'_, '_>, name, kind, at| {
        to.declarations.want(rw.body_id(), Declared { name, kind, in_module: true, at });
    };
    let ty: Type = FunctionType::new(context, void(context), &[], false)?.into();
    want(rw, name, Kind::Function(ty), Some(context.unknown_location().into()));
    if kernels.entries != 1 {
        let error = "The module must contain exactly one entry point function";
        return Err(NoMatch::Error(Error::verification(error)));
    }
    let taken = taken_by_kernel(rw, op).ok_or(NoMatch::Reason("a launch of other operands"))?;
    let mut copies = Vec::new();
    for (binding, number) in (0..).zip(taken) {
        let ty = rw.operand_type(op, number)?;
        if !matches!(context[ty], TypeData::MemRef { .. }) {
            return Err(NoMatch::Reason("a kernel takes something else than memory"));
        }
        let size = memory::sizes(&to.types, rw, ty, &[], true)?.whole;
        let from = Descriptor { value: operands.get(number)? }.allocated(rw)?;
        let unbound = NoMatch::Reason("a kernel has no variable for what it takes");
        let &(pointer, variable, set) = kernels.variables.get(&binding).ok_or(unbound)?;
        let pointee = match view(context, pointer) {
            Some(SpirvType::Pointer { pointee, .. }) => rw.convert_type(pointee)?,
            _ => return Err(NoMatch::Reason("a variable of another type")),
        };
        let variable = context.text(variable);
        let variable = format!("{module}_{variable}_descriptor_set{set}_binding{binding}");
        let variable = context.identifier(variable);
        want(rw, variable, Kind::Variable(pointee), Some(at));
        let ty = rw.convert_type(pointer)?;
        let global = rw.named("global_name", reference(context, variable));
        let into = rw.emit_with("llvm.mlir.addressof", &[], ty, vec![global])?;
        rw.copy_bytes(into, from, size)?;
        copies.push((from, into, size));
    }
    rw.call(name, &[], None)?;
    for (from, into, size) in copies {
        rw.copy_bytes(from, into, size)?;
    }
    Ok(rw.replace(op, [])?)
}

/// Which operands the kernel takes.
fn taken_by_kernel(rw: &Rw<'_, '_>, op: OpId) -> Option<std::ops::Range<usize>> {
    let of = rw.op(op);
    let definition = of.definition()?;
    let at = definition.operands().iter().position(|operand| operand.name == "kernelOperands")?;
    of.operand_ranges().ok()?.get(at).cloned()
}

/// Puts the name of a module of kernels before that of its entry point.
fn rename_entries(module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
    let context = module.context().clone();
    let mut renamed = Vec::new();
    for op in module.operation(body, op)?.ops()?.filter(|op| op.is("spirv.module")) {
        let entries: Vec<OpRef<'_>> = op.ops()?.filter(|op| op.is("spirv.EntryPoint")).collect();
        let [entry] = &*entries else {
            return Err(Error::verification("The module must contain exactly one entry point function"));
        };
        let of = op.symbol_name()?.map_or(PREFIX.into(), |name| context.text(name));
        let Some(name) = entry.attribute("fn")?.and_then(|name| symbol(&context, name).ok()) else { continue };
        let Some(function) = op.lookup_symbol(context.bytes(name))? else { continue };
        let now = context.identifier(format!("{of}_{}", context.text(name)));
        renamed.push((function.body_id(), function.id(), now));
    }
    renamed.into_iter().try_for_each(|(body, op, to)| module.rename_symbol_of((body, op), to))
}
