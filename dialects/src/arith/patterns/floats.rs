//! Floats whose signs cancel out, and floats that are integers.

use std::cmp::Ordering;

use mlirbc_ir::number::{ApFloat, ApInt, RoundingMode};
use mlirbc_ir::{AttributeData, OpId, Rewriter, TypeData};
use mlirbc_rewrite::{Match, Outcome};

use super::super::members::float_predicate;
use super::super::{CmpFPredicate, CmpIPredicate};
use super::{check, constant, defined, locate, make, operands, result_type, type_of};

/// -x * -y, and -x / -y
pub(super) fn of_negated(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [left, right] = operands(rw, op)?;
    let (one, [x]) = defined(rw, left, "arith.negf")?;
    let (other, [y]) = defined(rw, right, "arith.negf")?;
    let flags = rw.op(op).attribute("fastmath")?;

    locate(rw, &[op, one, other])?;
    let ty = result_type(rw, op)?;
    let name = rw.body().name(op);
    let mut builder = rw.build_named(name).operands([x, y]).result_type(ty);
    if let Some(flags) = flags {
        builder = builder.attribute("fastmath", flags);
    }
    let by = builder.create()?;
    Ok(rw.replace_with(op, by)?)
}

/// A comparison of an integer's float and a constant is one of integers.
pub(super) fn comparison_of_integer(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [left, right] = operands(rw, op)?;
    let (signed, integer) = match defined(rw, left, "arith.sitofp") {
        Ok((_, [integer])) => (true, integer),
        Err(_) => (false, defined::<1>(rw, left, "arith.uitofp")?.1[0]),
    };
    let bound = match rw.constant(right).filter(|&it| matches!(rw.context()[it], AttributeData::Float { .. })) {
        Some(bound) => rw.context().float_of(bound),
        None => None,
    };
    let Some(bound) = bound else { return rw.no_match("it is compared with no constant") };
    let ty = type_of(rw, integer)?;
    let TypeData::Integer { width, .. } = rw.context()[ty] else { return rw.no_match("it is no integer") };
    check(width <= ApInt::QUICK_WIDTH, "it would take long")?;
    let Some(predicate) = float_predicate(rw.op(op))? else { return rw.no_match("there is no predicate") };
    let Some(becomes) = compared(predicate, signed, width, bound) else {
        return rw.no_match("the integer may be another number as a float");
    };

    locate(rw, &[op])?;
    let bit = result_type(rw, op)?;
    let by = match becomes {
        Becomes::Always(value) => {
            let value = rw.context().numbers(bit, &[ApInt::from_u64(1, u64::from(value))])?;
            constant(rw, value, bit)?
        }
        Becomes::Compare(predicate, bound) => {
            let bound = rw.context().numbers(ty, &[bound])?;
            let bound = constant(rw, bound, ty)?;
            let predicate = rw.context().integer(64, predicate.value());
            make(rw, "arith.cmpi", [integer, bound], &[("predicate", predicate)], bit)?
        }
    };
    Ok(rw.replace(op, [by])?)
}

/// What becomes of a comparison of an integer's float.
enum Becomes {
    Always(bool),
    /// The integer is compared with this one.
    Compare(CmpIPredicate, ApInt),
}

/// The comparison of the float of an integer of that width with a bound. `None` where rounding could decide it.
fn compared(predicate: CmpFPredicate, signed: bool, width: u32, bound: ApFloat) -> Option<Becomes> {
    let kind = bound.kind();
    if bound.is_nan() {
        return None;
    }
    let digits = kind.precision();
    if width > digits {
        // Integers of more digits become other numbers only from 2^digits on, and no other one near the bound may become it.
        let bits = if signed { width - 1 } else { width };
        let is_safe = match bound.exponent() {
            Some(exponent) => exponent < digits as i32 || i64::from(exponent) > i64::from(bits),
            None if bound.is_infinite() => i64::from(kind.max_exponent()) >= i64::from(bits),
            None => true,
        };
        if !is_safe {
            return None;
        }
    }
    let predicate = match predicate {
        CmpFPredicate::ORD => return Some(Becomes::Always(true)),
        CmpFPredicate::UNO => return Some(Becomes::Always(false)),
        _ => predicate.of_integers(signed)?,
    };

    // Bounds outside the range of the integers.
    let float = |value: ApInt| match signed {
        true => ApFloat::from_signed(kind, &value, RoundingMode::default()),
        false => ApFloat::from_unsigned(kind, &value, RoundingMode::default()),
    };
    let (lowest, highest) = match signed {
        true => (ApInt::signed_min(width), ApInt::signed_max(width)),
        false => (ApInt::zero(width), ApInt::all_ones(width)),
    };
    let always = |order| Some(Becomes::Always(predicate.holds(order, order)));
    if float(highest).compare(bound) == Some(Ordering::Less) {
        return always(Ordering::Less);
    }
    if float(lowest).compare(bound) == Some(Ordering::Greater) {
        return always(Ordering::Greater);
    }

    // The bound without what is behind the point.
    let whole = match signed {
        true => bound.to_signed(width, RoundingMode::TowardZero),
        false => bound.to_unsigned(width, RoundingMode::TowardZero),
    }
    .in_range()?;
    if bound.is_zero() || float(whole.clone()).compare(bound) == Some(Ordering::Equal) {
        return Some(Becomes::Compare(predicate, whole));
    }
    // It lies between two integers: `whole`, and the next one away from zero.
    let is_above = !bound.is_negative();
    let predicate = match predicate {
        CmpIPredicate::Eq => return Some(Becomes::Always(false)),
        CmpIPredicate::Ne => return Some(Becomes::Always(true)),
        CmpIPredicate::Slt | CmpIPredicate::Sle if is_above => CmpIPredicate::Sle,
        CmpIPredicate::Slt | CmpIPredicate::Sle => CmpIPredicate::Slt,
        CmpIPredicate::Sgt | CmpIPredicate::Sge if is_above => CmpIPredicate::Sgt,
        CmpIPredicate::Sgt | CmpIPredicate::Sge => CmpIPredicate::Sge,
        CmpIPredicate::Ult | CmpIPredicate::Ule => CmpIPredicate::Ule,
        CmpIPredicate::Ugt | CmpIPredicate::Uge => CmpIPredicate::Ugt,
    };
    Some(Becomes::Compare(predicate, whole))
}
