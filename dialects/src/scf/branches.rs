//! Where control goes in operations of `scf`, and what it takes along.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor, RegionTerminator};
use mlirbc_ir::{Attribute, Dialect, OpRef, Result};

use crate::common::branches::{HandsOverNothing, If, ManyTimes, Once, Switch, behind, into, truth};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn RegionBranch>("if", Arc::new(If))
        .interface::<dyn RegionBranch>("index_switch", Arc::new(Switch))
        .interface::<dyn RegionBranch>("execute_region", Arc::new(Once))
        .interface::<dyn RegionBranch>("for", Arc::new(For))
        .interface::<dyn RegionBranch>("while", Arc::new(While))
        .interface::<dyn RegionBranch>("forall", Arc::new(ManyTimes))
        .interface::<dyn RegionBranch>("parallel", Arc::new(ManyTimes))
        .interface::<dyn RegionTerminator>("condition", Arc::new(Condition))
        .interface::<dyn RegionTerminator>("reduce", Arc::new(HandsOverNothing))
}

/// How many operands `scf.for` has before those that it carries.
pub(super) const BOUNDS: usize = 3;

struct For;

impl RegionBranch for For {
    fn successors(&self, op: OpRef<'_>, _: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(vec![into(op, 0, 1), behind(op)])
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        let count = op.operands().len();
        Ok(BOUNDS.min(count)..count)
    }
}

struct While;

impl RegionBranch for While {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(match from {
            Some(0) => vec![behind(op), into(op, 1, 0)],
            _ => vec![into(op, 0, 0)],
        })
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(0..op.operands().len())
    }
}

/// Hands over all but the condition.
struct Condition;

impl RegionTerminator for Condition {
    fn forwarded(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        let count = op.operands().len();
        Ok(1.min(count)..count)
    }

    fn may_go_to(&self, op: OpRef<'_>, to: Option<usize>, constants: &[Option<Attribute>]) -> Result<bool> {
        Ok(truth(op, constants).is_none_or(|truth| truth == to.is_some()))
    }
}
