//! Operations of GLSL's extended instruction set that are several of LLVM, or calls of the C library. Those that are one are in the table
//! of `direct.rs`.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::ApFloat;
use mlirbc_ir::{Type, Value};
use mlirbc_rewrite::NoMatch;

use super::emit::{Emit, Look, Rw, element, width};
use super::math::{Make, Math, at, several};
use super::{Set, library, packing};

/// Operations with what they become. MLIR converts the first alone.
const SEVERAL: &[(&str, Make)] = &[
    ("spirv.GL.InverseSqrt", inverse_sqrt),
    ("spirv.GL.Cross", cross),
    ("spirv.GL.Degrees", |rw, ty, given| scaled(rw, ty, given, 180.0 / std::f64::consts::PI)),
    ("spirv.GL.Distance", distance),
    ("spirv.GL.FClamp", |rw, _, given| clamped(rw, given, ["llvm.intr.maxnum", "llvm.intr.minnum"])),
    ("spirv.GL.FMix", mixed),
    ("spirv.GL.FSign", float_sign),
    ("spirv.GL.FaceForward", face_forward),
    ("spirv.GL.FindILsb", lowest_bit),
    ("spirv.GL.FindSMsb", highest_signed_bit),
    ("spirv.GL.FindUMsb", |rw, _, given| highest_bit(rw, at(given, 0)?)),
    ("spirv.GL.Fract", fraction),
    ("spirv.GL.IMix", mixed_integers),
    ("spirv.GL.Ldexp", scaled_by_power),
    ("spirv.GL.Length", length),
    ("spirv.GL.NClamp", |rw, _, given| clamped(rw, given, ["llvm.intr.maxnum", "llvm.intr.minnum"])),
    ("spirv.GL.Normalize", normalized),
    ("spirv.GL.Radians", |rw, ty, given| scaled(rw, ty, given, std::f64::consts::PI / 180.0)),
    ("spirv.GL.Reflect", reflected),
    ("spirv.GL.Refract", refracted),
    ("spirv.GL.SAbs", |rw, ty, given| counted(rw, "llvm.intr.abs", "is_int_min_poison", at(given, 0)?, ty)),
    ("spirv.GL.SClamp", |rw, _, given| clamped(rw, given, ["llvm.intr.smax", "llvm.intr.smin"])),
    ("spirv.GL.SSign", integer_sign),
    ("spirv.GL.SmoothStep", smooth_step),
    ("spirv.GL.Step", step),
    ("spirv.GL.UClamp", |rw, _, given| clamped(rw, given, ["llvm.intr.umax", "llvm.intr.umin"])),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, make) in SEVERAL.iter().chain(packing::OPERATIONS) {
        set = several(set, from, make);
    }
    library::add_to(set, library::GLSL)
}

pub(super) fn inverse_sqrt(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let one = rw.float_by(ty, |kind| Some(ApFloat::one(kind)))?;
    let root = rw.math("llvm.intr.sqrt", &[at(given, 0)?])?;
    rw.math("llvm.fdiv", &[one, root])
}

pub(super) fn cross(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let mut parts = Vec::new();
    for (first, second) in [(1, 2), (2, 0), (0, 1)] {
        let (left, right) = (rw.lane(at(given, 0)?, first)?, rw.lane(at(given, 1)?, second)?);
        let forth = rw.math("llvm.fmul", &[left, right])?;
        let (left, right) = (rw.lane(at(given, 0)?, second)?, rw.lane(at(given, 1)?, first)?);
        let back = rw.math("llvm.fmul", &[left, right])?;
        parts.push(rw.math("llvm.fsub", &[forth, back])?);
    }
    rw.put_together(ty, &parts)
}

pub(super) fn scaled(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], factor: f64) -> Result<Value, NoMatch> {
    let factor = rw.float(ty, factor)?;
    rw.math("llvm.fmul", &[at(given, 0)?, factor])
}

/// A number between two others.
pub(super) fn clamped(rw: &mut Rw<'_, '_>, given: &[Value], [most, least]: [&str; 2]) -> Result<Value, NoMatch> {
    let above = rw.math(most, &[at(given, 0)?, at(given, 1)?])?;
    rw.math(least, &[above, at(given, 2)?])
}

/// `x * (1 - a) + y * a`.
fn mixed(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let one = rw.float(ty, 1.0)?;
    let rest = rw.math("llvm.fsub", &[one, at(given, 2)?])?;
    let first = rw.math("llvm.fmul", &[at(given, 0)?, rest])?;
    let second = rw.math("llvm.fmul", &[at(given, 1)?, at(given, 2)?])?;
    rw.math("llvm.fadd", &[first, second])
}

/// As [`mixed`].
fn mixed_integers(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let one = rw.splat(ty, 1)?;
    let rest = rw.math("llvm.sub", &[one, at(given, 2)?])?;
    let first = rw.math("llvm.mul", &[at(given, 0)?, rest])?;
    let second = rw.math("llvm.mul", &[at(given, 1)?, at(given, 2)?])?;
    rw.math("llvm.add", &[first, second])
}

pub(super) fn float_sign(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (zero, one, less) = (rw.float(ty, 0.0)?, rw.float(ty, 1.0)?, rw.float(ty, -1.0)?);
    let is_above = rw.compare(FCmpPredicate::Ogt, at(given, 0)?, zero)?;
    let is_below = rw.compare(FCmpPredicate::Olt, at(given, 0)?, zero)?;
    let other = rw.choose(is_below, less, zero)?;
    rw.choose(is_above, one, other)
}

fn integer_sign(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (least, most) = (rw.splat(ty, -1)?, rw.splat(ty, 1)?);
    clamped(rw, &[at(given, 0)?, least, most], ["llvm.intr.smax", "llvm.intr.smin"])
}

/// The first vector, so that it points away from the second where the third does.
fn face_forward(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let towards = rw.dot(at(given, 2)?, at(given, 1)?)?;
    let zero = rw.float(element(rw.context(), ty), 0.0)?;
    let is_away = rw.compare(FCmpPredicate::Olt, towards, zero)?;
    let negative = rw.math("llvm.fneg", &[at(given, 0)?])?;
    rw.choose(is_away, at(given, 0)?, negative)
}

/// An operation of one operand, with what it says of its only special case: that it has a result.
pub(super) fn counted(
    rw: &mut Rw<'_, '_>,
    name: &str,
    flag: &'static str,
    of: Value,
    ty: Type,
) -> Result<Value, NoMatch> {
    let context = rw.context();
    Ok(rw.emit_with(name, &[of], ty, vec![(context.static_identifier(flag), context.integer(1, 0))])?)
}

/// The number of the lowest bit that is 1; -1 where there is none.
fn lowest_bit(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let zeros = counted(rw, "llvm.intr.cttz", "is_zero_poison", at(given, 0)?, ty)?;
    let (zero, none) = (rw.splat(ty, 0)?, rw.splat(ty, -1)?);
    let is_zero = rw.compare_integers(ICmpPredicate::Eq, at(given, 0)?, zero)?;
    rw.choose(is_zero, none, zeros)
}

/// The number of the highest bit that is 1; -1 where there is none.
fn highest_bit(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(of)?;
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no integer"))?;
    let zeros = counted(rw, "llvm.intr.ctlz", "is_zero_poison", of, ty)?;
    let last = rw.splat(ty, i64::from(bits) - 1)?;
    rw.math("llvm.sub", &[last, zeros])
}

/// The number of the highest bit that is not the sign.
fn highest_signed_bit(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no integer"))?;
    let last = rw.splat(ty, i64::from(bits) - 1)?;
    let sign = rw.math("llvm.ashr", &[at(given, 0)?, last])?;
    let others = rw.math("llvm.xor", &[at(given, 0)?, sign])?;
    highest_bit(rw, others)
}

/// What is left of a number without the next lower integer.
fn fraction(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let floor = rw.math("llvm.intr.floor", &[at(given, 0)?])?;
    rw.math("llvm.fsub", &[at(given, 0)?, floor])
}

pub(super) fn scaled_by_power(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    rw.by_element(ty, given, |rw, given| rw.math("llvm.intr.ldexp", given))
}

pub(super) fn length(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let of = at(given, 0)?;
    if rw.ty(of)? == element(rw.context(), rw.ty(of)?) {
        return rw.math("llvm.intr.fabs", &[of]);
    }
    let square = rw.dot(of, of)?;
    rw.math("llvm.intr.sqrt", &[square])
}

pub(super) fn distance(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let between = rw.math("llvm.fsub", &[at(given, 0)?, at(given, 1)?])?;
    length(rw, ty, &[between])
}

pub(super) fn normalized(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let length = length(rw, ty, given)?;
    let length = rw.spread(ty, length)?;
    rw.math("llvm.fdiv", &[at(given, 0)?, length])
}

/// `i - 2 * dot(n, i) * n`.
fn reflected(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let towards = rw.dot(at(given, 1)?, at(given, 0)?)?;
    let twice = rw.math("llvm.fadd", &[towards, towards])?;
    let twice = rw.spread(ty, twice)?;
    let back = rw.math("llvm.fmul", &[twice, at(given, 1)?])?;
    rw.math("llvm.fsub", &[at(given, 0)?, back])
}

/// With `d = dot(n, i)` and `k = 1 - eta * eta * (1 - d * d)`: zero where `k` is negative, and else `eta * i - (eta * d + sqrt(k)) * n`.
fn refracted(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (ray, normal, mut eta) = (at(given, 0)?, at(given, 1)?, at(given, 2)?);
    let number = element(rw.context(), ty);
    // It may be of another width than the vectors.
    let widths = (width(rw.context(), rw.ty(eta)?), width(rw.context(), number));
    if widths.0 != widths.1 {
        eta = rw.emit(if widths.0 < widths.1 { "llvm.fpext" } else { "llvm.fptrunc" }, &[eta], number)?;
    }
    let (zero, one) = (rw.float(number, 0.0)?, rw.float(number, 1.0)?);
    let towards = rw.dot(normal, ray)?;
    let square = rw.math("llvm.fmul", &[towards, towards])?;
    let rest = rw.math("llvm.fsub", &[one, square])?;
    let factor = rw.math("llvm.fmul", &[eta, eta])?;
    let rest = rw.math("llvm.fmul", &[factor, rest])?;
    let rest = rw.math("llvm.fsub", &[one, rest])?;
    let is_reflected = rw.compare(FCmpPredicate::Olt, rest, zero)?;
    let root = rw.math("llvm.intr.sqrt", &[rest])?;
    let along = rw.math("llvm.fmul", &[eta, towards])?;
    let along = rw.math("llvm.fadd", &[along, root])?;
    let (along, eta) = (rw.spread(ty, along)?, rw.spread(ty, eta)?);
    let (along, ray) = (rw.math("llvm.fmul", &[along, normal])?, rw.math("llvm.fmul", &[eta, ray])?);
    let made = rw.math("llvm.fsub", &[ray, along])?;
    let none = rw.float(ty, 0.0)?;
    rw.choose(is_reflected, none, made)
}

/// 0 where the second number is less than the first, and else 1.
pub(super) fn step(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (zero, one) = (rw.float(ty, 0.0)?, rw.float(ty, 1.0)?);
    let is_below = rw.compare(FCmpPredicate::Olt, at(given, 1)?, at(given, 0)?)?;
    rw.choose(is_below, zero, one)
}

/// `t * t * (3 - 2 * t)` where `t` says how far a number is from one edge to the other, between 0 and 1.
pub(super) fn smooth_step(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (from, to) = (at(given, 0)?, at(given, 1)?);
    let way = rw.math("llvm.fsub", &[at(given, 2)?, from])?;
    let whole = rw.math("llvm.fsub", &[to, from])?;
    let way = rw.math("llvm.fdiv", &[way, whole])?;
    let (zero, one, three) = (rw.float(ty, 0.0)?, rw.float(ty, 1.0)?, rw.float(ty, 3.0)?);
    let way = clamped(rw, &[way, zero, one], ["llvm.intr.maxnum", "llvm.intr.minnum"])?;
    let twice = rw.math("llvm.fadd", &[way, way])?;
    let rest = rw.math("llvm.fsub", &[three, twice])?;
    let square = rw.math("llvm.fmul", &[way, way])?;
    rw.math("llvm.fmul", &[square, rest])
}
