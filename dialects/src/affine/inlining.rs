//! What the dialect says where calls are inlined.

use mlirbc_ir::interfaces::is_memory_effect_free;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{OpRef, Result};
use mlirbc_rewrite::DialectInliner;

/// What is a dimension or a symbol must stay one.
pub(super) struct Affine;

fn is_affine_construct(op: OpRef<'_>) -> bool {
    ["affine.for", "affine.if", "affine.parallel"].iter().any(|name| op.is(name))
}

impl DialectInliner for Affine {
    fn inlines_into(&self, into: OpRef<'_>, callable: OpRef<'_>) -> Result<bool> {
        if !is_affine_construct(into) {
            return Ok(false);
        }
        let (_, body, regions) = callable.region_tree()?;
        if regions.first().is_none_or(|&region| body.blocks(region).count() != 1) {
            return Ok(false);
        }
        // What a symbol of the function is may be none of what is around the call.
        for op in callable.walk()?.skip(1) {
            if op.name().starts_with("affine.") || !is_memory_effect_free(op)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn inlines_operation(&self, _: OpRef<'_>, into: OpRef<'_>) -> Result<bool> {
        Ok(into.has_trait(Traits::AFFINE_SCOPE) || is_affine_construct(into))
    }
}
