//! Bits: what is not one operation of LLVM.

use mlirbc_ir::{OpId, Result, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Rw, element, lanes, width};

/// Shifts.
const SHIFTS: &[(&str, &str)] = &[
    ("spirv.ShiftRightArithmetic", "llvm.ashr"),
    ("spirv.ShiftRightLogical", "llvm.lshr"),
    ("spirv.ShiftLeftLogical", "llvm.shl"),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, to) in SHIFTS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| shifted(rw, op, operands, to);
        set = set.pattern(from, ConversionPattern::of("shifted", convert));
    }
    set.on("spirv.Not", not)
        .on("spirv.LogicalNot", not)
        .on("spirv.BitFieldInsert", insert)
        .on("spirv.BitFieldSExtract", extract_signed)
        .on("spirv.BitFieldUExtract", extract_unsigned)
}

/// The amount gets the width of what is shifted. One that is wider is no match.
fn shifted(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, to: &str) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let (base, mut amount) = (operands.get(0)?, operands.get(1)?);
    let of_amount = rw.operand_type(op, 1)?;
    let is_unsigned =
        matches!(context[element(context, of_amount)], TypeData::Integer { signedness: Signedness::Unsigned, .. });
    let widths = width(context, ty).zip(width(context, of_amount));
    let (wanted, given) = widths.ok_or(NoMatch::Reason("what is shifted is no integer"))?;
    if given > wanted {
        return rw.no_match("the amount is wider than what is shifted");
    }
    if given < wanted {
        let extend = if is_unsigned { "llvm.zext" } else { "llvm.sext" };
        amount = rw.emit(extend, &[amount], ty)?;
    }
    let made = rw.emit(to, &[base, amount], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn not(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let ones = rw.splat(ty, -1)?;
    let made = rw.emit("llvm.xor", &[operands.get(0)?, ones], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// An offset or a count, as a value of the type of what it is for.
fn spread(rw: &mut Rw<'_, '_>, mut value: Value, ty: Type) -> Result<Value, NoMatch> {
    let context = rw.context();
    let given = rw.ty(value)?;
    if let Some(count) = lanes(context, ty) {
        let TypeData::Vector { shape, scalable, .. } = &context[ty] else { return Ok(value) };
        let (shape, scalable) = (shape.clone(), scalable.clone());
        let all = context.ty(TypeData::Vector { shape, scalable, element: given });
        let mut vector = rw.emit("llvm.mlir.poison", &[], all)?;
        for lane in 0..count {
            let lane = rw.index(lane as i64)?;
            vector = rw.emit("llvm.insertelement", &[vector, value, lane], all)?;
        }
        value = vector;
    }
    let widths = width(context, given).zip(width(context, ty));
    let (given, wanted) = widths.ok_or(NoMatch::Reason("bits of what is no integer"))?;
    Ok(match given.cmp(&wanted) {
        std::cmp::Ordering::Less => rw.emit("llvm.zext", &[value], ty)?,
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => rw.emit("llvm.trunc", &[value], ty)?,
    })
}

/// The mask of all bits that are not in the field, and the offset.
fn insert(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let (base, inserted) = (operands.get(0)?, operands.get(1)?);
    let offset = spread(rw, operands.get(2)?, ty)?;
    let count = spread(rw, operands.get(3)?, ty)?;
    let ones = rw.splat(ty, -1)?;
    let above = rw.emit("llvm.shl", &[ones, count], ty)?;
    let field = rw.emit("llvm.xor", &[above, ones], ty)?;
    let field = rw.emit("llvm.shl", &[field, offset], ty)?;
    let mask = rw.emit("llvm.xor", &[field, ones], ty)?;
    let kept = rw.emit("llvm.and", &[base, mask], ty)?;
    let inserted = rw.emit("llvm.shl", &[inserted, offset], ty)?;
    let made = rw.emit("llvm.or", &[kept, inserted], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn extract_signed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no integer"))?;
    let base = operands.get(0)?;
    let offset = spread(rw, operands.get(1)?, ty)?;
    let count = spread(rw, operands.get(2)?, ty)?;
    let size = rw.splat(ty, bits.into())?;
    let end = rw.emit("llvm.add", &[count, offset], ty)?;
    let above = rw.emit("llvm.sub", &[size, end], ty)?;
    let shifted = rw.emit("llvm.shl", &[base, above], ty)?;
    let back = rw.emit("llvm.add", &[offset, above], ty)?;
    let made = rw.emit("llvm.ashr", &[shifted, back], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn extract_unsigned(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let base = operands.get(0)?;
    let offset = spread(rw, operands.get(1)?, ty)?;
    let count = spread(rw, operands.get(2)?, ty)?;
    let ones = rw.splat(ty, -1)?;
    let above = rw.emit("llvm.shl", &[ones, count], ty)?;
    let mask = rw.emit("llvm.xor", &[above, ones], ty)?;
    let shifted = rw.emit("llvm.lshr", &[base, offset], ty)?;
    let made = rw.emit("llvm.and", &[shifted, mask], ty)?;
    Ok(rw.replace(op, [made])?)
}
