//! Reading bytecode.

// No file may make a reader panic.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]
#![deny(clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic"))]

mod allowance;
mod checkpoints;
mod decode;
mod dialects;
mod entries;
mod file;
mod full;
pub(crate) mod index;
mod ir;
mod kept;
mod lazy;
mod locations;
mod options;
mod place;
mod plans;
mod properties;
mod property_values;
mod reader;
mod resources;
mod sections;
mod shared_blobs;
mod slots;
mod source;
mod strings;
mod symbol_scan;
mod symbols;
mod unknown;
mod use_lists;

pub(crate) use checkpoints::FixedState;
pub(crate) use entries::Entry;
pub use file::BytecodeFile;
pub(crate) use file::Decoded;
pub use full::{decode_all, decode_all_with, detach};
pub use index::Index;
pub(crate) use ir::BodyReader;
pub use options::ReadOptions;
pub(crate) use place::{OperationPlace, take_out};
pub(crate) use property_values::i32_array;
pub use reader::Reader;
pub use source::{read, read_with};
pub use unknown::{UnknownKind, UnknownPart, unknown_parts};
pub(crate) use use_lists::read as read_use_lists;
