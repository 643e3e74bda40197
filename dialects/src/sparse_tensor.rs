//! `sparse_tensor`: sparse tensors.

mod enums;

pub use enums::*;

use std::ops::Range;
use std::sync::Arc;

use super::common::branches::{behind, into};
use super::common::mixed::constant_index;
use super::common::speculation::always_if;
use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor, Speculatable, Speculation};
use mlirbc_ir::{Dialect, OpRef, Result};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("sparse_tensor")
        .alias(alias)
        .interface::<dyn RegionBranch>("iterate", Arc::new(Iterate))
        .interface::<dyn Speculatable>("lvl", Arc::new(Level))
}

fn alias(mnemonic: &[u8]) -> Option<Vec<u8>> {
    (mnemonic == b"encoding").then(|| b"sparse".to_vec())
}

/// Executes its region for each place of a space, with values that it carries on, behind which others stand.
struct Iterate;

impl RegionBranch for Iterate {
    fn successors(&self, op: OpRef<'_>, _: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        let RegionSuccessor { region, mut inputs } = into(op, 0, 0);
        inputs.truncate(op.operands().len().saturating_sub(SPACE));
        Ok(vec![RegionSuccessor { region, inputs }, behind(op)])
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        let count = op.operands().len();
        Ok(SPACE.min(count)..count)
    }
}

/// How many operands `iterate` has before those that it carries.
const SPACE: usize = 1;

/// Asks for the size of a level: there is one of each number that is a constant, as verification sees to.
struct Level;

impl Speculatable for Level {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        Ok(always_if(op.operands().get(1).is_some_and(|&level| constant_index(op, level).is_some())))
    }
}
