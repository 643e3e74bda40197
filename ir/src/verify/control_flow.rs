//! What goes from region to region (`verifyRegionBranchOpInterface` in `mlir/Interfaces/ControlFlowInterfaces.cpp`).

use super::checker::Checker;
use crate::context::CachedFact;
use crate::error::{Error, Result};
use crate::interfaces::RegionBranch;
use crate::interfaces::region_branch::edges;
use crate::module::OpRef;

/// What is handed over on each way between the regions of an operation is as much as is taken, and of these types.
pub(super) fn region_edges(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let kept = checker.context.kept_interface::<dyn RegionBranch>(op.operation_name(), CachedFact::RegionBranch);
    let Some(branch) = kept else { return Ok(()) };
    for edge in edges(op, &**branch)? {
        let handed = op.body().operands(edge.from).get(edge.operands.clone()).unwrap_or_default();
        let of = |what: String| {
            let from = op.at(edge.from).name().into_owned();
            let to = match edge.to.region {
                Some(region) => format!("region {region}"),
                None => "what is behind it".to_owned(),
            };
            Error::verification(format!("what `{from}` hands to {to} is not what that takes: {what}"))
        };
        if handed.len() != edge.to.inputs.len() {
            let count = |count| Error::counted(count, "value");
            return Err(of(format!("{} where there must be {}", count(handed.len()), edge.to.inputs.len())));
        }
        for (number, (&handed, &taken)) in handed.iter().zip(&edge.to.inputs).enumerate() {
            let (handed, taken) = (op.type_of(handed)?, op.type_of(taken)?);
            if checker.same_type(handed, taken) == Some(false) && !branch.takes(checker.context, handed, taken) {
                let shown = |ty| checker.context.show(ty).to_string();
                return Err(of(format!("value {number} is of type {}, and not {}", shown(handed), shown(taken))));
            }
        }
    }
    Ok(())
}
