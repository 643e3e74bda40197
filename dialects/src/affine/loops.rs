//! What the loops of `affine` are asked.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::affine::AffineExpression;
use mlirbc_ir::interfaces::{Loop, LoopBound, LoopRegions, Mixed, Speculatable};
use mlirbc_ir::{AttributeData, Dialect, OpId, OpRef, Result};

use crate::common::regions::end_of;
use crate::common::speculation::StepOfOne;

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn Loop>("for", Arc::new(For))
        .interface::<dyn Loop>("parallel", Arc::new(LoopRegions(&[0])))
        .interface::<dyn Speculatable>("for", Arc::new(StepOfOne))
}

/// Goes from one affine bound to another.
pub(super) struct For;

impl Loop for For {
    fn dimensions(&self, _: OpRef<'_>) -> Result<Option<usize>> {
        Ok(Some(1))
    }

    fn bounds(&self, op: OpRef<'_>, which: LoopBound) -> Result<Option<Vec<Mixed>>> {
        let context = op.module().context();
        let name = match which {
            LoopBound::Lower => "lowerBoundMap",
            LoopBound::Upper => "upperBoundMap",
            LoopBound::Step => "step",
        };
        let Some(bound) = op.attribute(name)? else { return Ok(None) };
        let number = match &context[bound] {
            AttributeData::AffineMap(map) => match *map.results {
                [AffineExpression::Constant(number)] => Some(number),
                _ => None,
            },
            _ => context.integer_of(bound).and_then(|step| step.to_i64()),
        };
        Ok(number.map(|number| vec![Mixed::Number(number)]))
    }

    fn initial_operands(&self, op: OpRef<'_>) -> Result<Range<usize>> {
        Ok(op.operand_ranges()?.into_iter().nth(2).unwrap_or_default())
    }

    fn yielded_operands(&self, op: OpRef<'_>) -> Result<Option<(OpId, Range<usize>)>> {
        let end = end_of(op, 0).filter(|end| end.is("affine.yield"));
        Ok(end.map(|end| (end.id(), 0..end.operands().len())))
    }
}
