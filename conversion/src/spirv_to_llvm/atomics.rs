//! Atomic operations, which MLIR does not convert.

use mlirbc_dialects::llvm::{AtomicBinOp, AtomicOrdering, StructType};
use mlirbc_ir::{NamedAttribute, OpId, Type};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::Set;
use super::emit::{Emit, Rw, width};
use super::explicit::extract;

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
    set.on("spirv.AtomicLoad", load)
        .on("spirv.AtomicStore", store)
        .on("spirv.AtomicCompareExchange", exchanged)
        .on("spirv.AtomicCompareExchangeWeak", exchanged)
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

/// The memory semantics that an attribute gives.
fn semantics(rw: &Rw<'_, '_>, op: OpId, name: &str) -> Result<u32, NoMatch> {
    let semantics = enumerant_of(rw.context(), rw.attribute(op, name)?, EnumKind::MemorySemantics);
    semantics.ok_or(NoMatch::Reason("the memory semantics are no case of their enum"))
}

fn changed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, operation: AtomicBinOp, by: Option<i64>) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let semantics = semantics(rw, op, "semantics")?;
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

/// The attributes of a load or store in one piece: the order that its third operand asks for, of those that it may have, and the strictest
/// where that operand is not known.
fn in_one_piece(rw: &Rw<'_, '_>, op: OpId, ty: Type, allowed: AtomicOrdering) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    let semantics = rw.body().operands(op).get(2).and_then(|&semantics| rw.constant_int(semantics));
    let ordering = match semantics.and_then(|semantics| u32::try_from(semantics.to_u64()?).ok()).map(ordering) {
        None | Some(AtomicOrdering::SeqCst) => AtomicOrdering::SeqCst,
        Some(AtomicOrdering::Monotonic) => AtomicOrdering::Monotonic,
        Some(_) => allowed,
    };
    let bits = width(context, ty).filter(|&bits| bits >= 8).ok_or(NoMatch::Reason("what is in memory is no number"))?;
    Ok(vec![
        (context.static_identifier("alignment"), context.integer(64, i64::from(bits / 8))),
        (context.static_identifier("ordering"), context.integer(64, ordering.value())),
    ])
}

fn load(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let attributes = in_one_piece(rw, op, ty, AtomicOrdering::Acquire)?;
    let made = rw.emit_with("llvm.load", &[operands.get(0)?], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let value = operands.get(3)?;
    let attributes = in_one_piece(rw, op, rw.ty(value)?, AtomicOrdering::Release)?;
    rw.emit_nothing("llvm.store", &[value, operands.get(0)?], attributes)?;
    Ok(rw.replace(op, [])?)
}

/// What was there, and the new value in its place where that was as expected. Where it was not, nothing is written, so nothing is
/// released.
fn exchanged(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let success = ordering(semantics(rw, op, "equal_semantics")?);
    let failure = match ordering(semantics(rw, op, "unequal_semantics")?) {
        AtomicOrdering::Release => AtomicOrdering::Monotonic,
        AtomicOrdering::AcqRel => AtomicOrdering::Acquire,
        other => other,
    };
    let both = StructType::literal(context, &[ty, context.integer_type(1)], false)?.into();
    let attributes = vec![
        (context.static_identifier("success_ordering"), context.integer(64, success.value())),
        (context.static_identifier("failure_ordering"), context.integer(64, failure.value())),
    ];
    let given = [operands.get(0)?, operands.get(2)?, operands.get(1)?];
    let made = rw.emit_with("llvm.cmpxchg", &given, both, attributes)?;
    let made = extract(rw, made, 0, ty)?;
    Ok(rw.replace(op, [made])?)
}
