//! Comparisons.

use mlirbc_dialects::arith::{CmpFPredicate, CmpIPredicate, float_predicate, integer_predicate};
use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::{has_no_nan, is_truth, truth_like};
use crate::common::{Look, Rw, resized, width};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("arith.cmpi", truths)
        .on("arith.cmpi", integers)
        .on("arith.cmpf", any_nan)
        .on("arith.cmpf", floats)
        // Where kernels can be told so, they are.
        .with("arith.cmpf", 2, ordered)
}

fn predicate(rw: &Rw<'_, '_>, op: OpId) -> Result<CmpIPredicate, NoMatch> {
    integer_predicate(rw.op(op))?.ok_or(NoMatch::Reason("a comparison without a predicate"))
}

fn truths(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let was = rw.operand_type(op, 0)?;
    let ty = rw.convert_type(was)?;
    if !is_truth(rw.context(), was) {
        return Err(NoMatch::Reason("a comparison of numbers"));
    }
    use CmpIPredicate::{Eq, Ne, Uge, Ugt, Ule, Ult};
    let predicate = predicate(rw, op)?;
    let (a, b) = (operands.get(0)?, operands.get(1)?);
    let made = match predicate {
        Eq => rw.emit("spirv.LogicalEqual", &[a, b], truth_like(rw, ty))?,
        Ne => rw.emit("spirv.LogicalNotEqual", &[a, b], truth_like(rw, ty))?,
        Ult | Ule | Ugt | Uge => {
            // Compared as numbers, which are converted then.
            let wide = resized(rw.context(), ty, 32);
            let a = rw.emit("arith.extui", &[a], wide)?;
            let b = rw.emit("arith.extui", &[b], wide)?;
            let context = rw.context();
            let predicate = (context.static_identifier("predicate"), context.integer(64, predicate.value()));
            let truth = truth_like(rw, wide);
            rw.emit_with("arith.cmpi", &[a, b], truth, vec![predicate])?
        }
        _ => return Err(NoMatch::Reason("truth values have no sign")),
    };
    Ok(rw.replace(op, [made])?)
}

fn integers(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let was = rw.operand_type(op, 0)?;
    let ty = rw.convert_type(was)?;
    let context = rw.context();
    if is_truth(context, was) {
        return Err(NoMatch::Reason("a comparison of truth values"));
    }
    let (name, is_unsigned) = match predicate(rw, op)? {
        CmpIPredicate::Eq => ("spirv.IEqual", false),
        CmpIPredicate::Ne => ("spirv.INotEqual", false),
        CmpIPredicate::Slt => ("spirv.SLessThan", false),
        CmpIPredicate::Sle => ("spirv.SLessThanEqual", false),
        CmpIPredicate::Sgt => ("spirv.SGreaterThan", false),
        CmpIPredicate::Sge => ("spirv.SGreaterThanEqual", false),
        CmpIPredicate::Ult => ("spirv.ULessThan", true),
        CmpIPredicate::Ule => ("spirv.ULessThanEqual", true),
        CmpIPredicate::Ugt => ("spirv.UGreaterThan", true),
        CmpIPredicate::Uge => ("spirv.UGreaterThanEqual", true),
    };
    let is_index = crate::common::element(context, was) == context.index_type();
    if is_unsigned && !is_index && was != ty && width(context, was) != width(context, ty) {
        return Err(NoMatch::Reason("bitwidth emulation is not implemented yet on unsigned op"));
    }
    let truth = truth_like(rw, rw.ty(operands.get(0)?)?);
    let made = rw.emit(name, &operands.all()?, truth)?;
    Ok(rw.replace(op, [made])?)
}

fn floats(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let name = match float_predicate(rw.op(op))? {
        Some(CmpFPredicate::OEQ) => "spirv.FOrdEqual",
        Some(CmpFPredicate::OGT) => "spirv.FOrdGreaterThan",
        Some(CmpFPredicate::OGE) => "spirv.FOrdGreaterThanEqual",
        Some(CmpFPredicate::OLT) => "spirv.FOrdLessThan",
        Some(CmpFPredicate::OLE) => "spirv.FOrdLessThanEqual",
        Some(CmpFPredicate::ONE) => "spirv.FOrdNotEqual",
        Some(CmpFPredicate::UEQ) => "spirv.FUnordEqual",
        Some(CmpFPredicate::UGT) => "spirv.FUnordGreaterThan",
        Some(CmpFPredicate::UGE) => "spirv.FUnordGreaterThanEqual",
        Some(CmpFPredicate::ULT) => "spirv.FUnordLessThan",
        Some(CmpFPredicate::ULE) => "spirv.FUnordLessThanEqual",
        Some(CmpFPredicate::UNE) => "spirv.FUnordNotEqual",
        _ => return Err(NoMatch::Reason("a comparison that SPIR-V does not have")),
    };
    let truth = truth_like(rw, rw.ty(operands.get(0)?)?);
    let made = rw.emit(name, &operands.all()?, truth)?;
    Ok(rw.replace(op, [made])?)
}

/// Whether a comparison asks that no number is NaN, or that one is; no match where it asks something else.
fn asks_for_order(rw: &Rw<'_, '_>, op: OpId) -> Result<bool, NoMatch> {
    match float_predicate(rw.op(op))? {
        Some(CmpFPredicate::ORD) => Ok(true),
        Some(CmpFPredicate::UNO) => Ok(false),
        _ => Err(NoMatch::Reason("a comparison of values")),
    }
}

fn ordered(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let name = if asks_for_order(rw, op)? { "spirv.Ordered" } else { "spirv.Unordered" };
    let truth = truth_like(rw, rw.ty(operands.get(0)?)?);
    let made = rw.emit(name, &operands.all()?, truth)?;
    Ok(rw.replace(op, [made])?)
}

fn any_nan(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let asks_for_order = asks_for_order(rw, op)?;
    let made = if has_no_nan(rw, op)? {
        let ty = rw.result_type(op)?;
        if asks_for_order { rw.one(ty)? } else { rw.zero(ty)? }
    } else {
        let (a, b) = (operands.get(0)?, operands.get(1)?);
        let truth = truth_like(rw, rw.ty(a)?);
        let a = rw.emit("spirv.IsNan", &[a], truth)?;
        let b = rw.emit("spirv.IsNan", &[b], truth)?;
        let either = rw.emit("spirv.LogicalOr", &[a, b], truth)?;
        if asks_for_order { rw.emit("spirv.LogicalNot", &[either], truth)? } else { either }
    };
    Ok(rw.replace(op, [made])?)
}
