//! Atomic operations that read and write, which MLIR does not convert.

use mlirbc_dialects::llvm::{AtomicBinOp, AtomicOrdering};
use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::Set;
use super::emit::{Emit, Rw};

/// Operations of a pointer and a value, where it is not one that is added.
const OPERATIONS: &[(&str, AtomicBinOp, Option<i64>)] = &[
    ("spirv.AtomicAnd", AtomicBinOp::And, None),
    ("spirv.AtomicExchange", AtomicBinOp::Xchg, None),
    ("spirv.AtomicIAdd", AtomicBinOp::Add, None),
    ("spirv.AtomicIDecrement", AtomicBinOp::Sub, Some(1)),
    ("spirv.AtomicIIncrement", AtomicBinOp::Add, Some(1)),
    ("spirv.AtomicISub", AtomicBinOp::Sub, None),
    ("spirv.AtomicOr", AtomicBinOp::Or, None),
    ("spirv.AtomicSMax", AtomicBinOp::Max, None),
    ("spirv.AtomicSMin", AtomicBinOp::Min, None),
    ("spirv.AtomicUMax", AtomicBinOp::Umax, None),
    ("spirv.AtomicUMin", AtomicBinOp::Umin, None),
    ("spirv.AtomicXor", AtomicBinOp::Xor, None),
    ("spirv.EXT.AtomicFAdd", AtomicBinOp::Fadd, None),
];

/// Bits of `spirv.memory_semantics` that say in which order.
const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const ACQUIRE_RELEASE: u32 = 0x8;
const SEQUENTIALLY_CONSISTENT: u32 = 0x10;

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, operation, by) in OPERATIONS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| changed(rw, op, operands, operation, by);
        set = set.pattern(from, ConversionPattern::of("atomic", convert));
    }
    set
}

/// The order that memory semantics ask for.
fn ordering(semantics: u32) -> AtomicOrdering {
    match semantics {
        of if of & SEQUENTIALLY_CONSISTENT != 0 => AtomicOrdering::SeqCst,
        of if of & ACQUIRE_RELEASE != 0 || of & (ACQUIRE | RELEASE) == ACQUIRE | RELEASE => AtomicOrdering::AcqRel,
        of if of & ACQUIRE != 0 => AtomicOrdering::Acquire,
        of if of & RELEASE != 0 => AtomicOrdering::Release,
        _ => AtomicOrdering::Monotonic,
    }
}

fn changed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, operation: AtomicBinOp, by: Option<i64>) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let semantics = enumerant_of(context, rw.attribute(op, "semantics")?, EnumKind::MemorySemantics);
    let semantics = semantics.ok_or(NoMatch::Reason("the memory semantics are no case of their enum"))?;
    let value = match by {
        Some(by) => rw.splat(ty, by)?,
        None => operands.get(1)?,
    };
    let attributes = vec![
        (context.static_identifier("bin_op"), context.integer(64, operation.value())),
        (context.static_identifier("ordering"), context.integer(64, ordering(semantics).value())),
    ];
    let made = rw.emit_with("llvm.atomicrmw", &[operands.get(0)?, value], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}
