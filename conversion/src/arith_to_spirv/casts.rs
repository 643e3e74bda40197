//! Casts between types of numbers.

use mlirbc_dialects::arith::rounding_mode;
use mlirbc_ir::number::RoundingMode;
use mlirbc_ir::{NumberKind, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;

use super::is_truth;
use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

/// Casts that become another one, or nothing where both types become one.
const CASTS: &[(&str, &str)] = &[
    ("arith.extf", "spirv.FConvert"),
    ("arith.truncf", "spirv.FConvert"),
    ("arith.uitofp", "spirv.ConvertUToF"),
    ("arith.sitofp", "spirv.ConvertSToF"),
    ("arith.fptoui", "spirv.ConvertFToU"),
    ("arith.fptosi", "spirv.ConvertFToS"),
    ("arith.index_cast", "spirv.SConvert"),
    ("arith.index_castui", "spirv.UConvert"),
    ("arith.bitcast", "spirv.Bitcast"),
];

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    let set = CASTS
        .iter()
        .fold(set, |set, &(from, to)| set.with(from, 1, move |_, rw, op, operands| cast(rw, op, operands, to)));
    set.on("arith.extui", extend_unsigned)
        .on("arith.extsi", extend_signed)
        .on("arith.trunci", truncate)
        .on("arith.uitofp", of_truth)
        .on("arith.index_cast", truth_of_index)
        .on("arith.index_cast", of_truth)
}

/// The type of the operand and the type that the result becomes.
fn types(rw: &Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Result<(Type, Type), NoMatch> {
    Ok((rw.ty(operands.get(0)?)?, rw.converted_result(op)?))
}

fn cast(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    let context = rw.context();
    if is_truth(context, from) || is_truth(context, to) {
        return Err(NoMatch::Reason("a cast of truth values"));
    }
    if from == to {
        return Ok(rw.replace(op, [operands.get(0)?])?);
    }
    let mut attributes = Vec::new();
    if let Some(mode) = rounding_mode(rw.op(op))? {
        let mode = match mode {
            RoundingMode::ToNearestEven => "RTE",
            RoundingMode::TowardZero => "RTZ",
            RoundingMode::Upward => "RTP",
            RoundingMode::Downward => "RTN",
            RoundingMode::ToNearestAway => return Err(NoMatch::Reason("SPIR-V does not round so")),
        };
        let mode = EnumKind::FPRoundingMode.value(mode).ok_or(NoMatch::Reason("an unknown way of rounding"))?;
        let mode = enumerant(context, EnumKind::FPRoundingMode, mode);
        attributes.push((context.static_identifier("fp_rounding_mode"), mode));
    }
    let made = rw.emit_with(name, &operands.all()?, to, attributes)?;
    Ok(rw.replace(op, [made])?)
}

/// A truth value as a number.
fn of_truth(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    if !is_truth(rw.context(), from) {
        return Err(NoMatch::Reason("no truth value"));
    }
    let zero = rw.zero(to)?;
    let one = rw.one(to)?;
    let made = rw.emit("spirv.Select", &[operands.get(0)?, one, zero], to)?;
    Ok(rw.replace(op, [made])?)
}

fn truth_of_index(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    if !is_truth(rw.context(), to) {
        return Err(NoMatch::Reason("no truth value"));
    }
    let zero = rw.zero(from)?;
    let made = rw.emit("spirv.INotEqual", &[zero, operands.get(0)?], to)?;
    Ok(rw.replace(op, [made])?)
}

/// How many bits the numbers of a type have.
fn bits(rw: &Rw<'_, '_>, ty: Type) -> Result<u32, NoMatch> {
    let context = rw.context();
    NumberKind::of(context, element(context, ty)).map(NumberKind::width).ok_or(NoMatch::Reason("no type of numbers"))
}

/// The lowest bits of a number alone, so many.
fn lowest(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (count, ty): (u32, Type)) -> Outcome {
    let mask = u64::MAX.checked_shr(64u32.saturating_sub(count)).unwrap_or(0);
    let mask = rw.integer(ty, mask)?;
    let made = rw.emit("spirv.BitwiseAnd", &[operands.get(0)?, mask], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn extend_unsigned(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    if is_truth(rw.context(), from) {
        return of_truth(spirv, rw, op, operands);
    }
    if from == to {
        let count = bits(rw, rw.operand_type(op, 0)?)?;
        return lowest(rw, op, operands, (count, to));
    }
    let made = rw.emit("spirv.UConvert", &operands.all()?, to)?;
    Ok(rw.replace(op, [made])?)
}

fn extend_signed(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    let value = operands.get(0)?;
    let made = if is_truth(rw.context(), from) {
        let ones = rw.integer(to, u64::MAX)?;
        let zero = rw.zero(to)?;
        rw.emit("spirv.Select", &[value, ones, zero], to)?
    } else if from == to {
        let (was, becomes) = (bits(rw, rw.operand_type(op, 0)?)?, bits(rw, rw.result_type(op)?)?);
        let amount = rw.integer(to, u64::from(becomes.saturating_sub(was)))?;
        let up = rw.emit("spirv.ShiftLeftLogical", &[value, amount], to)?;
        rw.emit("spirv.ShiftRightArithmetic", &[up, amount], to)?
    } else {
        rw.emit("spirv.SConvert", &[value], to)?
    };
    Ok(rw.replace(op, [made])?)
}

fn truncate(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to) = types(rw, op, operands)?;
    let value = operands.get(0)?;
    if is_truth(rw.context(), to) {
        let mask = rw.one(from)?;
        let bit = rw.emit("spirv.BitwiseAnd", &[value, mask], from)?;
        let is_set = rw.emit("spirv.IEqual", &[bit, mask], to)?;
        let zero = rw.zero(to)?;
        let one = rw.one(to)?;
        let made = rw.emit("spirv.Select", &[is_set, one, zero], to)?;
        return Ok(rw.replace(op, [made])?);
    }
    if from == to {
        let count = bits(rw, rw.result_type(op)?)?;
        return lowest(rw, op, operands, (count, to));
    }
    let made = rw.emit("spirv.SConvert", &[value], to)?;
    Ok(rw.replace(op, [made])?)
}
