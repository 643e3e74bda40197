//! Where in a module its instructions are.

use mlirbc_ir::{BlockId, Error, Module, OpRef, Result};

use crate::dialect::{DIALECT, MODULE};

/// The operation that holds the instructions, and their block; none where it has no block.
pub(crate) fn find(module: &Module) -> Result<(OpRef<'_>, Option<(OpRef<'_>, BlockId)>)> {
    let mut found = None;
    for op in module.operations()? {
        match &*op.name() {
            MODULE => note(&mut found, op)?,
            "builtin.module" => {
                for inner in op.inside()? {
                    match &*inner.name() {
                        MODULE => note(&mut found, inner)?,
                        name => return Err(other(name)),
                    }
                }
            }
            name => return Err(other(name)),
        }
    }
    let op = found.ok_or_else(|| Error::misuse(format!("there is no `{MODULE}` to write as SPIR-V")))?;
    let (_, body, regions) = op.region_tree()?;
    let blocks: Vec<BlockId> = regions.iter().flat_map(|&region| body.blocks(region)).collect();
    match blocks[..] {
        [] => Ok((op, None)),
        [block] => {
            let first = op.inside()?.next();
            Ok((op, first.map(|first| (first, block))))
        }
        _ => Err(Error::verification(format!("`{MODULE}` has {} blocks, not one", blocks.len()))),
    }
}

fn note<'m>(found: &mut Option<OpRef<'m>>, op: OpRef<'m>) -> Result<()> {
    match found.replace(op) {
        None => Ok(()),
        Some(_) => Err(Error::misuse(format!("there is more than one `{MODULE}`: a SPIR-V binary is one"))),
    }
}

fn other(name: &str) -> Error {
    Error::misuse(format!("`{name}` beside or in the place of `{MODULE}` has no place in a SPIR-V binary"))
}

/// Whether a module holds a `spirv_binary.module`.
///
/// # Errors
/// Where the module's own operations cannot be read.
pub fn has_module(module: &Module) -> Result<bool> {
    for op in module.operations()? {
        if op.name() == MODULE {
            return Ok(true);
        }
        if op.name() == "builtin.module" {
            for inner in op.inside()? {
                if inner.name().starts_with(DIALECT) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
