//! What the instructions of a binary need, by the grammar: as `spirv-val` has it.
//!
//! An instruction that needs a capability has all that it needs with that; any other needs its version of SPIR-V, or an extension that has
//! it. An enumerant needs both: a capability, and its version or an extension.

use std::fmt;

use mlirbc_ir::Result;
use rspirv::spirv::{BuiltIn, Capability, Op};

use super::availability::{Availability, Need, extensions_with, of_grammar, of_instruction};
use super::environment::Environment;
use super::types::{BYTE, HALF, HALF_FLOAT};
use super::uses::of_uses;
use crate::dialect::EnumKind;
use crate::dialect::table::upstream_name;
use crate::grammar::{Instruction, Kind, OperandClass};
use crate::view::{InstructionView, ModuleView, OperandValue};

/// What something needs of the module that it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Needs {
    /// One of these enumerants of `Capability`.
    Capability(&'static [u32]),
    /// A minor version of SPIR-V 1 or a later one, where one is enough; or one of these extensions.
    Version(Option<u32>, &'static [&'static str]),
    /// A minor version of SPIR-V 1, or an earlier one.
    Most(u32),
}

impl Needs {
    /// Whether a module that declares all that has it.
    pub fn is_met(&self, declared: &Environment) -> bool {
        match self {
            Needs::Capability(list) => list.iter().any(|capability| declared.has_capability(*capability)),
            Needs::Version(least, names) => {
                least.is_some_and(|least| least <= declared.version)
                    || names.iter().any(|name| declared.has_extension(name))
            }
            Needs::Most(version) => declared.version <= *version,
        }
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Needs::Capability(list) => Need::Capability(list).fmt(f),
            Needs::Version(Some(least), []) => Need::Least(*least).fmt(f),
            Needs::Version(Some(least), names) => write!(f, "{} or {}", Need::Least(*least), Need::Extension(names)),
            Needs::Version(None, names) => Need::Extension(names).fmt(f),
            Needs::Most(version) => Need::Most(*version).fmt(f),
        }
    }
}

impl Requirement {
    /// Where it comes from, in words: `instruction 7, Decorate, BuiltIn FragCoord`.
    pub fn place(&self) -> String {
        let operand = self.operand.map(|(kind, value)| format!(", {} {}", kind.name(), kind.show(value)));
        format!("instruction {}, {}{}", self.instruction, self.name, operand.unwrap_or_default())
    }
}

/// What an instruction needs, and which part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// What is needed.
    pub needs: Needs,
    /// Its place among the instructions, from 0.
    pub instruction: usize,
    /// Its name without `Op`.
    pub name: &'static str,
    /// The operand that needs it: its kind, and the enumerant. `None` where the instruction itself does.
    pub operand: Option<(Kind, u32)>,
}

/// Gives each requirement of a module, in order.
///
/// # Errors
/// Where an operation is no instruction as the grammar has it.
pub fn of_binary(view: &ModuleView<'_>, each: &mut dyn FnMut(Requirement)) -> Result<()> {
    for (number, instruction) in view.instructions().enumerate() {
        let Some(definition) = instruction.definition() else { continue };
        let name = instruction.name();
        let mut add = |needs, operand| each(Requirement { needs, instruction: number, name, operand });
        of_opcode(definition, &mut |needs| add(needs, None));
        for operand in instruction.operands()? {
            let OperandValue::Enumerant(value) = operand.value else { continue };
            let bits = (0..32).map(|bit| value & 1 << bit).filter(|bit| *bit != 0);
            let mut single =
                |value| of_enumerant(name, operand.kind, value, &mut |needs| add(needs, Some((operand.kind, value))));
            match operand.kind.class() {
                OperandClass::Mask => bits.for_each(single),
                _ => single(value),
            }
        }
    }
    // As `spirv-val` does, what types and uses need beside their instructions comes behind all of that.
    for (number, instruction) in view.instructions().enumerate() {
        let mut add = |needs| each(Requirement { needs, instruction: number, name: instruction.name(), operand: None });
        if let Some(needs) = of_number(instruction)? {
            add(needs);
        }
        of_uses(view, instruction, &mut |capabilities| add(Needs::Capability(capabilities)))?;
    }
    Ok(())
}

fn of_opcode(definition: &'static Instruction, each: &mut dyn FnMut(Needs)) {
    let Some(found) = of_instruction(definition.opcode) else { return };
    if !found.capabilities.is_empty() {
        each(Needs::Capability(&found.capabilities));
        // This one is in version 1.6 and in an extension alone, whatever the capabilities are.
        if definition.opcode != Op::TerminateInvocation as u16 {
            return;
        }
    }
    let least =
        upstream_name(definition).and_then(|name| Availability::of_name(&name)?.least).filter(|least| *least > 0);
    let least = least.or(found.least);
    if least.is_some() || !found.extensions.is_empty() {
        each(Needs::Version(least, &found.extensions));
    }
}

fn of_enumerant(instruction: &str, kind: Kind, value: u32, each: &mut dyn FnMut(Needs)) {
    // To name these needs no capability; to write to them would.
    let named = [BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance].map(|it| it as u32);
    let is_named = kind == Kind::BuiltIn && named.contains(&value);
    // What declares a capability needs none.
    if instruction != "Capability"
        && !is_named
        && let Some(found) = of_grammar(kind, value).filter(|found| !found.capabilities.is_empty())
    {
        each(Needs::Capability(&found.capabilities));
    }
    if is_named {
        return;
    }
    let Some(kind) = EnumKind::of_grammar(kind) else { return };
    let Some(found) = Availability::of(kind, value) else { return };
    let extensions = extensions_with(kind, value);
    if found.least.is_some() || !extensions.is_empty() {
        each(Needs::Version(found.least, extensions));
    }
    if let Some(most) = found.most {
        each(Needs::Most(most));
    }
}

/// What a type of numbers, or a vector, needs by how wide it is.
fn of_number(instruction: InstructionView<'_>) -> Result<Option<Needs>> {
    let name = instruction.name();
    if !matches!(name, "TypeInt" | "TypeFloat" | "TypeVector") {
        return Ok(None);
    }
    let operands = instruction.operands()?;
    let mut words = operands.iter().filter_map(|operand| match operand.value {
        OperandValue::Word(word) => Some(word),
        _ => None,
    });
    let encoded = operands.iter().any(|operand| matches!(operand.value, OperandValue::Enumerant(_)));
    Ok(match (name, words.next()) {
        ("TypeInt", Some(8)) => Some(Needs::Capability(BYTE)),
        ("TypeInt", Some(16)) => Some(Needs::Capability(HALF)),
        ("TypeInt", Some(64)) => Some(Needs::Capability(&[Capability::Int64 as u32])),
        // Another encoding than IEEE's is an enumerant with needs of its own.
        ("TypeFloat", Some(16)) if !encoded => Some(Needs::Capability(HALF_FLOAT)),
        ("TypeFloat", Some(64)) => Some(Needs::Capability(&[Capability::Float64 as u32])),
        ("TypeVector", Some(8 | 16)) => Some(Needs::Capability(&[Capability::Vector16 as u32])),
        _ => None,
    })
}
