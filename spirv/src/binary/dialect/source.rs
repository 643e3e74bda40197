//! The words of a module as the source of its operations' properties.
//!
//! An operation's properties are the number of its instruction's first word until they are asked for; those of the
//! module itself have the number 0.

use std::any::Any;

use mlirbc_ir::{
    Attribute, Body, BodyId, Context, Error, Location, Module, ModuleSource, OperationName, PendingBody, Result, Type,
};

use super::literals::{self, Literal};
use crate::binary::ids::{Before, Ids};
use crate::binary::instructions::{InstructionWords, Visitor, visit};
use crate::binary::words::{Header, Words};
use crate::grammar::Kind;

/// The number of the module's own properties.
pub(in crate::binary) const MODULE_PROPERTIES: u32 = 0;

/// A SPIR-V module that operations were read from.
pub(crate) struct Source {
    pub(in crate::binary) header: Header,
    pub(in crate::binary) words: Words,
    /// How many instructions there are.
    pub(in crate::binary) instructions: usize,
    pub(in crate::binary) ids: Ids,
    /// Ids that are used and never defined: their values come before the others.
    pub(in crate::binary) undefined: Vec<u32>,
    /// The names of the operations, and their places in the grammar.
    pub(in crate::binary) names: Vec<(OperationName, u16)>,
}

impl Source {
    /// The source of a module that was read from a SPIR-V binary.
    pub(in crate::binary) fn of(module: &Module) -> Option<&Source> {
        module.source()?.as_any().downcast_ref()
    }

    /// The instruction whose properties have that number.
    pub(in crate::binary) fn instruction(&self, index: u32) -> Result<InstructionWords<'_>> {
        let place = InstructionWords::at(self.words.get(), index as usize).filter(|place| !place.words.is_empty());
        place.ok_or_else(|| Error::misuse("properties of another module"))
    }

    /// What the ids of the instruction that begins there stand for.
    pub(in crate::binary) fn definitions(&self, at: usize) -> Before<'_> {
        Before { words: self.words.get(), ids: &self.ids, place: at }
    }

    /// The words of the instruction whose properties have that number, which are at least one, and those behind it.
    #[inline]
    pub(in crate::binary) fn words_at(&self, index: u32) -> Option<(&[u32], &[u32])> {
        let rest = self.words.get().get(index as usize..)?;
        let own = rest.get(..(*rest.first()? >> 16) as usize).filter(|words| !words.is_empty())?;
        Some((own, rest))
    }

    /// Whether a body is all that was read, and nothing was changed since.
    pub(in crate::binary) fn is_all_of(&self, body: &Body) -> bool {
        let values = self.undefined.len() + self.ids.defined.len();
        !body.is_edited() && body.operation_count() == self.instructions && body.value_count() == values
    }

    /// The ids of the values.
    pub(in crate::binary) fn values(&self) -> impl Iterator<Item = u32> {
        self.undefined.iter().copied().chain(self.ids.defined.iter().map(|defined| defined.0))
    }
}

/// Takes the literals of an instruction.
#[derive(Default)]
struct Literals(Vec<Literal>);

impl Visitor for Literals {
    fn id(&mut self, _: u32) {}

    fn word(&mut self, kind: Kind, word: u32) {
        self.0.push(Literal::typed(kind, word));
    }

    fn string(&mut self, words: &[u32]) {
        literals::push_string(&mut self.0, words);
    }
}

impl ModuleSource for Source {
    fn attribute(&self, _: &Context, _: u32) -> Result<Attribute> {
        Err(Error::misuse("an attribute of another module"))
    }

    fn location(&self, _: &Context, _: u32) -> Result<Location> {
        Err(Error::misuse("a location of another module"))
    }

    fn ty(&self, _: &Context, _: u32) -> Result<Type> {
        Err(Error::misuse("a type of another module"))
    }

    fn properties(&self, context: &Context, _: OperationName, index: u32) -> Result<Attribute> {
        if index == MODULE_PROPERTIES {
            return super::module_dictionary(context, &self.header, &super::runs(self.values()));
        }
        let place = self.instruction(index)?;
        let mut literals = Literals::default();
        match place.instruction() {
            Some(instruction) => visit(&place, instruction, &mut literals, &mut self.definitions(place.at))?,
            None => literals.0.extend(unknown(place.words).map(Literal::Word)),
        }
        super::literals_dictionary(context, &literals.0)
    }

    fn body(&self, _: &Module, _: BodyId, _: PendingBody) -> Result<Body> {
        Err(Error::misuse("a body of another module"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The literals of an instruction that the grammar does not know: its opcode, then its other words.
pub(in crate::binary) fn unknown(words: &[u32]) -> impl Iterator<Item = u32> {
    let (opcode, rest) = words.split_first().map_or((0, words), |(&head, rest)| (u32::from(head as u16), rest));
    std::iter::once(opcode).chain(rest.iter().copied())
}
