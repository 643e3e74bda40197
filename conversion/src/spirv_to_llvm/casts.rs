//! Conversions between numbers whose operation in LLVM says whether they get wider or narrower.

use mlirbc_dialects::llvm::PointerType;
use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::Set;
use super::emit::{Emit, Rw, width};

/// Operations, with what they become where the result is wider, and where it is narrower.
const CASTS: &[(&str, &str, &str)] = &[
    ("spirv.FConvert", "llvm.fpext", "llvm.fptrunc"),
    ("spirv.SConvert", "llvm.sext", "llvm.trunc"),
    ("spirv.UConvert", "llvm.zext", "llvm.trunc"),
];

pub(super) fn add_to(mut set: Set) -> Set {
    for &(from, extend, truncate) in CASTS {
        let convert =
            move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| resized(rw, op, operands, [extend, truncate]);
        set = set.pattern(from, ConversionPattern::of("resized", convert));
    }
    set.on("spirv.Bitcast", bitcast)
}

fn resized(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, [extend, truncate]: [&str; 2]) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let widths = width(context, rw.operand_type(op, 0)?).zip(width(context, rw.result_type(op)?));
    let to = match widths.ok_or(NoMatch::Reason("neither is a number"))? {
        (from, to) if from < to => extend,
        (from, to) if from > to => truncate,
        _ => return rw.no_match("both are as wide"),
    };
    let made = rw.emit(to, &[operands.get(0)?], ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Pointers all are of one type: nothing is left to be done. Where one of both is none, it is a number of as many bits.
fn bitcast(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (ty, value) = (rw.converted_result(op)?, operands.get(0)?);
    let of = rw.ty(value)?;
    let number = context.integer_type(64);
    let is_pointer = |ty| PointerType::of(context, ty).is_some();
    let made = match (is_pointer(of), is_pointer(ty)) {
        (true, true) => value,
        (false, false) => {
            let attributes = rw.all_attributes(op)?;
            rw.emit_with("llvm.bitcast", &[value], ty, attributes)?
        }
        (false, true) => {
            let value = if of == number { value } else { rw.emit("llvm.bitcast", &[value], number)? };
            rw.emit("llvm.inttoptr", &[value], ty)?
        }
        (true, false) => {
            let value = rw.emit("llvm.ptrtoint", &[value], number)?;
            if ty == number { value } else { rw.emit("llvm.bitcast", &[value], ty)? }
        }
    };
    Ok(rw.replace(op, [made])?)
}
