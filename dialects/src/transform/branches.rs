//! Where control goes in transformations that hold others.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor};
use mlirbc_ir::{Dialect, OpRef, Result};

use crate::common::branches::{Once, behind, into, only};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn RegionBranch>("alternatives", Arc::new(InTurn))
        .interface::<dyn RegionBranch>("foreach", Arc::new(Each))
        .interface::<dyn RegionBranch>("sequence", Arc::new(Sequence))
        .interface::<dyn RegionBranch>("tune.alternatives", Arc::new(Selected))
}

/// Into a region, which takes the operands where there are any.
fn given(op: OpRef<'_>, number: usize) -> RegionSuccessor {
    match op.operands() {
        [] => RegionSuccessor { region: Some(number), inputs: Vec::new() },
        _ => into(op, number, 0),
    }
}

/// Executes its regions until one succeeds.
struct InTurn;

impl RegionBranch for InTurn {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        let next = from.map_or(0, |from| from + 1);
        let left = (next..op.body().region_count_of(op.id())).map(|number| given(op, number));
        Ok(left.chain(from.map(|_| behind(op))).collect())
    }

    fn entry_operands(&self, op: OpRef<'_>, to: &RegionSuccessor) -> Result<Range<usize>> {
        let is_given = to.region.is_some() && op.operands().len() == 1;
        Ok(if is_given { 0..1 } else { 0..0 })
    }
}

/// Executes its region for each element of what it is given.
struct Each;

impl RegionBranch for Each {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok([into(op, 0, 0)].into_iter().chain(from.map(|_| behind(op))).collect())
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(0..op.operands().len())
    }
}

/// Executes its region once.
struct Sequence;

impl RegionBranch for Sequence {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(vec![if from.is_some() { behind(op) } else { given(op, 0) }])
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(0..op.operands().len())
    }
}

/// Executes the region of the number that it has, or any.
struct Selected;

impl RegionBranch for Selected {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        let all = Once.successors(op, from)?;
        let number = op.attribute("selected_region_attr")?.filter(|_| from.is_none());
        let number = number.and_then(|number| op.module().context().integer_of(number)?.to_u64());
        Ok(only(all, number.and_then(|number| usize::try_from(number).ok())))
    }
}
