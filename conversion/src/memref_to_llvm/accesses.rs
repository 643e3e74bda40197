//! Loads, stores, and operations that are atomic.

use mlirbc_dialects::llvm::{AtomicBinOp, AtomicOrdering, GEPNoWrapFlags, StructType};
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::ods::Enumeration;
use mlirbc_ir::{NamedAttribute, OpId, TypeData, Value, ValueMap};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use crate::common::{Look, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::memory::{element_at, parts};
use crate::to_llvm::patterns::To;

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.load", load)
        .on("memref.store", store)
        .on("memref.prefetch", prefetch)
        .on("memref.atomic_rmw", atomic)
        .on("memref.generic_atomic_rmw", generic_atomic)
}

/// No index is beyond its dimension.
fn in_bounds() -> GEPNoWrapFlags {
    GEPNoWrapFlags::INBOUNDS | GEPNoWrapFlags::NUW
}

/// What stands for the operands from that number on.
fn from(operands: &Adaptor, number: usize) -> Result<Vec<Value>, NoMatch> {
    (number..operands.len()).map(|number| operands.get(number)).collect()
}

/// How an access is aligned, and whether it will not come again.
fn said(rw: &Rw<'_, '_>, op: OpId) -> Result<Vec<NamedAttribute>, NoMatch> {
    let (context, of) = (rw.context(), rw.op(op));
    let mut said = Vec::new();
    let number = |name| {
        let value = of.attribute(name)?.and_then(|value| context.integer_of(value)?.to_i64());
        Ok::<_, mlirbc_ir::Error>(value.filter(|&value| value != 0))
    };
    if let Some(alignment) = number("alignment")? {
        said.push(rw.named("alignment", context.integer(64, alignment)));
    }
    if number("nontemporal")?.is_some() {
        said.push(rw.named("nontemporal", context.unit()));
    }
    Ok(said)
}

fn load(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memory = (rw.operand_type(op, 0)?, operands.get(0)?);
    let place = element_at(&to.types, rw, memory, &from(operands, 1)?, in_bounds())?;
    let (ty, said) = (rw.converted_result(op)?, said(rw, op)?);
    let made = rw.emit_with("llvm.load", &[place], ty, said)?;
    Ok(rw.replace(op, [made])?)
}

fn store(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memory = (rw.operand_type(op, 1)?, operands.get(1)?);
    let place = element_at(&to.types, rw, memory, &from(operands, 2)?, in_bounds())?;
    let said = said(rw, op)?;
    rw.emit_nothing("llvm.store", &[operands.get(0)?, place], said)?;
    Ok(rw.replace(op, [])?)
}

fn prefetch(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memory = (rw.operand_type(op, 0)?, operands.get(0)?);
    let place = element_at(&to.types, rw, memory, &from(operands, 1)?, GEPNoWrapFlags::NONE)?;
    let context = rw.context();
    let flag = |rw: &Rw<'_, '_>, name| {
        let value = context.integer_of(rw.attribute(op, name)?).is_some_and(|value| !value.is_zero());
        Result::<_, NoMatch>::Ok(context.integer(32, value.into()))
    };
    let attributes = vec![
        rw.named("rw", flag(rw, "isWrite")?),
        rw.named("hint", rw.attribute(op, "localityHint")?),
        rw.named("cache", flag(rw, "isDataCache")?),
    ];
    rw.emit_nothing("llvm.intr.prefetch", &[place], attributes)?;
    Ok(rw.replace(op, [])?)
}

/// What is done to memory, by the name of `arith`.
const KINDS: [(&str, AtomicBinOp); 14] = [
    ("addf", AtomicBinOp::Fadd),
    ("addi", AtomicBinOp::Add),
    ("assign", AtomicBinOp::Xchg),
    ("maximumf", AtomicBinOp::Fmaximum),
    ("maxnumf", AtomicBinOp::Fmax),
    ("maxs", AtomicBinOp::Max),
    ("maxu", AtomicBinOp::Umax),
    ("minimumf", AtomicBinOp::Fminimum),
    ("minnumf", AtomicBinOp::Fmin),
    ("mins", AtomicBinOp::Min),
    ("minu", AtomicBinOp::Umin),
    ("ori", AtomicBinOp::Or),
    ("xori", AtomicBinOp::Xor),
    ("andi", AtomicBinOp::And),
];

fn atomic(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    use mlirbc_dialects::arith::AtomicRMWKind;
    let context = rw.context();
    let kind = context.integer_of(rw.attribute(op, "kind")?).and_then(|kind| kind.to_i64());
    let kind = kind.and_then(AtomicRMWKind::from_value).and_then(AtomicRMWKind::text);
    let kind = kind.and_then(|name| KINDS.iter().find(|known| known.0 == name));
    let kind = kind.ok_or(NoMatch::Reason("no atomic operation of LLVM does that"))?.1;
    let ty = rw.operand_type(op, 1)?;
    Strides::of(context, ty).ok_or(NoMatch::Reason("memory without strides"))?;
    let memory = (ty, operands.get(1)?);
    let place = element_at(&to.types, rw, memory, &from(operands, 2)?, GEPNoWrapFlags::NONE)?;
    let value = operands.get(0)?;
    let attributes = vec![
        rw.named("bin_op", context.integer(64, kind.value())),
        rw.named("ordering", context.integer(64, AtomicOrdering::AcqRel.value())),
    ];
    let ty = rw.ty(value)?;
    let made = rw.emit_with("llvm.atomicrmw", &[place, value], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

/// Works out what is to be there until nobody else has changed it meanwhile.
fn generic_atomic(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let memory_type = rw.operand_type(op, 0)?;
    let inner = rw.region(op, 0)?;
    let inside = rw.body().first_block(inner).ok_or(NoMatch::Reason("an operation on memory without a body"))?;
    let before = rw.body().block_of(op).ok_or(NoMatch::Reason("an operation in no block"))?;
    let region = rw.body().region_of(before).ok_or(NoMatch::Reason("an operation in no region"))?;
    let rest = rw.split_block(op)?;
    let repeated = rw.create_block(region, Some(rest), [ty])?;
    rw.set_insertion_point_to_end(before)?;
    let memory = (memory_type, operands.get(0)?);
    let place = element_at(&to.types, rw, memory, &from(operands, 1)?, GEPNoWrapFlags::NONE)?;
    let element = rw.convert_type(parts(context, memory_type)?.1)?;
    let first = rw.load(element, place)?;
    rw.branch(repeated, &[first])?;
    rw.set_insertion_point_to_end(repeated)?;
    let was = rw.body().arguments(repeated)[0];
    let mut map = ValueMap::default();
    for &argument in rw.body().arguments(inside) {
        map.values.insert(argument, was);
    }
    let ops: Vec<OpId> = rw.body().operations(inside).collect();
    let Some((&ending, ops)) = ops.split_last() else { return Err(NoMatch::Reason("a body without an end")) };
    for &op in ops {
        rw.clone_operation(op, &mut map)?;
    }
    let &[result] = rw.body().operands(ending) else { return Err(NoMatch::Reason("a body of another end")) };
    let result = map.values.get(&result).copied().unwrap_or(result);
    let (mut compared, mut wanted, mut stored) = (was, result, ty);
    let is_float = matches!(context[ty], TypeData::Float(_));
    if let TypeData::Float(kind) = context[ty] {
        stored = context.integer_type(kind.width());
        compared = rw.emit("llvm.bitcast", &[compared], stored)?;
        wanted = rw.emit("llvm.bitcast", &[wanted], stored)?;
    }
    let both = StructType::literal(context, &[stored, context.integer_type(1)], false)?.into();
    let attributes = vec![
        rw.named("success_ordering", context.integer(64, AtomicOrdering::AcqRel.value())),
        rw.named("failure_ordering", context.integer(64, AtomicOrdering::Monotonic.value())),
    ];
    let made = rw.emit_with("llvm.cmpxchg", &[place, compared, wanted], both, attributes)?;
    let mut found = rw.extract(made, &[0])?;
    let done = rw.extract(made, &[1])?;
    if is_float {
        found = rw.emit("llvm.bitcast", &[found], ty)?;
    }
    rw.branch_if(done, (rest, &[]), (repeated, &[found]))?;
    Ok(rw.replace(op, [found])?)
}
