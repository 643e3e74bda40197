//! Atomic operations.

use mlirbc_dialects::arith::AtomicRMWKind;
use mlirbc_ir::{OpId, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::accesses::{atomic, scope};
use crate::common::{Look, Rw};
use crate::to_spirv::memory::Element;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("memref.atomic_rmw", changed)
}

fn changed(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    if let TypeData::Float(_) = context[rw.result_type(op)?] {
        return Err(NoMatch::Reason("an atomic operation on floats"));
    }
    let memref = rw.operand_type(op, 1)?;
    let scope = scope(rw, memref)?;
    let ty = rw.converted_result(op)?;
    let kind = context.integer_of(rw.attribute(op, "kind")?).and_then(|kind| kind.to_i64());
    let name = match kind.and_then(AtomicRMWKind::from_value) {
        Some(AtomicRMWKind::Addi) => "spirv.AtomicIAdd",
        Some(AtomicRMWKind::Maxs) => "spirv.AtomicSMax",
        Some(AtomicRMWKind::Maxu) => "spirv.AtomicUMax",
        Some(AtomicRMWKind::Mins) => "spirv.AtomicSMin",
        Some(AtomicRMWKind::Minu) => "spirv.AtomicUMin",
        Some(AtomicRMWKind::Ori) => "spirv.AtomicOr",
        Some(AtomicRMWKind::Andi) => "spirv.AtomicAnd",
        _ => return Err(NoMatch::Reason("an atomic operation that SPIR-V does not have")),
    };
    let all = operands.all()?;
    let [value, base, indices @ ..] = &*all else { return Err(NoMatch::Reason("an operation on nothing")) };
    let pointer = Element::of(spirv, rw, memref, *base, indices)?.pointer(rw)?;
    let made = atomic(rw, name, [pointer, *value], (ty, scope))?;
    Ok(rw.replace(op, [made])?)
}
