//! Extended instruction sets: whether the operands of their instructions are ids.

use rspirv::grammar::{ExtInstOp, InstructionTable, ext_inst_table};

use super::{Operand, OperandClass};

/// What is known of an extended instruction set.
#[derive(Clone, Copy)]
pub enum Set {
    /// Every operand is an id.
    Ids,
    /// A table says what the operands are.
    Table(&'static InstructionTable<ExtInstOp>),
    /// Nothing: the operands are kept as words.
    Unknown,
}

impl Set {
    /// The set of that name.
    pub fn of(name: &[u8]) -> Self {
        let Ok(name) = std::str::from_utf8(name) else { return Set::Unknown };
        // A rule of these sets: a tool that does not know one can still renumber its ids.
        if name.starts_with("NonSemantic.") {
            return Set::Ids;
        }
        match name {
            // In these, flags and line numbers are literals, and how many elements are loaded and how numbers are rounded.
            "DebugInfo" | "OpenCL.DebugInfo.100" | "OpenCL.std" => {
                ext_inst_table(name).map_or(Set::Unknown, Set::Table)
            }
            _ if ext_inst_table(name).is_some() => Set::Ids,
            _ => Set::Unknown,
        }
    }

    /// How many operands of an instruction of the set are no ids, where that is known: those are the last.
    pub(crate) fn literals(self, number: u32) -> Option<usize> {
        match self {
            Set::Ids => Some(0),
            Set::Table(table) => {
                let operands = operands(table, number)?;
                Some(operands.iter().filter(|operand| operand.kind.class() != OperandClass::Id).count())
            }
            Set::Unknown => None,
        }
    }

    /// The name of an instruction of the set of that name.
    pub fn instruction_name(set: &[u8], number: u32) -> Option<&'static str> {
        let name = std::str::from_utf8(set).ok()?;
        Some(ext_inst_table(name)?.lookup_opcode(number)?.opname)
    }
}

/// The operands of an instruction of a table.
pub(super) fn operands(table: &InstructionTable<ExtInstOp>, number: u32) -> Option<Vec<Operand>> {
    Some(table.lookup_opcode(number)?.operands.iter().map(Operand::of).collect())
}
