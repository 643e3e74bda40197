//! Where in a module its instructions are.

use mlirbc_ir::{BlockId, Error, Module, OpRef, Result};

use crate::binary::dialect::MODULE;

/// The operation that holds the instructions, and their block; none where it has no block or nothing is in it.
pub(crate) fn find(module: &Module) -> Result<(OpRef<'_>, Option<(OpRef<'_>, BlockId)>)> {
    let mut found = None;
    for op in module.operations()? {
        match text(op) {
            OUTER => {
                for inner in op.inside()? {
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
        (Some(block), None) => Ok((op, op.inside()?.next().map(|first| (first, block)))),
        _ => Err(Error::verification(format!("`{MODULE}` has more than one block"))),
    }
}

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
    for op in module.operations()? {
        let is = |op: OpRef<'_>| text(op) == MODULE.as_bytes();
        if is(op) || text(op) == OUTER && op.inside()?.any(is) {
            return Ok(true);
        }
    }
    Ok(false)
}
