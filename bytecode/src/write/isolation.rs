//! Which operations use nothing from outside of their regions (fact sheet, section 8.4).

use mlirbc_ir::{Body, IsolationMark, OpId};

/// By operation: whether nothing inside its regions, in this body, uses a value from outside of them.
pub(crate) fn isolated(body: &Body) -> Vec<bool> {
    let mut depths = vec![0u32; body.region_count()];
    let ops: Vec<OpId> = body.preorder().collect();
    let region_of = |op: OpId| body.block_of(op).and_then(|block| body.region_of(block));
    for &op in &ops {
        let depth = region_of(op).map_or(0, |region| depths[region.index()]) + 1;
        for region in body.regions(op) {
            depths[region.index()] = depth;
        }
    }
    // By operation: the least depth of a region that defines what something inside it uses.
    let mut least = vec![u32::MAX; body.operation_count()];
    let mut isolated = vec![true; body.operation_count()];
    for &op in ops.iter().rev() {
        let region = region_of(op);
        let depth = region.map_or(0, |region| depths[region.index()]);
        let inside = least[op.index()];
        isolated[op.index()] = inside > depth;
        let used = body.operands(op).iter().filter_map(|&value| body.defining_region(value));
        let own = used.map(|region| depths[region.index()]).min().unwrap_or(u32::MAX);
        if let Some(parent) = region.and_then(|region| body.operation_of(region)) {
            let least = &mut least[parent.index()];
            *least = (*least).min(inside).min(own);
        }
    }
    isolated
}

/// Whether the file's marks of this body still hold, and every operation with regions has one.
pub(crate) fn marks_hold(body: &Body) -> bool {
    !body.is_edited()
        && body.preorder().all(|op| body.regions(op).len() == 0 || body.isolation_mark(op) != IsolationMark::Unknown)
}
