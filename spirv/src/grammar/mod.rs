//! The grammar of SPIR-V: which operands each instruction has.
//!
//! It is the one that `rspirv` carries, laid out for quick lookup when first needed.

mod extended;
mod kind;
mod walk;

use std::collections::HashMap;
use std::sync::OnceLock;

use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandQuantifier};

pub use extended::Set;
pub use kind::{Class, Kind};
pub(crate) use walk::{Missing, Stream, walk};

/// How often an operand comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// Once.
    One,
    /// Once or not at all.
    Optional,
    /// Any number of times.
    Variadic,
}

/// One operand of an instruction's definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// What it is.
    pub kind: Kind,
    /// How often it comes.
    pub quantifier: Quantifier,
}

impl Operand {
    fn of(operand: &LogicalOperand) -> Self {
        let quantifier = match operand.quantifier {
            OperandQuantifier::One => Quantifier::One,
            OperandQuantifier::ZeroOrOne => Quantifier::Optional,
            OperandQuantifier::ZeroOrMore => Quantifier::Variadic,
        };
        Operand { kind: Kind::of(operand.kind), quantifier }
    }
}

/// The definition of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its number.
    pub opcode: u16,
    /// Its name without `Op`: `TypeInt`.
    pub name: &'static str,
    /// Whether its first operand is the id of its result's type.
    pub has_type: bool,
    /// Whether it has a result.
    pub has_result: bool,
    /// Its other operands.
    pub operands: Box<[Operand]>,
    pub(crate) shape: Shape,
}

/// Instructions whose ids stand where they stand whatever the other words are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Ids alone: at least, at most.
    Ids(u32, u32),
    /// So many ids, then words: at least, at most.
    IdsThenWords(u32, u32, u32),
    /// All others.
    Walk,
}

impl Shape {
    fn of(operands: &[Operand]) -> Self {
        let is_id = |operand: &&Operand| matches!(operand.kind.class(), Class::Id | Class::PairIdId);
        let counts = |operands: &[Operand]| {
            let (mut least, mut most) = (0u32, 0u32);
            for operand in operands {
                let words = if operand.kind.class() == Class::PairIdId { 2 } else { 1 };
                // A pair that is cut in half is for the walk to find.
                match (operand.quantifier, operand.kind.class()) {
                    (Quantifier::One, Class::Number) => (least, most) = (least + 1, u32::MAX),
                    (Quantifier::One, _) => (least, most) = (least + words, most.saturating_add(words)),
                    (_, Class::PairIdId) => return None,
                    (Quantifier::Optional, _) => most = most.saturating_add(1),
                    (Quantifier::Variadic, _) => most = u32::MAX,
                }
            }
            Some((least, most))
        };
        let ids = operands.iter().take_while(is_id).count();
        let (ids, words) = operands.split_at(ids);
        let Some((least, most)) = counts(ids) else { return Shape::Walk };
        if words.is_empty() {
            return Shape::Ids(least, most);
        }
        let plain = |operand: &Operand| match operand.kind.class() {
            Class::Word | Class::Number => true,
            // Enums without any parameters.
            Class::Value | Class::Mask => !operand.kind.has_parameters(),
            _ => false,
        };
        match counts(words) {
            Some((least_words, most_words)) if least == most && words.iter().all(plain) => {
                Shape::IdsThenWords(least, least_words, most_words)
            }
            _ => Shape::Walk,
        }
    }
}

impl Instruction {
    /// The instruction of that number.
    pub fn of(opcode: u16) -> Option<&'static Instruction> {
        let grammar = grammar();
        grammar.instructions.get(usize::from(*grammar.by_opcode.get(usize::from(opcode))?))
    }

    /// The instruction of that name, which is without `Op`.
    pub fn find(name: &str) -> Option<&'static Instruction> {
        let grammar = grammar();
        grammar.by_name.get(name).map(|&at| &grammar.instructions[usize::from(at)])
    }

    /// Every instruction, by number.
    pub fn all() -> &'static [Instruction] {
        &grammar().instructions
    }

    /// How many words come before the operands: the head, the type, the result.
    pub(crate) fn prefix(&self) -> usize {
        1 + usize::from(self.has_type) + usize::from(self.has_result)
    }
}

pub(crate) struct Grammar {
    pub(crate) instructions: Vec<Instruction>,
    /// Places in `instructions`, [`NONE`] for numbers that nobody uses.
    pub(crate) by_opcode: Vec<u16>,
    by_name: HashMap<&'static str, u16>,
}

/// No instruction.
pub(crate) const NONE: u16 = u16::MAX;

pub(crate) fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let mut instructions: Vec<Instruction> = INSTRUCTION_TABLE
            .iter()
            .map(|entry| {
                let operands: Vec<Operand> = entry.operands.iter().map(Operand::of).collect();
                let has = |kind| operands.iter().any(|operand| operand.kind == kind);
                let is_prefix = |operand: &&Operand| matches!(operand.kind, Kind::IdResultType | Kind::IdResult);
                let rest: Box<[Operand]> = operands.iter().skip_while(is_prefix).copied().collect();
                Instruction {
                    opcode: entry.opcode as u32 as u16,
                    name: entry.opname,
                    has_type: has(Kind::IdResultType),
                    has_result: has(Kind::IdResult),
                    shape: Shape::of(&rest),
                    operands: rest,
                }
            })
            .collect();
        instructions.sort_by_key(|instruction| instruction.opcode);
        let last = instructions.last().map_or(0, |last| usize::from(last.opcode));
        let mut by_opcode = vec![NONE; last + 1];
        let mut by_name = HashMap::with_capacity(instructions.len());
        for (instruction, at) in instructions.iter().zip(0..) {
            by_opcode[usize::from(instruction.opcode)] = at;
            by_name.insert(instruction.name, at);
        }
        Grammar { instructions, by_opcode, by_name }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_is_found_by_number_and_by_name() {
        assert!(Instruction::all().len() > 850, "{}", Instruction::all().len());
        for instruction in Instruction::all() {
            assert_eq!(Instruction::of(instruction.opcode), Some(instruction));
            assert_eq!(Instruction::find(instruction.name), Some(instruction));
            let prefix = |operand: &Operand| matches!(operand.kind, Kind::IdResult | Kind::IdResultType);
            assert!(!instruction.operands.iter().any(prefix), "{}", instruction.name);
            assert!(instruction.has_result || !instruction.has_type, "{}", instruction.name);
        }
        assert!(Instruction::of(u16::MAX).is_none());
    }

    #[test]
    fn enumerants_are_shown_and_parsed() {
        let mut count = 0;
        for &kind in Kind::ALL {
            let values: Vec<u32> = match kind.class() {
                Class::Value => (0..1 << 13).filter(|&value| kind.parameters(value).is_some()).collect(),
                Class::Mask => (0..32).map(|bit| 1 << bit).collect(),
                _ => continue,
            };
            for value in values {
                let shown = kind.show(value);
                assert!(shown.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{shown}");
                assert_eq!(kind.parse(&shown), Some(value), "{} {shown}", kind.name());
                count += 1;
            }
            assert_eq!(kind.parse(&kind.show(0x7fff_0000 >> 16)).is_some(), kind.class() == Class::Value);
        }
        assert!(count > 1200, "{count}");
        assert_eq!(Kind::MemoryAccess.show(3 | 1 << 30), "Volatile|Aligned|1073741824");
        assert_eq!(Kind::Dim.show(1), "2D");
        assert_eq!(Kind::Decoration.parameters(30).map(<[_]>::len), Some(1));
        assert!(Kind::Decoration.parameters(9999).is_none());
    }
}
