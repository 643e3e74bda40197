//! The words of a module as the source of its operations' properties.
//!
//! An operation's properties are the number of its instruction's first word until somebody asks for them; those of the
//! module itself have the number 0.

use std::any::Any;

use mlirbc_ir::{
    Attribute, Body, BodyId, Context, Error, Location, Module, ModuleSource, OperationName, PendingBody, Result, Type,
};

use super::instructions::{Definitions, IMPORT, Instructions, Place, Visitor, visit};
use super::words::{self, Header, Words};
use crate::dialect::{self, Literal};
use crate::grammar::{Instruction, Kind, Set};

/// The number of the module's own properties.
pub(super) const MODULE_PROPERTIES: u32 = 0;

/// A SPIR-V module that operations were read from.
pub(crate) struct Source {
    pub(super) header: Header,
    pub(super) words: Words,
    /// The ids of the values: first those that nothing defines, then in order of definition.
    pub(super) ids: Vec<u32>,
    /// By value that something defines: where its instruction's first word stands.
    pub(super) defined_at: Vec<u32>,
    /// How many ids nothing defines.
    pub(super) undefined: usize,
}

impl Source {
    /// The source of a module that was read from a SPIR-V binary.
    pub(super) fn of(module: &Module) -> Option<&Source> {
        module.source()?.as_any().downcast_ref()
    }

    /// The instruction whose properties have that number.
    pub(super) fn instruction(&self, index: u32) -> Result<Place<'_>> {
        let none = || Error::misuse("properties of another module");
        Instructions::one(self.words.get(), index as usize)?.ok_or_else(none)
    }

    /// What the ids of the module stand for, looked up one after the other.
    pub(super) fn definitions(&self) -> impl Definitions {
        Slow(self)
    }
}

/// Looks ids up without a table.
struct Slow<'s>(&'s Source);

impl<'s> Slow<'s> {
    fn definition(&self, id: u32) -> Option<&'s [u32]> {
        let at = self.0.ids[self.0.undefined..].iter().position(|&defined| defined == id)?;
        definition(self.0.words.get(), *self.0.defined_at.get(at)?)
    }
}

impl Definitions for Slow<'_> {
    fn set(&mut self, id: u32) -> Set {
        self.definition(id).map_or(Set::Unknown, set_of)
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        let words = self.definition(id)?;
        let typed = Instruction::of(*words.first()? as u16).is_some_and(|known| known.has_type);
        if typed { self.definition(*words.get(1)?) } else { None }
    }
}

/// The words from an instruction on.
pub(super) fn definition(words: &[u32], at: u32) -> Option<&[u32]> {
    let words = words.get(at as usize..)?;
    words.get(..(*words.first()? >> 16) as usize)
}

/// The set that an instruction imports.
pub(super) fn set_of(import: &[u32]) -> Set {
    match import {
        [head, _, name @ ..] if *head as u16 == IMPORT => {
            words::string(name).map_or(Set::Unknown, |(name, _)| Set::of(&name))
        }
        _ => Set::Unknown,
    }
}

/// Takes the literals of an instruction.
#[derive(Default)]
struct Literals(Vec<Literal>);

impl Visitor for Literals {
    const KINDS: bool = true;

    fn id(&mut self, _: u32) {}

    fn word(&mut self, kind: Kind, word: u32) {
        self.0.push(Literal::typed(kind, word));
    }

    fn string(&mut self, words: &[u32]) {
        dialect::push_string(&mut self.0, words);
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
            return dialect::module_dictionary(context, &self.header, &dialect::runs(self.ids.iter().copied()));
        }
        let place = self.instruction(index)?;
        let mut literals = Literals::default();
        match place.instruction() {
            Some(instruction) => visit(&place, instruction, &mut literals, &mut self.definitions())?,
            None => literals.0.extend(unknown(place.words).map(Literal::Word)),
        }
        dialect::literals_dictionary(context, &literals.0)
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
pub(super) fn unknown(words: &[u32]) -> impl Iterator<Item = u32> {
    let (opcode, rest) = words.split_first().map_or((0, words), |(&head, rest)| (u32::from(head as u16), rest));
    std::iter::once(opcode).chain(rest.iter().copied())
}
