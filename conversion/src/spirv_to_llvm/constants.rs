//! What specialisation constants are worth: what is given to them or their defaults, and what is worked out of these.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_ir::{Attribute, AttributeData, BodyId, Context, Identifier, NumberKind, Numbers, OpRef, Result, Type};
use mlirbc_spirv::dialect::types::{self, NumberOrSymbol};
use mlirbc_spirv::grammar::Instruction;

use super::emit::{element, lanes};

/// A constant has so many parts at most, in one of its levels.
const MOST_PARTS: u64 = 4096;

/// A value given to a specialisation constant, which takes it as its type has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpecializationValue {
    /// For integers, whether they have a sign or not, and for Booleans: 0 or 1.
    Integer(i64),
    /// For floats.
    Float(f64),
}

impl SpecializationValue {
    /// A number of a pipeline's text: `-3`, `18446744073709551615`, `0.5`, `true`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "true" => return Some(SpecializationValue::Integer(1)),
            "false" => return Some(SpecializationValue::Integer(0)),
            _ => {}
        }
        let unsigned = || text.parse::<u64>().ok().map(|number| number as i64);
        let integer = text.parse::<i64>().ok().or_else(unsigned).map(SpecializationValue::Integer);
        integer.or_else(|| text.parse().ok().map(SpecializationValue::Float))
    }

    /// Its bits, as a number of that type has them. `None` where that is an integer and this is none.
    fn bits(self, kind: NumberKind) -> Option<ApInt> {
        match (kind, self) {
            (NumberKind::Integer { width, .. }, SpecializationValue::Integer(value)) => {
                Some(ApInt::from_i64(width, value))
            }
            (NumberKind::Float(kind), SpecializationValue::Integer(value)) => {
                Some(ApFloat::from_f64(kind, value as f64).to_bits())
            }
            (NumberKind::Float(kind), SpecializationValue::Float(value)) => {
                Some(ApFloat::from_f64(kind, value).to_bits())
            }
            (NumberKind::Integer { .. }, SpecializationValue::Float(_)) => None,
        }
    }
}

/// The value of a constant.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// The bits of a number.
    Number(ApInt),
    Parts(Arc<[Known]>),
    /// Zero everywhere, of that type.
    Null(Type),
    Undefined,
}

impl Known {
    fn part(&self, context: &Context, number: u32) -> Option<Known> {
        match self {
            Known::Parts(parts) => parts.get(number as usize).cloned(),
            Known::Null(ty) => types::part(context, *ty, number).map(Known::Null),
            Known::Undefined => Some(Known::Undefined),
            Known::Number(_) => None,
        }
    }

    pub(super) fn number(&self, context: &Context) -> Option<ApInt> {
        match self {
            Known::Number(number) => Some(number.clone()),
            Known::Null(ty) => NumberKind::of(context, *ty).map(|kind| ApInt::zero(kind.width())),
            _ => None,
        }
    }
}

/// The lengths of arrays that specialisation constants say.
pub(super) type Lengths = HashMap<Identifier, u32>;

/// How many elements an array has.
pub(super) fn length(context: &Context, count: NumberOrSymbol, lengths: &Lengths) -> Option<u32> {
    match count {
        NumberOrSymbol::Known(count) => Some(count),
        NumberOrSymbol::Symbol(symbol) => match &context[symbol] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => lengths.get(root).copied(),
            _ => None,
        },
    }
}

/// The specialisation constants of modules.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// By the body that they stand in.
    known: HashMap<(BodyId, Identifier), Known>,
    /// What is given to them, by their ids.
    given: HashMap<u32, SpecializationValue>,
}

impl Constants {
    pub(super) fn new(given: &[(u32, SpecializationValue)]) -> Self {
        Constants { known: HashMap::new(), given: given.iter().copied().collect() }
    }

    /// The one of that name in a body.
    pub(super) fn get(&self, body: BodyId, name: Identifier) -> Option<&Known> {
        self.known.get(&(body, name))
    }

    /// Those that are lengths. A name that stands for several, in several modules, says nothing.
    pub(super) fn lengths(&self) -> Lengths {
        let mut lengths: HashMap<Identifier, Option<u32>> = HashMap::new();
        for (&(_, name), known) in &self.known {
            let Known::Number(number) = known else { continue };
            let length = number.to_u64().and_then(|length| u32::try_from(length).ok()).filter(|&length| length > 0);
            lengths.entry(name).and_modify(|other| *other = other.filter(|_| *other == length)).or_insert(length);
        }
        lengths.into_iter().filter_map(|(name, length)| Some((name, length?))).collect()
    }

    /// Works out the constant that an operation defines, where it defines one: those that it is made of are defined before it.
    ///
    /// # Errors
    /// Where an attribute cannot be read.
    pub(super) fn define(&mut self, op: OpRef<'_>) -> Result<()> {
        let known = if op.is("spirv.SpecConstant") {
            self.scalar(op)?
        } else if op.is("spirv.SpecConstantComposite") || op.is("spirv.OpSpecConstantComposite") {
            op.attribute("constituents")?.and_then(|parts| self.tree(op, parts))
        } else if op.is("spirv.EXT.SpecConstantCompositeReplicate") {
            self.replicated(op)?
        } else if op.is("spirv.OpSpecConstantOp") {
            self.operation(op)?
        } else {
            return Ok(());
        };
        if let (Some(name), Some(known)) = (op.symbol_name()?, known) {
            self.known.insert((op.body_id(), name), known);
        }
        Ok(())
    }

    fn scalar(&self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let numbers = op.attribute("default_value")?.and_then(|value| Numbers::of(context, value));
        let Some(numbers) = numbers else { return Ok(None) };
        let id = op.attribute("spec_id")?.and_then(|id| context.integer_of(id)).and_then(|id| id.to_u64());
        let given = id.and_then(|id| self.given.get(&u32::try_from(id).ok()?));
        Ok(match given {
            Some(given) => given.bits(numbers.number).map(Known::Number),
            None => Some(Known::Number(numbers.get(0))),
        })
    }

    /// A composite whose parts all are one constant.
    fn replicated(&self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let (Some(ty), Some(part)) = (op.attribute("type")?, op.attribute("constituent")?) else { return Ok(None) };
        let (AttributeData::Type(ty), Some(part)) = (&context[ty], self.tree(op, part)) else { return Ok(None) };
        let count = (0..MOST_PARTS as u32).take_while(|&number| types::part(context, *ty, number).is_some()).count();
        Ok(Some(Known::Parts(vec![part; count].into())))
    }

    /// What an attribute says: a number, a symbol, or the parts of a composite.
    pub(super) fn tree(&self, op: OpRef<'_>, value: Attribute) -> Option<Known> {
        let context = op.module().context();
        match &context[value] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => self.get(op.body_id(), *root).cloned(),
            AttributeData::Array(parts) => {
                let parts: Option<Arc<[Known]>> = parts.iter().map(|&part| self.tree(op, part)).collect();
                parts.map(Known::Parts)
            }
            AttributeData::Dictionary(entries) => {
                let named = |name: &[u8]| entries.iter().find(|entry| context.bytes(entry.0) == name);
                if named(b"undef").is_some() {
                    return Some(Known::Undefined);
                }
                if named(b"null").is_some() {
                    let AttributeData::Type(ty) = context[named(b"type")?.1] else { return None };
                    return Some(Known::Null(ty));
                }
                self.tree(op, named(b"value").or_else(|| named(b"parts"))?.1)
            }
            _ => {
                let numbers = Numbers::of(context, value)?;
                if lanes(context, numbers.ty).is_none() {
                    return (numbers.count == 1).then(|| Known::Number(numbers.get(0)));
                }
                let count = Some(numbers.count).filter(|&count| count <= MOST_PARTS)?;
                Some(Known::Parts((0..count).map(|at| Known::Number(numbers.get(at))).collect()))
            }
        }
    }

    fn operation(&self, op: OpRef<'_>) -> Result<Option<Known>> {
        let context = op.module().context();
        let (ty, operands, literals) = (op.attribute("type")?, op.attribute("operands")?, op.attribute("literals")?);
        let (Some(ty), Some(operands), Some(literals)) = (ty, operands, literals) else { return Ok(None) };
        let work_out = || {
            let AttributeData::Type(ty) = context[ty] else { return None };
            let (AttributeData::Array(operands), AttributeData::Array(literals)) =
                (&context[operands], &context[literals])
            else {
                return None;
            };
            let operands: Option<Vec<Known>> = operands.iter().map(|&operand| self.tree(op, operand)).collect();
            let literal = |&literal| context.integer_of(literal)?.to_i64().map(|literal| literal as u32);
            let literals: Option<Vec<u32>> = literals.iter().map(literal).collect();
            let (operands, literals) = (operands?, literals?);
            let (&opcode, literals) = literals.split_first()?;
            let name = Instruction::of(u16::try_from(opcode).ok()?)?.name;
            composite(context, name, ty, &operands, literals)
        };
        Ok(work_out())
    }
}

/// An instruction on constants, of that type.
fn composite(context: &Context, name: &str, ty: Type, operands: &[Known], literals: &[u32]) -> Option<Known> {
    match (name, operands) {
        ("CompositeExtract", [from]) => {
            literals.iter().try_fold(from.clone(), |from, &number| from.part(context, number))
        }
        ("CompositeInsert", [part, into]) => inserted(context, ty, part, into, literals),
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
        _ if operands.iter().any(|operand| matches!(operand, Known::Undefined)) => Some(Known::Undefined),
        _ => match lanes(context, ty) {
            None => {
                let numbers: Option<Vec<ApInt>> = operands.iter().map(|operand| operand.number(context)).collect();
                number(NumberKind::of(context, ty)?, name, &numbers?).map(Known::Number)
            }
            Some(count) => {
                let count = u32::try_from(count).ok().filter(|&count| u64::from(count) <= MOST_PARTS)?;
                let lane = |lane| {
                    let parts: Option<Vec<Known>> =
                        operands.iter().map(|operand| operand.part(context, lane)).collect();
                    composite(context, name, element(context, ty), &parts?, literals)
                };
                (0..count).map(lane).collect::<Option<Arc<[Known]>>>().map(Known::Parts)
            }
        },
    }
}

/// A composite of that type with another part at a place.
fn inserted(context: &Context, ty: Type, part: &Known, into: &Known, place: &[u32]) -> Option<Known> {
    let Some((&at, place)) = place.split_first() else { return Some(part.clone()) };
    let inner = types::part(context, ty, at)?;
    let part = inserted(context, inner, part, &into.part(context, at)?, place)?;
    let mut parts = Vec::new();
    for number in 0..MOST_PARTS as u32 {
        // What is all zero, or undefined, has as many parts as its type.
        if types::part(context, ty, number).is_none() {
            break;
        }
        let Some(known) = into.part(context, number) else { break };
        parts.push(if number == at { part.clone() } else { known });
    }
    Some(Known::Parts(parts.into()))
}

/// An instruction on numbers. `None` where SPIR-V says nothing of what it gives, and of instructions that are no operations of constants.
fn number(kind: NumberKind, name: &str, operands: &[ApInt]) -> Option<ApInt> {
    let width = kind.width();
    let first = operands.first()?;
    let Some(second) = operands.get(1) else {
        return Some(match name {
            "SNegate" => first.negated(),
            "Not" | "LogicalNot" => first.not(),
            "UConvert" if first.width() < width => first.zext(width),
            "SConvert" if first.width() < width => first.sext(width),
            "UConvert" | "SConvert" => first.trunc(width),
            "FConvert" => convert(float_of(first)?, kind)?,
            "QuantizeToF16" => {
                let narrow = float_of(first)?.convert(FloatKind::F16, RoundingMode::ToNearestEven).value;
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
    Some(number.convert(kind, RoundingMode::ToNearestEven).value.to_bits())
}
