//! What the loops of `affine` are asked.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::affine::AffineExpression;
use mlirbc_ir::interfaces::{Loop, LoopRegions, Mixed};
use mlirbc_ir::{AttributeData, Dialect, OpId, OpRef, Result, Value};

use crate::common::regions::{arguments_of, end_of};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.interface::<dyn Loop>("for", Arc::new(For)).interface::<dyn Loop>("parallel", Arc::new(LoopRegions(&[0])))
}

/// Goes from one affine bound to another.
struct For;

/// The bound where it is a number.
fn bound(op: OpRef<'_>, map: &str) -> Result<Option<Vec<Mixed>>> {
    let map = op.attribute(map)?.map(|map| &op.module().context()[map]);
    let Some(AttributeData::AffineMap(map)) = map else { return Ok(None) };
    Ok(match *map.results {
        [AffineExpression::Constant(number)] => Some(vec![Mixed::Number(number)]),
        _ => None,
    })
}

impl Loop for For {
    fn regions(&self, _: OpRef<'_>) -> Vec<usize> {
        vec![0]
    }

    fn induction_variables(&self, op: OpRef<'_>) -> Result<Option<Vec<Value>>> {
        Ok(arguments_of(op, 0).first().map(|&variable| vec![variable]))
    }

    fn lower_bounds(&self, op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
        bound(op, "lowerBoundMap")
    }

    fn upper_bounds(&self, op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
        bound(op, "upperBoundMap")
    }

    fn steps(&self, op: OpRef<'_>) -> Result<Option<Vec<Mixed>>> {
        let step = op.attribute("step")?.and_then(|step| op.module().context().integer_of(step)?.to_i64());
        Ok(step.map(|step| vec![Mixed::Number(step)]))
    }

    fn initial_operands(&self, op: OpRef<'_>) -> Result<Range<usize>> {
        Ok(op.operand_ranges()?.into_iter().nth(2).unwrap_or_default())
    }

    fn carried_values(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(arguments_of(op, 0).get(1..).unwrap_or_default().to_vec())
    }

    fn yielded_operands(&self, op: OpRef<'_>) -> Result<Option<(OpId, Range<usize>)>> {
        let end = end_of(op, 0).filter(|end| end.is("affine.yield"));
        Ok(end.map(|end| (end.id(), 0..end.operands().len())))
    }
}
