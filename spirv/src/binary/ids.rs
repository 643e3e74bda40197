//! What the ids of a module stand for.

use hashbrown::HashMap;

use super::instructions::{Definitions, IMPORT};
use super::words;
use crate::grammar::{Instruction, Set};

/// Ids and where they are defined.
pub(super) struct Ids {
    /// Every id is below it.
    pub(super) bound: u32,
    places: Places,
    /// Those that are defined, in order, and where their instructions begin.
    pub(super) defined: Vec<(u32, u32)>,
}

/// One more than the place in order of definition, by id; 0 for others.
enum Places {
    Dense(Vec<u32>),
    /// For a bound far above what the module can define.
    Sparse(HashMap<u32, u32>),
}

impl Ids {
    pub(super) fn new(bound: u32, words: usize) -> Self {
        let places = match bound as usize <= 4 * words + 64 {
            true => Places::Dense(vec![0; bound as usize]),
            false => Places::Sparse(HashMap::new()),
        };
        Ids { bound, places, defined: Vec::with_capacity((words / 4).min(bound as usize)) }
    }

    /// One more than the id's place in the order of definition; 0 where it is not defined yet.
    #[inline]
    pub(super) fn place(&self, id: u32) -> u32 {
        match &self.places {
            Places::Dense(places) => places.get(id as usize).copied().unwrap_or(0),
            Places::Sparse(places) => places.get(&id).copied().unwrap_or(0),
        }
    }

    /// Notes where an id is defined; `false` where that cannot be.
    #[inline]
    pub(super) fn define(&mut self, id: u32, at: usize) -> bool {
        if id == 0 || id >= self.bound || self.place(id) != 0 {
            return false;
        }
        self.defined.push((id, at as u32));
        let place = self.defined.len() as u32;
        match &mut self.places {
            Places::Dense(places) => places[id as usize] = place,
            Places::Sparse(places) => drop(places.insert(id, place)),
        }
        true
    }
}

/// Looks up definitions that stand before some place: what is defined later does not count, so that a reader that goes
/// through the words once sees the same.
pub(super) struct Before<'i> {
    pub(super) words: &'i [u32],
    pub(super) ids: &'i Ids,
    pub(super) place: usize,
}

impl<'i> Before<'i> {
    /// The words of the instruction that defines the id.
    fn definition(&self, id: u32) -> Option<&'i [u32]> {
        let at = self.ids.defined.get(self.ids.place(id).checked_sub(1)? as usize)?.1 as usize;
        let words = self.words.get(at..).filter(|_| at < self.place)?;
        words.get(..(*words.first()? >> 16) as usize)
    }
}

impl Definitions for Before<'_> {
    fn set(&mut self, id: u32) -> Set {
        self.definition(id).map_or(Set::Unknown, set_of)
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        let words = self.definition(id)?;
        let typed = Instruction::of(*words.first()? as u16).is_some_and(|known| known.has_type);
        if typed { self.definition(*words.get(1)?) } else { None }
    }
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
