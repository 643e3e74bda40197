//! Kinds of regions (`mlir/IR/RegionKindInterface.td`).

use crate::context::CachedFact;
use crate::module::OpRef;

/// Tells regions that are graphs from those in which a definition comes before its uses.
pub trait RegionKind: Send + Sync {
    /// Whether the operation's region of that number is a graph, where it has one block.
    fn is_graph(&self, op: OpRef<'_>, region: usize) -> bool;
}

/// Whether a region of the operation is a graph where it has one block: definitions need not come before their uses. Asks
/// [`RegionKind`], then the definition. A region of an operation without a definition may be one.
pub fn is_graph_region(op: OpRef<'_>, region: usize) -> bool {
    match op.kept_interface::<dyn RegionKind>(CachedFact::RegionKind) {
        Some(kind) => kind.is_graph(op, region),
        None => op.definition().is_none_or(|definition| definition.has_graph_regions()),
    }
}
