//! Operations on values that MLIR has no conversion of, each by a few of LLVM.

use std::sync::Arc;

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{Attribute, AttributeData, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::types::part;

use super::Set;
use super::emit::{Emit, Rw, element, lanes, number_or_vector, resized, signless, with_element};
use super::explicit::{extract, insert};
use super::memory::symbol;
use super::state::State;

/// A constant is made of so many parts at most.
const MOST_PARTS: u32 = 4096;

/// Specialisation constants are made of each other so often at most.
const DEEPEST: u32 = 64;

pub(super) fn add_to(set: Set, state: &Arc<State>) -> Set {
    let state = state.clone();
    let specialised = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| specialised(rw, op, &state);
    set.on("spirv.SNegate", negate)
        .on("spirv.SMod", signed_modulo)
        .on("spirv.FMod", float_modulo)
        .on("spirv.Ordered", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Ord))
        .on("spirv.Unordered", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Uno))
        .on("spirv.IsNan", |rw, op, operands| compared(rw, op, operands, FCmpPredicate::Uno))
        .on("spirv.IsInf", is_infinite)
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
        .on("spirv.CopyLogical", copied)
        .on("spirv.ConstantComposite", composite)
        .on("spirv.SpecConstant", unnamed)
        .on("spirv.OpSpecConstantComposite", unnamed)
        .on("spirv.SpecConstantComposite", unnamed)
        .pattern("spirv.mlir.referenceof", ConversionPattern::of("specialised", specialised))
}

fn negate(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let zero = rw.splat(ty, 0)?;
    let made = rw.emit("llvm.sub", &[zero, operands.get(0)?], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn compare(rw: &mut Rw<'_, '_>, name: &str, predicate: i64, [a, b]: [Value; 2]) -> mlirbc_ir::Result<Value> {
    let context = rw.context();
    let ty = resized(context, rw.ty(a)?, 1);
    let predicate = (context.static_identifier("predicate"), context.integer(64, predicate));
    rw.emit_with(name, &[a, b], ty, vec![predicate])
}

/// The remainder, to which the divisor is added where the two have different signs: the result has that of the divisor.
fn signed_modulo(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (dividend, divisor) = (operands.get(0)?, operands.get(1)?);
    let remainder = rw.emit("llvm.srem", &[dividend, divisor], ty)?;
    let zero = rw.splat(ty, 0)?;
    let signs = rw.emit("llvm.xor", &[remainder, divisor], ty)?;
    let differ = compare(rw, "llvm.icmp", ICmpPredicate::Slt.value(), [signs, zero])?;
    let some = compare(rw, "llvm.icmp", ICmpPredicate::Ne.value(), [remainder, zero])?;
    let adds = rw.emit("llvm.and", &[differ, some], resized(rw.context(), ty, 1))?;
    let sum = rw.emit("llvm.add", &[remainder, divisor], ty)?;
    let made = rw.emit("llvm.select", &[adds, sum, remainder], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A float as a constant, or a vector that has it everywhere.
fn float(rw: &mut Rw<'_, '_>, ty: Type, number: impl FnOnce(FloatKind) -> Option<ApFloat>) -> Result<Value, NoMatch> {
    let context = rw.context();
    let TypeData::Float(kind) = context[element(context, ty)] else { return Err(NoMatch::Reason("it is no float")) };
    let number = number(kind).ok_or(NoMatch::Reason("there is no such float"))?;
    let value = context.numbers(ty, &[number.to_bits()])?;
    Ok(rw.constant(ty, value)?)
}

/// As [`signed_modulo`].
fn float_modulo(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (dividend, divisor) = (operands.get(0)?, operands.get(1)?);
    let remainder = rw.emit("llvm.frem", &[dividend, divisor], ty)?;
    let zero = float(rw, ty, |kind| Some(ApFloat::zero(kind)))?;
    let less = FCmpPredicate::Olt.value();
    let first = compare(rw, "llvm.fcmp", less, [remainder, zero])?;
    let second = compare(rw, "llvm.fcmp", less, [divisor, zero])?;
    let differ = rw.emit("llvm.xor", &[first, second], resized(rw.context(), ty, 1))?;
    let some = compare(rw, "llvm.fcmp", FCmpPredicate::Une.value(), [remainder, zero])?;
    let adds = rw.emit("llvm.and", &[differ, some], resized(rw.context(), ty, 1))?;
    let sum = rw.emit("llvm.fadd", &[remainder, divisor], ty)?;
    let made = rw.emit("llvm.select", &[adds, sum, remainder], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Compares two operands, or one with itself.
fn compared(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, predicate: FCmpPredicate) -> Outcome {
    let first = operands.get(0)?;
    let second = if operands.len() > 1 { operands.get(1)? } else { first };
    let made = compare(rw, "llvm.fcmp", predicate.value(), [first, second])?;
    Ok(rw.replace(op, [made])?)
}

fn is_infinite(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let value = operands.get(0)?;
    let ty = rw.ty(value)?;
    let absolute = rw.emit("llvm.intr.fabs", &[value], ty)?;
    let infinity = float(rw, ty, ApFloat::infinity)?;
    let made = compare(rw, "llvm.fcmp", FCmpPredicate::Oeq.value(), [absolute, infinity])?;
    Ok(rw.replace(op, [made])?)
}

/// A float as precise as one of 16 bits, and none that is denormal there.
fn quantized(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let half = with_element(context, ty, context.ty(TypeData::Float(FloatKind::F16)));
    let narrow = rw.emit("llvm.fptrunc", &[operands.get(0)?], half)?;
    let wide = rw.emit("llvm.fpext", &[narrow], ty)?;
    let absolute = rw.emit("llvm.intr.fabs", &[wide], ty)?;
    let least = float(rw, ty, |kind| Some(ApFloat::from_f64(kind, 2f64.powi(FloatKind::F16.min_exponent()))))?;
    let is_denormal = compare(rw, "llvm.fcmp", FCmpPredicate::Olt.value(), [absolute, least])?;
    let zero = float(rw, ty, |kind| Some(ApFloat::zero(kind)))?;
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

/// The sum of the products of the elements, the first ones first.
fn dot(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, of) = (rw.converted_result(op)?, rw.ty(operands.get(0)?)?);
    let count = lanes(rw.context(), of).ok_or(NoMatch::Reason("it is no vector"))?;
    let products = rw.emit("llvm.fmul", &operands.all()?, of)?;
    let mut sum = extract(rw, products, 0, ty)?;
    for lane in 1..count as u32 {
        let product = extract(rw, products, lane, ty)?;
        sum = rw.emit("llvm.fadd", &[sum, product], ty)?;
    }
    Ok(rw.replace(op, [sum])?)
}

fn times_scalar(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (vector, scalar) = (operands.get(0)?, operands.get(1)?);
    let count = lanes(rw.context(), ty).ok_or(NoMatch::Reason("it is no vector"))?;
    let mut factor = rw.emit("llvm.mlir.poison", &[], ty)?;
    for lane in 0..count as u32 {
        factor = insert(rw, factor, scalar, lane)?;
    }
    let made = rw.emit("llvm.fmul", &[vector, factor], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A copy of other offsets and strides: as values, both are the same where they become the same type.
fn copied(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    if rw.ty(value)? != ty {
        return Err(NoMatch::Reason("a copy is of another type"));
    }
    Ok(rw.replace(op, [value])?)
}

/// A constant that MLIR has no operation for.
fn composite(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (ty, value) = (rw.result_type(op)?, rw.attribute(op, "value")?);
    let made = whole_constant(rw, ty, value)?;
    Ok(rw.replace(op, [made])?)
}

/// What is put in the place of its name has no name any more.
fn unnamed(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    Ok(rw.erase(op)?)
}

/// A constant of any type, of its value.
pub(super) fn constant(rw: &mut Rw<'_, '_>, ty: Type, value: Attribute, left: &mut u32) -> Result<Value, NoMatch> {
    let too_much = NoMatch::Reason("a constant has too many parts");
    *left = left.checked_sub(1).ok_or(too_much)?;
    let context = rw.context();
    let mut parts = None;
    if let AttributeData::Dictionary(entries) = &context[value] {
        // What `spirv.ConstantComposite` holds: a type, and its parts or that there is no value.
        let named = |name: &[u8]| entries.iter().find(|entry| context.bytes(entry.0) == name).map(|entry| entry.1);
        if named(b"undef").is_some() {
            let ty = rw.convert_type(ty)?;
            return Ok(rw.emit("llvm.mlir.undef", &[], ty)?);
        }
        parts = named(b"parts");
    }
    if parts.is_none() && number_or_vector(context, ty) {
        let (ty, value) = signless(rw, ty, value)?;
        return Ok(rw.constant(ty, value)?);
    }
    let wrong = || NoMatch::Reason("the value of a constant is of another kind");
    let converted = rw.convert_type(ty)?;
    let AttributeData::Array(parts) = &context[parts.unwrap_or(value)] else { return Err(wrong()) };
    let mut made = rw.emit("llvm.mlir.poison", &[], converted)?;
    for (number, &value) in (0..).zip(parts.iter()) {
        let of_part = part(context, ty, number).ok_or(NoMatch::Reason("a constant has too many parts for its type"))?;
        let value = constant(rw, of_part, value, left)?;
        made = insert(rw, made, value, number)?;
    }
    Ok(made)
}

/// A constant of as many parts as one may have.
pub(super) fn whole_constant(rw: &mut Rw<'_, '_>, ty: Type, value: Attribute) -> Result<Value, NoMatch> {
    constant(rw, ty, value, &mut { MOST_PARTS })
}

fn specialised(rw: &mut Rw<'_, '_>, op: OpId, state: &State) -> Outcome {
    let ty = rw.result_type(op)?;
    let name = rw.attribute(op, "spec_const")?;
    let made = default(rw, ty, name, state, DEEPEST, &mut { MOST_PARTS })?;
    Ok(rw.replace(op, [made])?)
}

/// The default of a specialisation constant.
fn default(
    rw: &mut Rw<'_, '_>,
    ty: Type,
    name: Attribute,
    state: &State,
    depth: u32,
    left: &mut u32,
) -> Result<Value, NoMatch> {
    let too_deep = NoMatch::Reason("a specialisation constant has too many parts");
    let depth = depth.checked_sub(1).ok_or(too_deep)?;
    let context = rw.context();
    let unknown = || NoMatch::Reason("a specialisation constant is not defined");
    if !matches!(context[name], AttributeData::SymbolRef { .. }) {
        return constant(rw, ty, name, left);
    }
    let name = symbol(context, name)?;
    let definition = state.constant(rw.module(), rw.body_id(), name)?.ok_or_else(unknown)?;
    if let Some(value) = definition.attribute("default_value")? {
        return constant(rw, ty, value, left);
    }
    let parts = definition.attribute("constituents")?.ok_or_else(unknown)?;
    let AttributeData::Array(parts) = &context[parts] else { return Err(unknown()) };
    let converted = rw.convert_type(ty)?;
    let mut made = rw.emit("llvm.mlir.poison", &[], converted)?;
    for (number, &name) in (0..).zip(parts.iter()) {
        let of_part = part(context, ty, number).ok_or(NoMatch::Reason("a constant has too many parts for its type"))?;
        let value = default(rw, of_part, name, state, depth, left)?;
        made = insert(rw, made, value, number)?;
    }
    Ok(made)
}
