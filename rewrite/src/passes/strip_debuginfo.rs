//! `strip-debuginfo` (`mlir/Transforms/Passes.td`).

use mlirbc_ir::Result;

use crate::pass::{Pass, Target};
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

    fn looks_inside_only(&self) -> bool {
        true
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (body, op) = target.place();
        target.module().strip_locations_of(body, op)
    }
}
