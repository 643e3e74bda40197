//! Loops (`mlir/Interfaces/LoopLikeInterface.td`).

use std::ops::Range;

use super::constants::Mixed;
use crate::body::{OpId, Value};
use crate::error::Result;
use crate::module::OpRef;
use crate::number::ApInt;

/// Executes regions of its own again and again (`LoopLikeOpInterface`).
///
/// A loop may carry values from one execution to the next: it begins with *initial* ones, which are operands; each execution gets
/// *carried* ones, which are arguments of a region, and ends with those that it *yields* to the next one. They are equally many.
///
/// `None` of variables or bounds stands for loops that have no such thing, or where it is not told: `scf.while` has none, and a bound of
/// `affine.for` that is no number is not told.
pub trait Loop: Send + Sync {
    /// The numbers of the regions that are executed again and again (`getLoopRegions`).
    fn regions(&self, op: OpRef<'_>) -> Vec<usize>;

    /// What counts the executions: one value for each dimension (`getLoopInductionVars`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn induction_variables(&self, _op: OpRef<'_>) -> Result<Option<Vec<Value>>> {
        Ok(None)
    }

    /// Where each dimension begins (`getLoopLowerBounds`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn lower_bounds(&self, _op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
        Ok(None)
    }

    /// What each dimension stays below (`getLoopUpperBounds`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn upper_bounds(&self, _op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
        Ok(None)
    }

    /// How far each dimension goes from one execution to the next (`getLoopSteps`).
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn steps(&self, _op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
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
    fn carried_values(&self, _op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(Vec::new())
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

/// A loop of which no more is told than which of its regions are executed again and again.
#[derive(Clone, Copy, Debug)]
pub struct LoopRegions(pub &'static [usize]);

impl Loop for LoopRegions {
    fn regions(&self, _: OpRef<'_>) -> Vec<usize> {
        self.0.to_vec()
    }
}
