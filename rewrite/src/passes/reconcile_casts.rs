//! `reconcile-unrealized-casts` (`mlir/Conversion/Passes.td`).

use mlirbc_ir::OpId;

use crate::conversion::{CAST, reconcile};
use crate::pass::{LocalPass, LocalRun, Pass};
use crate::registry::{MakePass, PassInfo};

/// Erases casts that cancel each other, and those that are not used.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReconcileUnrealizedCasts;

pub(super) const INFO: PassInfo = PassInfo {
    name: "reconcile-unrealized-casts",
    about: "erase casts between types that cancel each other or that are not used",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(ReconcileUnrealizedCasts))),
};

impl Pass for ReconcileUnrealizedCasts {
    fn name(&self) -> &str {
        INFO.name
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for ReconcileUnrealizedCasts {
    fn start(&self) -> LocalRun<'_> {
        Box::new(|rw, _| {
            let name = rw.module().name(CAST);
            let casts: Vec<OpId> = rw.body().preorder().filter(|&op| rw.body().name(op) == name).collect();
            match casts.is_empty() {
                true => Ok(()),
                false => reconcile(rw, &casts).map(|_| ()),
            }
        })
    }
}
