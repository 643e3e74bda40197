//! Modules, functions, returns and barriers.

use mlirbc_ir::{Attribute, AttributeData, NamedAttribute, OpId, OpRef, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::abi::ENTRY_POINT_ABI;
use mlirbc_spirv::dialect::attributes::{enumerant, interface_variable};
use mlirbc_spirv::target::TARGET_ENV;
use rspirv::spirv::{AddressingModel, Capability, MemoryModel, MemorySemantics, Scope, StorageClass};

use crate::common::Rw;
use crate::func_to_spirv::{as_spirv_function, signature};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

/// What says of an argument which resource it is.
const INTERFACE: &str = "spirv.interface_var_abi";

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("gpu.module", module).on("gpu.func", kernel).on("gpu.return", returned).on("gpu.barrier", barrier)
}

/// What is said of the `spirv.module` that a `gpu.module` becomes; no match where the target says too little.
pub(super) fn module_attributes(spirv: &SpirvTypeConverter, op: OpRef<'_>) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = op.module().context();
    let name = op.symbol_name()?.ok_or(NoMatch::Reason("a module without a name"))?;
    let name = context.string([b"__spv__", context.bytes(name)].concat());
    let wide = spirv.options().use_64bit_index;
    let addresses = if spirv.has(Capability::Kernel) {
        if wide { AddressingModel::Physical64 } else { AddressingModel::Physical32 }
    } else if spirv.has(Capability::PhysicalStorageBufferAddresses) {
        AddressingModel::PhysicalStorageBuffer64
    } else {
        AddressingModel::Logical
    };
    let memory = match (spirv.has(Capability::Kernel), spirv.has(Capability::Shader)) {
        (true, _) => MemoryModel::OpenCL,
        (false, true) => MemoryModel::GLSL450,
        (false, false) => return Err(NoMatch::Reason("cannot deduce memory model from 'spirv.target_env'")),
    };
    let mut said = vec![
        ("sym_name", name),
        ("addressing_model", enumerant(context, EnumKind::AddressingModel, addresses as u32)),
        ("memory_model", enumerant(context, EnumKind::MemoryModel, memory as u32)),
    ];
    // What is said around it is not repeated.
    said.extend(op.attribute(TARGET_ENV)?.map(|own| (TARGET_ENV, own)));
    Ok(said.into_iter().map(|(name, value)| (context.static_identifier(name), value)).collect())
}

fn module(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let said = module_attributes(spirv, rw.op(op))?;
    let made = rw.build("spirv.module").attributes(said).regions(1).create()?;
    rw.move_body(op, made)?;
    Ok(rw.replace(op, [])?)
}

/// A kernel becomes an entry point: each argument is a resource, of the set 0 and its number where nothing else is said.
fn kernel(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    if rw.op(op).attribute("gpu.kernel")?.is_none() {
        return Err(NoMatch::Reason("a function that is no kernel"));
    }
    let (inputs, results) = signature(rw, op)?;
    if !results.is_empty() {
        return Err(NoMatch::Reason("SPIR-V lowering only supports entry functions with no return values right now"));
    }
    let context = rw.context();
    let given: Vec<Attribute> = match rw.op(op).attribute("arg_attrs")?.map(|given| &context[given]) {
        Some(AttributeData::Array(given)) => given.to_vec(),
        _ => Vec::new(),
    };
    let interface = context.static_identifier(INTERFACE);
    let has_interface = |number: usize| {
        let said = given.get(number).map(|&given| context.entries(given).unwrap_or_default());
        said.is_some_and(|said| said.iter().any(|entry| entry.0 == interface))
    };
    let mut said = given.clone();
    if (0..inputs.len()).any(has_interface) {
        if !(0..inputs.len()).all(has_interface) {
            return Err(NoMatch::Reason("missing 'spirv.interface_var_abi' attribute of an argument"));
        }
    } else if !spirv.has(Capability::Kernel) && spirv.has(Capability::Shader) {
        let none = context.dictionary(Vec::new())?;
        said.resize(inputs.len(), none);
        for (number, (said, &ty)) in said.iter_mut().zip(&inputs).enumerate() {
            let is_number = matches!(context[ty], TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_));
            let class = is_number.then_some(StorageClass::StorageBuffer as u32);
            let mut entries = context.entries(*said)?.to_vec();
            entries.push((interface, interface_variable(context, 0, number as u32, class)));
            *said = context.dictionary(entries)?;
        }
    }
    if rw.op(op).attribute(ENTRY_POINT_ABI)?.is_none() {
        return Err(NoMatch::Reason("missing 'spirv.entry_point_abi' attribute"));
    }
    let made = as_spirv_function(spirv, rw, op, &["gpu.kernel", "arg_attrs"])?;
    if !said.is_empty() {
        let said = context.attribute(AttributeData::Array(said.into()));
        rw.modify(made, |rw| rw.set_attribute(made, "arg_attrs", said))?;
    }
    Ok(())
}

fn returned(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    if !operands.is_empty() {
        return Err(NoMatch::Reason("a kernel that gives something"));
    }
    rw.emit_nothing("spirv.Return", &[], Vec::new())?;
    Ok(rw.replace(op, [])?)
}

fn barrier(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let scope = enumerant(context, EnumKind::Scope, Scope::Workgroup as u32);
    let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
    let semantics = enumerant(context, EnumKind::MemorySemantics, semantics.bits());
    let attributes = [("execution_scope", scope), ("memory_scope", scope), ("memory_semantics", semantics)];
    let attributes = attributes.map(|(name, value)| (context.static_identifier(name), value));
    rw.emit_nothing("spirv.ControlBarrier", &[], attributes.to_vec())?;
    Ok(rw.erase(op)?)
}
