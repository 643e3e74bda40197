//! Matrices that a subgroup holds together: cooperative matrices.

use mlirbc_dialects::case_of;
use mlirbc_dialects::gpu::MMAElementwiseOp;
use mlirbc_ir::{OpId, Type, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::dialect::types::{SpirvType, view};
use rspirv::spirv::CooperativeMatrixLayout;

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::memory::Element;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("gpu.subgroup_mma_load_matrix", load)
        .on("gpu.subgroup_mma_store_matrix", store)
        .on("gpu.subgroup_mma_compute", product)
        .on("gpu.subgroup_mma_constant_matrix", constant)
        .on("gpu.subgroup_mma_elementwise", elementwise)
        .with("gpu.subgroup_mma_elementwise", 2, scaled)
}

/// How far rows are apart in memory, and whether columns stand there.
fn layout(rw: &mut Rw<'_, '_>, op: OpId) -> Result<(Value, (mlirbc_ir::Identifier, mlirbc_ir::Attribute)), NoMatch> {
    let context = rw.context();
    let apart = context.integer_of(rw.attribute(op, "leadDimension")?).and_then(|apart| apart.to_i64());
    let apart = apart.ok_or(NoMatch::Reason("a matrix of no dimension"))?;
    let apart = rw.integer(context.integer_type(32), apart as u64)?;
    let layout = match rw.op(op).attribute("transpose")? {
        Some(_) => CooperativeMatrixLayout::ColumnMajorKHR,
        None => CooperativeMatrixLayout::RowMajorKHR,
    };
    let layout = enumerant(context, EnumKind::CooperativeMatrixLayout, layout as u32);
    Ok((apart, (context.static_identifier("matrix_layout"), layout)))
}

fn load(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memref = rw.operand_type(op, 0)?;
    let all = operands.all()?;
    let (&base, indices) = all.split_first().ok_or(NoMatch::Reason("a load from nowhere"))?;
    let pointer = Element::of(spirv, rw, memref, base, indices)?.pointer(rw)?;
    let ty = rw.converted_result(op)?;
    let (apart, layout) = layout(rw, op)?;
    let made = rw.emit_with("spirv.KHR.CooperativeMatrixLoad", &[pointer, apart], ty, vec![layout])?;
    Ok(rw.replace(op, [made])?)
}

fn store(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let memref = rw.operand_type(op, 1)?;
    let all = operands.all()?;
    let [value, base, indices @ ..] = &*all else { return Err(NoMatch::Reason("a store to nowhere")) };
    let pointer = Element::of(spirv, rw, memref, *base, indices)?.pointer(rw)?;
    let (apart, layout) = layout(rw, op)?;
    rw.emit_nothing("spirv.KHR.CooperativeMatrixStore", &[pointer, *value, apart], vec![layout])?;
    Ok(rw.erase(op)?)
}

fn product(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.ty(operands.get(2)?)?;
    let made = rw.emit("spirv.KHR.CooperativeMatrixMulAdd", &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

fn constant(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit("spirv.CompositeConstruct", &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

fn check_matrices(rw: &Rw<'_, '_>, values: &[Value]) -> Outcome {
    let is_matrix = |ty: Type| matches!(view(rw.context(), ty), Some(SpirvType::CooperativeMatrix { .. }));
    for &value in values {
        if !is_matrix(rw.ty(value)?) {
            return Err(NoMatch::Reason("an operand is no matrix"));
        }
    }
    Ok(())
}

fn operation(rw: &Rw<'_, '_>, op: OpId) -> Result<MMAElementwiseOp, NoMatch> {
    let operation = case_of(rw.context(), rw.attribute(op, "opType")?, "gpu", "mma_element_wise");
    operation.ok_or(NoMatch::Reason("an unknown operation on matrices"))
}

fn elementwise(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let all = operands.all()?;
    check_matrices(rw, &all)?;
    let name = match operation(rw, op)? {
        MMAElementwiseOp::ADDF => "spirv.FAdd",
        MMAElementwiseOp::ADDI => "spirv.IAdd",
        MMAElementwiseOp::SUBF => "spirv.FSub",
        MMAElementwiseOp::SUBI => "spirv.ISub",
        MMAElementwiseOp::MULF => "spirv.FMul",
        MMAElementwiseOp::MULI => "spirv.IMul",
        MMAElementwiseOp::DIVF => "spirv.FDiv",
        MMAElementwiseOp::DIVS => "spirv.SDiv",
        MMAElementwiseOp::DIVU => "spirv.UDiv",
        MMAElementwiseOp::NEGATEF => "spirv.FNegate",
        MMAElementwiseOp::NEGATES => "spirv.SNegate",
        MMAElementwiseOp::EXTF => "spirv.FConvert",
        _ => return Err(NoMatch::Reason("no operation on cooperative matrices")),
    };
    let ty = rw.converted_result(op)?;
    let made = rw.emit(name, &all, ty)?;
    Ok(rw.replace(op, [made])?)
}

/// The product of a matrix and one that has the same number everywhere.
fn scaled(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let all = operands.all()?;
    check_matrices(rw, &all)?;
    let (&[a, b], &[was_a, was_b]) = (&*all, rw.body().operands(op)) else {
        return Err(NoMatch::Reason("no product"));
    };
    if operation(rw, op)? != MMAElementwiseOp::MULF {
        return Err(NoMatch::Reason("no product"));
    }
    let is_constant = |value| {
        let definer = rw.body().defining_operation(value);
        definer.is_some_and(|definer| rw.op(definer).is("gpu.subgroup_mma_constant_matrix"))
    };
    let (same, matrix) = if is_constant(was_a) {
        (a, b)
    } else if is_constant(was_b) {
        (b, a)
    } else {
        return Err(NoMatch::Reason("no matrix of one number"));
    };
    let definer = rw.body().defining_operation(same).filter(|&definer| rw.op(definer).is("spirv.CompositeConstruct"));
    let definer = definer.ok_or(NoMatch::Reason("no matrix of one number"))?;
    let &[number] = rw.body().operands(definer) else { return Err(NoMatch::Reason("no matrix of one number")) };
    let ty = rw.converted_result(op)?;
    let made = rw.emit("spirv.MatrixTimesScalar", &[matrix, number], ty)?;
    Ok(rw.replace(op, [made])?)
}
