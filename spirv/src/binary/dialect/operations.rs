//! The definitions of the operations.

use std::sync::OnceLock;

use mlirbc_ir::ods::{Multiplicity, OpDef, OpTable, Predicate, Traits, TypeConstraint};

use crate::grammar::{Instruction, OperandClass, Quantifier};

/// What an instruction is whose number the grammar does not know.
pub(crate) const UNKNOWN: &str = "spirv_binary.unknown";

/// The operations of all instructions, made once a process.
pub(super) fn table() -> OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| OpTable::from_definitions(definitions())).clone()
}

fn definitions() -> impl Iterator<Item = OpDef> {
    let module = OpDef::builder(super::MODULE)
        .traits(Traits::ISOLATED_FROM_ABOVE | Traits::NO_TERMINATOR)
        .graph_regions()
        .region("body", Predicate::Always);
    let unknown = OpDef::builder(UNKNOWN);
    let id = TypeConstraint::new("an id", Predicate::Always);
    let instructions = Instruction::all().iter().map(move |instruction| {
        let mut op = OpDef::builder(instruction.operation);
        if instruction.has_type {
            op = op.operand("type", &id);
        }
        let is_id = |class| !matches!(class, OperandClass::Word | OperandClass::String | OperandClass::Number);
        let fixed = instruction.operands.iter().all(|operand| {
            operand.quantifier == Quantifier::One
                && matches!(operand.kind.class(), OperandClass::Id | OperandClass::Word | OperandClass::String)
        });
        match fixed {
            true => {
                let ids = instruction.operands.iter().filter(|operand| operand.kind.class() == OperandClass::Id);
                for (at, _) in ids.enumerate() {
                    op = op.operand(&format!("operand_{at}"), &id);
                }
            }
            false if instruction.operands.iter().any(|operand| is_id(operand.kind.class())) => {
                op = op.operands("operands", Multiplicity::Variadic, &id);
            }
            false => {}
        }
        if instruction.has_result { op.result("result", &id) } else { op }
    });
    let all = [module, unknown].into_iter().chain(instructions);
    all.filter_map(|op| op.traits(Traits::OPAQUE_PROPERTIES).finish().ok())
}
