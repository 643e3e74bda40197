//! `acc`: OpenACC.

mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::branches::{HandsOverNothing, Once, behind};
use mlirbc_ir::interfaces::{Loop, LoopRegions, RegionBranch, RegionSuccessor, RegionTerminator};
use mlirbc_ir::{Dialect, OpRef, Result};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const ONCE: [&str; 6] = ["data", "host_data", "kernel_environment", "kernels", "parallel", "serial"];
    let dialect = defined!("acc")
        .interface::<dyn Loop>("loop", Arc::new(LoopRegions(&[0])))
        .interface::<dyn RegionBranch>("loop", Arc::new(Repeats))
        .interface::<dyn RegionTerminator>("terminator", Arc::new(HandsOverNothing));
    ONCE.iter().fold(dialect, |dialect, name| dialect.interface::<dyn RegionBranch>(name, Arc::new(Once)))
}

/// Executes its region any number of times, but once where that has a graph of blocks in which it does so.
struct Repeats;

impl RegionBranch for Repeats {
    fn successors(&self, op: OpRef<'_>, from: Option<usize>) -> Result<Vec<RegionSuccessor>> {
        if op.attribute("unstructured")?.is_some() {
            return Once.successors(op, from);
        }
        Ok(vec![RegionSuccessor { region: Some(0), inputs: Vec::new() }, behind(op)])
    }
}
