//! Which operations have a printer of their own, since their definition says only that.

use super::Hand;
use super::function;

/// The printer of the operation of that name.
pub(super) fn find(name: &str) -> Option<Hand> {
    Some(match name {
        "func.func" => function::func,
        _ => return None,
    })
}
