//! `sdy`: how tensors are split over devices (Shardy).

use mlirbc_ir::{Context, Dialect};

/// The dialect's name.
pub const DIALECT: &str = "sdy";

/// The dialect, to be registered in one context.
pub fn dialect(_: &Context) -> Dialect {
    Dialect::new(DIALECT)
}
