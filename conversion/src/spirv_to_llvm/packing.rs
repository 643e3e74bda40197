//! Operations of GLSL's extended instruction set that take floats apart and put them together.

use mlirbc_dialects::llvm::{FCmpPredicate, StructType};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;

use super::emit::{Emit, Look, Rw, lanes, resized, width};
use super::explicit::extract;
use super::math::{Make, Math, at};

/// Operations with what they become: MLIR converts none of these.
pub(super) const OPERATIONS: &[(&str, Make)] = &[
    ("spirv.GL.FrexpStruct", |rw, ty, given| {
        let parts = significand_and_power(rw, at(given, 0)?)?;
        rw.put_together(ty, &parts)
    }),
    ("spirv.GL.ModfStruct", |rw, ty, given| {
        let parts = part_and_whole(rw, at(given, 0)?)?;
        rw.put_together(ty, &parts)
    }),
    ("spirv.GL.PackDouble2x32", |rw, ty, given| {
        let bits = packed(rw, at(given, 0)?)?;
        Ok(rw.emit("llvm.bitcast", &[bits], ty)?)
    }),
    ("spirv.GL.PackHalf2x16", |rw, _, given| {
        let halves = halves(rw, 2);
        let narrow = rw.emit("llvm.fptrunc", &[at(given, 0)?], halves)?;
        let bits = resized(rw.context(), halves, 16);
        let bits = rw.emit("llvm.bitcast", &[narrow], bits)?;
        packed(rw, bits)
    }),
    ("spirv.GL.PackSnorm2x16", |rw, _, given| normal_packed(rw, given, SIGNED, 16)),
    ("spirv.GL.PackSnorm4x8", |rw, _, given| normal_packed(rw, given, SIGNED, 8)),
    ("spirv.GL.PackUnorm2x16", |rw, _, given| normal_packed(rw, given, UNSIGNED, 16)),
    ("spirv.GL.PackUnorm4x8", |rw, _, given| normal_packed(rw, given, UNSIGNED, 8)),
    ("spirv.GL.UnpackDouble2x32", |rw, ty, given| {
        let bits = rw.context().integer_type(64);
        let bits = rw.emit("llvm.bitcast", &[at(given, 0)?], bits)?;
        unpacked(rw, ty, bits)
    }),
    ("spirv.GL.UnpackHalf2x16", |rw, ty, given| {
        let halves = halves(rw, 2);
        let bits = resized(rw.context(), halves, 16);
        let bits = unpacked(rw, bits, at(given, 0)?)?;
        let narrow = rw.emit("llvm.bitcast", &[bits], halves)?;
        Ok(rw.emit("llvm.fpext", &[narrow], ty)?)
    }),
    ("spirv.GL.UnpackSnorm2x16", |rw, ty, given| normal_unpacked(rw, ty, given, SIGNED)),
    ("spirv.GL.UnpackSnorm4x8", |rw, ty, given| normal_unpacked(rw, ty, given, SIGNED)),
    ("spirv.GL.UnpackUnorm2x16", |rw, ty, given| normal_unpacked(rw, ty, given, UNSIGNED)),
    ("spirv.GL.UnpackUnorm4x8", |rw, ty, given| normal_unpacked(rw, ty, given, UNSIGNED)),
];

/// Integers that stand for the numbers from -1 or 0 to 1: whether they have a sign, and the operations from floats and to them.
type Normal = (bool, &'static str, &'static str);

const SIGNED: Normal = (true, "llvm.fptosi", "llvm.sitofp");
const UNSIGNED: Normal = (false, "llvm.fptoui", "llvm.uitofp");

/// So many floats of 16 bits.
fn halves(rw: &Rw<'_, '_>, count: u64) -> Type {
    let context = rw.context();
    let element = context.ty(TypeData::Float(FloatKind::F16));
    context.ty(TypeData::Vector { shape: [count as i64].into(), scalable: [].into(), element })
}

/// What is between a half and 1, and the power of two that it is to be multiplied with.
pub(super) fn significand_and_power(rw: &mut Rw<'_, '_>, of: Value) -> Result<[Value; 2], NoMatch> {
    let (context, ty) = (rw.context(), rw.ty(of)?);
    let power = resized(context, ty, 32);
    let both = StructType::literal(context, &[ty, power], false)?.into();
    let both = rw.emit("llvm.intr.frexp", &[of], both)?;
    Ok([extract(rw, both, 0, ty)?, extract(rw, both, 1, power)?])
}

/// What is behind the point, and what is before it, both with the number's sign; of infinity, nothing is behind.
pub(super) fn part_and_whole(rw: &mut Rw<'_, '_>, of: Value) -> Result<[Value; 2], NoMatch> {
    let ty = rw.ty(of)?;
    let whole = rw.math("llvm.intr.trunc", &[of])?;
    let part = rw.math("llvm.fsub", &[of, whole])?;
    let absolute = rw.math("llvm.intr.fabs", &[of])?;
    let infinity = rw.float_by(ty, ApFloat::infinity)?;
    let is_infinite = rw.compare(FCmpPredicate::Oeq, absolute, infinity)?;
    let zero = rw.float(ty, 0.0)?;
    let part = rw.choose(is_infinite, zero, part)?;
    Ok([rw.math("llvm.intr.copysign", &[part, of])?, whole])
}

/// The elements of a vector of integers as one, the first in the lowest bits.
fn packed(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let (context, ty) = (rw.context(), rw.ty(of)?);
    let sizes = lanes(context, ty).zip(width(context, ty)).filter(|&(count, bits)| count * u64::from(bits) <= 64);
    let (count, bits) = sizes.ok_or(NoMatch::Reason("it is no vector that can be packed"))?;
    let whole = context.integer_type(count as u32 * bits);
    let mut made = None;
    for number in 0..count as u32 {
        let lane = rw.lane(of, number)?;
        let mut lane = rw.emit("llvm.zext", &[lane], whole)?;
        if number > 0 {
            let amount = rw.splat(whole, i64::from(number * bits))?;
            lane = rw.math("llvm.shl", &[lane, amount])?;
        }
        made = Some(match made {
            None => lane,
            Some(made) => rw.math("llvm.or", &[made, lane])?,
        });
    }
    made.ok_or(NoMatch::Reason("a vector has no element"))
}

/// The other way round: a vector of that type.
fn unpacked(rw: &mut Rw<'_, '_>, ty: Type, of: Value) -> Result<Value, NoMatch> {
    let context = rw.context();
    let sizes = lanes(context, ty).zip(width(context, ty)).filter(|&(count, bits)| count * u64::from(bits) <= 64);
    let (count, bits) = sizes.ok_or(NoMatch::Reason("it is no vector that can be packed"))?;
    let (whole, narrow) = (rw.ty(of)?, context.integer_type(bits));
    let mut parts = Vec::new();
    for number in 0..count as u32 {
        let amount = rw.splat(whole, i64::from(number * bits))?;
        let shifted = rw.math("llvm.lshr", &[of, amount])?;
        parts.push(rw.emit("llvm.trunc", &[shifted], narrow)?);
    }
    rw.put_together(ty, &parts)
}

/// The least number and the greatest, and the integer that stands for the greatest.
fn range(rw: &mut Rw<'_, '_>, ty: Type, has_sign: bool, bits: u32) -> Result<[Value; 3], NoMatch> {
    let least = rw.float(ty, if has_sign { -1.0 } else { 0.0 })?;
    let scale = (1u64 << (bits - u32::from(has_sign))) - 1;
    Ok([least, rw.float(ty, 1.0)?, rw.float(ty, scale as f64)?])
}

fn normal_packed(rw: &mut Rw<'_, '_>, given: &[Value], normal: Normal, bits: u32) -> Result<Value, NoMatch> {
    let (has_sign, to_integer, _) = normal;
    let ty = rw.ty(at(given, 0)?)?;
    let [least, most, scale] = range(rw, ty, has_sign, bits)?;
    let inside = rw.math("llvm.intr.maxnum", &[at(given, 0)?, least])?;
    let inside = rw.math("llvm.intr.minnum", &[inside, most])?;
    let scaled = rw.math("llvm.fmul", &[inside, scale])?;
    let rounded = rw.math("llvm.intr.roundeven", &[scaled])?;
    let integers = resized(rw.context(), ty, bits);
    let integers = rw.emit(to_integer, &[rounded], integers)?;
    packed(rw, integers)
}

fn normal_unpacked(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], normal: Normal) -> Result<Value, NoMatch> {
    let (has_sign, _, to_float) = normal;
    let context = rw.context();
    let bits = match lanes(context, ty) {
        Some(2) => 16,
        Some(4) => 8,
        _ => return Err(NoMatch::Reason("it is no vector that can be packed")),
    };
    let integers = unpacked(rw, resized(context, ty, bits), at(given, 0)?)?;
    let scaled = rw.emit(to_float, &[integers], ty)?;
    let [least, _, scale] = range(rw, ty, has_sign, bits)?;
    let made = rw.math("llvm.fdiv", &[scaled, scale])?;
    // Of integers with a sign there is one below what stands for -1.
    if has_sign { rw.math("llvm.intr.maxnum", &[made, least]) } else { Ok(made) }
}
