//! Where control goes between the regions of operations, in the ways that several dialects share.

use std::ops::Range;

use mlirbc_ir::interfaces::{RegionBranch, RegionSuccessor, RegionTerminator};
use mlirbc_ir::{Attribute, AttributeData, OpRef, Result};

use super::regions::arguments_of;

/// Behind the operation, with its results.
pub(crate) fn behind(op: OpRef<'_>) -> RegionSuccessor {
    RegionSuccessor { region: None, inputs: op.results().collect() }
}

/// Behind the operation, of whose results nothing is told.
pub(crate) fn behind_untold() -> RegionSuccessor {
    RegionSuccessor { region: None, inputs: Vec::new() }
}

/// Into a region, with the arguments of its first block but the first `own` ones.
pub(crate) fn into(op: OpRef<'_>, number: usize, own: usize) -> RegionSuccessor {
    RegionSuccessor { region: Some(number), inputs: arguments_of(op, number).get(own..).unwrap_or_default().to_vec() }
}

/// The one of that number, or all where it is not known.
pub(crate) fn only(all: Vec<RegionSuccessor>, taken: Option<usize>) -> Vec<RegionSuccessor> {
    match taken.and_then(|taken| all.get(taken)) {
        Some(taken) => vec![taken.clone()],
        None => all,
    }
}

/// Whether the first operand is true, where it is a constant.
pub(crate) fn truth(op: OpRef<'_>, constants: &[Option<Attribute>]) -> Option<bool> {
    let condition = op.module().context().integer_of(constants.first().copied().flatten()?)?;
    Some(condition.to_u64()? != 0)
}

/// Executes one of its regions, or none where that is empty. The regions take nothing from the operation.
pub(crate) struct Once;

impl RegionBranch for Once {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        if from.is_some() {
            return Ok(vec![behind(op)]);
        }
        let regions = op.body().regions(op.id()).enumerate();
        let is_empty = |region| op.body().first_block(region).is_none();
        let to = |number| RegionSuccessor { region: Some(number), inputs: Vec::new() };
        Ok(regions.map(|(number, region)| if is_empty(region) { behind(op) } else { to(number) }).collect())
    }
}

/// Executes its first region where the condition is true, and else its second one.
pub(crate) struct If;

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
pub(crate) struct Switch;

impl RegionBranch for Switch {
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

/// Executes its region any number of times, perhaps none, in any order: what it takes is its own, and so are the results.
pub(crate) struct ManyTimes;

impl RegionBranch for ManyTimes {
    fn successors(&self, _: OpRef<'_>, _: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        Ok(vec![RegionSuccessor { region: Some(0), inputs: Vec::new() }, behind_untold()])
    }
}

/// Ends a region, and hands over nothing.
pub(crate) struct HandsOverNothing;

impl RegionTerminator for HandsOverNothing {
    fn forwarded(&self, _: OpRef<'_>, _: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(0..0)
    }
}
