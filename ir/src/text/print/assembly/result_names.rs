//! The names that operations give their results and arguments.

use crate::error::Result;
use crate::operation::OpRef;

/// Calls `set` with the number of a result and the name that the operation gives it.
pub(super) fn result_names(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let _ = (op, set);
    Ok(())
}

/// Calls `set` with the number of an argument of a region's first block and the name that the operation gives it.
pub(super) fn argument_names(
    op: OpRef<'_>,
    region: usize,
    count: usize,
    set: &mut dyn FnMut(usize, &[u8]),
) -> Result<()> {
    let _ = (op, region, count, set);
    Ok(())
}
