//! `convert-arith-to-llvm` (`mlir/lib/Conversion/ArithToLLVM`): the dialect `arith` to the dialect `llvm`.
//!
//! Vectors of several dimensions are arrays, and are worked on vector by vector. Floats that LLVM does not have stay.

use mlirbc_dialects::arith::{FastMathFlags, fast_math_flags, overflow_flags};
use mlirbc_dialects::llvm::{ArrayType, FastmathFlags, RoundingMode, StructType, fast_math, is_compatible};
use mlirbc_ir::number::{ApInt, RoundingMode as Mode};
use mlirbc_ir::{Attribute, NamedAttribute, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, element, resized, width};
use crate::divisions;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::pass::ToLlvm;
use crate::to_llvm::patterns::To;
use crate::to_llvm::{INDEX_BITS, LlvmOptions, LlvmPatterns, index_bits};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-arith-to-llvm",
    about: "convert the dialect arith to the dialect llvm",
    options: &[INDEX_BITS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToLlvm {
            name: INFO.name,
            of_module: false,
            index_bits: index_bits(options)?,
            options: LlvmOptions::default(),
            patterns: |set| patterns(set.also(divisions::add_to)),
            legal: |target| target,
        }))
    }),
};

/// What is said of an operation, and of what it becomes in another way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// Nothing but what is said of both.
    Same,
    /// What floats may be taken to be.
    FastMath,
    /// What may be taken of sums and products.
    Overflow,
}

/// Whether floats may become something else than floats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Floats {
    Any,
    OfLlvm,
}

/// Operations that become another one of the same operands.
const RENAMED: &[(&str, &str, Said, Floats)] = &[
    ("arith.addf", "llvm.fadd", Said::FastMath, Floats::OfLlvm),
    ("arith.addi", "llvm.add", Said::Overflow, Floats::Any),
    ("arith.andi", "llvm.and", Said::Same, Floats::Any),
    ("arith.bitcast", "llvm.bitcast", Said::Same, Floats::Any),
    ("arith.divf", "llvm.fdiv", Said::FastMath, Floats::OfLlvm),
    ("arith.divsi", "llvm.sdiv", Said::Same, Floats::Any),
    ("arith.divui", "llvm.udiv", Said::Same, Floats::Any),
    ("arith.extf", "llvm.fpext", Said::Same, Floats::OfLlvm),
    ("arith.extsi", "llvm.sext", Said::Same, Floats::Any),
    ("arith.extui", "llvm.zext", Said::Same, Floats::Any),
    ("arith.fptosi", "llvm.fptosi", Said::Same, Floats::OfLlvm),
    ("arith.fptoui", "llvm.fptoui", Said::Same, Floats::OfLlvm),
    ("arith.maximumf", "llvm.intr.maximum", Said::FastMath, Floats::OfLlvm),
    ("arith.maxnumf", "llvm.intr.maxnum", Said::FastMath, Floats::OfLlvm),
    ("arith.maxsi", "llvm.intr.smax", Said::Same, Floats::Any),
    ("arith.maxui", "llvm.intr.umax", Said::Same, Floats::Any),
    ("arith.minimumf", "llvm.intr.minimum", Said::FastMath, Floats::OfLlvm),
    ("arith.minnumf", "llvm.intr.minnum", Said::FastMath, Floats::OfLlvm),
    ("arith.minsi", "llvm.intr.smin", Said::Same, Floats::Any),
    ("arith.minui", "llvm.intr.umin", Said::Same, Floats::Any),
    ("arith.mulf", "llvm.fmul", Said::FastMath, Floats::OfLlvm),
    ("arith.muli", "llvm.mul", Said::Overflow, Floats::Any),
    ("arith.negf", "llvm.fneg", Said::FastMath, Floats::OfLlvm),
    ("arith.ori", "llvm.or", Said::Same, Floats::Any),
    ("arith.remf", "llvm.frem", Said::FastMath, Floats::OfLlvm),
    ("arith.remsi", "llvm.srem", Said::Same, Floats::Any),
    ("arith.remui", "llvm.urem", Said::Same, Floats::Any),
    ("arith.select", "llvm.select", Said::Same, Floats::Any),
    ("arith.shli", "llvm.shl", Said::Overflow, Floats::Any),
    ("arith.shrsi", "llvm.ashr", Said::Same, Floats::Any),
    ("arith.shrui", "llvm.lshr", Said::Same, Floats::Any),
    ("arith.sitofp", "llvm.sitofp", Said::Same, Floats::Any),
    ("arith.subf", "llvm.fsub", Said::FastMath, Floats::OfLlvm),
    ("arith.subi", "llvm.sub", Said::Overflow, Floats::Any),
    ("arith.trunci", "llvm.trunc", Said::Overflow, Floats::Any),
    ("arith.uitofp", "llvm.uitofp", Said::Same, Floats::OfLlvm),
    ("arith.xori", "llvm.xor", Said::Same, Floats::Any),
];

/// Adds the patterns of this conversion.
pub fn patterns(set: LlvmPatterns) -> LlvmPatterns {
    let set = RENAMED.iter().fold(set, |set, &(from, to, said, floats)| {
        set.with(from, 1, move |_, rw, op, operands| {
            check_floats(rw, op, floats)?;
            let attributes = attributes(rw, op, said)?;
            lane_by_lane(rw, op, operands, |rw, values, ty| rw.emit_with(to, values, ty, attributes.clone()))
        })
    });
    set.with("arith.bitcast", 10, |_, rw, op, operands| {
        let value = operands.get(0)?;
        match rw.ty(value)? == rw.converted_result(op)? {
            true => Ok(rw.replace(op, [value])?),
            false => Err(NoMatch::Reason("the types differ")),
        }
    })
    .on("arith.constant", constant)
    .on("arith.cmpi", |_, rw, op, operands| compare(rw, op, operands, "llvm.icmp", Vec::new()))
    .on("arith.cmpf", |_, rw, op, operands| {
        let flags = rw.named("fastmathFlags", flags_of(rw, op)?);
        compare(rw, op, operands, "llvm.fcmp", vec![flags])
    })
    .on("arith.truncf", rounded)
    .on("arith.index_cast", |_, rw, op, operands| index_cast(rw, op, operands, "llvm.sext"))
    .on("arith.index_castui", |_, rw, op, operands| index_cast(rw, op, operands, "llvm.zext"))
    .on("arith.addui_extended", with_carry)
    .on("arith.mulsi_extended", |_, rw, op, operands| product(rw, op, operands, "llvm.sext"))
    .on("arith.mului_extended", |_, rw, op, operands| product(rw, op, operands, "llvm.zext"))
}

/// Refuses floats that become integers.
fn check_floats(rw: &Rw<'_, '_>, op: OpId, floats: Floats) -> Outcome {
    let context = rw.context();
    let is_float = |ty: Type| matches!(context[element(context, ty)], TypeData::Float(_));
    let values = rw.body().operands(op).iter().copied().chain(rw.body().results(op));
    for value in values.filter(|_| floats == Floats::OfLlvm) {
        let ty = rw.ty(value)?;
        let of = element(context, ty);
        if is_float(ty) && !is_float(rw.convert_type(of)?) {
            return Err(NoMatch::Reason("unsupported floating point type"));
        }
    }
    Ok(())
}

/// What floats may be taken to be, in the words of `llvm`.
fn flags_of(rw: &Rw<'_, '_>, op: OpId) -> Result<Attribute, NoMatch> {
    const SAME: [(FastMathFlags, FastmathFlags); 7] = [
        (FastMathFlags::REASSOC, FastmathFlags::REASSOC),
        (FastMathFlags::NNAN, FastmathFlags::NNAN),
        (FastMathFlags::NINF, FastmathFlags::NINF),
        (FastMathFlags::NSZ, FastmathFlags::NSZ),
        (FastMathFlags::ARCP, FastmathFlags::ARCP),
        (FastMathFlags::CONTRACT, FastmathFlags::CONTRACT),
        (FastMathFlags::AFN, FastmathFlags::AFN),
    ];
    let given = fast_math_flags(rw.op(op))?;
    let flags = SAME.into_iter().filter(|(flag, _)| given.contains(*flag));
    let flags = flags.fold(FastmathFlags::NONE, |all, (_, flag)| all | flag);
    Ok(fast_math(rw.context(), flags))
}

/// What is said of an operation, as it is said of what it becomes.
fn attributes(rw: &Rw<'_, '_>, op: OpId, said: Said) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    let (was, now) = match said {
        Said::Same => return Ok(rw.all_attributes(op)?),
        Said::FastMath => ("fastmath", rw.named("fastmathFlags", flags_of(rw, op)?)),
        Said::Overflow => {
            let flags = overflow_flags(rw.op(op))?;
            ("overflowFlags", rw.named("overflowFlags", context.integer(32, flags.value())))
        }
    };
    let was = context.static_identifier(was);
    Ok(rw.all_attributes(op)?.into_iter().filter(|(name, _)| *name != was).chain([now]).collect())
}

/// Makes an operation of the operands, or one for each vector in them where they are arrays of such.
fn lane_by_lane(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    mut make: impl FnMut(&mut Rw<'_, '_>, &[Value], Type) -> mlirbc_ir::Result<Value>,
) -> Outcome {
    let context = rw.context();
    let values = operands.all()?;
    let types: Vec<Type> = values.iter().map(|&value| rw.ty(value)).collect::<mlirbc_ir::Result<_>>()?;
    if !types.iter().all(|&ty| is_compatible(context, ty)) {
        return Err(NoMatch::Reason("an operand is of no type of LLVM"));
    }
    let ty = rw.converted_result(op)?;
    if types.first().is_none_or(|&ty| ArrayType::of(context, ty).is_none()) {
        let made = make(rw, &values, ty)?;
        return Ok(rw.replace(op, [made])?);
    }
    if !matches!(context[rw.result_type(op)?], TypeData::Vector { .. }) {
        return Err(NoMatch::Reason("expected vector result type"));
    }
    let (mut inner, mut counts) = (ty, Vec::new());
    while let Some(array) = ArrayType::of(context, inner) {
        counts.push(array.count(context));
        inner = array.element(context);
    }
    // Each vector of the arrays becomes several operations: not more than memory holds.
    let total = counts.iter().try_fold(1u64, |all, &count| all.checked_mul(count)).filter(|&all| all <= 1 << 16);
    let total = total.ok_or(NoMatch::Reason("a vector of too many parts"))?;
    let mut made = rw.emit("llvm.mlir.poison", &[], ty)?;
    for number in 0..total {
        let mut left = number;
        let mut position: Vec<i64> = Vec::new();
        for &count in counts.iter().rev() {
            position.push((left % count) as i64);
            left /= count;
        }
        position.reverse();
        let parts: Vec<Value> =
            values.iter().map(|&value| rw.extract(value, &position)).collect::<mlirbc_ir::Result<_>>()?;
        let part = make(rw, &parts, inner)?;
        made = rw.insert(made, part, &position)?;
    }
    Ok(rw.replace(op, [made])?)
}

fn constant(_: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let attributes = rw.all_attributes(op)?;
    let made = rw.emit_with("llvm.mlir.constant", &[], ty, attributes)?;
    Ok(rw.replace(op, [made])?)
}

/// The predicates have the same numbers in both dialects.
fn compare(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    name: &str,
    mut attributes: Vec<NamedAttribute>,
) -> Outcome {
    attributes.push(rw.named("predicate", rw.attribute(op, "predicate")?));
    lane_by_lane(rw, op, operands, |rw, values, ty| rw.emit_with(name, values, ty, attributes.clone()))
}

/// A float of fewer bits: rounded as it says, or as it is usual.
fn rounded(_: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    check_floats(rw, op, Floats::OfLlvm)?;
    let Some(mode) = mlirbc_dialects::arith::rounding_mode(rw.op(op))? else {
        let attributes = attributes(rw, op, Said::Same)?;
        return lane_by_lane(rw, op, operands, |rw, values, ty| {
            rw.emit_with("llvm.fptrunc", values, ty, attributes.clone())
        });
    };
    let context = rw.context();
    let mode = match mode {
        Mode::ToNearestEven => RoundingMode::NearestTiesToEven,
        Mode::Downward => RoundingMode::TowardNegative,
        Mode::Upward => RoundingMode::TowardPositive,
        Mode::TowardZero => RoundingMode::TowardZero,
        Mode::ToNearestAway => RoundingMode::NearestTiesToAway,
    };
    let left_out = ["roundingmode", "fastmath"].map(|name| context.static_identifier(name));
    let others = rw.all_attributes(op)?.into_iter().filter(|(name, _)| !left_out.contains(name));
    let own = [
        rw.named("roundingmode", context.integer(64, mode.value())),
        rw.named("fpExceptionBehavior", context.integer(64, 0)),
    ];
    let attributes: Vec<NamedAttribute> = others.chain(own).collect();
    lane_by_lane(rw, op, operands, |rw, values, ty| {
        rw.emit_with("llvm.intr.experimental.constrained.fptrunc", values, ty, attributes.clone())
    })
}

/// Between an index and another integer: which has more bits is known.
fn index_cast(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, widen: &str) -> Outcome {
    let context = rw.context();
    let bits = |rw: &Rw<'_, '_>, ty: Type| {
        let of = rw.convert_type(element(context, ty))?;
        width(context, of).ok_or(NoMatch::Reason("no type of integers"))
    };
    let (from, to) = (bits(rw, rw.operand_type(op, 0)?)?, bits(rw, rw.result_type(op)?)?);
    if from == to {
        return Ok(rw.replace(op, [operands.get(0)?])?);
    }
    let name = if to < from { "llvm.trunc" } else { widen };
    lane_by_lane(rw, op, operands, |rw, values, ty| rw.emit(name, values, ty))
}

/// The type of the operands, which are no arrays.
fn plain_type(rw: &Rw<'_, '_>, operands: &Adaptor) -> Result<Type, NoMatch> {
    let (context, ty) = (rw.context(), rw.ty(operands.get(0)?)?);
    match is_compatible(context, ty) && ArrayType::of(context, ty).is_none() {
        true => Ok(ty),
        false => Err(NoMatch::Reason("ND vector types are not supported yet")),
    }
}

fn with_carry(_: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    plain_type(rw, operands)?;
    let sum = rw.result_type(op)?;
    let carry = rw.convert_type(rw.ty(rw.result(op, 1)?)?)?;
    // An index as it was: MLIR makes a struct of that, which is no type of LLVM.
    let both: Type = StructType::literal(context, &[rw.convert_type(sum)?, carry], false)?.into();
    let made = rw.emit("llvm.intr.uadd.with.overflow", &operands.all()?, both)?;
    let parts = [rw.extract(made, &[0])?, rw.extract(made, &[1])?];
    Ok(rw.replace(op, parts)?)
}

/// The lower and the upper half of a product, worked out with twice as many bits.
fn product(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, widen: &str) -> Outcome {
    let context = rw.context();
    let ty = plain_type(rw, operands)?;
    let bits = width(context, ty).filter(|&bits| bits < 1 << 23).ok_or(NoMatch::Reason("no type of integers"))?;
    let wide = resized(context, ty, bits * 2);
    let by = context.numbers(wide, &[ApInt::from_u64(bits * 2, bits.into())])?;
    let a = rw.emit(widen, &[operands.get(0)?], wide)?;
    let b = rw.emit(widen, &[operands.get(1)?], wide)?;
    let whole = rw.emit("llvm.mul", &[a, b], wide)?;
    let low = rw.emit("llvm.trunc", &[whole], ty)?;
    let by = rw.constant(wide, by)?;
    let high = rw.emit("llvm.lshr", &[whole, by], wide)?;
    let high = rw.emit("llvm.trunc", &[high], ty)?;
    Ok(rw.replace(op, [low, high])?)
}
