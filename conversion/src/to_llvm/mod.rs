//! What conversions into the dialect `llvm` share (`mlir/lib/Conversion/LLVMCommon`).
//!
//! | file | what |
//! | --- | --- |
//! | `options.rs` | what a conversion is told |
//! | `types.rs`, `layouts.rs` | [`LlvmTypeConverter`]: what types become, memory among them |
//! | `signatures.rs` | what types of functions become |
//! | `emit.rs` | operations of `llvm` |
//! | `descriptors.rs` | memory as a value: pointers, an offset, sizes and strides |
//! | `unranked.rs` | the same of memory whose rank is not known |
//! | `memory.rs` | how large memory is, and where its elements stand |
//! | `folded.rs` | what MLIR folds meanwhile, and leaves as it is |
//! | `declarations.rs` | functions and variables that what is converted asks the module for |
//! | `patterns.rs`, `pass.rs` | patterns with one type converter, and passes of them |

pub(crate) mod declarations;
pub(crate) mod descriptors;
pub(crate) mod emit;
mod folded;
pub(crate) mod layouts;
pub(crate) mod memory;
mod options;
pub(crate) mod pass;
pub(crate) mod patterns;
pub(crate) mod signatures;
mod types;
pub(crate) mod unranked;

pub use options::LlvmOptions;
pub(crate) use options::index_bits;
pub(crate) use options::{BARE_POINTERS, INDEX_BITS};
pub use patterns::LlvmPatterns;
pub use types::LlvmTypeConverter;
