//! What OpenCL's extended instruction set loads and stores: vectors that stand as their elements do, and floats of 16 bits, which are wider
//! as values.

use mlirbc_dialects::llvm::{ArrayType, FCmpPredicate, ICmpPredicate};
use mlirbc_ir::{NamedAttribute, OpId, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};

use super::Set;
use super::emit::{DYNAMIC_INDEX, Emit, Look, Rw, element, integers, lanes, resized, width};
use super::explicit::address;
use super::math::Math;
use super::opencl_numbers::half;

/// Loads: whether what stands in memory are floats of 16 bits, and whether three elements take the room of four.
const LOADS: &[(&str, bool, bool)] = &[
    ("spirv.CL.vload_half", true, false),
    ("spirv.CL.vload_halfn", true, false),
    ("spirv.CL.vloada_halfn", true, true),
    ("spirv.CL.vloadn", false, false),
];

/// As [`LOADS`], for stores.
const STORES: &[(&str, bool, bool)] = &[
    ("spirv.CL.vstore_half", true, false),
    ("spirv.CL.vstore_half_r", true, false),
    ("spirv.CL.vstore_halfn", true, false),
    ("spirv.CL.vstore_halfn_r", true, false),
    ("spirv.CL.vstorea_halfn", true, true),
    ("spirv.CL.vstorea_halfn_r", true, true),
    ("spirv.CL.vstoren", false, false),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, is_half, is_padded) in LOADS {
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| load(rw, op, operands, (is_half, is_padded));
        set = set.pattern(from, ConversionPattern::of("load", convert));
    }
    for &(from, is_half, is_padded) in STORES {
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| store(rw, op, operands, (is_half, is_padded));
        set = set.pattern(from, ConversionPattern::of("store", convert));
    }
    // What is fetched before it is needed is of no use here.
    set.on("spirv.CL.prefetch", |rw, op, _| Ok(rw.replace(op, [])?))
}

/// The place so many values of that type behind a pointer, and the attributes of what accesses it: it is aligned as an element is, or as the
/// whole where three elements take the room of four.
fn place(
    rw: &mut Rw<'_, '_>,
    ty: Type,
    [pointer, offset]: [Value; 2],
    is_padded: bool,
) -> Result<(Value, Vec<NamedAttribute>), NoMatch> {
    let context = rw.context();
    let count = lanes(context, ty).unwrap_or(1);
    let room = if is_padded { count.next_power_of_two() } else { count };
    let unit = ArrayType::new(context, element(context, ty), room)?.into();
    let bytes =
        width(context, ty).filter(|&bits| bits >= 8).ok_or(NoMatch::Reason("what is in memory is no number"))? / 8;
    let bytes = i64::from(bytes) * if is_padded { room as i64 } else { 1 };
    let place = address(rw, pointer, unit, &[offset], &[DYNAMIC_INDEX])?;
    Ok((place, vec![(context.static_identifier("alignment"), context.integer(64, bytes))]))
}

fn load(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (is_half, is_padded): (bool, bool)) -> Outcome {
    let ty = rw.converted_result(op)?;
    let stands = if is_half { half(rw, ty) } else { ty };
    let (place, attributes) = place(rw, stands, [operands.get(1)?, operands.get(0)?], is_padded)?;
    let mut made = rw.emit_with("llvm.load", &[place], stands, attributes)?;
    if stands != ty {
        made = rw.emit("llvm.fpext", &[made], ty)?;
    }
    Ok(rw.replace(op, [made])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, (is_half, is_padded): (bool, bool)) -> Outcome {
    let mut value = operands.get(0)?;
    let ty = rw.ty(value)?;
    let stands = if is_half { half(rw, ty) } else { ty };
    if stands != ty {
        value = narrowed(rw, value, stands, rounding(rw, op)?)?;
    }
    let (place, attributes) = place(rw, stands, [operands.get(2)?, operands.get(1)?], is_padded)?;
    rw.emit_nothing("llvm.store", &[value, place], attributes)?;
    Ok(rw.replace(op, [])?)
}

/// Where a number goes that is none of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}

/// What an operation says of it, as `FPRoundingMode` numbers it.
fn rounding(rw: &Rw<'_, '_>, op: OpId) -> Result<Rounding, NoMatch> {
    let Some(literals) = rw.op(op).attribute("literals")? else { return Ok(Rounding::Nearest) };
    match *integers(rw.context(), literals)? {
        [] | [0] => Ok(Rounding::Nearest),
        [1] => Ok(Rounding::Zero),
        [2] => Ok(Rounding::Up),
        [3] => Ok(Rounding::Down),
        _ => Err(NoMatch::Reason("there is no such rounding mode")),
    }
}

/// A number of 16 bits: the nearest one, or the one beside it where that is on the wrong side.
fn narrowed(rw: &mut Rw<'_, '_>, value: Value, ty: Type, rounding: Rounding) -> Result<Value, NoMatch> {
    let nearest = rw.emit("llvm.fptrunc", &[value], ty)?;
    if rounding == Rounding::Nearest {
        return Ok(nearest);
    }
    let mut sides = [rw.emit("llvm.fpext", &[nearest], rw.ty(value)?)?, value];
    if rounding == Rounding::Zero {
        sides = [rw.math("llvm.intr.fabs", &[sides[0]])?, rw.math("llvm.intr.fabs", &[value])?];
    }
    let wrong = if rounding == Rounding::Up { FCmpPredicate::Olt } else { FCmpPredicate::Ogt };
    let is_wrong = rw.compare(wrong, sides[0], sides[1])?;
    let of = resized(rw.context(), ty, 16);
    let bits = rw.emit("llvm.bitcast", &[nearest], of)?;
    let (zero, one) = (rw.splat(of, 0)?, rw.splat(of, 1)?);
    // The bits of a number further from zero are greater.
    let (further, nearer) = (rw.math("llvm.add", &[bits, one])?, rw.math("llvm.sub", &[bits, one])?);
    let is_negative = rw.compare_integers(ICmpPredicate::Slt, bits, zero)?;
    let beside = match rounding {
        Rounding::Up => rw.choose(is_negative, nearer, further)?,
        Rounding::Down => rw.choose(is_negative, further, nearer)?,
        Rounding::Zero | Rounding::Nearest => nearer,
    };
    let bits = rw.choose(is_wrong, beside, bits)?;
    Ok(rw.emit("llvm.bitcast", &[bits], ty)?)
}
