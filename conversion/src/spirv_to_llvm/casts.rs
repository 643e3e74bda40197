//! Conversions between numbers whose operation in LLVM says whether they get wider or narrower.

use mlirbc_dialects::llvm::{FCmpPredicate, PointerType};
use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::Set;
use super::direct::renamed;
use super::emit::{Emit, Look, Rw, resized as resized_type, width};
use super::math::Math;
use super::rounding::Said;

/// Operations, with what they become where the result is wider, and where it is narrower.
const CASTS: &[(&str, &str, &str)] = &[
    ("spirv.FConvert", "llvm.fpext", "llvm.fptrunc"),
    ("spirv.SConvert", "llvm.sext", "llvm.trunc"),
    ("spirv.UConvert", "llvm.zext", "llvm.trunc"),
];

/// Conversions of floats to integers, with whether these have a sign, and back.
const TO_INTEGERS: &[(&str, &str, bool)] =
    &[("spirv.ConvertFToS", "llvm.fptosi", true), ("spirv.ConvertFToU", "llvm.fptoui", false)];
const TO_FLOATS: &[(&str, &str, bool)] =
    &[("spirv.ConvertSToF", "llvm.sitofp", true), ("spirv.ConvertUToF", "llvm.uitofp", false)];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, to, has_sign) in TO_INTEGERS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let said = Said::of(rw, op)?;
            if said.is_nothing() {
                return renamed(rw, op, operands, to);
            }
            let ty = rw.converted_result(op)?;
            let made = said.integer(rw, operands.get(0)?, ty, (to, has_sign))?;
            Ok(rw.replace(op, [made])?)
        };
        set = set.pattern(from, ConversionPattern::of("integer", convert));
    }
    for &(from, to, has_sign) in TO_FLOATS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let said = Said::of(rw, op)?;
            if said.is_nothing() {
                return renamed(rw, op, operands, to);
            }
            let ty = rw.converted_result(op)?;
            let made = said.float(rw, operands.get(0)?, ty, (to, has_sign))?;
            Ok(rw.replace(op, [made])?)
        };
        set = set.pattern(from, ConversionPattern::of("float", convert));
    }
    for &(from, extend, truncate) in CASTS {
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| resized(rw, op, operands, [extend, truncate]);
        set = set.pattern(from, ConversionPattern::of("resized", convert));
    }
    set.on("spirv.Bitcast", bitcast)
        .on("spirv.PtrCastToGeneric", recast)
        .on("spirv.GenericCastToPtr", recast)
        .on("spirv.GenericCastToPtrExplicit", recast)
        // A binary's says the class besides, which MLIR's has no place for.
        .on("spirv.OpGenericCastToPtrExplicit", recast)
        .on("spirv.CrossWorkgroupCastToPtrALTERA", recast)
        .on("spirv.PtrCastToCrossWorkgroupALTERA", recast)
        .on("spirv.INTEL.ConvertBF16ToF", widened)
        .on("spirv.INTEL.ConvertFToBF16", |rw, op, operands| shortened(rw, op, operands, 16))
        .on("spirv.INTEL.RoundFToTF32", |rw, op, operands| shortened(rw, op, operands, 13))
}

/// A pointer into another address space, or the same where both classes share one: a processor has one memory, so that whether a pointer is
/// of a class is not looked at.
fn recast(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    let made = if rw.ty(value)? == ty { value } else { rw.emit("llvm.addrspacecast", &[value], ty)? };
    Ok(rw.replace(op, [made])?)
}

/// The upper half of a float of 32 bits, as one.
fn widened(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let bits = resized_type(rw.context(), ty, 32);
    let wide = rw.emit("llvm.zext", &[operands.get(0)?], bits)?;
    let shift = rw.splat(bits, 16)?;
    let wide = rw.math("llvm.shl", &[wide, shift])?;
    let made = rw.emit("llvm.bitcast", &[wide], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// A float of 32 bits without so many of its last bits, rounded to the nearest number, and to the even one of two; as an integer of the bits
/// that are left where the result is one.
fn shortened(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, lost: u32) -> Outcome {
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    let of = resized_type(rw.context(), ty, 32);
    let bits = rw.emit("llvm.bitcast", &[value], of)?;
    let (shift, one) = (rw.splat(of, lost.into())?, rw.splat(of, 1)?);
    let last = rw.math("llvm.lshr", &[bits, shift])?;
    let last = rw.math("llvm.and", &[last, one])?;
    let half = rw.splat(of, (1 << (lost - 1)) - 1)?;
    let more = rw.math("llvm.add", &[last, half])?;
    let rounded = rw.math("llvm.add", &[bits, more])?;
    // One bit of what is no number has to stay.
    let quiet = rw.splat(of, 1 << 22)?;
    let quiet = rw.math("llvm.or", &[bits, quiet])?;
    let is_none = rw.compare(FCmpPredicate::Uno, value, value)?;
    let chosen = rw.choose(is_none, quiet, rounded)?;
    let kept = rw.math("llvm.lshr", &[chosen, shift])?;
    let made = if of == ty || width(rw.context(), ty) != Some(32) {
        rw.emit("llvm.trunc", &[kept], ty)?
    } else {
        let whole = rw.math("llvm.shl", &[kept, shift])?;
        rw.emit("llvm.bitcast", &[whole], ty)?
    };
    Ok(rw.replace(op, [made])?)
}

fn resized(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, [extend, truncate]: [&str; 2]) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let widths = width(context, rw.operand_type(op, 0)?).zip(width(context, rw.result_type(op)?));
    let to = match widths.ok_or(NoMatch::Reason("neither is a number"))? {
        (from, to) if from < to => extend,
        (from, to) if from > to => truncate,
        _ => return rw.no_match("both are as wide"),
    };
    let (said, value) = (Said::of(rw, op)?, operands.get(0)?);
    let made = match to {
        "llvm.fptrunc" => said.narrower_float(rw, value, ty)?,
        "llvm.trunc" => said.narrower(rw, value, ty, extend == "llvm.sext")?,
        _ => rw.emit(to, &[value], ty)?,
    };
    Ok(rw.replace(op, [made])?)
}

/// Pointers all are of one type: nothing is left to be done. Where one of both is none, it is a number of as many bits.
fn bitcast(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    let of = rw.ty(value)?;
    let number = context.integer_type(64);
    let is_pointer = |ty| PointerType::of(context, ty).is_some();
    let made = match (is_pointer(of), is_pointer(ty)) {
        (true, true) => value,
        (false, false) => {
            let attributes = rw.all_attributes(op)?;
            rw.emit_with("llvm.bitcast", &[value], ty, attributes)?
        }
        (false, true) => {
            let value = if of == number { value } else { rw.emit("llvm.bitcast", &[value], number)? };
            rw.emit("llvm.inttoptr", &[value], ty)?
        }
        (true, false) => {
            let value = rw.emit("llvm.ptrtoint", &[value], number)?;
            if ty == number { value } else { rw.emit("llvm.bitcast", &[value], ty)? }
        }
    };
    Ok(rw.replace(op, [made])?)
}
