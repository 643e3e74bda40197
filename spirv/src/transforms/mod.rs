//! The dialect's own passes (`mlir/Dialect/SPIRV/Transforms`), a file each.
//!
//! | file | pass | type |
//! | --- | --- | --- |
//! | `update_vce.rs` | `spirv-update-vce` | [`UpdateVce`] |

mod update_vce;

use mlirbc_rewrite::Registry;

pub use update_vce::UpdateVce;

/// The operation that the passes of one module run on.
const MODULE: &str = "spirv.module";

/// A registry with these passes, beside those that are in it.
pub fn add_to(registry: Registry) -> Registry {
    let all = [update_vce::INFO];
    all.into_iter().fold(registry, Registry::pass)
}
