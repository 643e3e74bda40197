//! Barriers and operations of groups: calls of functions with the names that SPIR-V's environments mangle.

use mlirbc_dialects::llvm::CConv;
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, OpId, OpRef, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::grammar::Instruction;

use super::Set;
use super::calls::{Callee, Find, flags};
use super::emit::{Emit, Rw, element, lanes};

/// What stands before the name of an instruction in that of its function.
const PREFIX: &str = "__spirv_";

/// What an operation says besides its operands: these are the first arguments, in this order.
const MEMBERS: [(&str, EnumKind); 4] = [
    ("execution_scope", EnumKind::Scope),
    ("memory_scope", EnumKind::Scope),
    ("memory_semantics", EnumKind::MemorySemantics),
    ("group_operation", EnumKind::GroupOperation),
];

/// The operations that become calls, with the instructions that they are: MLIR converts the barriers but `MemoryBarrier`, and reductions
/// of numbers.
fn operations() -> impl Iterator<Item = (String, &'static str)> {
    let is_call = |name: &str| {
        let is_group = name.starts_with("Group") || name.starts_with("Subgroup") && !name.starts_with("SubgroupBlock");
        is_group || name.starts_with("ControlBarrier") || name == "MemoryBarrier"
    };
    let instructions = Instruction::all().iter().map(|instruction| instruction.name).filter(move |name| is_call(name));
    instructions.flat_map(|name| {
        // The vendor stands behind the name of an instruction, and before that of an operation which MLIR has.
        let of_mlir = ["KHR", "INTEL"].into_iter().find_map(|vendor| {
            let stem = name.strip_suffix(vendor)?;
            Some((format!("spirv.{vendor}.{stem}"), name))
        });
        std::iter::once((format!("spirv.{name}"), name)).chain(of_mlir)
    })
}

pub(super) fn add_to(mut set: Set) -> Set {
    for (from, to) in operations() {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| called(rw, op, operands, to);
        set = set.pattern(&from, ConversionPattern::of("called", convert));
    }
    set
}

/// Names of functions as C++ mangles them.
struct Mangled {
    name: String,
    /// The vectors that were named: they are referred to from then on.
    vectors: Vec<Type>,
}

impl Mangled {
    fn new(function: &str) -> Self {
        let name = format!("_Z{}{PREFIX}{function}", PREFIX.len() + function.len());
        Mangled { name, vectors: Vec::new() }
    }

    /// Adds a parameter of that type, whether it has a sign or not. `None` where the type has no name.
    fn parameter(&mut self, context: &Context, ty: Type) -> Option<()> {
        if let Some(count) = lanes(context, ty) {
            match self.vectors.iter().position(|&named| named == ty) {
                Some(0) => self.name.push_str("S_"),
                Some(at @ 1..=10) => self.name.push_str(&format!("S{}_", at - 1)),
                Some(_) => return None,
                None => {
                    self.name.push_str(&format!("Dv{count}_"));
                    self.vectors.push(ty);
                    self.name.push_str(scalar(context, element(context, ty))?);
                }
            }
            return Some(());
        }
        self.name.push_str(scalar(context, ty)?);
        Some(())
    }
}

/// How the type of a number is named.
fn scalar(context: &Context, ty: Type) -> Option<&'static str> {
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

/// The function that an operation calls, and its first arguments: what the operation says besides its operands.
fn callee(rw: &Rw<'_, '_>, op: OpRef<'_>, function: &str) -> Result<(Callee, Vec<i64>), NoMatch> {
    let context = rw.context();
    let (mut name, mut inputs, mut members) = (Mangled::new(function), Vec::new(), Vec::new());
    for (member, of) in MEMBERS {
        let Some(value) = op.attribute(member)? else { continue };
        let value = enumerant_of(context, value, of);
        let value = value.ok_or(NoMatch::Reason("an attribute is no case of its enum"))?;
        members.push(i64::from(value as i32));
        name.name.push('i');
        inputs.push(context.integer_type(32));
    }
    for &operand in op.operands() {
        let ty = rw.convert_type(op.type_of(operand)?)?;
        name.parameter(context, ty).ok_or(NoMatch::Reason("there is no function for this type"))?;
        inputs.push(ty);
    }
    if inputs.is_empty() {
        name.name.push('v');
    }
    let result = match op.results().next() {
        None => None,
        Some(result) => Some(rw.convert_type(op.type_of(result)?)?),
    };
    let flags = flags(context, &["convergent", "no_unwind", "will_return"]);
    let name = context.identifier(name.name);
    Ok((Callee { name, convention: CConv::SPIR_FUNC, inputs, is_variadic: false, result, flags }, members))
}

fn called(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, function: &str) -> Outcome {
    let (callee, members) = callee(rw, rw.op(op), function)?;
    let members: mlirbc_ir::Result<Vec<Value>> = members.into_iter().map(|value| rw.index(value)).collect();
    let mut arguments = members?;
    arguments.extend(operands.all()?);
    let made = callee.call(rw, &arguments)?;
    Ok(rw.replace_with(op, made)?)
}

/// The functions that operations of groups call.
pub(super) fn callees() -> impl Iterator<Item = (String, Find)> {
    operations().map(|(from, to)| {
        let find: Find = Box::new(move |rw, op| Ok(Some(callee(rw, op, to)?.0)));
        (from, find)
    })
}
