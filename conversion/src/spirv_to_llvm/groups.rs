//! Barriers and operations of groups: calls of functions with the names that SPIR-V's environments mangle.

use std::iter;
use std::ops::Range;

use mlirbc_dialects::llvm::{CConv, PointerType};
use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, OpId, OpRef, Type, TypeData};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::dialect::types::{SpirvType, view};
use mlirbc_spirv::grammar::{Instruction, Kind, OperandClass, Quantifier};

use super::Set;
use super::calls::{Callee, Find, flags};
use super::emit::{Emit, Rw, element, integers, lanes};
use super::types::is_event;

/// What stands before the name of an instruction in that of its function.
const PREFIX: &str = "__spirv_";

/// What an operation of MLIR says besides its operands: these are the first arguments, in this order. All others have what their instruction
/// has, as that does.
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
        // Where a scope or semantics are no plain constants, it is one of the grammar.
        [(format!("spirv.{name}"), name), (format!("spirv.Op{name}"), name)].into_iter().chain(of_mlir)
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
    /// What was named that is no number: it is referred to from then on.
    named: Vec<String>,
}

impl Mangled {
    fn new(function: &str) -> Self {
        let name = format!("_Z{}{PREFIX}{function}", PREFIX.len() + function.len());
        Mangled { name, named: Vec::new() }
    }

    /// Adds a parameter of that type, whether it has a sign or not, which is so in `llvm`. `None` where the type has no name.
    fn parameter(&mut self, context: &Context, ty: Type, converted: Type) -> Option<()> {
        let layers = layers(context, ty, converted)?;
        // A number has a letter of its own.
        let is_number = |at: usize| at + 1 == layers.len() && layers[at].len() <= 2;
        let mut first = layers.len();
        for at in 0..layers.len() {
            let whole = layers[at..].concat();
            if let Some(number) = self.named.iter().position(|named| *named == whole) {
                self.name.push('S');
                if let Some(number) = number.checked_sub(1) {
                    let digit = char::from_digit(u32::try_from(number).ok()?, 36)?;
                    self.name.push(digit.to_ascii_uppercase());
                }
                self.name.push('_');
                first = at;
                break;
            }
            self.name.push_str(&layers[at]);
        }
        self.named.extend((0..first).rev().filter(|&at| !is_number(at)).map(|at| layers[at..].concat()));
        Some(())
    }
}

/// How a type is named, from the outside in: `P`, `U3AS1` and `j` are those of a pointer.
fn layers(context: &Context, ty: Type, converted: Type) -> Option<Vec<String>> {
    if let Some(count) = lanes(context, converted) {
        return Some(vec![format!("Dv{count}_"), scalar(context, element(context, converted))?.to_owned()]);
    }
    let mut layers = Vec::new();
    match view(context, ty) {
        Some(SpirvType::Pointer { pointee, .. }) => {
            layers.push("P".to_owned());
            match PointerType::of(context, converted)?.address_space(context) {
                0 => {}
                space => layers.push(format!("U{}AS{space}", 2 + space.to_string().len())),
            }
            match &context[pointee] {
                TypeData::Vector { shape, element, .. } => {
                    layers.extend([format!("Dv{}_", shape.first()?), scalar(context, *element)?.to_owned()]);
                }
                _ if is_event(context, pointee) => layers.push(EVENT.to_owned()),
                _ => layers.push(scalar(context, pointee)?.to_owned()),
            }
        }
        _ if is_event(context, ty) => layers.push(EVENT.to_owned()),
        _ => layers.push(scalar(context, converted)?.to_owned()),
    }
    Some(layers)
}

/// The name of the type of events.
const EVENT: &str = "9ocl_event";

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

/// An argument of a call.
#[derive(Clone, Copy)]
enum Argument {
    /// What the operation says besides its operands.
    Said(i64),
    /// The operand of that number; of a scope or of semantics, which SPIR-V has as constants.
    Operand(usize),
    Scope(usize),
}

/// The arguments of an operation that is a call of a function, in their order.
fn arguments(context: &Context, op: OpRef<'_>, function: &str) -> Result<Vec<Argument>, NoMatch> {
    let mut arguments = Vec::new();
    for (member, of) in MEMBERS {
        let Some(value) = op.attribute(member)? else { continue };
        let value = enumerant_of(context, value, of);
        let value = value.ok_or(NoMatch::Reason("an attribute is no case of its enum"))?;
        arguments.push(Argument::Said(i64::from(value as i32)));
    }
    let mut operands = 0..op.operands().len();
    if !arguments.is_empty() {
        arguments.extend(operands.map(Argument::Operand));
        return Ok(arguments);
    }
    let literals = op.attribute("literals")?.map(|literals| integers(context, literals)).transpose()?;
    let mut literals = literals.unwrap_or_default().into_iter();
    for of in Instruction::find(function).map(|known| &*known.operands).unwrap_or_default() {
        let next = |operands: &mut Range<usize>, literals: &mut std::vec::IntoIter<i64>| match of.kind.class() {
            OperandClass::Id if matches!(of.kind, Kind::IdScope | Kind::IdMemorySemantics) => {
                operands.next().map(Argument::Scope)
            }
            OperandClass::Id => operands.next().map(Argument::Operand),
            OperandClass::Word | OperandClass::Value | OperandClass::Mask => {
                literals.next().map(|literal| Argument::Said(i64::from(literal as i32)))
            }
            _ => None,
        };
        match of.quantifier {
            Quantifier::One | Quantifier::Optional => arguments.extend(next(&mut operands, &mut literals)),
            Quantifier::Variadic => arguments.extend(iter::from_fn(|| next(&mut operands, &mut literals))),
        }
    }
    match (operands.next(), literals.next()) {
        (None, None) => Ok(arguments),
        _ => Err(NoMatch::Reason("an operation of groups has more operands than its instruction")),
    }
}

/// The function that an operation calls, and with what.
fn callee(rw: &Rw<'_, '_>, op: OpRef<'_>, function: &str) -> Result<(Callee, Vec<Argument>), NoMatch> {
    let context = rw.context();
    let (mut name, mut inputs) = (Mangled::new(function), Vec::new());
    let arguments = arguments(context, op, function)?;
    for &argument in &arguments {
        let operand = |number: usize| op.operands().get(number).ok_or(NoMatch::Reason("an operand is missing"));
        let ty = match argument {
            Argument::Said(_) => context.integer_type(32),
            Argument::Operand(number) | Argument::Scope(number) => rw.convert_type(op.type_of(*operand(number)?)?)?,
        };
        match argument {
            Argument::Said(_) | Argument::Scope(_) => name.name.push('i'),
            Argument::Operand(number) => {
                let named = name.parameter(context, op.type_of(*operand(number)?)?, ty);
                named.ok_or(NoMatch::Reason("there is no function for this type"))?;
            }
        }
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
    Ok((Callee { name, convention: CConv::SPIR_FUNC, inputs, is_variadic: false, result, flags }, arguments))
}

fn called(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, function: &str) -> Outcome {
    let (callee, arguments) = callee(rw, rw.op(op), function)?;
    let mut given = Vec::new();
    for argument in arguments {
        given.push(match argument {
            Argument::Said(number) => rw.index(number)?,
            Argument::Operand(number) | Argument::Scope(number) => operands.get(number)?,
        });
    }
    let made = callee.call(rw, &given)?;
    Ok(rw.replace_with(op, made)?)
}

/// The functions that operations of groups call.
pub(super) fn callees() -> impl Iterator<Item = (String, Find)> {
    operations().map(|(from, to)| {
        let find: Find = Box::new(move |rw, op| Ok(Some(callee(rw, op, to)?.0)));
        (from, find)
    })
}
