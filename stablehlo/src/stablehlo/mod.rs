//! `stablehlo`: the operations that JAX and others export.

use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "stablehlo";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
}
