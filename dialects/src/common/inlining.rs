//! What dialects say where calls are inlined, as their inliner interfaces in MLIR do.

use mlirbc_ir::interfaces::is_memory_effect_free;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Dialect, OpRef, Result};
use mlirbc_rewrite::{DialectInliner, DialectRewrite, InlineOperations};

/// Dialects of which all operations may be inlined, and no call into their regions.
const OPERATIONS: &[&str] = &[
    "amdgpu",
    "arith",
    "bufferization",
    "cf",
    "complex",
    "gpu",
    "index",
    "math",
    "ml_program",
    "quant",
    "rocdl",
    "ub",
    "vector",
];

/// Dialects of which all operations may be inlined, and calls into their regions.
const REGIONS: &[&str] = &["linalg", "memref", "nvvm", "scf", "shape", "shard", "tensor"];

/// Adds to a dialect what it says; to those that are not among these nothing, so that none of their operations is inlined.
pub(crate) fn attach(dialect: Dialect) -> Dialect {
    match dialect.name() {
        "affine" => dialect.inliner(Affine),
        "func" => dialect.inliner(Func),
        "llvm" => dialect.inliner(Llvm),
        "tosa" => dialect.inliner(Tosa),
        name if OPERATIONS.contains(&name) => dialect.inliner(InlineOperations),
        name if REGIONS.contains(&name) => dialect.inliner(Everything),
        _ => dialect,
    }
}

/// All operations, and all of their regions.
struct Everything;

impl DialectInliner for Everything {
    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}

struct Func;

impl DialectInliner for Func {
    fn inlines_call(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn branch_of(&self, terminator: OpRef<'_>) -> Option<&'static str> {
        terminator.is("func.return").then_some("cf.br")
    }
}

struct Llvm;

impl DialectInliner for Llvm {
    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, op: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(!op.is("llvm.blocktag") && !op.is("llvm.intr.vastart"))
    }
}

struct Tosa;

impl DialectInliner for Tosa {
    fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(into.is("tosa.cond_if") || into.is("tosa.while_loop"))
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}

/// What is a dimension or a symbol must stay one.
struct Affine;

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
