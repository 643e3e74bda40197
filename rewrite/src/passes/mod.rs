//! The passes that come with this crate, by MLIR's names.

mod canonicalize;
mod cse;
mod inline;
mod print_op_stats;
mod reconcile_casts;
mod sccp;
mod strip_debuginfo;
mod symbol_dce;
mod symbol_privatize;

pub use canonicalize::Canonicalize;
pub use cse::Cse;
pub use inline::Inline;
pub use print_op_stats::PrintOpStats;
pub use reconcile_casts::ReconcileUnrealizedCasts;
pub use sccp::Sccp;
pub use strip_debuginfo::StripDebuginfo;
pub use symbol_dce::SymbolDce;
pub use symbol_privatize::SymbolPrivatize;

use crate::registry::Registry;

/// All of them.
pub fn registry() -> Registry {
    let all = [
        canonicalize::INFO,
        cse::INFO,
        inline::INFO,
        print_op_stats::INFO,
        reconcile_casts::INFO,
        sccp::INFO,
        strip_debuginfo::INFO,
        symbol_dce::INFO,
        symbol_privatize::INFO,
    ];
    all.into_iter().fold(Registry::new(), Registry::pass)
}
