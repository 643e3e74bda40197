//! Bits: what is not one operation of LLVM.
//!
//! What MLIR makes of fields of bits is right where a field has a bit, but not all of them, and where what is inserted has no bit beyond
//! it. In modules that MLIR converts this is the same; in all others every field is.

use std::cmp::Ordering;
use std::sync::Arc;

use mlirbc_dialects::llvm::ICmpPredicate;
use mlirbc_ir::{OpId, Result, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Look, Rw, element, lanes, width};
use super::math::Math;
use super::state::State;

/// Shifts.
const SHIFTS: &[(&str, &str)] = &[
    ("spirv.ShiftRightArithmetic", "llvm.ashr"),
    ("spirv.ShiftRightLogical", "llvm.lshr"),
    ("spirv.ShiftLeftLogical", "llvm.shl"),
];

/// What makes the value of a field of bits: of the operation's own operands, its offset and its count.
type Field = fn(&mut Rw<'_, '_>, Type, &[Value], [Value; 2], bool) -> Result<Value, NoMatch>;

/// Operations on fields of bits, with how many operands come before the offset and the count.
const FIELDS: &[(&str, usize, Field)] = &[
    ("spirv.BitFieldInsert", 2, insert),
    ("spirv.BitFieldSExtract", 1, extract_signed),
    ("spirv.BitFieldUExtract", 1, extract_unsigned),
];

pub(super) fn add_to(mut set: Set, state: &Arc<State>) -> Set {
    for &(from, given, make) in FIELDS {
        let state = Arc::clone(state);
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let of_mlir = !state.is_beyond_mlir(rw.module(), rw.body_id());
            field(rw, op, operands, (given, make), of_mlir)
        };
        set = set.pattern(from, ConversionPattern::of("field", convert));
    }
    for &(from, to) in SHIFTS {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| shifted(rw, op, operands, to);
        set = set.pattern(from, ConversionPattern::of("shifted", convert));
    }
    set.on("spirv.Not", not).on("spirv.LogicalNot", not)
}

/// The amount gets the width of what is shifted, in which every amount that has a result has a place. MLIR has no conversion of one that is
/// wider.
fn shifted(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, to: &str) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let (base, mut amount) = (operands.get(0)?, operands.get(1)?);
    let of_amount = rw.operand_type(op, 1)?;
    let is_unsigned =
        matches!(context[element(context, of_amount)], TypeData::Integer { signedness: Signedness::Unsigned, .. });
    let widths = width(context, ty).zip(width(context, of_amount));
    let (wanted, given) = widths.ok_or(NoMatch::Reason("what is shifted is no integer"))?;
    amount = match given.cmp(&wanted) {
        Ordering::Less if is_unsigned => rw.emit("llvm.zext", &[amount], ty)?,
        Ordering::Less => rw.emit("llvm.sext", &[amount], ty)?,
        Ordering::Equal => amount,
        Ordering::Greater => rw.emit("llvm.trunc", &[amount], ty)?,
    };
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
        Ordering::Less => rw.emit("llvm.zext", &[value], ty)?,
        Ordering::Equal => value,
        Ordering::Greater => rw.emit("llvm.trunc", &[value], ty)?,
    })
}

fn field(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (given, make): (usize, Field), of_mlir: bool) -> Outcome {
    let ty = rw.converted_result(op)?;
    let all = operands.all()?;
    let Some((values, &[offset, count])) = all.split_at_checked(given) else {
        return rw.no_match("it has no offset or no count");
    };
    let offset = spread(rw, offset, ty)?;
    let count = spread(rw, count, ty)?;
    let mut made = make(rw, ty, values, [offset, count], of_mlir)?;
    if !of_mlir {
        // Without bits it is what was there before, or nothing: shifts by the whole width have no result.
        let none = rw.splat(ty, 0)?;
        let is_empty = rw.compare_integers(ICmpPredicate::Eq, count, none)?;
        made = rw.choose(is_empty, if given == 2 { values[0] } else { none }, made)?;
    }
    Ok(rw.replace(op, [made])?)
}

/// As many of the lowest bits as the count says, and all bits.
fn lowest(rw: &mut Rw<'_, '_>, ty: Type, count: Value, of_mlir: bool) -> Result<[Value; 2], NoMatch> {
    let ones = rw.splat(ty, -1)?;
    let above = rw.emit("llvm.shl", &[ones, count], ty)?;
    let mut bits = rw.emit("llvm.xor", &[above, ones], ty)?;
    if !of_mlir {
        let size = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no integer"))?;
        let size = rw.splat(ty, size.into())?;
        let is_all = rw.compare_integers(ICmpPredicate::Eq, count, size)?;
        bits = rw.choose(is_all, ones, bits)?;
    }
    Ok([bits, ones])
}

/// The mask of all bits that are not in the field, and the offset.
fn insert(
    rw: &mut Rw<'_, '_>,
    ty: Type,
    given: &[Value],
    [offset, count]: [Value; 2],
    of_mlir: bool,
) -> Result<Value, NoMatch> {
    let &[base, mut inserted] = given else { return Err(NoMatch::Reason("there is nothing to insert")) };
    let [bits, ones] = lowest(rw, ty, count, of_mlir)?;
    let field = rw.emit("llvm.shl", &[bits, offset], ty)?;
    let mask = rw.emit("llvm.xor", &[field, ones], ty)?;
    let kept = rw.emit("llvm.and", &[base, mask], ty)?;
    if !of_mlir {
        inserted = rw.emit("llvm.and", &[inserted, bits], ty)?;
    }
    let inserted = rw.emit("llvm.shl", &[inserted, offset], ty)?;
    Ok(rw.emit("llvm.or", &[kept, inserted], ty)?)
}

fn extract_signed(
    rw: &mut Rw<'_, '_>,
    ty: Type,
    given: &[Value],
    [offset, count]: [Value; 2],
    _of_mlir: bool,
) -> Result<Value, NoMatch> {
    let &[base] = given else { return Err(NoMatch::Reason("there is nothing to extract from")) };
    let bits = width(rw.context(), ty).ok_or(NoMatch::Reason("bits of what is no integer"))?;
    let size = rw.splat(ty, bits.into())?;
    let end = rw.emit("llvm.add", &[count, offset], ty)?;
    let above = rw.emit("llvm.sub", &[size, end], ty)?;
    let shifted = rw.emit("llvm.shl", &[base, above], ty)?;
    let back = rw.emit("llvm.add", &[offset, above], ty)?;
    Ok(rw.emit("llvm.ashr", &[shifted, back], ty)?)
}

fn extract_unsigned(
    rw: &mut Rw<'_, '_>,
    ty: Type,
    given: &[Value],
    [offset, count]: [Value; 2],
    of_mlir: bool,
) -> Result<Value, NoMatch> {
    let &[base] = given else { return Err(NoMatch::Reason("there is nothing to extract from")) };
    let [mask, _] = lowest(rw, ty, count, of_mlir)?;
    let shifted = rw.emit("llvm.lshr", &[base, offset], ty)?;
    Ok(rw.emit("llvm.and", &[shifted, mask], ty)?)
}
