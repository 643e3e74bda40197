//! Barriers and operations of groups: calls of functions with the names that SPIR-V's environments mangle.

use std::sync::OnceLock;

use hashbrown::HashMap;
use mlirbc_dialects::llvm::CConv;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, Identifier, Module, NamedAttribute, OpId, OpRef, OperationName, Type, TypeData};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::Set;
use super::calls::{build_call, signature};
use super::emit::{Emit, Rw};
use super::memory::reference;
use super::state::State;

/// What an operation becomes a call of.
#[derive(Clone, Copy)]
enum Kind {
    /// A function of the execution scope, the memory scope and the memory semantics.
    Barrier,
    /// A function of the memory scope and the memory semantics.
    Fence,
    /// A function of the scope, the operation, a number, and how many make a cluster where that is said.
    Group,
}

/// Operations, with what stands behind `__spirv_` in the name of the function.
const CALLS: &[(&str, &str, Kind)] = &[
    ("spirv.ControlBarrier", "ControlBarrier", Kind::Barrier),
    ("spirv.INTEL.ControlBarrierArrive", "ControlBarrierArriveINTEL", Kind::Barrier),
    ("spirv.INTEL.ControlBarrierWait", "ControlBarrierWaitINTEL", Kind::Barrier),
    // MLIR has no conversion of this one.
    ("spirv.MemoryBarrier", "MemoryBarrier", Kind::Fence),
    ("spirv.GroupIAdd", "GroupIAdd", Kind::Group),
    ("spirv.GroupFAdd", "GroupFAdd", Kind::Group),
    ("spirv.GroupFMin", "GroupFMin", Kind::Group),
    ("spirv.GroupUMin", "GroupUMin", Kind::Group),
    ("spirv.GroupSMin", "GroupSMin", Kind::Group),
    ("spirv.GroupFMax", "GroupFMax", Kind::Group),
    ("spirv.GroupUMax", "GroupUMax", Kind::Group),
    ("spirv.GroupSMax", "GroupSMax", Kind::Group),
    ("spirv.GroupNonUniformIAdd", "GroupNonUniformIAdd", Kind::Group),
    ("spirv.GroupNonUniformFAdd", "GroupNonUniformFAdd", Kind::Group),
    ("spirv.GroupNonUniformIMul", "GroupNonUniformIMul", Kind::Group),
    ("spirv.GroupNonUniformFMul", "GroupNonUniformFMul", Kind::Group),
    ("spirv.GroupNonUniformSMin", "GroupNonUniformSMin", Kind::Group),
    ("spirv.GroupNonUniformUMin", "GroupNonUniformUMin", Kind::Group),
    ("spirv.GroupNonUniformFMin", "GroupNonUniformFMin", Kind::Group),
    ("spirv.GroupNonUniformSMax", "GroupNonUniformSMax", Kind::Group),
    ("spirv.GroupNonUniformUMax", "GroupNonUniformUMax", Kind::Group),
    ("spirv.GroupNonUniformFMax", "GroupNonUniformFMax", Kind::Group),
    ("spirv.GroupNonUniformBitwiseAnd", "GroupNonUniformBitwiseAnd", Kind::Group),
    ("spirv.GroupNonUniformBitwiseOr", "GroupNonUniformBitwiseOr", Kind::Group),
    ("spirv.GroupNonUniformBitwiseXor", "GroupNonUniformBitwiseXor", Kind::Group),
    ("spirv.GroupNonUniformLogicalAnd", "GroupNonUniformLogicalAnd", Kind::Group),
    ("spirv.GroupNonUniformLogicalOr", "GroupNonUniformLogicalOr", Kind::Group),
    ("spirv.GroupNonUniformLogicalXor", "GroupNonUniformLogicalXor", Kind::Group),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, to, kind) in CALLS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| called(rw, op, operands, to, kind);
        set = set.pattern(from, ConversionPattern::of("called", convert));
    }
    set
}

/// How a type is named in the names of functions, whether it has a sign or not.
fn mangled(context: &Context, ty: Type) -> Option<&'static str> {
    Some(match context[ty] {
        TypeData::Integer { width: 1, .. } => "b",
        TypeData::Integer { width: 8, .. } => "c",
        TypeData::Integer { width: 16, .. } => "t",
        TypeData::Integer { width: 32, .. } => "j",
        TypeData::Integer { width: 64, .. } => "m",
        TypeData::Float(FloatKind::F16) => "Dh",
        TypeData::Float(FloatKind::F32) => "f",
        TypeData::Float(FloatKind::F64) => "d",
        _ => return None,
    })
}

/// A function that is called.
struct Callee {
    name: Identifier,
    inputs: Vec<Type>,
    result: Option<Type>,
}

impl Callee {
    /// The one that an operation calls; of a group's, the type of the number is needed, converted, and how many operands there are.
    fn of(context: &Context, function: &str, kind: Kind, number: Option<Type>, operands: usize) -> Option<Self> {
        let word = context.integer_type(32);
        let mut name = format!("_Z{}__spirv_{function}ii", "__spirv_".len() + function.len());
        let mut inputs = vec![word, word];
        match kind {
            Kind::Barrier => {
                name.push('i');
                inputs.push(word);
            }
            Kind::Fence => {}
            Kind::Group => {
                name.push_str(mangled(context, number?)?);
                inputs.push(number?);
                if operands > 1 {
                    name.push('j');
                    inputs.push(word);
                }
            }
        }
        let result = number.filter(|_| matches!(kind, Kind::Group));
        Some(Callee { name: context.identifier(name), inputs, result })
    }
}

/// What functions and their calls say of themselves.
fn flags(context: &Context) -> [NamedAttribute; 3] {
    ["convergent", "no_unwind", "will_return"].map(|name| (context.static_identifier(name), context.unit()))
}

fn called(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, function: &str, kind: Kind) -> Outcome {
    let context = rw.context();
    let number = match rw.body().result_count(op) {
        0 => None,
        _ => Some(rw.converted_result(op)?),
    };
    let callee = Callee::of(context, function, kind, number, operands.len());
    let callee = callee.ok_or(NoMatch::Reason("there is no function for this type"))?;
    let members: &[(&str, EnumKind)] = match kind {
        Kind::Barrier => &[
            ("execution_scope", EnumKind::Scope),
            ("memory_scope", EnumKind::Scope),
            ("memory_semantics", EnumKind::MemorySemantics),
        ],
        Kind::Fence => &[("memory_scope", EnumKind::Scope), ("memory_semantics", EnumKind::MemorySemantics)],
        Kind::Group => &[("execution_scope", EnumKind::Scope), ("group_operation", EnumKind::GroupOperation)],
    };
    let mut arguments = Vec::new();
    for &(name, of) in members {
        let value = enumerant_of(context, rw.attribute(op, name)?, of);
        let value = value.ok_or(NoMatch::Reason("an attribute is no case of its enum"))?;
        arguments.push(rw.index(i64::from(value as i32))?);
    }
    arguments.extend(operands.all()?);
    let mut attributes = flags(context).to_vec();
    attributes.push((context.static_identifier("callee"), reference(context, callee.name)));
    let made = build_call(rw, CConv::SPIR_FUNC, &arguments, callee.result, attributes)?;
    Ok(rw.replace_with(op, made)?)
}

/// Declares what the operations in a function will call, each at the start of the block that the function is in.
pub(super) fn declare_functions(rw: &mut Rw<'_, '_>, function: OpId, calls: &Calls, state: &State) -> Outcome {
    let Some(block) = rw.body().block_of(function) else { return Ok(()) };
    let mut callees = Vec::new();
    if let Some(body) = rw.child_body(function)? {
        let module = rw.module();
        let named = calls.of(module);
        let id = rw.body().region_body(function).unwrap_or(rw.body_id());
        for op in body.preorder() {
            let Some(&(function, kind)) = named.get(&body.name(op)) else { continue };
            let op = OpRef::new(module, id, body, op);
            let number = match op.results().next() {
                None => None,
                Some(result) => Some(rw.convert_type(op.type_of(result)?)?),
            };
            callees.extend(Callee::of(rw.context(), function, kind, number, op.operands().len()));
        }
    }
    for callee in callees {
        if !state.declare(rw, block, callee.name)? {
            continue;
        }
        let context = rw.context();
        let types = (callee.result, &*callee.inputs);
        let attributes = signature(context, callee.name.attribute(), CConv::SPIR_FUNC, types)?;
        let point = rw.insertion_point();
        rw.set_insertion_point_to_start(block)?;
        rw.build("llvm.func").attributes(attributes).attributes(flags(context)).regions(1).create()?;
        rw.set_insertion_point(point)?;
    }
    Ok(())
}

/// The operations that become calls, by names of a module, found when first asked for.
#[derive(Default)]
pub(super) struct Calls(OnceLock<HashMap<OperationName, (&'static str, Kind)>>);

impl Calls {
    fn of(&self, module: &Module) -> &HashMap<OperationName, (&'static str, Kind)> {
        self.0.get_or_init(|| CALLS.iter().map(|&(from, to, kind)| (module.name(from), (to, kind))).collect())
    }
}
