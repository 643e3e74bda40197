//! The passes of single dialects, by MLIR's names.

use mlirbc_rewrite::Registry;

/// A registry with these passes, beside those that are in it.
///
/// | pass | what it does |
/// | --- | --- |
/// | `gpu-kernel-outlining` | moves what is in a `gpu.launch` into a kernel |
/// | `gpu-launch-sink-index-computations` | copies constants and sizes that a `gpu.launch` uses into it |
///
/// ```
/// let registry = mlirbc_dialects::passes::add_to(Default::default());
/// assert!(registry.get("gpu-kernel-outlining").is_some());
/// ```
pub fn add_to(registry: Registry) -> Registry {
    [crate::gpu::outlining::INFO, crate::gpu::sinking::INFO].into_iter().fold(registry, Registry::pass)
}
