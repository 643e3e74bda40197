//! Operations that MLIR's dialect lacks, of the core of SPIR-V and of its extensions: each by a few of LLVM.

use std::sync::Arc;

use mlirbc_dialects::llvm::{
    ArrayType, FCmpPredicate, FastmathFlags, ICmpPredicate, PointerType, StructType, fast_math,
};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{AttributeData, OpId, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::Set;
use super::class::{is_explicit, pointee};
use super::emit::{Emit, Look, Rw, dense_array, element, lanes, resized, width};
use super::explicit::{address, extract, insert};
use super::math::{Make, Math, at, several};
use super::parts::OfOne;
use super::state::State;
use super::types::inside;
use super::{glsl, opencl, opencl_numbers};

/// Operations with what they become.
const SEVERAL: &[(&str, Make)] = &[
    ("spirv.AbsISubINTEL", |rw, _, given| opencl::difference(rw, given, ["llvm.intr.smax", "llvm.intr.smin"])),
    ("spirv.AbsUSubINTEL", |rw, _, given| opencl::difference(rw, given, ["llvm.intr.umax", "llvm.intr.umin"])),
    // Without licence to reorder, nothing is reordered; and what is expected is no more than a hint.
    ("spirv.ArithmeticFenceEXT", |_, _, given| at(given, 0)),
    ("spirv.ExpectKHR", |_, _, given| at(given, 0)),
    ("spirv.FPGARegALTERA", |_, _, given| at(given, 0)),
    ("spirv.IAverageINTEL", |rw, _, given| opencl_numbers::average(rw, given, ["llvm.and", "llvm.add", "llvm.ashr"])),
    ("spirv.IAverageRoundedINTEL", |rw, _, given| {
        opencl_numbers::average(rw, given, ["llvm.or", "llvm.sub", "llvm.ashr"])
    }),
    ("spirv.IMul32x16INTEL", |rw, ty, given| short_product(rw, ty, given, ["llvm.sext", "llvm.ashr"])),
    ("spirv.IsNormal", normal),
    ("spirv.SatConvertSToU", |rw, ty, given| within(rw, ty, given, true)),
    ("spirv.SatConvertUToS", |rw, ty, given| within(rw, ty, given, false)),
    ("spirv.SaveMemoryINTEL", |rw, ty, _| Ok(rw.emit("llvm.intr.stacksave", &[], ty)?)),
    ("spirv.SignBitSet", sign),
    ("spirv.UAverageINTEL", |rw, _, given| opencl_numbers::average(rw, given, ["llvm.and", "llvm.add", "llvm.lshr"])),
    ("spirv.UAverageRoundedINTEL", |rw, _, given| {
        opencl_numbers::average(rw, given, ["llvm.or", "llvm.sub", "llvm.lshr"])
    }),
    ("spirv.UCountLeadingZerosINTEL", |rw, ty, given| {
        glsl::counted(rw, "llvm.intr.ctlz", "is_zero_poison", at(given, 0)?, ty)
    }),
    ("spirv.UCountTrailingZerosINTEL", |rw, ty, given| {
        glsl::counted(rw, "llvm.intr.cttz", "is_zero_poison", at(given, 0)?, ty)
    }),
    ("spirv.UMul32x16INTEL", |rw, ty, given| short_product(rw, ty, given, ["llvm.zext", "llvm.lshr"])),
];

pub(super) fn add_to(mut set: Set, state: &Arc<State>) -> Set {
    for &(from, make) in SEVERAL {
        set = several(set, from, make);
    }
    let parts = state.clone();
    let repeated = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| repeated(rw, op, operands, &parts);
    let parts = state.clone();
    let copied = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| copied(rw, op, operands, &parts);
    set.pattern("spirv.CompositeConstructReplicateEXT", ConversionPattern::of("repeated", repeated))
        .pattern("spirv.CopyLogical", ConversionPattern::of("copied", copied))
        .on("spirv.PtrDiff", distance)
        .on("spirv.ReadClockKHR", clock)
        .on("spirv.RestoreMemoryINTEL", restored)
        .on("spirv.SizeOf", size)
        .on("spirv.VariableLengthArrayINTEL", variable)
}

/// A composite whose parts all are one value.
fn repeated(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let (ty, part) = (rw.converted_result(op)?, operands.get(0)?);
    let count = match (ArrayType::of(context, ty), StructType::of(context, ty)) {
        (Some(of), _) => Some(of.count(context)),
        (_, Some(of)) => Some(of.len(context) as u64),
        _ => lanes(context, ty),
    };
    let count = count.ok_or(NoMatch::Reason("it is no composite"))?;
    state.parts.of_one().take(count)?;
    let made = rw.put_together(ty, &vec![part; count as usize])?;
    Ok(rw.replace(op, [made])?)
}

/// A product with the lowest 16 bits of a number, or with one that has no more.
fn short_product(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], [extend, shift]: [&str; 2]) -> Result<Value, NoMatch> {
    let mut factor = at(given, 1)?;
    let bits = width(rw.context(), ty).filter(|&bits| bits > 16).ok_or(NoMatch::Reason("a factor is no number"))?;
    if rw.ty(factor)? == ty {
        let away = rw.splat(ty, i64::from(bits - 16))?;
        factor = rw.math("llvm.shl", &[factor, away])?;
        factor = rw.math(shift, &[factor, away])?;
    } else {
        factor = rw.emit(extend, &[factor], ty)?;
    }
    rw.math("llvm.mul", &[at(given, 0)?, factor])
}

/// Whether a number is neither zero, denormal nor infinite, and is one.
fn normal(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let size = rw.math("llvm.intr.fabs", &[at(given, 0)?])?;
    let ty = rw.ty(size)?;
    let least = rw.float_by(ty, |kind: FloatKind| {
        let least = ApFloat::from_f64(kind, 2f64.powi(kind.min_exponent()));
        least.is_finite().then_some(least)
    })?;
    let infinity = rw.float_by(ty, ApFloat::infinity)?;
    let is_large = rw.compare(FCmpPredicate::Oge, size, least)?;
    let is_finite = rw.compare(FCmpPredicate::Olt, size, infinity)?;
    rw.math("llvm.and", &[is_large, is_finite])
}

fn sign(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let ty = rw.ty(at(given, 0)?)?;
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no number"))?;
    let of = resized(rw.context(), ty, bits);
    let bits = rw.emit("llvm.bitcast", &[at(given, 0)?], of)?;
    let zero = rw.splat(of, 0)?;
    rw.compare_integers(ICmpPredicate::Slt, bits, zero)
}

/// The nearest integer with another sign or none, of another width.
fn within(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], from_signed: bool) -> Result<Value, NoMatch> {
    let mut value = at(given, 0)?;
    let of = rw.ty(value)?;
    let widths = width(rw.context(), of).zip(width(rw.context(), ty));
    let (from, to) = widths.filter(|&(from, to)| from.max(to) <= 64).ok_or(NoMatch::Reason("it is no number"))?;
    if from_signed {
        let zero = rw.splat(of, 0)?;
        value = rw.math("llvm.intr.smax", &[value, zero])?;
    }
    // As many bits as a number without a sign has that fits: what is not negative has a bit less.
    let room = if from_signed { to } else { to - 1 };
    let has = if from_signed { from - 1 } else { from };
    if has > room {
        let most = rw.splat(of, i64::MAX >> (63 - room))?;
        value = rw.math("llvm.intr.umin", &[value, most])?;
    }
    Ok(match from.cmp(&to) {
        std::cmp::Ordering::Less => rw.emit("llvm.zext", &[value], ty)?,
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => rw.emit("llvm.trunc", &[value], ty)?,
    })
}

/// A copy of other offsets and strides: as a value, it is of the same parts.
fn copied(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = recomposed(rw, operands.get(0)?, ty, &mut state.parts.of_one())?;
    Ok(rw.replace(op, [made])?)
}

fn recomposed(rw: &mut Rw<'_, '_>, value: Value, ty: Type, left: &mut OfOne<'_>) -> Result<Value, NoMatch> {
    let (context, of) = (rw.context(), rw.ty(value)?);
    if of == ty {
        return Ok(value);
    }
    let other = || NoMatch::Reason("a copy is of another type");
    let count = |ty| match (ArrayType::of(context, ty), StructType::of(context, ty)) {
        (Some(of), _) => Some(of.count(context)),
        (_, Some(of)) => Some(of.len(context) as u64),
        _ => None,
    };
    let parts = count(ty).filter(|&parts| count(of) == Some(parts)).ok_or_else(other)?;
    left.take(parts)?;
    let mut made = rw.emit("llvm.mlir.poison", &[], ty)?;
    for number in 0..parts as u32 {
        let from = inside(context, of, Some(number)).ok_or_else(other)?;
        let to = inside(context, ty, Some(number)).ok_or_else(other)?;
        let part = extract(rw, value, number, from)?;
        let part = recomposed(rw, part, to, left)?;
        made = insert(rw, made, part, number)?;
    }
    Ok(made)
}

/// How many bytes LLVM gives a type: where the one behind one at zero begins.
fn bytes_of(rw: &mut Rw<'_, '_>, held: Type, ty: Type) -> Result<Value, NoMatch> {
    let nowhere = PointerType::new(rw.context(), 0).into();
    let nowhere = rw.emit("llvm.mlir.zero", &[], nowhere)?;
    let behind = address(rw, nowhere, held, &[], &[1])?;
    Ok(rw.emit("llvm.ptrtoint", &[behind], ty)?)
}

fn size(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (held, _) = pointee(rw.context(), rw.operand_type(op, 0)?)?;
    let (held, ty) = (rw.convert_type(held)?, rw.converted_result(op)?);
    let made = bytes_of(rw, held, ty)?;
    Ok(rw.replace(op, [made])?)
}

/// How many elements are between two pointers.
fn distance(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let (held, class) = pointee(context, rw.operand_type(op, 0)?)?;
    let number = width(context, held).filter(|_| lanes(context, held) != Some(3));
    let word = context.integer_type(64);
    let bytes = match number {
        Some(bits) => {
            let bytes = u64::from(bits.div_ceil(8)) * lanes(context, held).unwrap_or(1);
            rw.splat(word, bytes as i64)?
        }
        None if is_explicit(class) => return rw.no_match("how far elements are from each other is unknown"),
        None => {
            let held = rw.convert_type(held)?;
            bytes_of(rw, held, word)?
        }
    };
    let first = rw.emit("llvm.ptrtoint", &[operands.get(0)?], word)?;
    let second = rw.emit("llvm.ptrtoint", &[operands.get(1)?], word)?;
    let between = rw.emit("llvm.sub", &[first, second], word)?;
    let mut made = rw.emit("llvm.sdiv", &[between, bytes], word)?;
    match width(context, element(context, ty)) {
        Some(64) => {}
        Some(0..64) => made = rw.emit("llvm.trunc", &[made], ty)?,
        _ => made = rw.emit("llvm.sext", &[made], ty)?,
    }
    Ok(rw.replace(op, [made])?)
}

/// What a processor counts, as a number of 64 bits or in two halves. In which scope, nobody asks.
fn clock(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let word = context.integer_type(64);
    let build = rw.build("llvm.call_intrinsic").operand_groups([&[][..], &[]]).result_types(Some(word));
    let made = build
        .attribute("intrin", context.string("llvm.readcyclecounter"))
        .attribute("fastmathFlags", fast_math(context, FastmathFlags::NONE))
        .attribute("op_bundle_sizes", dense_array(context, 32, []))
        .create()?;
    let mut made = rw.result(made, 0)?;
    if ty != word {
        made = rw.emit("llvm.bitcast", &[made], ty)?;
    }
    Ok(rw.replace(op, [made])?)
}

/// Room for as many elements as an operand says, until what was saved is restored.
fn variable(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (held, _) = pointee(context, rw.result_type(op)?)?;
    let (held, ty) = (rw.convert_type(held)?, rw.converted_result(op)?);
    let held = vec![(context.static_identifier("elem_type"), context.attribute(AttributeData::Type(held)))];
    let made = rw.emit_with("llvm.alloca", &[operands.get(0)?], ty, held)?;
    Ok(rw.replace(op, [made])?)
}

fn restored(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    rw.emit_nothing("llvm.intr.stackrestore", &[operands.get(0)?], Vec::new())?;
    Ok(rw.replace(op, [])?)
}
