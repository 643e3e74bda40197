//! Instructions of a module: where each begins, and what it says of its operands.

use mlirbc_ir::{Error, Result};

use super::words::{self, HEADER};
use crate::grammar::{Check, Grammar, Instruction, Kind, Missing, NONE, Set, Shape, Stream, grammar, walk};

/// One instruction in the words of a module.
#[derive(Clone, Copy)]
pub(crate) struct InstructionWords<'w> {
    /// Its number, from 0.
    pub(crate) number: usize,
    /// Where its first word stands.
    pub(crate) at: usize,
    /// Its words.
    pub(crate) words: &'w [u32],
    /// Its place in the grammar, [`NONE`] where that does not know it.
    pub(crate) known: u16,
    grammar: &'static Grammar,
}

/// The instructions of a module.
pub(crate) struct Instructions<'w> {
    words: &'w [u32],
    at: usize,
    number: usize,
    grammar: &'static Grammar,
}

impl<'w> Instructions<'w> {
    pub(crate) fn new(words: &'w [u32]) -> Self {
        Instructions { words, at: HEADER, number: 0, grammar: grammar() }
    }

    /// The next instruction; an error where it is cut off.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Result<InstructionWords<'w>>> {
        let (number, at) = (self.number, self.at);
        let rest = &self.words[at..];
        let head = *rest.first()?;
        let known = self.grammar.by_opcode.get(usize::from(head as u16)).copied().unwrap_or(NONE);
        let count = (head >> 16) as usize;
        if count == 0 || count > rest.len() {
            return Some(Err(self.cut_off()));
        }
        self.at += count;
        self.number += 1;
        Some(Ok(InstructionWords { number, at, words: &rest[..count], known, grammar: self.grammar }))
    }

    #[cold]
    fn cut_off(&self) -> Error {
        let words = &self.words[self.at..];
        let place = InstructionWords { number: self.number, at: self.at, words, known: NONE, grammar: self.grammar };
        let head = words.first().copied().unwrap_or(0);
        let known = self.grammar.by_opcode.get(usize::from(head as u16)).copied().unwrap_or(NONE);
        InstructionWords { known, ..place }.error(&match head >> 16 {
            0 => "its count of words is zero".to_owned(),
            count => format!("expected {}, found {} before the end", Error::counted(count, "word"), words.len()),
        })
    }
}

impl<'w> InstructionWords<'w> {
    /// The instruction whose first word stands there, in words that were read before.
    pub(crate) fn at(words: &'w [u32], at: usize) -> Option<Self> {
        let rest = words.get(at..)?;
        let head = *rest.first()?;
        let grammar = grammar();
        let known = grammar.by_opcode.get(usize::from(head as u16)).copied().unwrap_or(NONE);
        Some(InstructionWords { number: 0, at, words: rest.get(..(head >> 16) as usize)?, known, grammar })
    }

    /// Its definition.
    #[inline]
    pub(crate) fn instruction(&self) -> Option<&'static Instruction> {
        self.grammar.instructions.get(usize::from(self.known))
    }

    /// The instruction's name as it is written, or its number.
    fn name(&self) -> String {
        match self.instruction() {
            Some(instruction) => format!("Op{}", instruction.name),
            None => format!("opcode {}", self.words.first().map_or(0, |&head| head as u16)),
        }
    }

    /// An error about the instruction.
    #[cold]
    pub(crate) fn error(&self, message: &str) -> Error {
        self.error_at(0, message)
    }

    /// An error about one of its words.
    #[cold]
    pub(crate) fn error_at(&self, word: usize, message: &str) -> Error {
        let at = self.at + word;
        let reading = format!("{}, instruction {} at word {}", self.name(), self.number, self.at);
        Error::malformed(message).reading(reading).at(4 * at as u64)
    }

    #[cold]
    pub(crate) fn missing(&self, missing: Missing) -> Error {
        let message = match missing.0 {
            Kind::LiteralString => "expected a string that a zero closes".to_owned(),
            kind => format!("expected an operand of kind {}, found the end of the instruction", kind.name()),
        };
        self.error_at(self.words.len(), &message)
    }

    /// Which of its words is its result, where it has one.
    #[inline]
    pub(crate) fn result(&self, instruction: &Instruction) -> Result<u32> {
        match self.words.get(instruction.prefix() - 1) {
            Some(&id) => Ok(id),
            None => Err(self.missing(Missing(Kind::IdResult))),
        }
    }
}

/// Whether the ids of an instruction stand where its shape says.
#[inline]
pub(crate) fn is_simple<D: Definitions>(words: &[u32], shape: &Shape, definitions: &mut D) -> bool {
    shape.fits(words.len())
        && match shape.check {
            Check::None => true,
            Check::String(at) => words::is_string(words.get(usize::from(at)..).unwrap_or_default()),
            Check::Enumerant(kind, at) => match words.get(usize::from(at)..) {
                Some([value, rest @ ..]) => kind.plain_parameters(*value) == Some(rest.len()),
                _ => false,
            },
            Check::Extended(at) => {
                let set = words.get(usize::from(at).wrapping_sub(1));
                set.is_some_and(|&set| matches!(definitions.set(set), Set::Ids))
            }
            Check::Even => words.len().is_multiple_of(2),
            Check::Odd => !words.len().is_multiple_of(2),
        }
}

/// What a walk over the words of an instruction finds.
pub(crate) trait Visitor {
    /// An id.
    fn id(&mut self, id: u32);
    /// A word that is none.
    fn word(&mut self, kind: Kind, word: u32);
    /// The words of a string.
    fn string(&mut self, words: &[u32]);
}

/// What the instructions of the module define.
pub(crate) trait Definitions {
    /// The extended instruction set that the id stands for.
    fn set(&mut self, id: u32) -> Set;
    /// The words of the instruction that defines the type of the id.
    fn type_of(&mut self, id: u32) -> Option<&[u32]>;
}

/// Goes through the operands behind type and result.
pub(crate) fn visit<V: Visitor, D: Definitions>(
    place: &InstructionWords<'_>,
    instruction: &Instruction,
    visitor: &mut V,
    definitions: &mut D,
) -> Result<()> {
    let Some(words) = place.words.get(instruction.prefix()..) else {
        return Err(place.missing(Missing(Kind::IdResultType)));
    };
    let mut operands = Operands { words, visitor, definitions, last_id: 0, first_id: 0 };
    walk(&instruction.operands, &mut operands).map_err(|missing| place.missing(missing))
}

struct Operands<'o, V, D> {
    words: &'o [u32],
    visitor: &'o mut V,
    definitions: &'o mut D,
    first_id: u32,
    last_id: u32,
}

impl<V: Visitor, D: Definitions> Stream for Operands<'_, V, D> {
    #[inline]
    fn left(&self) -> usize {
        self.words.len()
    }

    #[inline]
    fn id(&mut self, kind: Kind) -> Result<(), Missing> {
        let (&id, rest) = self.words.split_first().ok_or(Missing(kind))?;
        self.words = rest;
        self.last_id = id;
        if self.first_id == 0 {
            self.first_id = id;
        }
        self.visitor.id(id);
        Ok(())
    }

    #[inline]
    fn word(&mut self, kind: Kind) -> Result<u32, Missing> {
        let (&word, rest) = self.words.split_first().ok_or(Missing(kind))?;
        self.words = rest;
        self.visitor.word(kind, word);
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Missing> {
        let count = words::string_words(self.words).ok_or(Missing(Kind::LiteralString))?;
        let (string, rest) = self.words.split_at(count);
        self.words = rest;
        self.visitor.string(string);
        Ok(())
    }

    fn set(&mut self) -> Set {
        self.definitions.set(self.last_id)
    }

    fn literal_width(&mut self) -> Option<usize> {
        // As wide as the selector; what is no integer counts as one word.
        let width = match self.definitions.type_of(self.first_id) {
            Some(&[head, _, bits, ..]) if head as u16 == TYPE_INT && bits > 32 => bits.div_ceil(32) as usize,
            _ => 1,
        };
        self.words.len().is_multiple_of(width + 1).then_some(width)
    }
}

/// OpTypeInt
const TYPE_INT: u16 = 21;

/// OpExtInstImport
pub(crate) const IMPORT: u16 = 11;
