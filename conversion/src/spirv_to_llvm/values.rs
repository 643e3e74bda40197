//! Operations on values that MLIR has no conversion of, each by a few of LLVM.

use std::sync::Arc;

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{AttributeData, OpId, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::emit::{Emit, Look, Rw, dense_array, element, lanes, resized, symbol, with_element};
use super::explicit::{extract, insert};
use super::known::{Known, tree};
use super::math::Math;
use super::state::State;
use super::{Set, composed, initial};

pub(super) fn add_to(set: Set, state: &Arc<State>) -> Set {
    let parts = state.clone();
    let replicated = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| replicated(rw, op, &parts);
    let state = state.clone();
    let specialised = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| specialised(rw, op, &state);
    // Its operands may be strings, which become nothing.
    let patterns = set.patterns.on("spirv.ExtInst", ConversionPattern::new("without meaning", without_meaning));
    let set = Set { patterns, types: set.types };
    set.on("spirv.SNegate", negate)
        .on("spirv.SMod", signed_modulo)
        .on("spirv.FMod", float_modulo)
        .on("spirv.Ordered", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Ord))
        .on("spirv.Unordered", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Uno))
        .on("spirv.IsNan", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Uno))
        .on("spirv.IsInf", |rw, op, operands| beside_infinity(rw, op, operands, FCmpPredicate::Oeq))
        .on("spirv.IsFinite", |rw, op, operands| beside_infinity(rw, op, operands, FCmpPredicate::Olt))
        .on("spirv.LessOrGreater", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::One))
        .on("spirv.KHR.AssumeTrue", assumed)
        .pattern("spirv.EXT.ConstantCompositeReplicate", ConversionPattern::of("replicated", replicated))
        .on("spirv.EXT.SpecConstantCompositeReplicate", unnamed)
        .on("spirv.PtrEqual", |rw, op, operands| same_place(rw, op, operands, ICmpPredicate::Eq))
        .on("spirv.PtrNotEqual", |rw, op, operands| same_place(rw, op, operands, ICmpPredicate::Ne))
        // What is said of memory that is used or not is of no use here.
        .on("spirv.Nop", unnamed)
        .on("spirv.LifetimeStart", unnamed)
        .on("spirv.LifetimeStop", unnamed)
        .on("spirv.QuantizeToF16", quantized)
        .on("spirv.CompositeConstruct", construct)
        .on("spirv.VectorExtractDynamic", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.extractelement"))
        .on("spirv.VectorInsertDynamic", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.insertelement"))
        .on("spirv.VectorTimesScalar", times_scalar)
        .on("spirv.Dot", dot)
        .on("spirv.CopyObject", |rw, op, operands| Ok(rw.replace(op, [operands.get(0)?])?))
        .on("spirv.ConstantNull", |rw, op, _| renamed(rw, op, &[], "llvm.mlir.zero"))
        .on("spirv.ConvertPtrToU", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.ptrtoint"))
        .on("spirv.ConvertUToPtr", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.inttoptr"))
        .on("spirv.Any", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.intr.vector.reduce.or"))
        .on("spirv.All", |rw, op, operands| renamed(rw, op, &operands.all()?, "llvm.intr.vector.reduce.and"))
        .on("spirv.ConstantComposite", composite)
        .on("spirv.SpecConstant", unnamed)
        .on("spirv.OpSpecConstantComposite", unnamed)
        .on("spirv.OpSpecConstantOp", unnamed)
        .on("spirv.SpecConstantComposite", unnamed)
        .pattern("spirv.mlir.referenceof", ConversionPattern::of("specialised", specialised))
}

fn negate(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let zero = rw.splat(ty, 0)?;
    let made = rw.emit("llvm.sub", &[zero, operands.get(0)?], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// The remainder, to which the divisor is added where the two have different signs: the result has that of the divisor.
fn signed_modulo(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (dividend, divisor) = (operands.get(0)?, operands.get(1)?);
    let remainder = rw.emit("llvm.srem", &[dividend, divisor], ty)?;
    let zero = rw.splat(ty, 0)?;
    let signs = rw.emit("llvm.xor", &[remainder, divisor], ty)?;
    let differ = rw.compare_integers(ICmpPredicate::Slt, signs, zero)?;
    let some = rw.compare_integers(ICmpPredicate::Ne, remainder, zero)?;
    let adds = rw.emit("llvm.and", &[differ, some], resized(rw.context(), ty, 1))?;
    let sum = rw.emit("llvm.add", &[remainder, divisor], ty)?;
    let made = rw.emit("llvm.select", &[adds, sum, remainder], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// As [`signed_modulo`].
fn float_modulo(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (dividend, divisor) = (operands.get(0)?, operands.get(1)?);
    let remainder = rw.emit("llvm.frem", &[dividend, divisor], ty)?;
    let zero = rw.float(ty, 0.0)?;
    let first = rw.compare(FCmpPredicate::Olt, remainder, zero)?;
    let second = rw.compare(FCmpPredicate::Olt, divisor, zero)?;
    let differ = rw.emit("llvm.xor", &[first, second], resized(rw.context(), ty, 1))?;
    let some = rw.compare(FCmpPredicate::Une, remainder, zero)?;
    let adds = rw.emit("llvm.and", &[differ, some], resized(rw.context(), ty, 1))?;
    let sum = rw.emit("llvm.fadd", &[remainder, divisor], ty)?;
    let made = rw.emit("llvm.select", &[adds, sum, remainder], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Compares two operands, or one with itself.
fn compared(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, predicate: FCmpPredicate) -> Outcome {
    let first = operands.get(0)?;
    let second = if operands.len() > 1 { operands.get(1)? } else { first };
    let made = rw.compare(predicate, first, second)?;
    Ok(rw.replace(op, [made])?)
}

/// How the size of a number compares with infinity.
fn beside_infinity(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, predicate: FCmpPredicate) -> Outcome {
    let value = operands.get(0)?;
    let ty = rw.ty(value)?;
    let absolute = rw.emit("llvm.intr.fabs", &[value], ty)?;
    let infinity = rw.float_by(ty, ApFloat::infinity)?;
    let made = rw.compare(predicate, absolute, infinity)?;
    Ok(rw.replace(op, [made])?)
}

fn same_place(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, predicate: ICmpPredicate) -> Outcome {
    let made = rw.compare_integers(predicate, operands.get(0)?, operands.get(1)?)?;
    Ok(rw.replace(op, [made])?)
}

fn assumed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let sizes = (rw.context().static_identifier("op_bundle_sizes"), dense_array(rw.context(), 32, []));
    rw.emit_nothing("llvm.intr.assume", &operands.all()?, vec![sizes])?;
    Ok(rw.replace(op, [])?)
}

/// A constant whose parts all are the same.
fn replicated(rw: &mut Rw<'_, '_>, op: OpId, state: &State) -> Outcome {
    let (ty, value) = (rw.converted_result(op)?, rw.attribute(op, "value")?);
    let part = tree(rw.context(), value, |_| None);
    let part = part.ok_or(NoMatch::Reason("the value of a constant is of another kind"))?;
    let made = composed::made(rw, ty, &Known::Each(Arc::new(part)), (&|_| None, &state.parts))?;
    Ok(rw.replace(op, [made])?)
}

/// An instruction of a set that says of itself that its instructions may be left out.
fn without_meaning(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let set = rw.attribute(op, "set")?;
    let AttributeData::String { value: name, .. } = &rw.context()[set] else {
        return Err(NoMatch::Reason("an extended set has no name"));
    };
    if !name.starts_with(b"NonSemantic.") || rw.body().result_count(op) > 0 {
        return Err(NoMatch::Reason("what an instruction of this extended set does is unknown"));
    }
    Ok(rw.erase(op)?)
}

/// A float as precise as one of 16 bits, and none that is denormal there.
fn quantized(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let half = with_element(context, ty, context.ty(TypeData::Float(FloatKind::F16)));
    let narrow = rw.emit("llvm.fptrunc", &[operands.get(0)?], half)?;
    let wide = rw.emit("llvm.fpext", &[narrow], ty)?;
    let absolute = rw.emit("llvm.intr.fabs", &[wide], ty)?;
    let least = rw.float(ty, 2f64.powi(FloatKind::F16.min_exponent()))?;
    let is_denormal = rw.compare(FCmpPredicate::Olt, absolute, least)?;
    let zero = rw.float(ty, 0.0)?;
    let made = rw.emit("llvm.select", &[is_denormal, zero, wide], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A vector may be made of vectors.
fn construct(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let mut made = rw.emit("llvm.mlir.poison", &[], ty)?;
    let mut number = 0;
    for value in operands.all()? {
        let of = rw.ty(value)?;
        match lanes(context, of).filter(|_| lanes(context, ty).is_some()) {
            Some(count) => {
                for lane in 0..count as u32 {
                    let part = extract(rw, value, lane, element(context, of))?;
                    made = insert(rw, made, part, number)?;
                    number += 1;
                }
            }
            None => {
                made = insert(rw, made, value, number)?;
                number += 1;
            }
        }
    }
    Ok(rw.replace(op, [made])?)
}

/// One operation of that name.
fn renamed(rw: &mut Rw<'_, '_>, op: OpId, operands: &[Value], to: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit(to, operands, ty)?;
    Ok(rw.replace(op, [made])?)
}

fn dot(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let made = rw.dot(operands.get(0)?, operands.get(1)?)?;
    Ok(rw.replace(op, [made])?)
}

fn times_scalar(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let factor = rw.spread(ty, operands.get(1)?)?;
    let made = rw.math("llvm.fmul", &[operands.get(0)?, factor])?;
    Ok(rw.replace(op, [made])?)
}

/// A constant that MLIR has no operation for.
fn composite(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (ty, value) = (rw.result_type(op)?, rw.attribute(op, "value")?);
    let made = composed::of_attribute(rw, ty, value)?;
    Ok(rw.replace(op, [made])?)
}

/// What is put in the place of its name has no name any more.
fn unnamed(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    Ok(rw.erase(op)?)
}

fn specialised(rw: &mut Rw<'_, '_>, op: OpId, state: &State) -> Outcome {
    let ty = rw.result_type(op)?;
    let name = symbol(rw.context(), rw.attribute(op, "spec_const")?)?;
    let known = state.constant(rw.module(), rw.body_id(), name);
    let known = known.ok_or(NoMatch::Reason("what a specialisation constant is worth cannot be worked out"))?;
    let ty = rw.convert_type(ty)?;
    let types = rw.types().ok_or(NoMatch::Reason("no type is converted"))?.clone();
    let context = rw.context();
    let find = |address: &_| initial::place(context, &types, state, address);
    let made = composed::made(rw, ty, known, (&find, &state.parts))?;
    Ok(rw.replace(op, [made])?)
}
