//! Functions of numbers of OpenCL's extended instruction set that are more than a few operations of LLVM, or give a second result through a
//! pointer.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;

use super::emit::{Emit, Look, Rw, dense_array, element, lanes, resized, width, with_element};
use super::math::{Make, Math, at};
use super::parts::few;
use super::{glsl, library, packing};

/// Operations with what they become.
pub(super) const OPERATIONS: &[(&str, Make)] = &[
    ("spirv.CL.acospi", |rw, ty, given| in_half_turns(rw, ty, given, "llvm.intr.acos")),
    ("spirv.CL.asinpi", |rw, ty, given| in_half_turns(rw, ty, given, "llvm.intr.asin")),
    ("spirv.CL.atan2pi", |rw, ty, given| in_half_turns(rw, ty, given, "llvm.intr.atan2")),
    ("spirv.CL.atanpi", |rw, ty, given| in_half_turns(rw, ty, given, "llvm.intr.atan")),
    ("spirv.CL.cospi", |rw, _, given| cosine_of_half_turns(rw, at(given, 0)?)),
    ("spirv.CL.fract", fraction),
    ("spirv.CL.frexp", |rw, _, given| with_second(rw, given, packing::significand_and_power)),
    ("spirv.CL.ilogb", exponent),
    ("spirv.CL.lgamma_r", logarithm_of_gamma),
    ("spirv.CL.maxmag", |rw, _, given| by_size(rw, given, FCmpPredicate::Ogt, "llvm.intr.maxnum")),
    ("spirv.CL.minmag", |rw, _, given| by_size(rw, given, FCmpPredicate::Olt, "llvm.intr.minnum")),
    ("spirv.CL.modf", |rw, _, given| with_second(rw, given, packing::part_and_whole)),
    ("spirv.CL.nan", no_number),
    ("spirv.CL.nextafter", next),
    ("spirv.CL.remquo", remainder_and_quotient),
    ("spirv.CL.rootn", root),
    ("spirv.CL.s_hadd", |rw, _, given| average(rw, given, ["llvm.and", "llvm.add", "llvm.ashr"])),
    ("spirv.CL.s_mad_sat", |rw, _, given| saturated(rw, given, true)),
    ("spirv.CL.s_rhadd", |rw, _, given| average(rw, given, ["llvm.or", "llvm.sub", "llvm.ashr"])),
    ("spirv.CL.s_upsample", |rw, ty, given| joined(rw, ty, given, "llvm.sext")),
    ("spirv.CL.shuffle", shuffled),
    ("spirv.CL.shuffle2", shuffled),
    ("spirv.CL.sincos", |rw, _, given| {
        with_second(rw, given, |rw, of| Ok([rw.math("llvm.intr.sin", &[of])?, rw.math("llvm.intr.cos", &[of])?]))
    }),
    ("spirv.CL.sinpi", |rw, _, given| sine_of_half_turns(rw, at(given, 0)?)),
    ("spirv.CL.tanpi", |rw, _, given| {
        let (sine, cosine) = (sine_of_half_turns(rw, at(given, 0)?)?, cosine_of_half_turns(rw, at(given, 0)?)?);
        rw.math("llvm.fdiv", &[sine, cosine])
    }),
    ("spirv.CL.u_hadd", |rw, _, given| average(rw, given, ["llvm.and", "llvm.add", "llvm.lshr"])),
    ("spirv.CL.u_mad_sat", |rw, _, given| saturated(rw, given, false)),
    ("spirv.CL.u_rhadd", |rw, _, given| average(rw, given, ["llvm.or", "llvm.sub", "llvm.lshr"])),
    ("spirv.CL.u_upsample", |rw, ty, given| joined(rw, ty, given, "llvm.zext")),
];

/// What a function gives, of which the second goes where the last operand leads.
fn with_second(
    rw: &mut Rw<'_, '_>,
    given: &[Value],
    make: impl FnOnce(&mut Rw<'_, '_>, Value) -> Result<[Value; 2], NoMatch>,
) -> Result<Value, NoMatch> {
    let [first, second] = make(rw, at(given, 0)?)?;
    rw.emit_nothing("llvm.store", &[second, at(given, 1)?], Vec::new())?;
    Ok(first)
}

fn in_half_turns(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], name: &str) -> Result<Value, NoMatch> {
    let angle = rw.math(name, given)?;
    glsl::scaled(rw, ty, &[angle], std::f64::consts::FRAC_1_PI)
}

/// The sine of at most half of a half turn, in these.
fn sine_of_part(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(of)?;
    let angle = glsl::scaled(rw, ty, &[of], std::f64::consts::PI)?;
    rw.math("llvm.intr.sin", &[angle])
}

/// What is left of a number without its sign and whole turns, which is known to the last bit.
fn within_a_turn(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(of)?;
    let absolute = rw.math("llvm.intr.fabs", &[of])?;
    let two = rw.float(ty, 2.0)?;
    rw.math("llvm.frem", &[absolute, two])
}

/// The sine falls in the second quarter as it rises in the first, and the second half turn has the other sign: at its ends, too, it is 0 with
/// the sign of the number.
fn sine_of_half_turns(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(of)?;
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|number| rw.float(ty, number));
    let (zero, half, one) = (zero?, half?, one?);
    let turned = within_a_turn(rw, of)?;
    let is_second = rw.compare(FCmpPredicate::Oge, turned, one)?;
    let less = rw.math("llvm.fsub", &[turned, one])?;
    let turned = rw.choose(is_second, less, turned)?;
    let falls = rw.compare(FCmpPredicate::Ogt, turned, half)?;
    let back = rw.math("llvm.fsub", &[one, turned])?;
    let turned = rw.choose(falls, back, turned)?;
    let sine = sine_of_part(rw, turned)?;
    let negative = rw.math("llvm.fsub", &[zero, sine])?;
    let sine = rw.choose(is_second, negative, sine)?;
    let sign = rw.math("llvm.intr.copysign", &[one, of])?;
    rw.math("llvm.fmul", &[sine, sign])
}

/// The cosine of the second half turn is that of the first backwards, and this the sine of what is left to a quarter.
fn cosine_of_half_turns(rw: &mut Rw<'_, '_>, of: Value) -> Result<Value, NoMatch> {
    let ty = rw.ty(of)?;
    let [half, one, two] = [0.5, 1.0, 2.0].map(|number| rw.float(ty, number));
    let (half, one, two) = (half?, one?, two?);
    let turned = within_a_turn(rw, of)?;
    let is_second = rw.compare(FCmpPredicate::Ogt, turned, one)?;
    let back = rw.math("llvm.fsub", &[two, turned])?;
    let turned = rw.choose(is_second, back, turned)?;
    let left = rw.math("llvm.fsub", &[half, turned])?;
    sine_of_part(rw, left)
}

/// What is behind the point, which is less than 1: of what has nothing there, a zero with its sign.
fn fraction(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let of = at(given, 0)?;
    let floor = rw.math("llvm.intr.floor", &[of])?;
    rw.emit_nothing("llvm.store", &[floor, at(given, 1)?], Vec::new())?;
    let rest = rw.math("llvm.fsub", &[of, floor])?;
    let most =
        rw.float_by(ty, |kind| Some(ApFloat::from_f64(kind, 1.0 - 2f64.powi(-i32::try_from(kind.precision()).ok()?))))?;
    let is_more = rw.compare(FCmpPredicate::Ogt, rest, most)?;
    let rest = rw.choose(is_more, most, rest)?;
    // Zero and infinity.
    let twice = rw.math("llvm.fadd", &[of, of])?;
    let is_twice = rw.compare(FCmpPredicate::Oeq, of, twice)?;
    let zero = rw.float(ty, 0.0)?;
    let zero = rw.math("llvm.intr.copysign", &[zero, of])?;
    rw.choose(is_twice, zero, rest)
}

/// The power of two that a number begins with; the least integer of zero, and the greatest where there is none.
fn exponent(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let of = at(given, 0)?;
    let of_number = rw.ty(of)?;
    let [_, power] = packing::significand_and_power(rw, of)?;
    let one = rw.splat(ty, 1)?;
    let power = rw.math("llvm.sub", &[power, one])?;
    let (least, most) = (rw.splat(ty, i32::MIN.into())?, rw.splat(ty, i32::MAX.into())?);
    let absolute = rw.math("llvm.intr.fabs", &[of])?;
    let infinity = rw.float_by(of_number, ApFloat::infinity)?;
    let is_finite = rw.compare(FCmpPredicate::Olt, absolute, infinity)?;
    let made = rw.choose(is_finite, power, most)?;
    let zero = rw.float(of_number, 0.0)?;
    let is_zero = rw.compare(FCmpPredicate::Oeq, of, zero)?;
    rw.choose(is_zero, least, made)
}

/// The gamma function is negative between a negative even number and the odd one above.
fn logarithm_of_gamma(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let of = at(given, 0)?;
    let made = rw.by_element(ty, &[of], |rw, given| library::call(rw, "lgamma", given))?;
    let (zero, two) = (rw.float(ty, 0.0)?, rw.float(ty, 2.0)?);
    let is_below = rw.compare(FCmpPredicate::Olt, of, zero)?;
    let floor = rw.math("llvm.intr.floor", &[of])?;
    let is_between = rw.compare(FCmpPredicate::One, of, floor)?;
    let odd = rw.math("llvm.frem", &[floor, two])?;
    let is_odd = rw.compare(FCmpPredicate::One, odd, zero)?;
    let both = rw.math("llvm.and", &[is_below, is_between])?;
    let is_negative = rw.math("llvm.and", &[both, is_odd])?;
    let of_sign = resized(rw.context(), ty, 32);
    let (less, one) = (rw.splat(of_sign, -1)?, rw.splat(of_sign, 1)?);
    let sign = rw.choose(is_negative, less, one)?;
    rw.emit_nothing("llvm.store", &[sign, at(given, 1)?], Vec::new())?;
    Ok(made)
}

/// The number of two whose size compares so with the other's, or what is made of both where they are of one size.
fn by_size(rw: &mut Rw<'_, '_>, given: &[Value], predicate: FCmpPredicate, name: &str) -> Result<Value, NoMatch> {
    let (first, second) = (at(given, 0)?, at(given, 1)?);
    let sizes = [rw.math("llvm.intr.fabs", &[first])?, rw.math("llvm.intr.fabs", &[second])?];
    let is_first = rw.compare(predicate, sizes[0], sizes[1])?;
    let is_second = rw.compare(predicate, sizes[1], sizes[0])?;
    let other = rw.math(name, &[first, second])?;
    let other = rw.choose(is_second, second, other)?;
    rw.choose(is_first, first, other)
}

/// What is no number, with bits that are given.
fn no_number(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let TypeData::Float(kind) = rw.context()[element(rw.context(), ty)] else {
        return Err(NoMatch::Reason("it is no float"));
    };
    let quiet = ApFloat::nan(kind).and_then(|nan| nan.to_bits().to_u64());
    let quiet = quiet.ok_or(NoMatch::Reason("every float of the type is a number"))?;
    let code = at(given, 0)?;
    let of = rw.ty(code)?;
    // The first bit of a significand, which is not written, and the one that says that nobody is to be told.
    let others = (1i64 << kind.precision().saturating_sub(2)) - 1;
    let (quiet, others) = (rw.splat(of, quiet as i64)?, rw.splat(of, others)?);
    let kept = rw.math("llvm.and", &[code, others])?;
    let bits = rw.math("llvm.or", &[kept, quiet])?;
    Ok(rw.emit("llvm.bitcast", &[bits], ty)?)
}

/// The number next to the first on the way to the second. Of one sign, the bits of larger numbers are larger as integers, too.
fn next(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (from, to) = (at(given, 0)?, at(given, 1)?);
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no number"))?;
    let of = resized(rw.context(), ty, bits);
    let (zero, one) = (rw.float(ty, 0.0)?, rw.splat(of, 1)?);
    let bits = rw.emit("llvm.bitcast", &[from], of)?;
    let is_below = rw.compare(FCmpPredicate::Olt, from, to)?;
    let is_positive = rw.compare(FCmpPredicate::Ogt, from, zero)?;
    let is_inwards = rw.math("llvm.xor", &[is_below, is_positive])?;
    let (larger, smaller) = (rw.math("llvm.add", &[bits, one])?, rw.math("llvm.sub", &[bits, one])?);
    let moved = rw.choose(is_inwards, smaller, larger)?;
    let moved = rw.emit("llvm.bitcast", &[moved], ty)?;
    let least = rw.emit("llvm.bitcast", &[one], ty)?;
    let least = rw.math("llvm.intr.copysign", &[least, to])?;
    let is_zero = rw.compare(FCmpPredicate::Oeq, from, zero)?;
    let made = rw.choose(is_zero, least, moved)?;
    let is_same = rw.compare(FCmpPredicate::Oeq, from, to)?;
    let made = rw.choose(is_same, to, made)?;
    let is_none = rw.compare(FCmpPredicate::Uno, from, to)?;
    let none = rw.math("llvm.fadd", &[from, to])?;
    rw.choose(is_none, none, made)
}

/// The lowest seven bits of the quotient go where the pointer leads, with its sign: those of a number that is less than 128 times the divisor.
fn remainder_and_quotient(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (dividend, divisor) = (at(given, 0)?, at(given, 1)?);
    let remainder = |rw: &mut Rw<'_, '_>, given: &[Value]| {
        rw.by_element(ty, given, |rw, given| library::call(rw, "remainder", given))
    };
    let made = remainder(rw, &[dividend, divisor])?;
    let sizes = [rw.math("llvm.intr.fabs", &[dividend])?, rw.math("llvm.intr.fabs", &[divisor])?];
    let many = rw.float(ty, 128.0)?;
    let many = rw.math("llvm.fmul", &[sizes[1], many])?;
    let rest = rw.math("llvm.frem", &[sizes[0], many])?;
    let behind = remainder(rw, &[rest, sizes[1]])?;
    let whole = rw.math("llvm.fsub", &[rest, behind])?;
    let quotient = rw.math("llvm.fdiv", &[whole, sizes[1]])?;
    let quotient = rw.math("llvm.intr.rint", &[quotient])?;
    // Where there is no remainder, there is no quotient.
    let zero = rw.float(ty, 0.0)?;
    let is_none = rw.compare(FCmpPredicate::Uno, made, made)?;
    let quotient = rw.choose(is_none, zero, quotient)?;
    let of_quotient = resized(rw.context(), ty, 32);
    let quotient = rw.emit("llvm.fptosi", &[quotient], of_quotient)?;
    let bits = rw.splat(of_quotient, 127)?;
    let quotient = rw.math("llvm.and", &[quotient, bits])?;
    let signs = resized(rw.context(), ty, width(rw.context(), ty).ok_or(NoMatch::Reason("it is no float"))?);
    let signs = [rw.emit("llvm.bitcast", &[dividend], signs)?, rw.emit("llvm.bitcast", &[divisor], signs)?];
    let differ = rw.math("llvm.xor", &signs)?;
    let none = rw.ty(differ)?;
    let none = rw.splat(none, 0)?;
    let is_negative = rw.compare_integers(ICmpPredicate::Slt, differ, none)?;
    let none = rw.splat(of_quotient, 0)?;
    let negative = rw.math("llvm.sub", &[none, quotient])?;
    let quotient = rw.choose(is_negative, negative, quotient)?;
    rw.emit_nothing("llvm.store", &[quotient, at(given, 2)?], Vec::new())?;
    Ok(made)
}

/// A root of an integer's degree: the power of its inverse, and what that inverse lacks. Odd degrees keep the sign.
fn root(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let (of, degree) = (at(given, 0)?, at(given, 1)?);
    let (zero, one) = (rw.float(ty, 0.0)?, rw.float(ty, 1.0)?);
    let (infinity, none) = (rw.float_by(ty, ApFloat::infinity)?, rw.float_by(ty, ApFloat::nan)?);
    let size = rw.math("llvm.intr.fabs", &[of])?;
    let number = rw.emit("llvm.sitofp", &[degree], ty)?;
    let inverse = rw.math("llvm.fdiv", &[one, number])?;
    let power = rw.math("llvm.intr.pow", &[size, inverse])?;
    let negative = rw.math("llvm.fneg", &[inverse])?;
    let lacks = rw.math("llvm.intr.fma", &[negative, number, one])?;
    let lacks = rw.math("llvm.fdiv", &[lacks, number])?;
    let logarithm = rw.math("llvm.intr.log", &[size])?;
    let lacks = rw.math("llvm.fmul", &[lacks, logarithm])?;
    let corrected = rw.math("llvm.intr.fma", &[power, lacks, power])?;
    let is_some = rw.compare(FCmpPredicate::Ogt, size, zero)?;
    let is_finite = rw.compare(FCmpPredicate::Olt, size, infinity)?;
    let gives_finite = rw.compare(FCmpPredicate::Olt, power, infinity)?;
    let is_usual = rw.math("llvm.and", &[is_some, is_finite])?;
    let is_usual = rw.math("llvm.and", &[is_usual, gives_finite])?;
    let size = rw.choose(is_usual, corrected, power)?;
    let signed = rw.math("llvm.intr.copysign", &[size, of])?;
    let is_below = rw.compare(FCmpPredicate::Olt, of, zero)?;
    let even = rw.choose(is_below, none, size)?;
    let of_degree = rw.ty(degree)?;
    let (nothing, last) = (rw.splat(of_degree, 0)?, rw.splat(of_degree, 1)?);
    let last = rw.math("llvm.and", &[degree, last])?;
    let is_odd = rw.compare_integers(ICmpPredicate::Ne, last, nothing)?;
    let made = rw.choose(is_odd, signed, even)?;
    let is_nothing = rw.compare_integers(ICmpPredicate::Eq, degree, nothing)?;
    rw.choose(is_nothing, none, made)
}

/// What two integers have in common, and half of what they have not: added, or taken from what either has.
pub(super) fn average(rw: &mut Rw<'_, '_>, given: &[Value], [common, put, shift]: [&str; 3]) -> Result<Value, NoMatch> {
    let (first, second) = (at(given, 0)?, at(given, 1)?);
    let common = rw.math(common, &[first, second])?;
    let differ = rw.math("llvm.xor", &[first, second])?;
    let ty = rw.ty(first)?;
    let one = rw.splat(ty, 1)?;
    let half = rw.math(shift, &[differ, one])?;
    rw.math(put, &[common, half])
}

/// A product and a sum as far as the type goes. Twice the width has room for both.
fn saturated(rw: &mut Rw<'_, '_>, given: &[Value], has_sign: bool) -> Result<Value, NoMatch> {
    let ty = rw.ty(at(given, 0)?)?;
    let bits = width(rw.context(), ty).filter(|&bits| bits <= 64).ok_or(NoMatch::Reason("a factor is no number"))?;
    let of = resized(rw.context(), ty, 2 * bits);
    let mut wide = Vec::new();
    for number in 0..3 {
        wide.push(rw.emit(if has_sign { "llvm.sext" } else { "llvm.zext" }, &[at(given, number)?], of)?);
    }
    let product = rw.math("llvm.mul", &[wide[0], wide[1]])?;
    let sum = rw.math("llvm.add", &[product, wide[2]])?;
    if has_sign {
        let (least, most) = (rw.splat(of, i64::MIN >> (64 - bits))?, rw.splat(of, i64::MAX >> (64 - bits))?);
        let within = glsl::clamped(rw, &[sum, least, most], ["llvm.intr.smax", "llvm.intr.smin"])?;
        return Ok(rw.emit("llvm.trunc", &[within], ty)?);
    }
    let (shift, none) = (rw.splat(of, bits.into())?, rw.splat(of, 0)?);
    let above = rw.math("llvm.lshr", &[sum, shift])?;
    let is_more = rw.compare_integers(ICmpPredicate::Ne, above, none)?;
    let most = rw.splat(ty, -1)?;
    let within = rw.emit("llvm.trunc", &[sum], ty)?;
    rw.choose(is_more, most, within)
}

/// The upper half of an integer and its lower one.
fn joined(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value], extend: &str) -> Result<Value, NoMatch> {
    let high = rw.emit(extend, &[at(given, 0)?], ty)?;
    let low = rw.emit("llvm.zext", &[at(given, 1)?], ty)?;
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("it is no integer"))?;
    let half = rw.splat(ty, i64::from(bits / 2))?;
    let high = rw.math("llvm.shl", &[high, half])?;
    rw.math("llvm.or", &[high, low])
}

/// The elements of one vector, or of two behind each other, whose numbers the lowest bits of the last operand's say.
fn shuffled(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let (&mask, vectors) = given.split_last().ok_or(NoMatch::Reason("an operand is missing"))?;
    let mut vector = at(vectors, 0)?;
    let of = rw.ty(vector)?;
    let mut count = few(lanes(context, of).ok_or(NoMatch::Reason("it is no vector"))?)?;
    if let Some(&second) = vectors.get(1) {
        let shape = [2 * i64::from(count)].into();
        let both = context.ty(TypeData::Vector { shape, scalable: [].into(), element: element(context, of) });
        let all = dense_array(context, 32, 0..2 * i64::from(count));
        let all = vec![(context.static_identifier("mask"), all)];
        vector = rw.emit_with("llvm.shufflevector", &[vector, second], both, all)?;
        count *= 2;
    }
    let of_number = element(context, rw.ty(mask)?);
    let bits = rw.splat(of_number, i64::from(count.next_power_of_two()) - 1)?;
    let mut parts = Vec::new();
    for number in 0..few(lanes(context, ty).ok_or(NoMatch::Reason("it is no vector"))?)? {
        let from = rw.lane(mask, number)?;
        let from = rw.math("llvm.and", &[from, bits])?;
        parts.push(rw.emit("llvm.extractelement", &[vector, from], element(context, ty))?);
    }
    rw.put_together(ty, &parts)
}

/// The type of a float of 16 bits, or of as many as a vector has elements.
pub(super) fn half(rw: &Rw<'_, '_>, ty: Type) -> Type {
    let context = rw.context();
    with_element(context, ty, context.ty(TypeData::Float(FloatKind::F16)))
}
