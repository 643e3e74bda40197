//! Loops (`mlir/Interfaces/LoopLikeInterface.td`).

use std::ops::Range;

use super::constants::Mixed;
use crate::body::{OpId, Value};
use crate::error::Result;
use crate::module::OpRef;
use crate::number::ApInt;

/// What of the dimensions of a loop is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopBound {
    /// Where they begin.
    Lower,
    /// What they stay below.
    Upper,
    /// How far they go from one execution to the next.
    Step,
}

/// Executes regions of its own again and again (`LoopLikeOpInterface`).
///
/// A loop may carry values from one execution to the next: it begins with *initial* ones, which are operands; each execution gets
/// *carried* ones, which are arguments of a region, and ends with those that it *yields* to the next one. They are equally many.
///
/// `None` of dimensions, variables or bounds stands for loops that have no such thing, or where it is not told: `scf.while` has none, and a
/// bound of `affine.for` that is no number is not told.
pub trait Loop: Send + Sync {
    /// The numbers of the regions that are executed again and again (`getLoopRegions`): all, unless it says otherwise.
    fn regions(&self, op: OpRef<'_>) -> Vec<usize> {
        (0..op.body().region_count_of(op.id())).collect()
    }

    /// How many dimensions it has, each with a variable that counts the executions. These are the first arguments of the region that is
    /// executed first; what is carried are those behind them.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn dimensions(&self, _op: OpRef<'_>) -> Result<Option<usize>> {
        Ok(None)
    }

    /// What counts the executions: one value for each dimension (`getLoopInductionVars`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn induction_variables(&self, op: OpRef<'_>) -> Result<Option<Vec<Value>>> {
        Ok(self.dimensions(op)?.and_then(|count| Some(first_arguments(op).get(..count)?.to_vec())))
    }

    /// Where each dimension begins, what it stays below, or how far it goes from one execution to the next (`getLoopLowerBounds`,
    /// `getLoopUpperBounds`, `getLoopSteps`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn bounds(&self, _op: OpRef<'_>, _which: LoopBound) -> Result<Option<Vec<Mixed>>> {
        Ok(None)
    }

    /// Which of the operation's operands are the initial values (`getInits`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn initial_operands(&self, _op: OpRef<'_>) -> Result<Range<usize>> {
        Ok(0..0)
    }

    /// The carried values: arguments of the region that is executed first (`getRegionIterArgs`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn carried_values(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        let count = self.dimensions(op)?;
        Ok(count.and_then(|count| first_arguments(op).get(count..)).unwrap_or_default().to_vec())
    }

    /// What yields to the next execution, and which of its operands that does (`getYieldedValues`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn yielded_operands(&self, _op: OpRef<'_>) -> Result<Option<(OpId, Range<usize>)>> {
        Ok(None)
    }

    /// The results that are what the last execution yields (`getLoopResults`). `None` where the results are others, or that is not told.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn loop_results(&self, _op: OpRef<'_>) -> Result<Option<Vec<Value>>> {
        Ok(None)
    }

    /// How often it is executed, where the operation and constants say so (`getStaticTripCount`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn trip_count(&self, _op: OpRef<'_>) -> Result<Option<ApInt>> {
        Ok(None)
    }

    /// Whether a value is defined outside of the loop, and so is the same in every execution (`isDefinedOutsideOfLoop`).
    fn is_outside(&self, op: OpRef<'_>, value: Value) -> bool {
        let body = op.body();
        let around = body.defining_region(value).and_then(|region| body.operation_of(region));
        around.is_none_or(|around| !body.is_inside(around, op.id()))
    }
}

/// The arguments of the first region's first block.
fn first_arguments(op: OpRef<'_>) -> &[Value] {
    let body = op.body();
    let first = body.regions(op.id()).next().and_then(|region| body.first_block(region));
    first.map(|block| body.arguments(block)).unwrap_or_default()
}

/// A loop of which no more is told than which of its regions are executed again and again.
#[derive(Clone, Copy, Debug)]
pub struct LoopRegions(pub &'static [usize]);

impl Loop for LoopRegions {
    fn regions(&self, _: OpRef<'_>) -> Vec<usize> {
        self.0.to_vec()
    }
}
