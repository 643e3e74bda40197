//! Which operations use nothing from outside of their regions (MLIR's `IRNumbering.cpp`).

use mlirbc_ir::{Body, Error, IsolationMark, OpId, RegionId, Result};

/// By operation: whether nothing inside its regions, in this body, uses a value from outside of them.
///
/// # Errors
/// Where an operand is no value of a region around its operation: what reads the file would take it for another one.
pub(crate) fn isolated(body: &Body) -> Result<Vec<bool>> {
    let mut depths = vec![0u32; body.region_count()];
    let ops: Vec<OpId> = body.preorder().collect();
    let region_of = |op: OpId| body.block_of(op).and_then(|block| body.region_of(block));
    // The regions around an operation, by depth.
    let mut around: Vec<Option<RegionId>> = Vec::new();
    for &op in &ops {
        let region = region_of(op);
        let depth = region.map_or(0, |region| depths[region.index()]);
        for region in body.regions(op) {
            depths[region.index()] = depth + 1;
        }
        around.truncate(depth as usize);
        around.resize(depth as usize + 1, region);
        let in_scope = |region: RegionId| around.get(depths[region.index()] as usize) == Some(&Some(region));
        if !body.operands(op).iter().all(|&value| body.defining_region(value).is_some_and(in_scope)) {
            return Err(Error::verification("an operand that nothing in scope defines"));
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
    Ok(isolated)
}

/// Whether the file's marks of this body still hold, and every operation with regions has one.
pub(crate) fn marks_hold(body: &Body) -> bool {
    !body.is_edited()
        && body.preorder().all(|op| body.regions(op).len() == 0 || body.isolation_mark(op) != IsolationMark::Unknown)
}
