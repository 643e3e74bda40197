//! Shuffles, rotations and reductions of subgroups and workgroups.

use mlirbc_dialects::arith::CmpIPredicate;
use mlirbc_dialects::case_of;
use mlirbc_dialects::gpu::{AllReduceOperation, ShuffleMode};
use mlirbc_ir::{Attribute, OpId, OpRef, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::target::{limits_of, lookup_or_default};
use rspirv::spirv::{GroupOperation, Scope};

use super::places::load;
use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::types::is_scalar;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("gpu.shuffle", shuffle)
        .on("gpu.rotate", rotate)
        .with("gpu.all_reduce", 1, |_, rw, op, operands| reduce(rw, op, operands, Scope::Workgroup))
        .with("gpu.subgroup_reduce", 1, |_, rw, op, operands| reduce(rw, op, operands, Scope::Subgroup))
}

/// How many threads a subgroup of the target has.
fn size_of_subgroup(rw: &Rw<'_, '_>) -> Result<u64, NoMatch> {
    let (body, op) = rw.module().owner(rw.body_id()).ok_or(NoMatch::Reason("an operation of no function"))?;
    let said = lookup_or_default(rw.module().operation(body, op)?)?;
    let size = limits_of(rw.context(), said).and_then(|limits| u64::try_from(limits.subgroup_size).ok());
    size.ok_or(NoMatch::Reason("the target does not say how large subgroups are"))
}

/// What a constant is that an operand of an operation is, as it was.
fn constant(rw: &Rw<'_, '_>, op: OpId, number: usize) -> Result<Option<u64>, NoMatch> {
    let Some(&operand) = rw.body().operands(op).get(number) else { return Ok(None) };
    let Some(definer) = rw.body().defining_operation(operand) else { return Ok(None) };
    let definer: OpRef<'_> = rw.op(definer);
    if !definer.is("arith.constant") && !definer.is("spirv.Constant") {
        return Ok(None);
    }
    Ok(definer.attribute("value")?.and_then(|value| rw.context().integer_of(value)?.to_u64()))
}

fn subgroup(rw: &Rw<'_, '_>) -> (mlirbc_ir::Identifier, Attribute) {
    let context = rw.context();
    (context.static_identifier("execution_scope"), enumerant(context, EnumKind::Scope, Scope::Subgroup as u32))
}

fn shuffle(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    if constant(rw, op, 2)? != Some(size_of_subgroup(rw)?) {
        return Err(NoMatch::Reason("shuffle width and target subgroup size mismatch"));
    }
    let mode = case_of::<ShuffleMode>(rw.context(), rw.attribute(op, "mode")?, "gpu", "shuffle_mode");
    let name = match mode {
        Some(ShuffleMode::XOR) => "spirv.GroupNonUniformShuffleXor",
        Some(ShuffleMode::IDX) => "spirv.GroupNonUniformShuffle",
        Some(ShuffleMode::UP) => "spirv.GroupNonUniformShuffleUp",
        Some(ShuffleMode::DOWN) => "spirv.GroupNonUniformShuffleDown",
        None => return Err(NoMatch::Reason("an unknown shuffle")),
    };
    let truth = rw.context().integer_type(1);
    let (value, offset) = (operands.get(0)?, operands.get(1)?);
    let (ty, scope) = (rw.ty(value)?, subgroup(rw));
    let made = rw.emit_with(name, &[value, offset], ty, vec![scope])?;
    let is_valid = match mode {
        Some(ShuffleMode::UP) => {
            let from = whose(rw, "spirv.ISub", offset)?;
            let zero = rw.zero(rw.context().integer_type(32))?;
            rw.emit("spirv.SGreaterThanEqual", &[from, zero], truth)?
        }
        Some(ShuffleMode::DOWN) => {
            let from = whose(rw, "spirv.IAdd", offset)?;
            rw.emit("spirv.ULessThan", &[from, operands.get(2)?], truth)?
        }
        _ => rw.one(truth)?,
    };
    Ok(rw.replace(op, [made, is_valid])?)
}

/// The number of the thread that is so far from this one in its subgroup.
fn whose(rw: &mut Rw<'_, '_>, name: &str, offset: Value) -> Result<Value, NoMatch> {
    let word = rw.context().integer_type(32);
    let own = load(rw, "SubgroupLocalInvocationId", word)?;
    Ok(rw.emit(name, &[own, offset], word)?)
}

/// Offset and width are constants of the operation.
fn rotate(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let [offset, width] = [rw.attribute(op, "offset")?, rw.attribute(op, "width")?]
        .map(|number| context.integer_of(number).and_then(|number| number.to_u64()));
    let (Some(offset), Some(width)) = (offset, width) else {
        return Err(NoMatch::Reason("a rotation by no number"));
    };
    let size = size_of_subgroup(rw)?;
    if width > size {
        return Err(NoMatch::Reason("rotate width is larger than target subgroup size"));
    }
    let (word, truth) = (context.integer_type(32), context.integer_type(1));
    let value = operands.get(0)?;
    let offset = rw.integer(word, offset)?;
    let cluster = rw.integer(word, width)?;
    let (ty, scope) = (rw.ty(value)?, subgroup(rw));
    let made = rw.emit_with("spirv.GroupNonUniformRotateKHR", &[value, offset, cluster], ty, vec![scope])?;
    let is_valid = if width == size {
        rw.one(truth)?
    } else {
        let context = rw.context();
        let lane = rw.emit("gpu.lane_id", &[], context.index_type())?;
        let predicate = (context.static_identifier("predicate"), context.integer(64, CmpIPredicate::Ult.value()));
        rw.emit_with("arith.cmpi", &[lane, cluster], truth, vec![predicate])?
    };
    Ok(rw.replace(op, [made, is_valid])?)
}

/// The operations of all threads and of those that are there, by what is reduced.
fn names(operation: AllReduceOperation, is_float: bool) -> Option<(&'static str, &'static str)> {
    use AllReduceOperation as Of;
    Some(match (operation, is_float) {
        (Of::ADD, false) => ("spirv.GroupIAdd", "spirv.GroupNonUniformIAdd"),
        (Of::ADD, true) => ("spirv.GroupFAdd", "spirv.GroupNonUniformFAdd"),
        (Of::MUL, false) => ("spirv.KHR.GroupIMul", "spirv.GroupNonUniformIMul"),
        (Of::MUL, true) => ("spirv.KHR.GroupFMul", "spirv.GroupNonUniformFMul"),
        (Of::MINUI, false) => ("spirv.GroupUMin", "spirv.GroupNonUniformUMin"),
        (Of::MINSI, false) => ("spirv.GroupSMin", "spirv.GroupNonUniformSMin"),
        (Of::MAXUI, false) => ("spirv.GroupUMax", "spirv.GroupNonUniformUMax"),
        (Of::MAXSI, false) => ("spirv.GroupSMax", "spirv.GroupNonUniformSMax"),
        (Of::MINNUMF | Of::MINIMUMF, true) => ("spirv.GroupFMin", "spirv.GroupNonUniformFMin"),
        (Of::MAXNUMF | Of::MAXIMUMF, true) => ("spirv.GroupFMax", "spirv.GroupNonUniformFMax"),
        _ => return None,
    })
}

fn reduce(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, scope: Scope) -> Outcome {
    let context = rw.context();
    let operation = rw.op(op).attribute("op")?;
    let operation = operation.and_then(|op| case_of::<AllReduceOperation>(context, op, "gpu", "all_reduce_op"));
    let operation = operation.ok_or(NoMatch::Reason("a reduction by a region"))?;
    if rw.op(op).attribute("cluster_size")?.is_some() {
        return Err(NoMatch::Reason("a reduction of clusters"));
    }
    let value: Value = operands.get(0)?;
    let ty = rw.ty(value)?;
    if !is_scalar(context, ty) {
        return Err(NoMatch::Reason("reduction type is not a scalar"));
    }
    let is_float = match context[ty] {
        TypeData::Float(_) => true,
        TypeData::Integer { width: 1, .. } => return Err(NoMatch::Reason("a reduction of truth values")),
        _ => false,
    };
    let (of_all, of_those) = names(operation, is_float).ok_or(NoMatch::Reason("no reduction of SPIR-V"))?;
    let name = if rw.op(op).attribute("uniform")?.is_some() { of_all } else { of_those };
    let scope = enumerant(context, EnumKind::Scope, scope as u32);
    let reduction = enumerant(context, EnumKind::GroupOperation, GroupOperation::Reduce as u32);
    let attributes = [("execution_scope", scope), ("group_operation", reduction)];
    let attributes = attributes.map(|(name, value)| (context.static_identifier(name), value));
    let made = rw.emit_with(name, &[value], ty, attributes.to_vec())?;
    Ok(rw.replace(op, [made])?)
}
