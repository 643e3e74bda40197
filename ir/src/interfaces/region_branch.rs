//! Control flow between regions (`mlir/Interfaces/ControlFlowInterfaces.td`, `RegionBranchOpInterface`).

use std::ops::Range;

use crate::attribute::Attribute;
use crate::body::{OpId, Value};
use crate::context::{CachedFact, Context};
use crate::error::Result;
use crate::module::OpRef;
use crate::ods::Traits;
use crate::types::Type;

/// Where control may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionSuccessor {
    /// The number of the region that is entered. `None` behind the operation.
    pub region: Option<usize>,
    /// What gets a value on the way there: arguments of the region's first block, or results of the operation.
    pub inputs: Vec<Value>,
}

/// Decides which of its regions are executed, in which order, and what they are handed.
pub trait RegionBranch: Send + Sync {
    /// Where control may go on from the end of the region of that number, or from the operation itself where there is none.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>>;

    /// Where control may go on from the operation itself where these operands are constants. What [`RegionBranch::successors`] gives,
    /// unless it says so.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn entry_successors(&self, op: OpRef<'_>, _constants: &[Option<Attribute>]) -> Result<Vec<RegionSuccessor>> {
        self.successors(op, None)
    }

    /// Which of the operation's own operands are handed over where control goes on from it. None, unless it says so.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn entry_operands(&self, _op: OpRef<'_>, _to: &RegionSuccessor) -> Result<Range<usize>> {
        Ok(0..0)
    }

    /// Whether values of one type may be handed over where those of another are taken. Those of the same type alone, unless it says so
    /// (`areTypesCompatible`).
    fn takes(&self, _context: &Context, handed: Type, taken: Type) -> bool {
        handed == taken
    }
}

/// Ends a region of a [`RegionBranch`], and hands over less than all its operands.
pub trait RegionTerminator: Send + Sync {
    /// Which of its operands are handed over.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn forwarded(&self, op: OpRef<'_>, to: &RegionSuccessor) -> Result<Range<usize>>;

    /// Whether control may go on to the region of that number, or behind the operation, where these operands are constants. It may,
    /// unless it says so.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn may_go_to(&self, _op: OpRef<'_>, _to: Option<usize>, _constants: &[Option<Attribute>]) -> Result<bool> {
        Ok(true)
    }
}

/// One way that control may take between the regions of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionEdge {
    /// What hands over values: the operation itself, or what ends a block of one of its regions.
    pub from: OpId,
    /// Which of its operands these are.
    pub operands: Range<usize>,
    /// Where they go.
    pub to: RegionSuccessor,
}

/// All ways that control may take between the regions of an operation: first those from itself, then those from its regions. Asks
/// [`RegionBranch`], and of what ends a block [`RegionTerminator`], or else whether its definition says that it hands over all its
/// operands ([`Traits::RETURN_LIKE`]). `None` where the ways are not known, or do not hand over as much as is taken.
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn region_edges(op: OpRef<'_>) -> Result<Option<Vec<RegionEdge>>> {
    let Some(branch) = op.kept_interface::<dyn RegionBranch>(CachedFact::RegionBranch) else { return Ok(None) };
    let edges = edges(op, &**branch)?;
    let fits = edges.iter().all(|edge| {
        edge.operands.len() == edge.to.inputs.len() && edge.operands.end <= op.body().operands(edge.from).len()
    });
    Ok(fits.then_some(edges))
}

/// The same, also where too much or too little is handed over.
pub(crate) fn edges(op: OpRef<'_>, branch: &dyn RegionBranch) -> Result<Vec<RegionEdge>> {
    let mut edges = Vec::new();
    for to in branch.successors(op, None)? {
        edges.push(RegionEdge { from: op.id(), operands: branch.entry_operands(op, &to)?, to });
    }
    for (number, region) in op.body().regions(op.id()).enumerate() {
        let ends = op.body().blocks(region).filter_map(|block| op.body().last_operation(block));
        for end in ends.map(|end| op.at(end)) {
            let terminator = end.kept_interface::<dyn RegionTerminator>(CachedFact::RegionTerminator);
            if terminator.is_none() && !end.has_trait(Traits::RETURN_LIKE) {
                continue;
            }
            for to in branch.successors(op, Some(number))? {
                let operands = match &terminator {
                    Some(terminator) => terminator.forwarded(end, &to)?,
                    None => 0..end.operands().len(),
                };
                edges.push(RegionEdge { from: end.id(), operands, to });
            }
        }
    }
    Ok(edges)
}
