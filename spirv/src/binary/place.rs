//! Where in a module its instructions are.

use mlirbc_ir::{BlockId, Body, BodyId, Error, Module, OpId, OpRef, Result};

use super::dialect::source::Source;
use crate::binary::dialect::MODULE;

/// The operation that holds the instructions, and the body and block in which they stand.
pub(crate) type Found<'m> = (OpRef<'m>, Option<(&'m Body, BlockId)>);

/// The operation that holds the instructions, and their block; none where it has no block or nothing is in it.
pub(crate) fn find(module: &Module) -> Result<Found<'_>> {
    if let Some(found) = as_read(module)? {
        return Ok(found);
    }
    let mut found = None;
    for op in module.operations()? {
        match text(op) {
            OUTER => {
                for inner in op.ops()? {
                    note(&mut found, inner)?;
                }
            }
            _ => note(&mut found, op)?,
        }
    }
    let op = found.ok_or_else(|| Error::misuse(format!("there is no `{MODULE}` to write as SPIR-V")))?;
    let (_, body, regions) = op.region_tree()?;
    let mut blocks = regions.iter().flat_map(|&region| body.blocks(region));
    match (blocks.next(), blocks.next()) {
        (None, _) => Ok((op, None)),
        (Some(block), None) => Ok((op, body.first_operation(block).map(|_| (body, block)))),
        _ => Err(Error::verification(format!("`{MODULE}` has more than one block"))),
    }
}

/// The same in a module that was read from a binary, where nothing changed of what stands around the instructions.
fn as_read(module: &Module) -> Result<Option<Found<'_>>> {
    if Source::of(module).is_none() {
        return Ok(None);
    }
    let (outer, inner) = (module.top()?, module.body(BodyId::from_index(OUTER_BODY))?);
    let body = module.body(BodyId::from_index(INSTRUCTIONS_BODY))?;
    let is_one = |body: &Body| !body.is_edited() && body.operation_count() == 1;
    let (true, true, &[region], 1) = (is_one(outer), is_one(inner), body.top_regions(), body.block_count()) else {
        return Ok(None);
    };
    let op = module.operation(BodyId::from_index(OUTER_BODY), OpId::from_index(0))?;
    let block = body.blocks(region).next().filter(|&block| body.first_operation(block).is_some());
    Ok(Some((op, block.map(|block| (body, block)))))
}

/// The bodies of a module that is read: that of the `builtin.module`, and that of the `spirv_binary.module`. What they
/// are in is the first.
pub(super) const OUTER_BODY: usize = 1;
pub(super) const INSTRUCTIONS_BODY: usize = 2;

/// What may stand around it.
const OUTER: &[u8] = b"builtin.module";

fn text(op: OpRef<'_>) -> &[u8] {
    op.module().context().operation_text(op.operation_name())
}

fn note<'m>(found: &mut Option<OpRef<'m>>, op: OpRef<'m>) -> Result<()> {
    if text(op) != MODULE.as_bytes() {
        let name = Error::quoted(text(op));
        return Err(Error::misuse(format!(
            "{name} beside or in the place of `{MODULE}` has no place in a SPIR-V binary"
        )));
    }
    match found.replace(op) {
        None => Ok(()),
        Some(_) => Err(Error::misuse(format!("there is more than one `{MODULE}`: a SPIR-V binary is one"))),
    }
}

/// Whether a module holds a `spirv_binary.module`.
///
/// # Errors
/// Where the module's own operations cannot be read.
pub fn has_module(module: &Module) -> Result<bool> {
    if as_read(module)?.is_some() {
        return Ok(true);
    }
    for op in module.operations()? {
        let is = |op: OpRef<'_>| text(op) == MODULE.as_bytes();
        if is(op) || text(op) == OUTER && op.ops()?.any(is) {
            return Ok(true);
        }
    }
    Ok(false)
}
