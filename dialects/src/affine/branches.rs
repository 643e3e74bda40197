//! Where control goes in operations of `affine`, and what it takes along.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::interfaces::{Loop, LoopBound, Mixed, RegionBranch, RegionSuccessor};
use mlirbc_ir::{Dialect, OpRef, Result};

use super::loops;
use crate::common::branches::{Once, behind, into};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.interface::<dyn RegionBranch>("for", Arc::new(For)).interface::<dyn RegionBranch>("if", Arc::new(Once))
}

struct For;

/// How often it is executed, where its bounds are numbers.
pub(super) fn trip_count(op: OpRef<'_>) -> Result<Option<u64>> {
    let number = |bound: Option<Vec<Mixed>>| match bound.as_deref() {
        Some(&[Mixed::Number(number)]) => Some(i128::from(number)),
        _ => None,
    };
    let (lower, upper) =
        (number(loops::For.bounds(op, LoopBound::Lower)?), number(loops::For.bounds(op, LoopBound::Upper)?));
    let step = number(loops::For.bounds(op, LoopBound::Step)?).filter(|&step| step > 0);
    let (Some(lower), Some(upper), Some(step)) = (lower, upper, step) else { return Ok(None) };
    Ok(u64::try_from(((upper - lower).max(0) + step - 1) / step).ok())
}

impl RegionBranch for For {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(match (from, trip_count(op)?) {
            (None, Some(1..)) => vec![into(op, 0, 1)],
            (None, Some(0)) | (Some(_), Some(1)) => vec![behind(op)],
            _ => vec![into(op, 0, 1), behind(op)],
        })
    }

    fn entry_operands(&self, op: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        loops::For.initial_operands(op)
    }
}
