//! `chlo`: operations of clients, which those of StableHLO are made of.

use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "chlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
}
