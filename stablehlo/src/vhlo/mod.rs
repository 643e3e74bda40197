//! `vhlo`: the frozen form of StableHLO that portable artifacts hold.

use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "vhlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
}
