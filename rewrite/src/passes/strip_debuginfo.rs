//! `strip-debuginfo` (`mlir/Transforms/Passes.td`).

use mlirbc_ir::{BlockId, BodyId, Module, OpId, RegionId, Result, Rewriter};

use crate::pass::{LocalPass, LocalRun, Pass};
use crate::registry::{MakePass, PassInfo};

/// Makes the location of every operation and block argument unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct StripDebuginfo;

pub(super) const INFO: PassInfo = PassInfo {
    name: "strip-debuginfo",
    about: "make the location of every operation and block argument unknown",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(StripDebuginfo))),
};

impl Pass for StripDebuginfo {
    fn name(&self) -> &str {
        INFO.name
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for StripDebuginfo {
    fn begin(&self, module: &mut Module, anchors: &[(BodyId, OpId)]) -> Result<()> {
        for inside in anchors.chunk_by(|one, next| one.0 == next.0) {
            let (body, _) = inside[0];
            module.rewrite(body, |rw| inside.iter().try_for_each(|&(_, op)| strip(rw, Some(op))))?;
        }
        Ok(())
    }

    fn start(&self) -> LocalRun<'_> {
        Box::new(|rw, _| strip(rw, None))
    }
}

/// Makes the locations unknown of an operation, or of all, and of what is in it in this body.
fn strip(rw: &mut Rewriter<'_>, op: Option<OpId>) -> Result<()> {
    let unknown = rw.context().unknown_location();
    let (ops, mut regions): (Vec<OpId>, Vec<RegionId>) = match op {
        Some(op) => (rw.body().preorder_of(op).collect(), Vec::new()),
        None => (rw.body().preorder().collect(), rw.body().top_regions().to_vec()),
    };
    for op in ops {
        rw.set_location(op, unknown)?;
        regions.extend(rw.body().regions(op));
    }
    for region in regions {
        let blocks: Vec<BlockId> = rw.body().blocks(region).collect();
        for block in blocks {
            for number in 0..rw.body().arguments(block).len() {
                rw.set_argument_location(block, number, None)?;
            }
        }
    }
    Ok(())
}
