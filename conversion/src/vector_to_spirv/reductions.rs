//! One element made of all.

use mlirbc_dialects::vector::{CombiningKind, combining_kind};
use mlirbc_ir::{Context, NumberKind, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    use CombiningKind::{ADD, MAXIMUMF, MAXNUMF, MAXSI, MAXUI, MINIMUMF, MINNUMF, MINSI, MINUI, MUL};
    /// What two elements become, by how all become one.
    type Names = &'static [(CombiningKind, &'static str)];
    const INTEGERS_OF_SHADERS: Names =
        &[(MINUI, "spirv.GL.UMin"), (MINSI, "spirv.GL.SMin"), (MAXUI, "spirv.GL.UMax"), (MAXSI, "spirv.GL.SMax")];
    const INTEGERS_OF_KERNELS: Names =
        &[(MINUI, "spirv.CL.u_min"), (MINSI, "spirv.CL.s_min"), (MAXUI, "spirv.CL.u_max"), (MAXSI, "spirv.CL.s_max")];
    const FLOATS_OF_KERNELS: Names = &[
        (MAXIMUMF, "spirv.CL.fmax"),
        (MINIMUMF, "spirv.CL.fmin"),
        (MAXNUMF, "spirv.CL.fmax"),
        (MINNUMF, "spirv.CL.fmin"),
    ];
    const FLOATS_OF_SHADERS: Names = &[
        (MAXIMUMF, "spirv.GL.FMax"),
        (MINIMUMF, "spirv.GL.FMin"),
        (MAXNUMF, "spirv.GL.FMax"),
        (MINNUMF, "spirv.GL.FMin"),
    ];
    let set = [INTEGERS_OF_SHADERS, INTEGERS_OF_KERNELS].into_iter().fold(set, |set, names| {
        set.with("vector.reduction", 1, move |_, rw, op, operands| {
            reduce(rw, op, operands, |kind, is_integer| match (kind, is_integer) {
                (ADD, true) => Some("spirv.IAdd"),
                (ADD, false) => Some("spirv.FAdd"),
                (MUL, true) => Some("spirv.IMul"),
                (MUL, false) => Some("spirv.FMul"),
                _ => named(names, kind),
            })
        })
    });
    let set = [FLOATS_OF_KERNELS, FLOATS_OF_SHADERS].into_iter().fold(set, |set, names| {
        set.with("vector.reduction", 1, move |_, rw, op, operands| {
            reduce(rw, op, operands, |kind, _| named(names, kind))
        })
    });
    // This is better than to add one after the other.
    set.with("vector.reduction", 2, dot)
}

fn named(names: &[(CombiningKind, &'static str)], kind: CombiningKind) -> Option<&'static str> {
    names.iter().find(|of| of.0 == kind).map(|of| of.1)
}

fn kind(rw: &Rw<'_, '_>, op: OpId) -> Result<CombiningKind, NoMatch> {
    combining_kind(rw.op(op))?.ok_or(NoMatch::Reason("a reduction that does not say how"))
}

fn is_float(context: &Context, ty: Type) -> bool {
    matches!(NumberKind::of(context, ty), Some(NumberKind::Float(_)))
}

/// What begins with another value, where there is one.
fn accumulator(operands: &Adaptor) -> Result<Option<Value>, NoMatch> {
    (operands.len() > 1).then(|| operands.get(1)).transpose()
}

/// One element after the other.
fn reduce(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    name: impl Fn(CombiningKind, bool) -> Option<&'static str>,
) -> Outcome {
    let ty = rw.converted_result(op)?;
    let name = name(kind(rw, op)?, !is_float(rw.context(), ty));
    let name = name.ok_or(NoMatch::Reason("a reduction that SPIR-V does not have"))?;
    let vector = operands.get(0)?;
    let of = rw.ty(vector)?;
    let count = match &rw.context()[of] {
        TypeData::Vector { shape, .. } if shape.len() == 1 => i32::try_from(shape[0]).ok(),
        _ => None,
    };
    let count = count.ok_or(NoMatch::Reason("no vector of one dimension"))?;
    let single = element(rw.context(), of);
    let mut values = Vec::new();
    for number in 0..count {
        values.push(rw.extract(vector, &[number], single)?);
    }
    values.extend(accumulator(operands)?);
    let mut values = values.into_iter();
    let mut made = values.next().ok_or(NoMatch::Reason("no element"))?;
    for value in values {
        made = rw.emit(name, &[made, value], ty)?;
    }
    Ok(rw.replace(op, [made])?)
}

/// The sum of floats: of the products that they are, or of themselves and ones.
fn dot(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let context = rw.context();
    if kind(rw, op)? != CombiningKind::ADD || !is_float(context, ty) {
        return Err(NoMatch::Reason("no sum of floats"));
    }
    let (vector, start) = (operands.get(0)?, accumulator(operands)?);
    let of = rw.ty(vector)?;
    let mut sum = vector;
    if matches!(context[of], TypeData::Vector { .. }) {
        let product = rw.op(op).defining_operation(vector).filter(|product| product.is("arith.mulf"));
        let factors = match product.map(|product| product.operands()) {
            Some(&[a, b]) => [a, b],
            _ => [vector, rw.one(of)?],
        };
        sum = rw.emit("spirv.Dot", &factors, ty)?;
    }
    if let Some(start) = start {
        let ty = rw.ty(start)?;
        sum = rw.emit("spirv.FAdd", &[start, sum], ty)?;
    }
    Ok(rw.replace(op, [sum])?)
}
