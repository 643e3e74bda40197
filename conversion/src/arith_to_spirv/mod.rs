//! `convert-arith-to-spirv` (`mlir/lib/Conversion/ArithToSPIRV`): the dialect `arith` to the dialect `spirv`.
//!
//! [`patterns`] adds the patterns to those of other conversions.

mod casts;
mod comparisons;
mod constants;

use mlirbc_dialects::arith::{FastMathFlags, IntegerOverflowFlags, fast_math_flags, overflow_flags};
use mlirbc_ir::{Context, OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, element, lanes};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::{EMULATE_FLOATS, EMULATE_NARROW, SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-arith-to-spirv",
    about: "convert the dialect arith to the dialect spirv",
    options: &[EMULATE_NARROW, EMULATE_FLOATS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv {
            name: INFO.name,
            options: TypeOptions::of(options)?,
            patterns,
            legal: |target| casts_stay(target).illegal_dialects(["arith"]),
        }))
    }),
};

/// Operations that become another one of the same operands.
const RENAMED: &[(&str, &str)] = &[
    ("arith.divui", "spirv.UDiv"),
    ("arith.divsi", "spirv.SDiv"),
    ("arith.remui", "spirv.UMod"),
    ("arith.shrui", "spirv.ShiftRightLogical"),
    ("arith.shrsi", "spirv.ShiftRightArithmetic"),
    ("arith.negf", "spirv.FNegate"),
    ("arith.addf", "spirv.FAdd"),
    ("arith.divf", "spirv.FDiv"),
    ("arith.mulf", "spirv.FMul"),
    ("arith.remf", "spirv.FRem"),
    ("arith.subf", "spirv.FSub"),
    ("arith.maxsi", "spirv.GL.SMax"),
    ("arith.maxui", "spirv.GL.UMax"),
    ("arith.minsi", "spirv.GL.SMin"),
    ("arith.minui", "spirv.GL.UMin"),
    ("arith.maxsi", "spirv.CL.s_max"),
    ("arith.maxui", "spirv.CL.u_max"),
    ("arith.minsi", "spirv.CL.s_min"),
    ("arith.minui", "spirv.CL.u_min"),
];

/// As [`RENAMED`], of which it is said whether they may wrap.
const WRAPPING: &[(&str, &str)] = &[
    ("arith.addi", "spirv.IAdd"),
    ("arith.subi", "spirv.ISub"),
    ("arith.muli", "spirv.IMul"),
    ("arith.shli", "spirv.ShiftLeftLogical"),
];

/// Operations on bits: of truth values, and of others.
const BITWISE: &[(&str, &str, &str)] = &[
    ("arith.andi", "spirv.LogicalAnd", "spirv.BitwiseAnd"),
    ("arith.ori", "spirv.LogicalOr", "spirv.BitwiseOr"),
    ("arith.xori", "spirv.LogicalNotEqual", "spirv.BitwiseXor"),
];

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    let set = constants::add_to(set).elementwise(RENAMED);
    let set = WRAPPING.iter().fold(set, |set, &(from, to)| {
        set.with(from, 1, move |spirv, rw, op, operands| wrapping(spirv, rw, op, operands, to))
    });
    let set = BITWISE.iter().fold(set, |set, &(from, logical, bits)| {
        set.with(from, 1, move |_, rw, op, operands| {
            let name = if is_truth(rw.context(), rw.ty(operands.get(0)?)?) { logical } else { bits };
            let ty = rw.converted_result(op)?;
            let made = rw.emit(name, &operands.all()?, ty)?;
            Ok(rw.replace(op, [made])?)
        })
    });
    let set = ["spirv.GL.SAbs", "spirv.CL.s_abs"].into_iter().fold(set, |set, abs| {
        set.with("arith.remsi", 1, move |_, rw, op, operands| signed_remainder(rw, op, operands, abs))
    });
    let set = comparisons::add_to(casts::add_to(set));
    let set = set
        .on("arith.addui_extended", carry)
        .with("arith.mulsi_extended", 1, |_, rw, op, operands| product(rw, op, operands, "spirv.SMulExtended"))
        .with("arith.mului_extended", 1, |_, rw, op, operands| product(rw, op, operands, "spirv.UMulExtended"))
        .on("arith.select", select);
    let extremes = [
        ("arith.maximumf", Nan::Spreads, "spirv.GL.FMax"),
        ("arith.minimumf", Nan::Spreads, "spirv.GL.FMin"),
        ("arith.maxnumf", Nan::Loses, "spirv.GL.FMax"),
        ("arith.minnumf", Nan::Loses, "spirv.GL.FMin"),
        ("arith.maximumf", Nan::Spreads, "spirv.CL.fmax"),
        ("arith.minimumf", Nan::Spreads, "spirv.CL.fmin"),
        ("arith.maxnumf", Nan::Lost, "spirv.CL.fmax"),
        ("arith.minnumf", Nan::Lost, "spirv.CL.fmin"),
    ];
    extremes.into_iter().fold(set, |set, (from, nan, to)| {
        set.with(from, 1, move |_, rw, op, operands| extreme(rw, op, operands, (nan, to)))
    })
}

/// Whether a type is that of truth values, or of vectors of these.
fn is_truth(context: &Context, ty: Type) -> bool {
    element(context, ty) == context.integer_type(1)
}

/// Whether an operation may take it that no number is NaN.
fn has_no_nan(rw: &Rw<'_, '_>, op: OpId) -> Result<bool, NoMatch> {
    Ok(fast_math_flags(rw.op(op))?.contains(FastMathFlags::NNAN))
}

/// An operation of which the target may be told that it does not wrap.
fn wrapping(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let flags = match spirv.environment().has_extension("SPV_KHR_no_integer_wrap_decoration") {
        true => overflow_flags(rw.op(op))?,
        false => IntegerOverflowFlags::NONE,
    };
    let context = rw.context();
    let decorations =
        [(IntegerOverflowFlags::NSW, "no_signed_wrap"), (IntegerOverflowFlags::NUW, "no_unsigned_wrap")].into_iter();
    let decorations = decorations.filter(|(flag, _)| flags.contains(*flag));
    let attributes = decorations.map(|(_, name)| (context.static_identifier(name), context.unit())).collect();
    let made = rw.emit_with(name, &operands.all()?, ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

/// What is left by a division has the sign of what was divided. SPIR-V's own operations are not defined for negative numbers in Vulkan.
fn signed_remainder(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, abs: &str) -> Outcome {
    let (of, by) = (operands.get(0)?, operands.get(1)?);
    let ty = rw.ty(of)?;
    let of_size = rw.emit(abs, &[of], ty)?;
    let by_size = rw.emit(abs, &[by], ty)?;
    let left = rw.emit("spirv.UMod", &[of_size, by_size], ty)?;
    let truth = truth_like(rw, ty);
    let is_positive = rw.emit("spirv.IEqual", &[of, of_size], truth)?;
    let negative = rw.emit("spirv.SNegate", &[left], ty)?;
    let made = rw.emit("spirv.Select", &[is_positive, left, negative], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// The type of what comes of comparing two values of a type.
pub(crate) fn truth_like(rw: &Rw<'_, '_>, ty: Type) -> Type {
    crate::common::resized(rw.context(), ty, 1)
}

/// An operation that gives a struct of two, taken apart.
fn halves(rw: &mut Rw<'_, '_>, operands: &Adaptor, name: &str) -> Result<[Value; 2], NoMatch> {
    use mlirbc_spirv::dialect::types::{Member, Struct, structure};
    let ty = rw.ty(operands.get(0)?)?;
    let both = Struct { members: vec![Member::from(ty), Member::from(ty)], ..Struct::default() };
    let both = structure(rw.context(), &both);
    let made = rw.emit(name, &operands.all()?, both)?;
    Ok([rw.extract(made, &[0], ty)?, rw.extract(made, &[1], ty)?])
}

fn carry(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let [sum, carry] = halves(rw, operands, "spirv.IAddCarry")?;
    let ty = rw.ty(sum)?;
    let one = rw.one(ty)?;
    let truth = truth_like(rw, ty);
    let carry = rw.emit("spirv.IEqual", &[carry, one], truth)?;
    Ok(rw.replace(op, [sum, carry])?)
}

fn product(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let halves = halves(rw, operands, name)?;
    Ok(rw.replace(op, halves)?)
}

fn select(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (condition, ty) = (rw.ty(operands.get(0)?)?, rw.ty(operands.get(1)?)?);
    let context = rw.context();
    if lanes(context, ty).is_some() && lanes(context, condition).is_none() {
        return Err(NoMatch::Reason("one condition for a vector"));
    }
    let made = rw.emit("spirv.Select", &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

/// What becomes of the greater or lesser of two numbers where one is none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nan {
    /// Neither is the result, which SPIR-V's operation does not say.
    Spreads,
    /// The other one is the result, which SPIR-V's operation does not say.
    Loses,
    /// The other one is the result, as of SPIR-V's operation.
    Lost,
}

fn extreme(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (nan, name): (Nan, &str)) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit(name, &operands.all()?, ty)?;
    if nan == Nan::Lost || has_no_nan(rw, op)? {
        return Ok(rw.replace(op, [made])?);
    }
    let truth = truth_like(rw, ty);
    let (a, b) = (operands.get(0)?, operands.get(1)?);
    let a_is_none = rw.emit("spirv.IsNan", &[a], truth)?;
    let b_is_none = rw.emit("spirv.IsNan", &[b], truth)?;
    let (for_a, for_b) = if nan == Nan::Spreads { (a, b) } else { (b, a) };
    let made = rw.emit("spirv.Select", &[a_is_none, for_a, made], ty)?;
    let made = rw.emit("spirv.Select", &[b_is_none, for_b, made], ty)?;
    Ok(rw.replace(op, [made])?)
}
