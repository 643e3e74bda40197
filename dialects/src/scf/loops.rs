//! What the loops of `scf` are asked.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::interfaces::{Loop, LoopBound, Speculatable};
use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Dialect, OpId, OpRef, Result, Value};

use super::bounds::trip_count;
use super::branches::BOUNDS;
use crate::common::mixed::{Mixed, mixed};
use crate::common::regions::{arguments_of, end_of};
use crate::common::speculation::StepOfOne;

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn Loop>("for", Arc::new(For))
        .interface::<dyn Loop>("forall", Arc::new(Forall))
        .interface::<dyn Loop>("parallel", Arc::new(Parallel))
        .interface::<dyn Loop>("while", Arc::new(While))
        .interface::<dyn Speculatable>("for", Arc::new(StepOfOne))
}

/// What the `scf.yield` yields that ends a region.
fn yielded(op: OpRef<'_>, region: usize) -> Option<(OpId, Range<usize>)> {
    end_of(op, region).filter(|end| end.is("scf.yield")).map(|end| (end.id(), 0..end.operands().len()))
}

/// Goes from a lower bound to an upper one, which are its first operands, as is the step.
pub(super) struct For;

impl Loop for For {
    fn dimensions(&self, _: OpRef<'_>) -> Result<Option<usize>> {
        Ok(Some(1))
    }

    fn bounds(&self, op: OpRef<'_>, which: LoopBound) -> Result<Option<Vec<Mixed>>> {
        Ok(op.operands().get(which as usize).map(|&bound| vec![Mixed::Value(bound)]))
    }

    fn initial_operands(&self, op: OpRef<'_>) -> Result<Range<usize>> {
        let count = op.operands().len();
        Ok(BOUNDS.min(count)..count)
    }

    fn yielded_operands(&self, op: OpRef<'_>) -> Result<Option<(OpId, Range<usize>)>> {
        Ok(yielded(op, 0))
    }

    fn loop_results(&self, op: OpRef<'_>) -> Result<Option<Vec<Value>>> {
        Ok(Some(op.results().collect()))
    }

    fn trip_count(&self, op: OpRef<'_>) -> Result<Option<ApInt>> {
        let Some(&bounds) = op.operands().first_chunk::<BOUNDS>() else { return Ok(None) };
        trip_count(op, bounds.map(Mixed::Value), op.attribute("unsignedCmp")?.is_none())
    }
}

/// Goes through dimensions in any order, and begins with what it writes into.
pub(super) struct Forall;

/// The attributes of `scf.forall` that hold the bounds that are numbers, in the order of the groups of operands that hold the others.
pub(super) const STATIC: [&str; 3] = ["staticLowerBound", "staticUpperBound", "staticStep"];

/// The names of those groups.
const DYNAMIC: [&str; 3] = ["dynamicLowerBound", "dynamicUpperBound", "dynamicStep"];

impl Loop for Forall {
    fn dimensions(&self, op: OpRef<'_>) -> Result<Option<usize>> {
        Ok(arguments_of(op, 0).len().checked_sub(self.initial_operands(op)?.len()))
    }

    fn bounds(&self, op: OpRef<'_>, which: LoopBound) -> Result<Option<Vec<Mixed>>> {
        mixed(op, STATIC[which as usize], DYNAMIC[which as usize])
    }

    fn initial_operands(&self, op: OpRef<'_>) -> Result<Range<usize>> {
        Ok(op.operand_ranges()?.into_iter().nth(3).unwrap_or_default())
    }
}

/// Goes through dimensions in any order, and reduces.
struct Parallel;

impl Loop for Parallel {
    fn dimensions(&self, op: OpRef<'_>) -> Result<Option<usize>> {
        Ok(Some(arguments_of(op, 0).len()))
    }

    fn bounds(&self, op: OpRef<'_>, which: LoopBound) -> Result<Option<Vec<Mixed>>> {
        let range = op.operand_ranges()?.into_iter().nth(which as usize).unwrap_or_default();
        Ok(op.operands().get(range).map(|values| values.iter().map(|&value| Mixed::Value(value)).collect()))
    }
}

/// Executes its first region, and the second one where that says so.
struct While;

impl Loop for While {
    fn initial_operands(&self, op: OpRef<'_>) -> Result<Range<usize>> {
        Ok(0..op.operands().len())
    }

    fn carried_values(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(arguments_of(op, 0).to_vec())
    }

    fn yielded_operands(&self, op: OpRef<'_>) -> Result<Option<(OpId, Range<usize>)>> {
        Ok(yielded(op, 1))
    }
}
