//! What all conversions into the dialect `spirv` share (`mlir/lib/Dialect/SPIRV/Transforms/SPIRVConversion.cpp`).
//!
//! | file | what | type |
//! | --- | --- | --- |
//! | `types.rs` | what types become for a target | [`SpirvTypeConverter`] |
//! | `options.rs` | what may be chosen of that | [`TypeOptions`] |
//! | `target.rs` | which operations a target has | [`SpirvConversionTarget`] |
//! | `patterns.rs` | patterns that share a type converter | [`SpirvPatterns`] |
//! | `pass.rs` | a conversion as a pass | |
//! | `memory.rs` | where elements of memory stand, and how they are accessed | |
//! | `variables.rs` | variables of modules that functions ask for | [`declare_variables`] |
//! | `lacking.rs` | what a target lacks, for messages | |
//! | `emit.rs` | operations that patterns make | |
//! | `index.rs` | where elements stand in memory | |
//!
//! A pass looks for what its operation is compiled for ([`lookup_or_default`](mlirbc_spirv::target::lookup_or_default)). Operations that the
//! target does not have are not made: where one pattern makes such, the next one is tried.

pub(crate) mod emit;
pub(crate) mod index;
mod lacking;
pub(crate) mod memory;
mod options;
pub(crate) mod pass;
mod patterns;
mod target;
pub(crate) mod types;
pub(crate) mod variables;

pub use options::TypeOptions;
pub(crate) use options::{BOOL_BITS, EMULATE_FLOATS, EMULATE_NARROW, WIDE_INDEX};
pub use patterns::SpirvPatterns;
pub(crate) use patterns::elementwise;
pub use target::SpirvConversionTarget;
pub use types::SpirvTypeConverter;
pub use variables::declare_variables;
