//! Instructions on constants, worked out.

use std::sync::Arc;

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_ir::{Context, NumberKind, Type, TypeData};
use mlirbc_spirv::dialect::types::{self, NumberOrSymbol, SpirvType, view};

use super::class::pointee;
use super::emit::{element, lanes};
use super::known::{Address, Known};

/// Numbers are rounded so.
const NEAREST: RoundingMode = RoundingMode::ToNearestEven;

/// An instruction on constants, of that type. `left` is how many parts may still be copied.
pub(super) fn composite(
    context: &Context,
    name: &str,
    ty: Type,
    operands: &[Known],
    literals: &[u32],
    left: &mut u64,
) -> Option<Known> {
    match (name, operands) {
        ("CompositeExtract", [from]) => {
            literals.iter().try_fold(from.clone(), |from, &number| from.part(context, number))
        }
        ("CompositeInsert", [part, into]) => inserted(context, ty, part, into, literals, left),
        ("VectorShuffle", [first, second]) => {
            let count = |known: &Known| match known {
                Known::Parts(parts) => Some(parts.len() as u32),
                Known::Null(ty) => lanes(context, *ty).map(|count| count as u32),
                _ => None,
            };
            let first_count = count(first)?;
            let chosen = literals.iter().map(|&number| match number {
                u32::MAX => Some(Known::Undefined),
                number if number < first_count => first.part(context, number),
                number => second.part(context, number - first_count),
            });
            chosen.collect::<Option<Arc<[Known]>>>().map(Known::Parts)
        }
        ("Select", [condition @ (Known::Number(_) | Known::Null(_)), first, second])
            if condition.number(context).is_some() =>
        {
            Some(if condition.number(context)?.is_zero() { second.clone() } else { first.clone() })
        }
        ("Bitcast" | "PtrCastToGeneric" | "GenericCastToPtr", [Known::Address(of)]) => {
            let pointee = pointee(context, ty).ok()?.0;
            Some(Known::Address(Arc::new(Address { pointee, ..(**of).clone() })))
        }
        ("AccessChain" | "InBoundsAccessChain", [Known::Address(of), indices @ ..]) => {
            addressed(context, ty, of, &[&[Known::Null(context.integer_type(32))], indices].concat())
        }
        ("PtrAccessChain" | "InBoundsPtrAccessChain", [Known::Address(of), indices @ ..]) => {
            addressed(context, ty, of, indices)
        }
        ("Bitcast", [of]) => recast(context, ty, of),
        _ if operands.iter().any(|operand| matches!(operand, Known::Undefined)) => Some(Known::Undefined),
        _ => match lanes(context, ty) {
            None => {
                let numbers: Option<Vec<ApInt>> = operands.iter().map(|operand| operand.number(context)).collect();
                number(NumberKind::of(context, ty)?, name, &numbers?).map(Known::Number)
            }
            Some(count) => {
                let count = u32::try_from(count).ok()?;
                *left = left.checked_sub(count.into())?;
                let mut lane = |lane| {
                    let parts: Option<Vec<Known>> =
                        operands.iter().map(|operand| operand.part(context, lane)).collect();
                    composite(context, name, element(context, ty), &parts?, literals, left)
                };
                (0..count).map(&mut lane).collect::<Option<Arc<[Known]>>>().map(Known::Parts)
            }
        },
    }
}

/// The address of an element behind one, or of what stands in it.
fn addressed(context: &Context, ty: Type, of: &Address, indices: &[Known]) -> Option<Known> {
    let index = |index: &Known| i32::try_from(index.number(context)?.to_i64()?).ok();
    let indices = indices.iter().map(index).collect::<Option<Vec<i32>>>()?;
    let mut address = of.clone();
    address.steps.push((of.pointee, indices));
    address.pointee = pointee(context, ty).ok()?.0;
    Some(Known::Address(Arc::new(address)))
}

/// How many parts a composite of that type has.
fn count(context: &Context, ty: Type) -> Option<u64> {
    match view(context, ty) {
        Some(SpirvType::Array { count: NumberOrSymbol::Known(count), .. }) => Some(count.into()),
        Some(SpirvType::Matrix { columns, .. }) => Some(columns.into()),
        Some(SpirvType::Struct(of)) => Some(of.members.len() as u64),
        _ => lanes(context, ty),
    }
}

/// A composite of that type with another part at a place.
fn inserted(context: &Context, ty: Type, part: &Known, into: &Known, place: &[u32], left: &mut u64) -> Option<Known> {
    let Some((&at, place)) = place.split_first() else { return Some(part.clone()) };
    let inner = types::part(context, ty, at)?;
    let part = inserted(context, inner, part, &into.part(context, at)?, place, left)?;
    let count = match into {
        Known::Parts(parts) => parts.len() as u64,
        _ => count(context, ty)?,
    };
    *left = left.checked_sub(count)?;
    let mut parts = Vec::with_capacity(usize::try_from(count).ok()?);
    for number in 0..u32::try_from(count).ok()? {
        parts.push(if number == at { part.clone() } else { into.part(context, number)? });
    }
    Some(Known::Parts(parts.into()))
}

/// The same bits as another type: those of the first element are the lowest.
fn recast(context: &Context, ty: Type, of: &Known) -> Option<Known> {
    let width = |ty| NumberKind::of(context, element(context, ty)).map(NumberKind::width);
    if let Known::Null(_) | Known::Undefined = of {
        return Some(if matches!(of, Known::Undefined) { Known::Undefined } else { Known::Null(ty) });
    }
    let numbers: Vec<ApInt> = match of {
        Known::Parts(parts) => parts.iter().map(|part| part.number(context)).collect::<Option<_>>()?,
        of => vec![of.number(context)?],
    };
    let total = numbers.iter().map(ApInt::width).sum::<u32>();
    let (bits, count) = (width(ty)?, lanes(context, ty).unwrap_or(1));
    if u64::from(bits) * count != u64::from(total) || total > 4096 {
        return None;
    }
    let (mut all, mut at) = (ApInt::zero(total), 0);
    for number in numbers {
        all = all.or(&number.zext(total).shl(at));
        at += number.width();
    }
    let piece = |number: u32| {
        let piece = all.lshr(number * bits);
        Known::Number(if bits < total { piece.trunc(bits) } else { piece })
    };
    Some(match context[ty] {
        TypeData::Vector { .. } => Known::Parts((0..u32::try_from(count).ok()?).map(piece).collect()),
        _ => piece(0),
    })
}

/// An instruction on numbers. `None` where SPIR-V says nothing of what it gives, and of instructions that are no operations of constants.
fn number(kind: NumberKind, name: &str, operands: &[ApInt]) -> Option<ApInt> {
    let width = kind.width();
    let first = operands.first()?;
    let Some(second) = operands.get(1) else {
        let float = || match kind {
            NumberKind::Float(kind) => Some(kind),
            NumberKind::Integer { .. } => None,
        };
        return Some(match name {
            "SNegate" => first.negated(),
            "Not" | "LogicalNot" => first.not(),
            "UConvert" if first.width() < width => first.zext(width),
            "SConvert" if first.width() < width => first.sext(width),
            "UConvert" | "SConvert" => first.trunc(width),
            "FConvert" => convert(float_of(first)?, kind)?,
            "FNegate" => float_of(first)?.negated().to_bits(),
            "ConvertFToS" => float_of(first)?.to_signed(width, RoundingMode::TowardZero).in_range()?,
            "ConvertFToU" => float_of(first)?.to_unsigned(width, RoundingMode::TowardZero).in_range()?,
            "ConvertSToF" => ApFloat::from_signed(float()?, first, NEAREST).to_bits(),
            "ConvertUToF" => ApFloat::from_unsigned(float()?, first, NEAREST).to_bits(),
            "QuantizeToF16" => {
                let narrow = float_of(first)?.convert(FloatKind::F16, NEAREST).value;
                let narrow = if narrow.is_denormal() { ApFloat::zero(FloatKind::F16) } else { narrow };
                convert(narrow, kind)?
            }
            _ => return None,
        });
    };
    let truth = |truth: bool| ApInt::from_u64(1, truth.into());
    let amount = || second.to_u64().and_then(|amount| u32::try_from(amount).ok()).filter(|&amount| amount < width);
    if name.starts_with("Shift") {
        return Some(match name {
            "ShiftLeftLogical" => first.shl(amount()?),
            "ShiftRightLogical" => first.lshr(amount()?),
            "ShiftRightArithmetic" => first.ashr(amount()?),
            _ => return None,
        });
    }
    if first.width() != second.width() {
        return None;
    }
    if matches!(name, "FAdd" | "FSub" | "FMul" | "FDiv" | "FRem" | "FMod") {
        return floats(name, float_of(first)?, float_of(second)?).map(ApFloat::to_bits);
    }
    let (signed, unsigned) = (first.cmp_signed(second), first.cmp_unsigned(second));
    Some(match name {
        "IAdd" => first.add(second),
        "ISub" => first.sub(second),
        "IMul" => first.mul(second),
        "UDiv" => first.div_unsigned(second)?,
        "SDiv" => first.div_signed(second)?,
        "UMod" => first.rem_unsigned(second)?,
        "SRem" => first.rem_signed(second)?,
        "SMod" => {
            let remainder = first.rem_signed(second)?;
            let same_sign = remainder.is_zero() || remainder.is_negative() == second.is_negative();
            if same_sign { remainder } else { remainder.add(second) }
        }
        "BitwiseOr" | "LogicalOr" => first.or(second),
        "BitwiseAnd" | "LogicalAnd" => first.and(second),
        "BitwiseXor" | "LogicalNotEqual" => first.xor(second),
        "LogicalEqual" => first.xor(second).not(),
        "IEqual" => truth(unsigned.is_eq()),
        "INotEqual" => truth(unsigned.is_ne()),
        "ULessThan" => truth(unsigned.is_lt()),
        "ULessThanEqual" => truth(unsigned.is_le()),
        "UGreaterThan" => truth(unsigned.is_gt()),
        "UGreaterThanEqual" => truth(unsigned.is_ge()),
        "SLessThan" => truth(signed.is_lt()),
        "SLessThanEqual" => truth(signed.is_le()),
        "SGreaterThan" => truth(signed.is_gt()),
        "SGreaterThanEqual" => truth(signed.is_ge()),
        _ => return None,
    })
}

fn floats(name: &str, first: ApFloat, second: ApFloat) -> Option<ApFloat> {
    match name {
        "FAdd" => Some(first.add(second, NEAREST)),
        "FSub" => Some(first.sub(second, NEAREST)),
        "FMul" => Some(first.mul(second, NEAREST)),
        "FDiv" => first.div(second, NEAREST),
        "FRem" => first.fmod(second),
        "FMod" => {
            let rest = first.fmod(second)?;
            let same_sign = rest.is_zero() || rest.is_negative() == second.is_negative();
            Some(if same_sign { rest } else { rest.add(second, NEAREST) })
        }
        _ => None,
    }
}

/// The float that bits are, by how many they are.
fn float_of(bits: &ApInt) -> Option<ApFloat> {
    let kind = match bits.width() {
        16 => FloatKind::F16,
        32 => FloatKind::F32,
        64 => FloatKind::F64,
        _ => return None,
    };
    Some(ApFloat::from_bits(kind, bits))
}

fn convert(number: ApFloat, kind: NumberKind) -> Option<ApInt> {
    let NumberKind::Float(kind) = kind else { return None };
    Some(number.convert(kind, NEAREST).value.to_bits())
}
