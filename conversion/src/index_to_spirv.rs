//! `convert-index-to-spirv` (`mlir/lib/Conversion/IndexToSPIRV`): the dialect `index` to the dialect `spirv`.
//!
//! An index is an integer of 32 bits, or of 64 with `use-64bit-index`: a constant loses the bits above. SPIR-V divides towards zero only,
//! so that the other divisions become several operations. [`patterns`] adds the patterns to those of other conversions.
//!
//! An operation that the target does not have, or that has a number of a width that the target does not have, fails the pass.

use mlirbc_dialects::index::{IndexCmpPredicate, predicate_of};
use mlirbc_ir::{OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter, TypeOptions, WIDE_INDEX};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-index-to-spirv",
    about: "convert the dialect index to the dialect spirv",
    options: &[WIDE_INDEX],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv {
            name: INFO.name,
            options: TypeOptions::of(options)?,
            patterns,
            // Also operations of `spirv` that the target does not have.
            legal: |target| casts_stay(target).illegal_dialects(["index"]).legal_dialects(["spirv"]),
        }))
    }),
};

/// Operations that become another one of the same operands.
const RENAMED: &[(&str, &str)] = &[
    ("index.add", "spirv.IAdd"),
    ("index.sub", "spirv.ISub"),
    ("index.mul", "spirv.IMul"),
    ("index.divs", "spirv.SDiv"),
    ("index.divu", "spirv.UDiv"),
    ("index.rems", "spirv.SRem"),
    ("index.remu", "spirv.UMod"),
    ("index.maxs", "spirv.GL.SMax"),
    ("index.maxu", "spirv.GL.UMax"),
    ("index.mins", "spirv.GL.SMin"),
    ("index.minu", "spirv.GL.UMin"),
    ("index.shl", "spirv.ShiftLeftLogical"),
    ("index.shrs", "spirv.ShiftRightArithmetic"),
    ("index.shru", "spirv.ShiftRightLogical"),
    ("index.and", "spirv.BitwiseAnd"),
    ("index.or", "spirv.BitwiseOr"),
    ("index.xor", "spirv.BitwiseXor"),
];

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.elementwise(RENAMED)
        .on("index.bool.constant", truth)
        .on("index.constant", constant)
        .on("index.ceildivs", ceiling_signed)
        .on("index.ceildivu", ceiling_unsigned)
        .on("index.floordivs", floor_signed)
        .with("index.casts", 1, |spirv, rw, op, operands| cast(spirv, rw, op, operands, "spirv.SConvert"))
        .with("index.castu", 1, |spirv, rw, op, operands| cast(spirv, rw, op, operands, "spirv.UConvert"))
        .on("index.cmp", compare)
        .on("index.sizeof", size)
}

fn truth(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (ty, value) = (rw.result_type(op)?, rw.attribute(op, "value")?);
    let made = rw.constant(ty, value)?;
    Ok(rw.replace(op, [made])?)
}

fn constant(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let value = rw.context().integer_of(rw.attribute(op, "value")?);
    let value = value.ok_or(NoMatch::Reason("a constant that is no integer"))?;
    let ty = spirv.index_type(rw.context());
    let made = rw.integer(ty, value.words().first().copied().unwrap_or_default())?;
    Ok(rw.replace(op, [made])?)
}

/// How many bits an index has.
fn size(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = spirv.index_type(rw.context());
    let bits = if spirv.options().use_64bit_index { 64 } else { 32 };
    let made = rw.integer(ty, bits)?;
    Ok(rw.replace(op, [made])?)
}

/// What is divided, by what, and the type of both.
fn division(rw: &Rw<'_, '_>, operands: &Adaptor) -> Result<(Value, Value, Type), NoMatch> {
    let (of, by) = (operands.get(0)?, operands.get(1)?);
    Ok((of, by, rw.ty(of)?))
}

/// Where both have the same sign, one more than what comes of dividing what is one nearer to zero; else the division rounds up already.
fn ceiling_signed(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (of, by, ty) = division(rw, operands)?;
    let truth = rw.context().integer_type(1);
    let zero = rw.integer(ty, 0)?;
    let one = rw.integer(ty, 1)?;
    let minus_one = rw.integer(ty, u64::MAX)?;
    let by_is_positive = rw.emit("spirv.SGreaterThan", &[by, zero], truth)?;
    let nearer = rw.emit("spirv.Select", &[by_is_positive, minus_one, one], ty)?;
    let nearer = rw.emit("spirv.IAdd", &[of, nearer], ty)?;
    let nearer = rw.emit("spirv.SDiv", &[nearer, by], ty)?;
    let positive = rw.emit("spirv.IAdd", &[nearer, one], ty)?;
    let negated = rw.emit("spirv.ISub", &[zero, of], ty)?;
    let negated = rw.emit("spirv.SDiv", &[negated, by], ty)?;
    let negative = rw.emit("spirv.ISub", &[zero, negated], ty)?;
    let is_positive = rw.emit("spirv.SGreaterThan", &[of, zero], truth)?;
    let same_sign = rw.emit("spirv.LogicalEqual", &[is_positive, by_is_positive], truth)?;
    let is_some = rw.emit("spirv.INotEqual", &[of, zero], truth)?;
    let rounds = rw.emit("spirv.LogicalAnd", &[same_sign, is_some], truth)?;
    let made = rw.emit("spirv.Select", &[rounds, positive, negative], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Zero, or one more than what comes of dividing one less.
fn ceiling_unsigned(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (of, by, ty) = division(rw, operands)?;
    let zero = rw.integer(ty, 0)?;
    let one = rw.integer(ty, 1)?;
    let less = rw.emit("spirv.ISub", &[of, one], ty)?;
    let quotient = rw.emit("spirv.UDiv", &[less, by], ty)?;
    let more = rw.emit("spirv.IAdd", &[quotient, one], ty)?;
    let truth = rw.context().integer_type(1);
    let is_none = rw.emit("spirv.IEqual", &[of, zero], truth)?;
    let made = rw.emit("spirv.Select", &[is_none, zero, more], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Where both have different signs, one less than what comes of dividing what is one nearer to zero; else the division rounds down already.
fn floor_signed(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (of, by, ty) = division(rw, operands)?;
    let truth = rw.context().integer_type(1);
    let zero = rw.integer(ty, 0)?;
    let one = rw.integer(ty, 1)?;
    let minus_one = rw.integer(ty, u64::MAX)?;
    let by_is_negative = rw.emit("spirv.SLessThan", &[by, zero], truth)?;
    let nearer = rw.emit("spirv.Select", &[by_is_negative, one, minus_one], ty)?;
    let nearer = rw.emit("spirv.ISub", &[nearer, of], ty)?;
    let nearer = rw.emit("spirv.SDiv", &[nearer, by], ty)?;
    let negative = rw.emit("spirv.ISub", &[minus_one, nearer], ty)?;
    let positive = rw.emit("spirv.SDiv", &[of, by], ty)?;
    let is_negative = rw.emit("spirv.SLessThan", &[of, zero], truth)?;
    let other_sign = rw.emit("spirv.LogicalNotEqual", &[is_negative, by_is_negative], truth)?;
    let is_some = rw.emit("spirv.INotEqual", &[of, zero], truth)?;
    let rounds = rw.emit("spirv.LogicalAnd", &[other_sign, is_some], truth)?;
    let made = rw.emit("spirv.Select", &[rounds, negative, positive], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Becomes nothing where both types become one. Types other than `index` are not converted.
fn cast(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let value = operands.get(0)?;
    let was = rw.result_type(op)?;
    let context = rw.context();
    let to = if was == context.index_type() { spirv.index_type(context) } else { was };
    let made = if rw.ty(value)? == to { value } else { rw.emit(name, &[value], to)? };
    Ok(rw.replace(op, [made])?)
}

fn compare(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let name = match predicate_of(rw.op(op))? {
        Some(IndexCmpPredicate::EQ) => "spirv.IEqual",
        Some(IndexCmpPredicate::NE) => "spirv.INotEqual",
        Some(IndexCmpPredicate::SGE) => "spirv.SGreaterThanEqual",
        Some(IndexCmpPredicate::SGT) => "spirv.SGreaterThan",
        Some(IndexCmpPredicate::SLE) => "spirv.SLessThanEqual",
        Some(IndexCmpPredicate::SLT) => "spirv.SLessThan",
        Some(IndexCmpPredicate::UGE) => "spirv.UGreaterThanEqual",
        Some(IndexCmpPredicate::UGT) => "spirv.UGreaterThan",
        Some(IndexCmpPredicate::ULE) => "spirv.ULessThanEqual",
        Some(IndexCmpPredicate::ULT) => "spirv.ULessThan",
        None => return Err(NoMatch::Reason("a comparison without a predicate")),
    };
    let truth = rw.context().integer_type(1);
    let made = rw.emit(name, &operands.all()?, truth)?;
    Ok(rw.replace(op, [made])?)
}
