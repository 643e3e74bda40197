//! What the operands of instructions are: ids or other words.

use mlirbc_ir::Result;

use super::Raiser;
use crate::binary::instructions::{Definitions, InstructionWords, Visitor, visit};
use crate::grammar::{Kind, Set};
use crate::op;

impl Raiser<'_> {
    /// Calls `each` with every id that an instruction uses, its type left out.
    pub(super) fn uses(&self, at: u32, mut each: impl FnMut(u32)) -> Result<()> {
        struct Uses<F>(F);
        impl<F: FnMut(u32)> Visitor for Uses<F> {
            fn id(&mut self, id: u32) {
                (self.0)(id);
            }
            fn word(&mut self, _: Kind, _: u32) {}
            fn string(&mut self, _: &[u32]) {}
        }
        let Some(place) = InstructionWords::at(self.scan.words, at as usize) else { return Ok(()) };
        match place.instruction() {
            Some(instruction) => visit(&place, instruction, &mut Uses(&mut each), &mut Sets(self)),
            None => Ok(()),
        }
    }

    /// The ids and the other words of an instruction, behind its type and result.
    pub(super) fn operands(&self, at: u32) -> Result<(Vec<u32>, Vec<u32>)> {
        #[derive(Default)]
        struct Parts(Vec<u32>, Vec<u32>);
        impl Visitor for Parts {
            fn id(&mut self, id: u32) {
                self.0.push(id);
            }
            fn word(&mut self, _: Kind, word: u32) {
                self.1.push(word);
            }
            fn string(&mut self, words: &[u32]) {
                self.1.extend_from_slice(words);
            }
        }
        let place = InstructionWords::at(self.scan.words, at as usize);
        let Some((place, instruction)) = place.and_then(|place| Some((place, place.instruction()?))) else {
            return Err(self.scan.stop().at(at, "the grammar does not know it"));
        };
        let mut parts = Parts::default();
        visit(&place, instruction, &mut parts, &mut Sets(self))?;
        Ok((parts.0, parts.1))
    }
}

/// What the ids of a module stand for, wherever they are defined.
struct Sets<'s, 'r>(&'s Raiser<'r>);

impl Definitions for Sets<'_, '_> {
    fn set(&mut self, id: u32) -> Set {
        match self.0.scan.defining(id) {
            Some((op::EXT_INST_IMPORT, words)) => {
                let name = words.get(2..).and_then(crate::binary::words::string);
                name.map_or(Set::Unknown, |(name, _)| Set::of(&name))
            }
            _ => Set::Unknown,
        }
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        let (opcode, words) = self.0.scan.defining(id)?;
        crate::grammar::Instruction::of(opcode).filter(|known| known.has_type)?;
        Some(self.0.scan.defining(*words.get(1)?)?.1)
    }
}
