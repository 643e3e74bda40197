//! Labels of successors.

use mlirbc_ir::text::push_decimal;
use mlirbc_ir::{BlockId, Body, OpId};

/// The label of a successor, which `number` counts in its region. One in another region than the operation's has none that would
/// not read back as a block of this one.
pub(super) fn push_successor(out: &mut Vec<u8>, body: &Body, op: OpId, block: BlockId, number: u32) {
    if body.block_of(op).is_some_and(|own| body.region_of(own) == body.region_of(block)) {
        out.extend_from_slice(b"^bb");
        push_decimal(out, number.into());
    } else {
        out.extend_from_slice(b"^INVALIDBLOCK");
    }
}
