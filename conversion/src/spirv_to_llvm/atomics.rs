//! Atomic operations, which MLIR does not convert.
//!
//! The scope and the semantics of some are operands: of those that MLIR has no operation for, and where they are no plain constants. How strict
//! an operation is, its semantics say where they are known by now, and else it is as strict as it gets.

use std::sync::Arc;

use mlirbc_dialects::llvm::{AtomicBinOp, AtomicOrdering, ICmpPredicate, StructType};
use mlirbc_ir::{Context, NamedAttribute, OpId, Type};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::Set;
use super::emit::{Emit, Look, Rw, width};
use super::explicit::extract;
use super::math::Math;
use super::memory::explicit_place;
use super::state::State;

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

/// As [`OPERATIONS`], with the scope and the semantics behind the pointer.
const OF_GRAMMAR: &[(&str, AtomicBinOp, Option<i64>)] = &[
    ("spirv.AtomicFMaxEXT", AtomicBinOp::Fmax, None),
    ("spirv.AtomicFMinEXT", AtomicBinOp::Fmin, None),
    ("spirv.OpAtomicAnd", AtomicBinOp::And, None),
    ("spirv.OpAtomicExchange", AtomicBinOp::Xchg, None),
    ("spirv.OpAtomicFAddEXT", AtomicBinOp::Fadd, None),
    ("spirv.OpAtomicIAdd", AtomicBinOp::Add, None),
    ("spirv.OpAtomicIDecrement", AtomicBinOp::Sub, Some(1)),
    ("spirv.OpAtomicIIncrement", AtomicBinOp::Add, Some(1)),
    ("spirv.OpAtomicISub", AtomicBinOp::Sub, None),
    ("spirv.OpAtomicOr", AtomicBinOp::Or, None),
    ("spirv.OpAtomicSMax", AtomicBinOp::Max, None),
    ("spirv.OpAtomicSMin", AtomicBinOp::Min, None),
    ("spirv.OpAtomicUMax", AtomicBinOp::Umax, None),
    ("spirv.OpAtomicUMin", AtomicBinOp::Umin, None),
    ("spirv.OpAtomicXor", AtomicBinOp::Xor, None),
];

/// Bits of `spirv.memory_semantics` that say in which order, and that each access counts.
const ACQUIRE: u32 = 0x2;
const RELEASE: u32 = 0x4;
const ACQUIRE_RELEASE: u32 = 0x8;
const SEQUENTIALLY_CONSISTENT: u32 = 0x10;
const VOLATILE: u32 = 0x8000;

/// Where an operation says its semantics.
#[derive(Clone, Copy)]
enum Said {
    /// An attribute of that name.
    Member(&'static str),
    /// An operand of that number.
    Operand(usize),
}

pub(super) fn add_to(mut set: Set, state: &Arc<State>) -> Set {
    let members = OPERATIONS.iter().map(|operation| (operation, Said::Member("semantics"), 1));
    let operands = OF_GRAMMAR.iter().map(|operation| (operation, Said::Operand(2), 3));
    for (&(from, operation, by), said, value) in members.chain(operands) {
        let state = Arc::clone(state);
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let semantics = semantics(rw, op, said, &state)?;
            changed(rw, op, operands, (operation, by, value), semantics)
        };
        set = set.pattern(from, ConversionPattern::of("atomic", convert));
    }
    let compared = [
        ("spirv.AtomicCompareExchange", false),
        ("spirv.AtomicCompareExchangeWeak", false),
        ("spirv.OpAtomicCompareExchange", true),
        ("spirv.OpAtomicCompareExchangeWeak", true),
    ];
    for (from, is_of_grammar) in compared {
        let state = Arc::clone(state);
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| exchanged(rw, op, operands, is_of_grammar, &state);
        set = set.pattern(from, ConversionPattern::of("exchanged", convert));
    }
    type Make = fn(&mut Rw<'_, '_>, OpId, &Adaptor, Semantics) -> Outcome;
    let others: [(&str, Make); 4] = [
        ("spirv.AtomicLoad", load),
        ("spirv.AtomicStore", store),
        ("spirv.AtomicFlagTestAndSet", flag_set),
        ("spirv.AtomicFlagClear", flag_cleared),
    ];
    for (from, make) in others {
        let state = Arc::clone(state);
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let semantics = semantics(rw, op, Said::Operand(2), &state)?;
            make(rw, op, operands, semantics)
        };
        set = set.pattern(from, ConversionPattern::of("atomic", convert));
    }
    set
}

/// What memory semantics ask for.
#[derive(Clone, Copy)]
struct Semantics {
    ordering: AtomicOrdering,
    is_volatile: bool,
}

impl Semantics {
    fn of(bits: Option<u32>) -> Self {
        let Some(bits) = bits else { return Semantics { ordering: AtomicOrdering::SeqCst, is_volatile: false } };
        let ordering = match bits {
            of if of & SEQUENTIALLY_CONSISTENT != 0 => AtomicOrdering::SeqCst,
            of if of & ACQUIRE_RELEASE != 0 || of & (ACQUIRE | RELEASE) == ACQUIRE | RELEASE => AtomicOrdering::AcqRel,
            of if of & ACQUIRE != 0 => AtomicOrdering::Acquire,
            of if of & RELEASE != 0 => AtomicOrdering::Release,
            _ => AtomicOrdering::Monotonic,
        };
        Semantics { ordering, is_volatile: bits & VOLATILE != 0 }
    }

    /// The attributes of an operation that has its order under that name.
    fn attributes(self, context: &Context, name: &'static str) -> Vec<NamedAttribute> {
        let ordering = (context.static_identifier(name), context.integer(64, self.ordering.value()));
        let is_volatile = self.is_volatile.then(|| (context.static_identifier("volatile_"), context.unit()));
        std::iter::once(ordering).chain(is_volatile).collect()
    }
}

/// The memory semantics of an operation. Where others change what stands there, or ask for what is stored, each access counts.
fn semantics(rw: &Rw<'_, '_>, op: OpId, said: Said, state: &State) -> Result<Semantics, NoMatch> {
    let bits = match said {
        Said::Member(name) => {
            let bits = enumerant_of(rw.context(), rw.attribute(op, name)?, EnumKind::MemorySemantics);
            Some(bits.ok_or(NoMatch::Reason("the memory semantics are no case of their enum"))?)
        }
        Said::Operand(number) => rw.body().operands(op).get(number).and_then(|&of| state.word(rw, of)),
    };
    let mut semantics = Semantics::of(bits);
    semantics.is_volatile = semantics.is_volatile || changes(rw, op, state)?;
    Ok(semantics)
}

/// Whether others may change what the first operand leads to.
fn changes(rw: &Rw<'_, '_>, op: OpId, state: &State) -> Result<bool, NoMatch> {
    if !state.surroundings(rw.module(), rw.body_id()).some_changes() {
        return Ok(false);
    }
    Ok(explicit_place(rw, op, 0, state)?.is_some_and(|place| place.changes()))
}

fn changed(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    (operation, by, value): (AtomicBinOp, Option<i64>, usize),
    semantics: Semantics,
) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let value = match by {
        Some(by) => rw.splat(ty, by)?,
        None => operands.get(value)?,
    };
    let mut attributes = semantics.attributes(context, "ordering");
    attributes.push((context.static_identifier("bin_op"), context.integer(64, operation.value())));
    let made = rw.emit_with("llvm.atomicrmw", &[operands.get(0)?, value], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

/// The attributes of a load or store in one piece: the order that is asked for, of those that it may have.
fn in_one_piece(
    rw: &Rw<'_, '_>,
    ty: Type,
    mut semantics: Semantics,
    allowed: AtomicOrdering,
) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    semantics.ordering = match semantics.ordering {
        is @ (AtomicOrdering::SeqCst | AtomicOrdering::Monotonic) => is,
        _ => allowed,
    };
    let bits = width(context, ty).filter(|&bits| bits >= 8).ok_or(NoMatch::Reason("what is in memory is no number"))?;
    let mut attributes = semantics.attributes(context, "ordering");
    attributes.push((context.static_identifier("alignment"), context.integer(64, i64::from(bits / 8))));
    Ok(attributes)
}

fn load(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, semantics: Semantics) -> Outcome {
    let ty = rw.converted_result(op)?;
    let attributes = in_one_piece(rw, ty, semantics, AtomicOrdering::Acquire)?;
    let made = rw.emit_with("llvm.load", &[operands.get(0)?], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, semantics: Semantics) -> Outcome {
    let value = operands.get(3)?;
    let attributes = in_one_piece(rw, rw.ty(value)?, semantics, AtomicOrdering::Release)?;
    rw.emit_nothing("llvm.store", &[value, operands.get(0)?], attributes)?;
    Ok(rw.replace(op, [])?)
}

/// A flag is a number of 32 bits: whether it was set, and it is set from now on.
fn flag_set(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, semantics: Semantics) -> Outcome {
    let context = rw.context();
    let word = context.integer_type(32);
    let mut attributes = semantics.attributes(context, "ordering");
    attributes.push((context.static_identifier("bin_op"), context.integer(64, AtomicBinOp::Xchg.value())));
    let one = rw.splat(word, 1)?;
    let before = rw.emit_with("llvm.atomicrmw", &[operands.get(0)?, one], word, attributes)?;
    let zero = rw.splat(word, 0)?;
    let made = rw.compare_integers(ICmpPredicate::Ne, before, zero)?;
    Ok(rw.replace(op, [made])?)
}

fn flag_cleared(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, semantics: Semantics) -> Outcome {
    let word = rw.context().integer_type(32);
    let attributes = in_one_piece(rw, word, semantics, AtomicOrdering::Release)?;
    let zero = rw.splat(word, 0)?;
    rw.emit_nothing("llvm.store", &[zero, operands.get(0)?], attributes)?;
    Ok(rw.replace(op, [])?)
}

/// What was there, and the new value in its place where that was as expected. Where it was not, nothing is written, so nothing is
/// released.
fn exchanged(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, is_of_grammar: bool, state: &State) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let (equal, unequal, value) = match is_of_grammar {
        true => (Said::Operand(2), Said::Operand(3), 4),
        false => (Said::Member("equal_semantics"), Said::Member("unequal_semantics"), 1),
    };
    let success = semantics(rw, op, equal, state)?;
    let failure = match semantics(rw, op, unequal, state)?.ordering {
        AtomicOrdering::Release => AtomicOrdering::Monotonic,
        AtomicOrdering::AcqRel => AtomicOrdering::Acquire,
        other => other,
    };
    let both = StructType::literal(context, &[ty, context.integer_type(1)], false)?.into();
    let mut attributes = success.attributes(context, "success_ordering");
    attributes.push((context.static_identifier("failure_ordering"), context.integer(64, failure.value())));
    let given = [operands.get(0)?, operands.get(value + 1)?, operands.get(value)?];
    let made = rw.emit_with("llvm.cmpxchg", &given, both, attributes)?;
    let made = extract(rw, made, 0, ty)?;
    Ok(rw.replace(op, [made])?)
}
