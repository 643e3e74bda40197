//! Where control goes in operations of `scf`, and what it takes along.

use std::ops::Range;
use std::sync::Arc;

use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor, RegionTerminator};
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpRef, Result};

use crate::common::regions::arguments_of;

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .interface::<dyn RegionBranch>("if", Arc::new(If))
        .interface::<dyn RegionBranch>("index_switch", Arc::new(IndexSwitch))
        .interface::<dyn RegionBranch>("execute_region", Arc::new(Once))
        .interface::<dyn RegionBranch>("for", Arc::new(For))
        .interface::<dyn RegionBranch>("while", Arc::new(While))
        .interface::<dyn RegionTerminator>("condition", Arc::new(Condition))
}

/// Behind the operation, with its results.
fn behind(op: OpRef<'_>) -> RegionSuccessor {
    RegionSuccessor { region: None, inputs: op.results().collect() }
}

/// Into a region, with the arguments of its first block but the first `own` ones.
fn into(op: OpRef<'_>, number: usize, own: usize) -> RegionSuccessor {
    RegionSuccessor { region: Some(number), inputs: arguments_of(op, number).get(own..).unwrap_or_default().to_vec() }
}

/// Executes one of its regions, which take nothing, or none where that is empty.
struct Once;

impl RegionBranch for Once {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        if from.is_some() {
            return Ok(vec![behind(op)]);
        }
        let regions = op.body().regions(op.id()).enumerate();
        let is_empty = |region| op.body().first_block(region).is_none();
        let to = |(number, region)| if is_empty(region) { behind(op) } else { into(op, number, 0) };
        Ok(regions.map(to).collect())
    }
}

/// Executes its first region where the condition is true.
struct If;

impl RegionBranch for If {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Once.successors(op, from)
    }

    fn entry_successors(&self, op: OpRef<'_>, constants: &[Option<Attribute>]) -> Result<Vec<RegionSuccessor>> {
        let all = Once.successors(op, None)?;
        let taken = truth(op, constants).map(|truth| usize::from(!truth));
        Ok(only(all, taken))
    }
}

/// Executes the region of the case that its operand is, or the first one.
struct IndexSwitch;

impl RegionBranch for IndexSwitch {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Once.successors(op, from)
    }

    fn entry_successors(&self, op: OpRef<'_>, constants: &[Option<Attribute>]) -> Result<Vec<RegionSuccessor>> {
        let all = Once.successors(op, None)?;
        let context = op.module().context();
        let value = constants.first().copied().flatten().and_then(|constant| context.integer_of(constant)?.to_i64());
        let cases = op.attribute("cases")?.map(|cases| &context[cases]);
        let (Some(value), Some(AttributeData::DenseArray { data, .. })) = (value, cases) else { return Ok(all) };
        let (cases, _) = data.as_chunks::<8>();
        let taken = cases.iter().position(|case| i64::from_le_bytes(*case) == value);
        Ok(only(all, Some(taken.map_or(0, |case| case + 1))))
    }
}

/// The one of that number, or all where it is not known.
fn only(all: Vec<RegionSuccessor>, taken: Option<usize>) -> Vec<RegionSuccessor> {
    match taken.and_then(|taken| all.get(taken)) {
        Some(taken) => vec![taken.clone()],
        None => all,
    }
}

/// Whether the first operand is true, where it is a constant.
fn truth(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<bool> {
    let condition = op.module().context().integer_of(constants.first().copied().flatten()?)?;
    Some(condition.to_u64()? != 0)
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
