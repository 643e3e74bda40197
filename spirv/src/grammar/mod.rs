//! The grammar of SPIR-V: which operands each instruction has.
//!
//! It is the one that `rspirv` carries, laid out for quick lookup when first needed.

mod extended;
mod kind;
mod walk;

use std::sync::OnceLock;

use hashbrown::HashMap;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandQuantifier};

use crate::binary::dialect::DIALECT;

pub use extended::Set;
pub use kind::{Kind, OperandClass};
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
    /// The name of its operation: `spirv_binary.TypeInt`.
    pub operation: &'static str,
    /// Whether its first operand is the id of its result's type.
    pub has_type: bool,
    /// Whether it has a result.
    pub has_result: bool,
    /// Its other operands.
    pub operands: Box<[Operand]>,
    pub(crate) shape: Shape,
}

/// Where the ids of most instructions of a kind stand, so that these need no walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Which words are ids, the type of the result included and the result left out; the first word is the lowest bit,
    /// and the last bit is for all words from there on.
    pub(crate) ids: u64,
    /// Which are neither ids nor head nor result.
    pub(crate) literals: u64,
    /// How many words, of those that need no walk.
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// What has to hold beside that.
    pub(crate) check: Check,
}

/// What has to hold of the words of an instruction, lest its operands stand elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// Nothing.
    None,
    /// The words from here on are a string and nothing else.
    String(u8),
    /// The words from here on are an enumerant and parameters that are words.
    Enumerant(Kind, u8),
    /// The extended instruction, whose number is this word, has ids for operands.
    Extended(u8),
    /// The number of words is even.
    Even,
    /// The number of words is odd.
    Odd,
}

impl Shape {
    fn of(has_type: bool, has_result: bool, operands: &[Operand]) -> Self {
        use Quantifier::{One, Optional, Variadic};
        let mut at = 1 + u32::from(has_type) + u32::from(has_result);
        let mut ids = if has_type { 0b10 } else { 0 };
        let mut fixed = 0;
        for operand in operands {
            let is_id = operand.kind.class() == OperandClass::Id;
            if operand.quantifier != One || !is_id && !operand.kind.is_plain() || at > 32 {
                break;
            }
            ids |= u64::from(is_id) << at;
            (at, fixed) = (at + 1, fixed + 1);
        }
        let (from, behind) = (at as u8, !0 << at);
        const ANY: u32 = u32::MAX;
        let (tail, least, most, check) = match operands[fixed..] {
            [] => (0, at, at, Check::None),
            [Operand { kind, quantifier: Variadic }] if kind.class() == OperandClass::Id => {
                (behind, at, ANY, Check::None)
            }
            [Operand { kind, quantifier: Optional }] if kind.class() == OperandClass::Id => {
                (behind, at, at + 1, Check::None)
            }
            [Operand { kind: Kind::PairIdRefIdRef, quantifier: Variadic }] => {
                (behind, at, ANY, if at.is_multiple_of(2) { Check::Even } else { Check::Odd })
            }
            [Operand { kind, quantifier: Variadic }] if kind.is_plain() => (0, at, ANY, Check::None),
            [Operand { kind, quantifier: One }] if kind.class() == OperandClass::Number => {
                (0, at + 1, ANY, Check::None)
            }
            [Operand { kind, quantifier: One }] if kind.class() == OperandClass::String => {
                (0, at + 1, ANY, Check::String(from))
            }
            [Operand { kind, quantifier: One }] if kind.has_parameters() => {
                (0, at + 1, ANY, Check::Enumerant(kind, from))
            }
            [Operand { kind: Kind::LiteralExtInstInteger, .. }, ..] => {
                (behind << 1, at + 1, ANY, Check::Extended(from))
            }
            ref rest if rest.iter().all(|operand| operand.quantifier != One) => (0, at, at, Check::None),
            // None is so long and so short.
            _ => (0, ANY, 0, Check::None),
        };
        let ids = ids | tail;
        let others = 1 | if has_result { 1 << (1 + u32::from(has_type)) } else { 0 };
        Shape { ids, literals: !ids & !others, least, most, check }
    }

    /// Whether an instruction of so many words may need no walk.
    #[inline]
    pub(crate) fn fits(&self, words: usize) -> bool {
        let words = words as u32;
        words >= self.least && words <= self.most
    }
}

/// The lowest bits, as many as that, up to all.
#[inline]
pub(crate) fn low_bits(count: usize) -> u64 {
    if count < 64 { !(!0 << count) } else { !0 }
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
        grammar.by_name.get(name.as_bytes()).map(|&at| &grammar.instructions[usize::from(at)])
    }

    /// The instruction of that operation: `spirv_binary.IAdd`.
    pub(crate) fn of_operation(name: &[u8]) -> Option<&'static Instruction> {
        let grammar = grammar();
        let at = *grammar.by_name.get(name.strip_prefix(DIALECT.as_bytes())?.strip_prefix(b".")?)?;
        grammar.instructions.get(usize::from(at))
    }

    /// Every instruction, by number.
    pub fn all() -> &'static [Instruction] {
        &grammar().instructions
    }

    /// Of every instruction its number, the capabilities one of which it needs, and the extensions one of which it needs.
    pub(crate) fn needs() -> impl Iterator<Item = (u16, Vec<u32>, &'static [&'static str])> {
        INSTRUCTION_TABLE.iter().map(|entry| {
            let capabilities = entry.capabilities.iter().map(|&capability| capability as u32).collect();
            (entry.opcode as u32 as u16, capabilities, entry.extensions)
        })
    }

    /// How many words come before the operands: the head, the type, the result.
    pub(crate) fn prefix(&self) -> usize {
        1 + usize::from(self.has_type) + usize::from(self.has_result)
    }
}

pub(crate) struct Grammar {
    pub(crate) instructions: Vec<Instruction>,
    /// Places in `instructions`, [`NONE`] for numbers that are not in use.
    pub(crate) by_opcode: Vec<u16>,
    by_name: HashMap<&'static [u8], u16>,
}

/// No instruction.
pub(crate) const NONE: u16 = u16::MAX;

pub(crate) fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let mut names = operation_names().split_terminator(' ');
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
                    operation: names.next().unwrap_or_default(),
                    has_type: has(Kind::IdResultType),
                    has_result: has(Kind::IdResult),
                    shape: Shape::of(has(Kind::IdResultType), has(Kind::IdResult), &rest),
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
            by_name.insert(instruction.name.as_bytes(), at);
        }
        Grammar { instructions, by_opcode, by_name }
    })
}

/// The names of the operations of all instructions, as `rspirv` lists these: one text that lives as long as the process.
fn operation_names() -> &'static str {
    static NAMES: OnceLock<String> = OnceLock::new();
    NAMES.get_or_init(|| INSTRUCTION_TABLE.iter().map(|entry| format!("{DIALECT}.{} ", entry.opname)).collect())
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
                OperandClass::Value => (0..1 << 13).filter(|&value| kind.parameters(value).is_some()).collect(),
                OperandClass::Mask => (0..32).map(|bit| 1 << bit).collect(),
                _ => continue,
            };
            for value in values {
                let shown = kind.show(value);
                assert!(shown.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{shown}");
                assert_eq!(kind.parse(&shown), Some(value), "{} {shown}", kind.name());
                count += 1;
            }
            assert_eq!(kind.parse(&kind.show(0x7fff_0000 >> 16)).is_some(), kind.class() == OperandClass::Value);
        }
        assert!(count > 1200, "{count}");
        assert_eq!(Kind::MemoryAccess.show(3 | 1 << 30), "Volatile|Aligned|1073741824");
        assert_eq!(Kind::Dim.show(1), "2D");
        assert_eq!(Kind::Decoration.parameters(30).map(<[_]>::len), Some(1));
        assert!(Kind::Decoration.parameters(9999).is_none());
    }
}
