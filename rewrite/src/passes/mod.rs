//! The passes that come with this crate, by MLIR's names.

mod print_op_stats;
mod strip_debuginfo;

pub use print_op_stats::PrintOpStats;
pub use strip_debuginfo::StripDebuginfo;

use crate::registry::Registry;

/// All of them.
pub fn registry() -> Registry {
    [print_op_stats::INFO, strip_debuginfo::INFO].into_iter().fold(Registry::new(), Registry::pass)
}
