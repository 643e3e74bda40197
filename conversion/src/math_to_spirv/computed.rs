//! Operations that are computed by several.

use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{Context, Error, NumberKind, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::check_types;
use crate::arith_to_spirv::truth_like;
use crate::common::{Look, Rw, element, lanes, resized, width};
use crate::to_spirv::emit::{Emit, number};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn for_all(set: SpirvPatterns) -> SpirvPatterns {
    set.on("math.copysign", copy_sign)
}

pub(super) fn for_shaders(set: SpirvPatterns) -> SpirvPatterns {
    logarithms(set.on("math.ctlz", leading_zeros), "spirv.GL.Log", "spirv.GL.Exp")
        .on("math.powf", power)
        .on("math.round", round)
}

pub(super) fn for_kernels(set: SpirvPatterns) -> SpirvPatterns {
    logarithms(set, "spirv.CL.log", "spirv.CL.exp")
}

/// What is computed with a logarithm or with a power of e.
fn logarithms(set: SpirvPatterns, log: &'static str, exp: &'static str) -> SpirvPatterns {
    set.with("math.log1p", 1, move |_, rw, op, operands| log_of_more(rw, op, operands, log))
        .with("math.log2", 1, move |_, rw, op, operands| log_to(rw, op, operands, (log, std::f64::consts::LOG2_E)))
        .with("math.log10", 1, move |_, rw, op, operands| log_to(rw, op, operands, (log, std::f64::consts::LOG10_E)))
        .with("math.expm1", 1, move |_, rw, op, operands| less_than_exp(rw, op, operands, exp))
}

/// What floats a type has.
fn floats(context: &Context, ty: Type) -> Option<FloatKind> {
    match NumberKind::of(context, element(context, ty)) {
        Some(NumberKind::Float(kind)) => Some(kind),
        _ => None,
    }
}

/// The bits of the one number, with that for the sign of the other.
fn copy_sign(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    check_types(rw, op)?;
    let (was, ty) = (rw.result_type(op)?, rw.converted_result(op)?);
    let context = rw.context();
    let bits = floats(context, was).ok_or(NoMatch::Reason("no floats"))?.width();
    let single = context.integer_type(bits);
    let sign = 1u64.checked_shl(bits - 1).ok_or(NoMatch::Reason("a float that is too wide"))?;
    let mut sign_mask = rw.integer(single, sign)?;
    let mut value_mask = rw.integer(single, sign - 1)?;
    let mut all = single;
    if let Some(count) = lanes(context, ty) {
        all = resized(context, ty, bits);
        let count = usize::try_from(count).map_err(|_| NoMatch::Reason("too many elements"))?;
        sign_mask = rw.emit("spirv.CompositeConstruct", &vec![sign_mask; count], all)?;
        value_mask = rw.emit("spirv.CompositeConstruct", &vec![value_mask; count], all)?;
    }
    let value = rw.emit("spirv.Bitcast", &[operands.get(0)?], all)?;
    let sign = rw.emit("spirv.Bitcast", &[operands.get(1)?], all)?;
    let value = rw.emit("spirv.BitwiseAnd", &[value, value_mask], all)?;
    let sign = rw.emit("spirv.BitwiseAnd", &[sign, sign_mask], all)?;
    let both = rw.emit("spirv.BitwiseOr", &[value, sign], all)?;
    let made = rw.emit("spirv.Bitcast", &[both], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Counted from the highest bit that is set; of zero and one apart, since drivers are wrong there.
fn leading_zeros(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    check_types(rw, op)?;
    let (was, ty) = (rw.result_type(op)?, rw.converted_result(op)?);
    let context = rw.context();
    // Of fewer bits, those above would be counted.
    let is_index = element(context, was) == context.index_type();
    if width(context, ty) != Some(32) || !is_index && width(context, was) != Some(32) {
        return Err(NoMatch::Reason("no integer of 32 bits"));
    }
    let value = operands.get(0)?;
    let one = rw.integer(ty, 1)?;
    let last = rw.integer(ty, 31)?;
    let count = rw.integer(ty, 32)?;
    let highest = rw.emit("spirv.GL.FindUMsb", &[value], ty)?;
    let zeros = rw.emit("spirv.ISub", &[last, highest], ty)?;
    let of_small = rw.emit("spirv.ISub", &[count, value], ty)?;
    let truth = truth_like(rw, ty);
    let is_small = rw.emit("spirv.ULessThanEqual", &[value, one], truth)?;
    let made = rw.emit("spirv.Select", &[is_small, of_small, zeros], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn less_than_exp(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, exp: &str) -> Outcome {
    check_types(rw, op)?;
    let ty = rw.converted_result(op)?;
    let power = rw.emit(exp, &operands.all()?, ty)?;
    let one = rw.one(ty)?;
    let made = rw.emit("spirv.FSub", &[power, one], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn log_of_more(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, log: &str) -> Outcome {
    check_types(rw, op)?;
    let ty = rw.converted_result(op)?;
    let one = rw.one(ty)?;
    let more = rw.emit("spirv.FAdd", &[one, operands.get(0)?], ty)?;
    let made = rw.emit(log, &[more], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A logarithm to another base than e, of which `unit` is what e has to it.
fn log_to(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (log, unit): (&str, f64)) -> Outcome {
    check_types(rw, op)?;
    let ty = rw.converted_result(op)?;
    let unit = number(rw.context(), ty, unit)?;
    let unit = rw.constant(ty, unit)?;
    let natural = rw.emit(log, &operands.all()?, ty)?;
    let made = rw.emit("spirv.FMul", &[natural, unit], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// SPIR-V's own power is not defined for numbers below zero: these are made positive, and the sign is put back where the exponent is odd.
/// Where it is no whole number, nothing is the result.
fn power(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    check_types(rw, op)?;
    let (was, ty) = (rw.result_type(op)?, rw.converted_result(op)?);
    let (base, exponent) = (operands.get(0)?, operands.get(1)?);
    let context = rw.context();
    let nan = floats(context, ty).and_then(ApFloat::nan).ok_or(NoMatch::Reason("no floats"))?;
    let (whole, truth) = (resized(context, ty, 32), truth_like(rw, ty));
    if floats(context, was) != floats(context, ty) && lanes(context, ty).is_none() {
        // There MLIR makes a constant of another type than it says.
        return Err(Error::verification("a power of floats that the target does not have").into());
    }
    let zero = rw.zero(ty)?;
    let is_negative = rw.emit("spirv.FOrdLessThan", &[base, zero], truth)?;
    let one = rw.one(ty)?;
    let rest = rw.emit("spirv.FRem", &[exponent, one], ty)?;
    let has_rest = rw.emit("spirv.FOrdNotEqual", &[rest, zero], truth)?;
    let is_none = rw.emit("spirv.LogicalAnd", &[has_rest, is_negative], truth)?;
    let nan = context.numbers(ty, &[nan.to_bits()])?;
    let nan = rw.constant(ty, nan)?;
    let base = rw.emit("spirv.Select", &[is_none, nan, base], ty)?;
    let base = rw.emit("spirv.GL.FAbs", &[base], ty)?;
    let exponent_as_whole = rw.emit("spirv.ConvertFToS", &[exponent], whole)?;
    let one = rw.one(whole)?;
    let last_bit = rw.emit("spirv.BitwiseAnd", &[exponent_as_whole, one], whole)?;
    let is_odd = rw.emit("spirv.IEqual", &[last_bit, one], truth)?;
    let power = rw.emit("spirv.GL.Pow", &[base, exponent], ty)?;
    let negated = rw.emit("spirv.FNegate", &[power], ty)?;
    let is_negated = rw.emit("spirv.LogicalAnd", &[is_negative, is_odd], truth)?;
    let made = rw.emit("spirv.Select", &[is_negated, negated, power], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Half a unit and more goes away from zero.
fn round(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    check_types(rw, op)?;
    let Some(&value) = rw.body().operands(op).first() else { return Err(NoMatch::Reason("no operand")) };
    let ty = rw.ty(value)?;
    let zero = rw.zero(ty)?;
    let one = rw.one(ty)?;
    let half = number(rw.context(), ty, 0.5)?;
    let half = rw.constant(ty, half)?;
    let size = rw.emit("spirv.GL.FAbs", &[value], ty)?;
    let floor = rw.emit("spirv.GL.Floor", &[size], ty)?;
    let rest = rw.emit("spirv.FSub", &[size, floor], ty)?;
    let truth = truth_like(rw, ty);
    let goes_up = rw.emit("spirv.FOrdGreaterThanEqual", &[rest, half], truth)?;
    let up = rw.emit("spirv.Select", &[goes_up, one, zero], ty)?;
    let rounded = rw.emit("spirv.FAdd", &[floor, up], ty)?;
    let made = rw.emit("math.copysign", &[rounded, value], ty)?;
    Ok(rw.replace(op, [made])?)
}
