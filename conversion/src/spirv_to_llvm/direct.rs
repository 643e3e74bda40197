//! Operations that are one operation of LLVM on the same operands.

use mlirbc_dialects::llvm::{FCmpPredicate, ICmpPredicate};
use mlirbc_ir::OpId;
use mlirbc_rewrite::Outcome;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};

use super::Set;
use super::emit::{Emit, Rw};

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
    ("spirv.ConvertFToS", "llvm.fptosi"),
    ("spirv.ConvertFToU", "llvm.fptoui"),
    ("spirv.ConvertSToF", "llvm.sitofp"),
    ("spirv.ConvertUToF", "llvm.uitofp"),
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

fn renamed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, to: &str) -> Outcome {
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
