//! Walking the operands of an instruction: which word is what.
//!
//! Reading and writing walk alike. What comes next depends on the words before it and on how many are left, never on
//! what an id stands for; so a writer that has the ids and the other words apart puts each back where it stood.

use super::{Class, Instruction, Kind, Operand, Quantifier, Set, extended};

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
    rest(stream)
}

fn rest<S: Stream>(stream: &mut S) -> Result<(), Missing> {
    while stream.left() > 0 {
        stream.word(Kind::LiteralInteger)?;
    }
    Ok(())
}

fn list<S: Stream>(operands: &[Operand], stream: &mut S, outermost: bool) -> Result<(), Missing> {
    for operand in operands {
        let kind = operand.kind;
        if S::WITHOUT_IDS && matches!(kind.class(), Class::Id | Class::PairIdId) {
            continue;
        }
        match operand.quantifier {
            Quantifier::One => one(kind, stream, outermost)?,
            Quantifier::Optional if stream.left() > 0 => one(kind, stream, outermost)?,
            Quantifier::Optional => {}
            Quantifier::Variadic => {
                while stream.left() > 0 {
                    one(kind, stream, outermost)?;
                }
            }
        }
    }
    Ok(())
}

fn one<S: Stream>(kind: Kind, stream: &mut S, outermost: bool) -> Result<(), Missing> {
    match kind.class() {
        Class::Id => stream.id(kind),
        Class::Word => stream.word(kind).map(drop),
        Class::String => stream.string(),
        Class::Number => {
            stream.word(kind)?;
            while stream.left() > 0 {
                stream.word(kind)?;
            }
            Ok(())
        }
        Class::Value => {
            let value = stream.word(kind)?;
            match kind.parameters(value) {
                Some(parameters) if !parameters.is_empty() => list(parameters, stream, outermost),
                _ => Ok(()),
            }
        }
        Class::Mask => {
            let mut bits = stream.word(kind)?;
            while bits != 0 && kind.has_parameters() {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                match kind.parameters(bit) {
                    Some(parameters) => list(parameters, stream, outermost)?,
                    // Whether it has parameters, and which, nobody knows.
                    None => return rest(stream),
                }
            }
            Ok(())
        }
        Class::Opcode => {
            let opcode = stream.word(kind)?;
            match u16::try_from(opcode).ok().and_then(Instruction::of) {
                // One inside another is no SPIR-V.
                Some(inner) if outermost => list(&inner.operands, stream, false),
                _ => rest(stream),
            }
        }
        Class::ExtendedInstruction => {
            let number = stream.word(kind)?;
            match stream.set() {
                _ if S::WITHOUT_IDS => rest(stream),
                Set::Ids => Ok(()),
                Set::Unknown => rest(stream),
                Set::Table(table) => match extended::operands(table, number) {
                    Some(operands) => list(&operands, stream, false).and_then(|()| rest(stream)),
                    None => rest(stream),
                },
            }
        }
        Class::PairNumberId => {
            let Some(width) = stream.literal_width() else { return rest(stream) };
            for _ in 0..width {
                stream.word(kind)?;
            }
            if S::WITHOUT_IDS { Ok(()) } else { stream.id(kind) }
        }
        Class::PairIdWord => {
            if !S::WITHOUT_IDS {
                stream.id(kind)?;
            }
            stream.word(kind).map(drop)
        }
        Class::PairIdId => {
            stream.id(kind)?;
            stream.id(kind)
        }
    }
}
