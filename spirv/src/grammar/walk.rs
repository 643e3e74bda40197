//! Walking the operands of an instruction: which word is what.
//!
//! Reading and writing walk alike. What comes next depends on the words before it and on how many are left, never on
//! what an id stands for; so a writer that has the ids and the other words apart puts each back where it stood.

use super::{Instruction, Kind, Operand, OperandClass, Quantifier, Set, extended};

/// The instruction ends where the grammar wants an operand of this kind, or the operand is no such thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Missing(pub(crate) Kind);

/// Where operands come from, or go to.
pub(crate) trait Stream {
    /// Whether only words that are no ids go by: then ids are not met at all.
    const WITHOUT_IDS: bool = false;

    /// How many words are left.
    fn left(&self) -> usize;
    /// The next word is an id.
    fn id(&mut self, kind: Kind) -> Result<(), Missing>;
    /// The next word is none.
    fn word(&mut self, kind: Kind) -> Result<u32, Missing>;
    /// The next words are a string.
    fn string(&mut self) -> Result<(), Missing>;
    /// The extended instruction set that the last id stands for.
    fn set(&mut self) -> Set;
    /// How many words each literal of a switch takes; `None` where what follows makes no pairs of literals and ids.
    fn literal_width(&mut self) -> Option<usize>;
}

/// Walks the operands behind type and result to the end of the instruction.
pub(crate) fn walk<S: Stream>(operands: &[Operand], stream: &mut S) -> Result<(), Missing> {
    list(operands, stream, true)?;
    // What a future version may have added.
    rest(stream).map(drop)
}

/// Whether what follows can still be told apart.
type Known = bool;

/// Takes all words that are left: it is unknown what they are.
fn rest<S: Stream>(stream: &mut S) -> Result<Known, Missing> {
    while stream.left() > 0 {
        stream.word(Kind::LiteralInteger)?;
    }
    Ok(false)
}

fn list<S: Stream>(operands: &[Operand], stream: &mut S, outermost: bool) -> Result<Known, Missing> {
    for operand in operands {
        let kind = operand.kind;
        if S::WITHOUT_IDS && matches!(kind.class(), OperandClass::Id | OperandClass::PairIdId) {
            continue;
        }
        let known = match operand.quantifier {
            Quantifier::One => one(kind, stream, outermost)?,
            Quantifier::Optional if stream.left() > 0 => one(kind, stream, outermost)?,
            Quantifier::Optional => true,
            Quantifier::Variadic => {
                let mut known = true;
                while known && stream.left() > 0 {
                    known = one(kind, stream, outermost)?;
                }
                known
            }
        };
        if !known {
            return Ok(false);
        }
    }
    Ok(true)
}

fn one<S: Stream>(kind: Kind, stream: &mut S, outermost: bool) -> Result<Known, Missing> {
    match kind.class() {
        OperandClass::Id => stream.id(kind)?,
        OperandClass::Word => drop(stream.word(kind)?),
        OperandClass::String => stream.string()?,
        OperandClass::Number => {
            stream.word(kind)?;
            while stream.left() > 0 {
                stream.word(kind)?;
            }
        }
        OperandClass::Value => {
            let value = stream.word(kind)?;
            if let Some(parameters) = kind.parameters(value)
                && !parameters.is_empty()
            {
                return list(parameters, stream, outermost);
            }
        }
        OperandClass::Mask => {
            let mut bits = stream.word(kind)?;
            while bits != 0 && kind.has_parameters() {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                // It is unknown whether a bit without a name has parameters, and which.
                let Some(parameters) = kind.parameters(bit) else { return rest(stream) };
                if !list(parameters, stream, outermost)? {
                    return Ok(false);
                }
            }
        }
        OperandClass::Opcode => {
            let opcode = stream.word(kind)?;
            return match u16::try_from(opcode).ok().and_then(Instruction::of) {
                // One inside another is no SPIR-V.
                Some(inner) if outermost => list(&inner.operands, stream, false),
                _ => rest(stream),
            };
        }
        OperandClass::ExtendedInstruction => {
            let number = stream.word(kind)?;
            return match stream.set() {
                _ if S::WITHOUT_IDS => rest(stream),
                Set::Ids => Ok(true),
                Set::Unknown => rest(stream),
                Set::Table(table) => match extended::operands(table, number) {
                    Some(operands) => list(&operands, stream, false).and_then(|_| rest(stream)),
                    None => rest(stream),
                },
            };
        }
        OperandClass::PairNumberId => {
            let Some(width) = stream.literal_width() else { return rest(stream) };
            for _ in 0..width {
                stream.word(kind)?;
            }
            if !S::WITHOUT_IDS {
                stream.id(kind)?;
            }
        }
        OperandClass::PairIdWord => {
            if !S::WITHOUT_IDS {
                stream.id(kind)?;
            }
            stream.word(kind)?;
        }
        OperandClass::PairIdId => {
            stream.id(kind)?;
            stream.id(kind)?;
        }
    }
    Ok(true)
}
