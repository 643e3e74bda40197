//! What stops the raising: at which instruction, and why.

use mlirbc_ir::Error;

use crate::binary::instructions::Instructions;
use crate::grammar::Instruction;

/// Makes errors about the instructions of a module.
#[derive(Clone, Copy)]
pub(super) struct Stop<'w> {
    pub(super) words: &'w [u32],
}

impl Stop<'_> {
    /// An error about the instruction that holds the word.
    #[cold]
    pub(super) fn at(self, at: u32, why: impl AsRef<str>) -> Error {
        let mut instructions = Instructions::new(self.words);
        let places = std::iter::from_fn(|| instructions.next()?.ok());
        let found = places.take_while(|place| place.at <= at as usize).last();
        let error = Error::verification(format!("not raised to the dialect: {}", why.as_ref()));
        let Some(place) = found else { return error };
        let opcode = place.words[0] as u16;
        let name =
            Instruction::of(opcode).map_or_else(|| format!("opcode {opcode}"), |known| format!("Op{}", known.name));
        error.reading(format!("{name}, instruction {} at word {}", place.number, place.at)).at(4 * place.at as u64)
    }

    /// An error about the module as a whole.
    #[cold]
    pub(super) fn of_module(self, why: &str) -> Error {
        Error::verification(format!("not raised to the dialect: {why}"))
    }
}
