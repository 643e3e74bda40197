//! Branches (`mlir/Interfaces/ControlFlowInterfaces.td`, `BranchOpInterface`).

use std::ops::Range;

use crate::attribute::Attribute;
use crate::context::CachedFact;
use crate::error::{ErrorKind, Result};
use crate::module::{OpRef, segment_sizes};
use crate::ods::{Multiplicity, OpDef};

/// The interface's name in definitions.
const NAME: &str = "BranchOpInterface";

/// What a branch hands to the arguments of a successor: first what it makes itself, then operands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuccessorOperands {
    /// How many of the block's first arguments the branch makes itself, such as the result of what it calls.
    pub produced: usize,
    /// Which of the operation's operands the other arguments are.
    pub forwarded: Range<usize>,
    /// Which group of the definition these are: the one that grows with them. None where the definition does not divide operands so.
    pub group: Option<OperandGroup>,
}

/// A group of an operation's operands, by its definition. They sort as they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperandGroup {
    /// The number of the definition's operand.
    pub operand: usize,
    /// Where that one is a list of groups, the number of the one that is meant.
    pub part: Option<usize>,
}

/// Ends a block and goes on with one of its successors.
pub trait Branch: Send + Sync {
    /// What each successor gets, `None` where that is not known. Unless it says so, that is what the definition says.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn successor_operands(&self, op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
        defined_operands(op)
    }

    /// The number of the successor that it goes on with where these operands are constants. `None` where that may be any, as it is
    /// unless it says so.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn successor_for(&self, _op: OpRef<'_>, _constants: &[Option<Attribute>]) -> Result<Option<usize>> {
        Ok(None)
    }
}

/// Of a branch whose definition has groups of operands beside those for its successors: the names of these groups, by successor.
#[derive(Clone, Copy, Debug)]
pub struct NamedGroups(pub &'static [&'static str]);

impl Branch for NamedGroups {
    fn successor_operands(&self, op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
        let count = op.body().successors(op.id()).len();
        let (Some(definition), Some(ranges)) = (op.definition(), ranges_of(op)?) else { return Ok(vec![None; count]) };
        let group_of = |name: &str| {
            let operand = definition.operands().iter().position(|operand| operand.name == name)?;
            let group = Some(OperandGroup { operand, part: None });
            Some(SuccessorOperands { produced: 0, forwarded: ranges.get(operand)?.clone(), group })
        };
        Ok((0..count).map(|successor| group_of(self.0.get(successor)?)).collect())
    }
}

/// What each successor gets from the operation that branches to it. Asks [`Branch`], then the definition, where it says that the
/// operation is a branch and has as many groups of any number of operands as there are successors. `None` where that is not
/// known.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn all_successor_operands(op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
    match op.kept_interface::<dyn Branch>(CachedFact::Branch) {
        Some(branch) => branch.successor_operands(op),
        None => defined_operands(op),
    }
}

/// What one successor gets: see [`all_successor_operands`], which takes no longer for all of them.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn successor_operands(op: OpRef<'_>, successor: usize) -> Result<Option<SuccessorOperands>> {
    Ok(all_successor_operands(op)?.into_iter().nth(successor).flatten())
}

/// What each successor gets by the definition.
fn defined_operands(op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
    let count = op.body().successors(op.id()).len();
    let definition = op.definition().filter(|definition| definition.implements(NAME));
    let groups = definition.map(|definition| groups(op, definition, count)).transpose()?.flatten();
    Ok(groups.filter(|groups| groups.len() == count).unwrap_or_else(|| vec![None; count]))
}

/// Which operands are which of the definition's. `None` where that cannot be told: what divides them may stand in properties that nothing
/// explains.
fn ranges_of(op: OpRef<'_>) -> Result<Option<Vec<Range<usize>>>> {
    match op.operand_ranges() {
        Err(error) if error.kind() == ErrorKind::Verification => Ok(None),
        ranges => ranges.map(Some),
    }
}

/// The groups of any number of operands, in order: mostly so many. `None` where what divides the operands does not fit them.
fn groups(op: OpRef<'_>, definition: &OpDef, count: usize) -> Result<Option<Vec<Option<SuccessorOperands>>>> {
    let mut groups = Vec::with_capacity(count);
    let mut push = |operand, part, forwarded| {
        let group = Some(OperandGroup { operand, part });
        groups.push(Some(SuccessorOperands { produced: 0, forwarded, group }));
    };
    let mut fit = Ok(true);
    let divided = op.each_operand_range(definition, |number, range| {
        match definition.operands().get(number).map(|operand| &operand.multiplicity) {
            Some(Multiplicity::Variadic) => push(number, None, range),
            Some(Multiplicity::Groups(lengths)) if matches!(fit, Ok(true)) => {
                fit = parts(op, lengths, range, |part, range| push(number, Some(part), range));
            }
            _ => {}
        }
    });
    match divided {
        Err(error) if error.kind() == ErrorKind::Verification => Ok(None),
        Err(error) => Err(error),
        Ok(()) => Ok(fit?.then_some(groups)),
    }
}

/// The parts of a range that the attribute of that name divides. Whether it fits.
fn parts(op: OpRef<'_>, lengths: &str, range: Range<usize>, mut each: impl FnMut(usize, Range<usize>)) -> Result<bool> {
    let Some(lengths) = segment_sizes(op, lengths)? else { return Ok(false) };
    let mut start = range.start;
    for (part, length) in lengths.iter().enumerate() {
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
        let Some(end) = end.filter(|&end| end <= range.end) else { return Ok(false) };
        each(part, start..end);
        start = end;
    }
    Ok(true)
}
