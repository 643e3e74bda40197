//! Operations that are one operation of LLVM on the same operands.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::OpId;
use mlirbc_rewrite::Outcome;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};

use super::Set;
use super::emit::{Emit, Look, Rw};

/// Operations that become another one with the same operands and attributes.
const RENAMED: &[(&str, &str)] = &[
    ("spirv.IAdd", "llvm.add"),
    ("spirv.IMul", "llvm.mul"),
    ("spirv.ISub", "llvm.sub"),
    ("spirv.FAdd", "llvm.fadd"),
    ("spirv.FDiv", "llvm.fdiv"),
    ("spirv.FMul", "llvm.fmul"),
    ("spirv.FNegate", "llvm.fneg"),
    ("spirv.FRem", "llvm.frem"),
    ("spirv.FSub", "llvm.fsub"),
    ("spirv.SDiv", "llvm.sdiv"),
    ("spirv.SRem", "llvm.srem"),
    ("spirv.UDiv", "llvm.udiv"),
    ("spirv.UMod", "llvm.urem"),
    ("spirv.BitCount", "llvm.intr.ctpop"),
    ("spirv.BitReverse", "llvm.intr.bitreverse"),
    ("spirv.BitwiseAnd", "llvm.and"),
    ("spirv.BitwiseOr", "llvm.or"),
    ("spirv.BitwiseXor", "llvm.xor"),
    ("spirv.LogicalAnd", "llvm.and"),
    ("spirv.LogicalOr", "llvm.or"),
    ("spirv.Select", "llvm.select"),
    ("spirv.Undef", "llvm.mlir.undef"),
    ("spirv.GL.Ceil", "llvm.intr.ceil"),
    ("spirv.GL.Cos", "llvm.intr.cos"),
    ("spirv.GL.Exp", "llvm.intr.exp"),
    ("spirv.GL.FAbs", "llvm.intr.fabs"),
    ("spirv.GL.Floor", "llvm.intr.floor"),
    ("spirv.GL.FMax", "llvm.intr.maxnum"),
    ("spirv.GL.FMin", "llvm.intr.minnum"),
    ("spirv.GL.Log", "llvm.intr.log"),
    ("spirv.GL.Sin", "llvm.intr.sin"),
    ("spirv.GL.SMax", "llvm.intr.smax"),
    ("spirv.GL.SMin", "llvm.intr.smin"),
    ("spirv.GL.Sqrt", "llvm.intr.sqrt"),
    ("spirv.GL.Tan", "llvm.intr.tan"),
    ("spirv.GL.Tanh", "llvm.intr.tanh"),
];

/// As [`RENAMED`], where MLIR has no conversion.
const BEYOND: &[(&str, &str)] = &[
    ("spirv.CL.acos", "llvm.intr.acos"),
    ("spirv.CL.asin", "llvm.intr.asin"),
    ("spirv.CL.atan", "llvm.intr.atan"),
    ("spirv.CL.atan2", "llvm.intr.atan2"),
    ("spirv.CL.ceil", "llvm.intr.ceil"),
    ("spirv.CL.copysign", "llvm.intr.copysign"),
    ("spirv.CL.cos", "llvm.intr.cos"),
    ("spirv.CL.cosh", "llvm.intr.cosh"),
    ("spirv.CL.exp", "llvm.intr.exp"),
    ("spirv.CL.exp10", "llvm.intr.exp10"),
    ("spirv.CL.exp2", "llvm.intr.exp2"),
    ("spirv.CL.fabs", "llvm.intr.fabs"),
    ("spirv.CL.floor", "llvm.intr.floor"),
    ("spirv.CL.fma", "llvm.intr.fma"),
    ("spirv.CL.fmax", "llvm.intr.maxnum"),
    ("spirv.CL.fmax_common", "llvm.intr.maxnum"),
    ("spirv.CL.fmin", "llvm.intr.minnum"),
    ("spirv.CL.fmin_common", "llvm.intr.minnum"),
    ("spirv.CL.fmod", "llvm.frem"),
    ("spirv.CL.half_cos", "llvm.intr.cos"),
    ("spirv.CL.half_divide", "llvm.fdiv"),
    ("spirv.CL.half_exp", "llvm.intr.exp"),
    ("spirv.CL.half_exp10", "llvm.intr.exp10"),
    ("spirv.CL.half_exp2", "llvm.intr.exp2"),
    ("spirv.CL.half_log", "llvm.intr.log"),
    ("spirv.CL.half_log10", "llvm.intr.log10"),
    ("spirv.CL.half_log2", "llvm.intr.log2"),
    ("spirv.CL.half_powr", "llvm.intr.pow"),
    ("spirv.CL.half_sin", "llvm.intr.sin"),
    ("spirv.CL.half_sqrt", "llvm.intr.sqrt"),
    ("spirv.CL.half_tan", "llvm.intr.tan"),
    ("spirv.CL.log", "llvm.intr.log"),
    ("spirv.CL.log10", "llvm.intr.log10"),
    ("spirv.CL.log2", "llvm.intr.log2"),
    ("spirv.CL.mad", "llvm.intr.fma"),
    ("spirv.CL.native_cos", "llvm.intr.cos"),
    ("spirv.CL.native_divide", "llvm.fdiv"),
    ("spirv.CL.native_exp", "llvm.intr.exp"),
    ("spirv.CL.native_exp10", "llvm.intr.exp10"),
    ("spirv.CL.native_exp2", "llvm.intr.exp2"),
    ("spirv.CL.native_log", "llvm.intr.log"),
    ("spirv.CL.native_log10", "llvm.intr.log10"),
    ("spirv.CL.native_log2", "llvm.intr.log2"),
    ("spirv.CL.native_powr", "llvm.intr.pow"),
    ("spirv.CL.native_sin", "llvm.intr.sin"),
    ("spirv.CL.native_sqrt", "llvm.intr.sqrt"),
    ("spirv.CL.native_tan", "llvm.intr.tan"),
    ("spirv.CL.popcount", "llvm.intr.ctpop"),
    ("spirv.CL.pow", "llvm.intr.pow"),
    ("spirv.CL.powr", "llvm.intr.pow"),
    ("spirv.CL.rint", "llvm.intr.rint"),
    ("spirv.CL.round", "llvm.intr.round"),
    ("spirv.CL.s_add_sat", "llvm.intr.sadd.sat"),
    ("spirv.CL.s_max", "llvm.intr.smax"),
    ("spirv.CL.s_min", "llvm.intr.smin"),
    ("spirv.CL.s_mul24", "llvm.mul"),
    ("spirv.CL.s_sub_sat", "llvm.intr.ssub.sat"),
    ("spirv.CL.sin", "llvm.intr.sin"),
    ("spirv.CL.sinh", "llvm.intr.sinh"),
    ("spirv.CL.sqrt", "llvm.intr.sqrt"),
    ("spirv.CL.tan", "llvm.intr.tan"),
    ("spirv.CL.tanh", "llvm.intr.tanh"),
    ("spirv.CL.trunc", "llvm.intr.trunc"),
    ("spirv.CL.u_add_sat", "llvm.intr.uadd.sat"),
    ("spirv.CL.u_max", "llvm.intr.umax"),
    ("spirv.CL.u_min", "llvm.intr.umin"),
    ("spirv.CL.u_mul24", "llvm.mul"),
    ("spirv.CL.u_sub_sat", "llvm.intr.usub.sat"),
    ("spirv.FmaKHR", "llvm.intr.fma"),
    ("spirv.GL.Acos", "llvm.intr.acos"),
    ("spirv.GL.Asin", "llvm.intr.asin"),
    ("spirv.GL.Atan", "llvm.intr.atan"),
    ("spirv.GL.Atan2", "llvm.intr.atan2"),
    ("spirv.GL.Cosh", "llvm.intr.cosh"),
    ("spirv.GL.Exp2", "llvm.intr.exp2"),
    ("spirv.GL.Fma", "llvm.intr.fma"),
    ("spirv.GL.Log2", "llvm.intr.log2"),
    ("spirv.GL.NMax", "llvm.intr.maxnum"),
    ("spirv.GL.NMin", "llvm.intr.minnum"),
    ("spirv.GL.Pow", "llvm.intr.pow"),
    ("spirv.GL.Round", "llvm.intr.round"),
    ("spirv.GL.RoundEven", "llvm.intr.roundeven"),
    ("spirv.GL.Sinh", "llvm.intr.sinh"),
    ("spirv.GL.Trunc", "llvm.intr.trunc"),
    ("spirv.GL.UMax", "llvm.intr.umax"),
    ("spirv.GL.UMin", "llvm.intr.umin"),
    ("spirv.IAddSatINTEL", "llvm.intr.sadd.sat"),
    ("spirv.ISubSatINTEL", "llvm.intr.ssub.sat"),
    // Of composites.
    ("spirv.OpSelect", "llvm.select"),
    ("spirv.UAddSatINTEL", "llvm.intr.uadd.sat"),
    ("spirv.USubSatINTEL", "llvm.intr.usub.sat"),
];

/// Comparisons of integers.
const INTEGERS: &[(&str, ICmpPredicate)] = &[
    ("spirv.IEqual", ICmpPredicate::Eq),
    ("spirv.INotEqual", ICmpPredicate::Ne),
    ("spirv.LogicalEqual", ICmpPredicate::Eq),
    ("spirv.LogicalNotEqual", ICmpPredicate::Ne),
    ("spirv.SGreaterThan", ICmpPredicate::Sgt),
    ("spirv.SGreaterThanEqual", ICmpPredicate::Sge),
    ("spirv.SLessThan", ICmpPredicate::Slt),
    ("spirv.SLessThanEqual", ICmpPredicate::Sle),
    ("spirv.UGreaterThan", ICmpPredicate::Ugt),
    ("spirv.UGreaterThanEqual", ICmpPredicate::Uge),
    ("spirv.ULessThan", ICmpPredicate::Ult),
    ("spirv.ULessThanEqual", ICmpPredicate::Ule),
];

/// Comparisons of floats.
const FLOATS: &[(&str, FCmpPredicate)] = &[
    ("spirv.FOrdEqual", FCmpPredicate::Oeq),
    ("spirv.FOrdGreaterThan", FCmpPredicate::Ogt),
    ("spirv.FOrdGreaterThanEqual", FCmpPredicate::Oge),
    ("spirv.FOrdLessThan", FCmpPredicate::Olt),
    ("spirv.FOrdLessThanEqual", FCmpPredicate::Ole),
    ("spirv.FOrdNotEqual", FCmpPredicate::One),
    ("spirv.FUnordEqual", FCmpPredicate::Ueq),
    ("spirv.FUnordGreaterThan", FCmpPredicate::Ugt),
    ("spirv.FUnordGreaterThanEqual", FCmpPredicate::Uge),
    ("spirv.FUnordLessThan", FCmpPredicate::Ult),
    ("spirv.FUnordLessThanEqual", FCmpPredicate::Ule),
    ("spirv.FUnordNotEqual", FCmpPredicate::Une),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, to) in RENAMED.iter().chain(BEYOND) {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| renamed(rw, op, operands, to);
        set = set.pattern(from, ConversionPattern::of("renamed", convert));
    }
    let integers = INTEGERS.iter().map(|&(from, predicate)| (from, "llvm.icmp", predicate.value()));
    let floats = FLOATS.iter().map(|&(from, predicate)| (from, "llvm.fcmp", predicate.value()));
    for (from, to, predicate) in integers.chain(floats) {
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| compared(rw, op, operands, to, predicate);
        set = set.pattern(from, ConversionPattern::of("compared", convert));
    }
    set
}

/// Becomes an operation of that name, with the same attributes.
pub(super) fn renamed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, to: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let attributes = rw.all_attributes(op)?;
    let made = rw.emit_with(to, &operands.all()?, ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

fn compared(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, to: &str, predicate: i64) -> Outcome {
    let ty = rw.converted_result(op)?;
    let context = rw.context();
    let predicate = (context.static_identifier("predicate"), context.integer(64, predicate));
    let made = rw.emit_with(to, &operands.all()?, ty, vec![predicate])?;
    Ok(rw.replace(op, [made])?)
}
