//! Names of values and blocks: numbers, given out region by region.

use mlirbc_ir::{Body, Error, RegionId, Result, Value, ValueOwner};

const ARGUMENT: u32 = 1 << 31;
const SEVERAL: u32 = 1 << 30;
const NUMBER: u32 = SEVERAL - 1;

/// How many numbers are taken: of values, and of arguments of entry blocks.
#[derive(Clone, Copy, Default)]
pub(super) struct Taken {
    values: u32,
    arguments: u32,
}

/// The numbers of the values and blocks of one body, as far as its regions have been entered.
#[derive(Default)]
pub(super) struct Numbers {
    /// By value: its number and what kind of value it is, plus one; 0 where it has none.
    values: Vec<u32>,
    blocks: Vec<u32>,
}

/// What a value is called.
pub(super) enum Name {
    /// `%arg3`
    Argument(u32),
    /// `%3`
    Single(u32),
    /// `%3#1`
    Several(u32, usize),
    /// Nothing: it stands outside of what is printed, or nothing defines it.
    None,
}

impl Numbers {
    pub(super) fn reset(&mut self, body: &Body) {
        self.values.clear();
        self.values.resize(body.value_count(), 0);
        self.blocks.clear();
        self.blocks.resize(body.block_count(), 0);
    }

    /// Numbers the blocks of a region and the values that are defined directly in it. Gives what is taken then, and
    /// whether an operation goes on to the first block.
    pub(super) fn enter(&mut self, body: &Body, region: RegionId, mut taken: Taken) -> Result<(Taken, bool)> {
        let first = body.first_block(region);
        let mut label = false;
        for (number, block) in body.blocks(region).enumerate() {
            self.blocks[block.index()] = number as u32;
            for &argument in body.arguments(block) {
                self.values[argument.index()] = if Some(block) == first {
                    taken.arguments += 1;
                    taken.arguments | ARGUMENT
                } else {
                    taken.values += 1;
                    taken.values
                };
            }
            for op in body.operations(block) {
                let count = body.result_count(op);
                if count > 0 {
                    taken.values += 1;
                    let several = if count > 1 { SEVERAL } else { 0 };
                    for result in body.results(op) {
                        self.values[result.index()] = taken.values | several;
                    }
                }
                label |= first.is_some_and(|first| body.successors(op).contains(&first));
            }
            if taken.values.max(taken.arguments) >= NUMBER / 2 {
                return Err(Error::misuse("too many values to name"));
            }
        }
        Ok((taken, label))
    }

    #[inline]
    pub(super) fn name(&self, body: &Body, value: Value) -> Name {
        let word = self.values.get(value.index()).copied().unwrap_or(0);
        let Some(number) = (word & NUMBER).checked_sub(1) else { return Name::None };
        if word & ARGUMENT != 0 {
            return Name::Argument(number);
        }
        if word & SEVERAL != 0
            && let Some(ValueOwner::Result(_, result)) = body.owner(value)
        {
            return Name::Several(number, result);
        }
        Name::Single(number)
    }

    pub(super) fn block(&self, block: mlirbc_ir::BlockId) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or(0)
    }
}
