//! The passes of single dialects, by MLIR's names.

use mlirbc_rewrite::Registry;

/// A registry with these passes, beside those that are in it.
///
/// | pass | what it does |
/// | --- | --- |
/// | `gpu-kernel-outlining` | moves what is in a `gpu.launch` into a kernel |
///
/// ```
/// let registry = mlirbc_dialects::passes::add_to(Default::default());
/// assert!(registry.get("gpu-kernel-outlining").is_some());
/// ```
pub fn add_to(registry: Registry) -> Registry {
    [crate::gpu::outlining::INFO].into_iter().fold(registry, Registry::pass)
}
