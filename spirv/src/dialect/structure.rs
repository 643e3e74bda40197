//! Which blocks structured control flow consists of, whether or not something leads to them.

use mlirbc_ir::{BlockId, Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectRewrite, KeptBlocks};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.keep_blocks("mlir.loop", keep).keep_blocks("mlir.selection", keep)
}

/// In modules that come from binaries, since they may go back to such: the last block of a construct, which all that leaves it comes to,
/// and the one before the last of a loop, which goes back to its header, with what the header is given at first, since that is there. Of
/// others MLIR lets blocks go, and refuses the construct.
fn keep(op: OpRef<'_>) -> Result<Option<KeptBlocks>> {
    if !comes_from_binary(op)? {
        return Ok(None);
    }
    let body = op.body();
    let mut kept = Vec::new();
    let Some(region) = body.regions(op.id()).next() else { return Ok(Some(kept)) };
    let (Some(first), Some(last)) = (body.first_block(region), body.last_block(region)) else { return Ok(Some(kept)) };
    let is_plain = |block: BlockId| body.arguments(block).is_empty();
    if let Some(end) = body.last_operation(last).filter(|end| is_plain(last) && body.operands(*end).is_empty()) {
        kept.extend(Some((last, body.operands(end).to_vec())));
    }
    let before = body.previous_block(last).filter(|&block| block != first && is_plain(block));
    if let (true, Some(block), Some(way)) = (op.is("spirv.mlir.loop"), before, body.last_operation(first))
        && let Some(end) = body.last_operation(block)
        && body.name(end) == body.name(way)
        && body.successors(end) == body.successors(way)
        && matches!(body.successors(way), [header] if Some(*header) == body.next_block(first))
    {
        kept.push((block, body.operands(way).to_vec()));
    }
    Ok(Some(kept))
}

/// Whether the module around an operation says what only a binary says.
fn comes_from_binary(op: OpRef<'_>) -> Result<bool> {
    let context = op.module().context();
    let mut around = op.parent_op()?;
    while let Some(op) = around {
        if op.is("spirv.module") {
            return Ok(op.attributes()?.iter().any(|(name, _)| context.bytes(*name).starts_with(b"spirv_binary.")));
        }
        around = op.parent_op()?;
    }
    Ok(false)
}
