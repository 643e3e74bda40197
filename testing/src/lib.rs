//! What the tests and benchmarks of the workspace share.
#![forbid(unsafe_code)]

mod bodies;
mod context;
mod definitions;
mod enumerations;
mod generate;
mod inputs;
mod numbers;
mod peer;

pub use bodies::{append, blocks, of_any, values};
pub use context::{context, for_mlir_opt};
pub use definitions::definitions;
pub use enumerations::enumerations;
pub use generate::{Shape, generate, sizes};
pub use inputs::{BLESS, corpus, env_number, fixture, fixtures, iree_opt, is_whole, shared, skipped, times, tool};
pub use numbers::Numbers;
pub use peer::{PEER, peer_passes};
