//! Operations of OpenCL's extended instruction set that are several of LLVM, or calls of the C library. Those that are one are in the table
//! of `direct.rs`.

use mlirbc_dialects::llvm::{CConv, ICmpPredicate};
use mlirbc_ir::number::{ApFloat, FloatKind};
use mlirbc_ir::{AttributeData, Context, OpId, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::calls::{Callee, Find, build_call, flags};
use super::emit::{Emit, Look, Rw, element, lanes, resized, width};
use super::math::{Make, Math, at, several};
use super::{Set, glsl, library, opencl_memory, opencl_numbers};

/// Operations with what they become.
const SEVERAL: &[(&str, Make)] = &[
    ("spirv.CL.bitselect", chosen_bits),
    ("spirv.CL.clz", |rw, ty, given| glsl::counted(rw, "llvm.intr.ctlz", "is_zero_poison", at(given, 0)?, ty)),
    ("spirv.CL.cross", glsl::cross),
    ("spirv.CL.ctz", |rw, ty, given| glsl::counted(rw, "llvm.intr.cttz", "is_zero_poison", at(given, 0)?, ty)),
    ("spirv.CL.degrees", |rw, ty, given| glsl::scaled(rw, ty, given, 180.0 / std::f64::consts::PI)),
    ("spirv.CL.distance", glsl::distance),
    ("spirv.CL.fast_distance", glsl::distance),
    ("spirv.CL.fast_length", glsl::length),
    ("spirv.CL.fast_normalize", glsl::normalized),
    ("spirv.CL.fclamp", |rw, _, given| glsl::clamped(rw, given, ["llvm.intr.maxnum", "llvm.intr.minnum"])),
    ("spirv.CL.half_recip", reciprocal),
    ("spirv.CL.half_rsqrt", glsl::inverse_sqrt),
    ("spirv.CL.ldexp", glsl::scaled_by_power),
    ("spirv.CL.length", glsl::length),
    ("spirv.CL.mix", mixed),
    ("spirv.CL.native_recip", reciprocal),
    ("spirv.CL.native_rsqrt", glsl::inverse_sqrt),
    ("spirv.CL.normalize", glsl::normalized),
    ("spirv.CL.pown", integer_power),
    ("spirv.CL.radians", |rw, ty, given| glsl::scaled(rw, ty, given, std::f64::consts::PI / 180.0)),
    ("spirv.CL.rotate", |rw, _, given| rw.math("llvm.intr.fshl", &[at(given, 0)?, at(given, 0)?, at(given, 1)?])),
    ("spirv.CL.rsqrt", glsl::inverse_sqrt),
    ("spirv.CL.s_abs", |rw, ty, given| glsl::counted(rw, "llvm.intr.abs", "is_int_min_poison", at(given, 0)?, ty)),
    ("spirv.CL.s_abs_diff", |rw, _, given| difference(rw, given, ["llvm.intr.smax", "llvm.intr.smin"])),
    ("spirv.CL.s_clamp", |rw, _, given| glsl::clamped(rw, given, ["llvm.intr.smax", "llvm.intr.smin"])),
    ("spirv.CL.s_mad24", product_and_sum),
    ("spirv.CL.s_mad_hi", |rw, _, given| upper_half_and_sum(rw, given, "llvm.sext")),
    ("spirv.CL.s_mul_hi", |rw, _, given| upper_half(rw, given, "llvm.sext")),
    ("spirv.CL.select", chosen),
    ("spirv.CL.sign", glsl::float_sign),
    ("spirv.CL.smoothstep", glsl::smooth_step),
    ("spirv.CL.step", glsl::step),
    ("spirv.CL.u_abs", |_, _, given| at(given, 0)),
    ("spirv.CL.u_abs_diff", |rw, _, given| difference(rw, given, ["llvm.intr.umax", "llvm.intr.umin"])),
    ("spirv.CL.u_clamp", |rw, _, given| glsl::clamped(rw, given, ["llvm.intr.umax", "llvm.intr.umin"])),
    ("spirv.CL.u_mad24", product_and_sum),
    ("spirv.CL.u_mad_hi", |rw, _, given| upper_half_and_sum(rw, given, "llvm.zext")),
    ("spirv.CL.u_mul_hi", |rw, _, given| upper_half(rw, given, "llvm.zext")),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, make) in SEVERAL.iter().chain(opencl_numbers::OPERATIONS) {
        set = several(set, from, make);
    }
    opencl_memory::add_to(library::add_to(set, library::OPENCL)).on("spirv.CL.printf", printed)
}

/// `x + (y - x) * a`.
fn mixed(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let between = rw.math("llvm.fsub", &[at(given, 1)?, at(given, 0)?])?;
    let part = rw.math("llvm.fmul", &[between, at(given, 2)?])?;
    rw.math("llvm.fadd", &[at(given, 0)?, part])
}

fn reciprocal(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let one = rw.float_by(ty, |kind| Some(ApFloat::one(kind)))?;
    rw.math("llvm.fdiv", &[one, at(given, 0)?])
}

fn integer_power(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let power = rw.emit("llvm.sitofp", &[at(given, 1)?], ty)?;
    rw.math("llvm.intr.pow", &[at(given, 0)?, power])
}

pub(super) fn difference(rw: &mut Rw<'_, '_>, given: &[Value], [most, least]: [&str; 2]) -> Result<Value, NoMatch> {
    let (most, least) = (rw.math(most, &given[..2.min(given.len())])?, rw.math(least, &given[..2.min(given.len())])?);
    rw.math("llvm.sub", &[most, least])
}

fn product_and_sum(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let product = rw.math("llvm.mul", &[at(given, 0)?, at(given, 1)?])?;
    rw.math("llvm.add", &[product, at(given, 2)?])
}

fn upper_half(rw: &mut Rw<'_, '_>, given: &[Value], extend: &str) -> Result<Value, NoMatch> {
    let (ty, context) = (rw.ty(at(given, 0)?)?, rw.context());
    let bits = width(context, ty).filter(|&bits| bits <= 64).ok_or(NoMatch::Reason("a factor is no number"))?;
    let wide = resized(context, ty, 2 * bits);
    let (first, second) = (rw.emit(extend, &[at(given, 0)?], wide)?, rw.emit(extend, &[at(given, 1)?], wide)?);
    let product = rw.math("llvm.mul", &[first, second])?;
    let shift = rw.splat(wide, bits.into())?;
    let high = rw.math("llvm.lshr", &[product, shift])?;
    Ok(rw.emit("llvm.trunc", &[high], ty)?)
}

fn upper_half_and_sum(rw: &mut Rw<'_, '_>, given: &[Value], extend: &str) -> Result<Value, NoMatch> {
    let high = upper_half(rw, given, extend)?;
    rw.math("llvm.add", &[high, at(given, 2)?])
}

/// The bits of the second where those of the third are 1, and else of the first.
fn chosen_bits(rw: &mut Rw<'_, '_>, ty: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no number"))?;
    let of = resized(rw.context(), ty, bits);
    let mut parts = Vec::new();
    for &value in given {
        parts.push(if of == ty { value } else { rw.emit("llvm.bitcast", &[value], of)? });
    }
    let (first, second, mask) = (at(&parts, 0)?, at(&parts, 1)?, at(&parts, 2)?);
    let ones = rw.splat(of, -1)?;
    let others = rw.math("llvm.xor", &[mask, ones])?;
    let (first, second) = (rw.math("llvm.and", &[first, others])?, rw.math("llvm.and", &[second, mask])?);
    let made = rw.math("llvm.or", &[first, second])?;
    Ok(if of == ty { made } else { rw.emit("llvm.bitcast", &[made], ty)? })
}

/// The second where the third is not zero, or, of vectors, where its highest bit is 1; and else the first.
fn chosen(rw: &mut Rw<'_, '_>, _: Type, given: &[Value]) -> Result<Value, NoMatch> {
    let of = rw.ty(at(given, 2)?)?;
    let predicate = if lanes(rw.context(), of).is_some() { ICmpPredicate::Slt } else { ICmpPredicate::Ne };
    let zero = rw.splat(of, 0)?;
    let condition = rw.compare_integers(predicate, at(given, 2)?, zero)?;
    rw.choose(condition, at(given, 1)?, at(given, 0)?)
}

/// The function that formats.
fn printf(context: &Context, format: Type) -> Callee {
    let word = context.integer_type(32);
    let flags = flags(context, &["no_unwind"]);
    let name = context.identifier("printf");
    Callee { name, convention: CConv::C, inputs: vec![format], is_variadic: true, result: Some(word), flags }
}

/// A pointer as C has them.
fn plain_pointer(context: &Context) -> Type {
    mlirbc_dialects::llvm::PointerType::new(context, 0).into()
}

pub(super) fn callees() -> impl Iterator<Item = (String, Find)> {
    let find: Find = Box::new(|rw, _| Ok(Some(printf(rw.context(), plain_pointer(rw.context())))));
    let functions = library::callees_of(library::OPENCL, 0).chain(library::callees_of(library::WITH_POINTER, 1));
    functions.chain([("spirv.CL.printf".to_owned(), find)])
}

/// The arguments as C takes them where it does not know their types: at least as wide as `i32` and `f64`.
fn printed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (plain, word) = (plain_pointer(context), context.integer_type(32));
    let double = context.ty(TypeData::Float(FloatKind::F64));
    let mut arguments = Vec::new();
    for (number, value) in operands.all()?.into_iter().enumerate() {
        let was = rw.operand_type(op, number)?;
        let ty = rw.ty(value)?;
        if lanes(context, ty).is_some() {
            return Err(NoMatch::Reason("a vector is printed"));
        }
        arguments.push(match context[element(context, was)] {
            TypeData::Float(FloatKind::F64) => value,
            TypeData::Float(_) => rw.emit("llvm.fpext", &[value], double)?,
            TypeData::Integer { width: 0..32, signedness: Signedness::Unsigned } => {
                rw.emit("llvm.zext", &[value], word)?
            }
            TypeData::Integer { width: 0..32, .. } => rw.emit("llvm.sext", &[value], word)?,
            TypeData::Integer { .. } => value,
            _ if number == 0 && ty != plain => rw.emit("llvm.addrspacecast", &[value], plain)?,
            _ => value,
        });
    }
    let callee = printf(context, plain);
    let ty = callee.ty(context)?;
    let name = AttributeData::SymbolRef { root: callee.name, nested: Box::new([]) };
    let attributes = vec![
        (context.static_identifier("callee"), context.attribute(name)),
        (context.static_identifier("var_callee_type"), context.attribute(AttributeData::Type(ty))),
    ];
    let made = build_call(rw, callee.convention, &arguments, callee.result, attributes)?;
    Ok(rw.replace_with(op, made)?)
}
