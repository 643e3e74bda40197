//! Compiled MLIR modules kept on disk: shared by many processes, safe against crashes, bounded, loaded lazily.
//!
//! A [`Store`] is one directory. Values are modules in bytecode, or other bytes as they are, found by a [`Key`]: a 256-bit
//! digest of whatever they were compiled from. Getting one takes microseconds: it is looked up in a memory map, checked,
//! and opened where it stands.
//!
//! * Any number of processes read and write at once. Reading takes no lock and no system call.
//! * What a put has acknowledged survives `kill -9`, and the loss of power where [`Durability::Power`] is asked for.
//! * Every byte is checked before it is given out. What is damaged is a miss, and nothing else suffers.
//! * It is bounded; what was used least recently goes.
//! * Equal values of 16 KiB and more are kept once, under however many keys.
//! * A full disk is an error, and no more: what is there stays, and can be removed and evicted.
//!
//! * With the feature `remote`, machines share what they have compiled through an object store (the module `remote`).
//!
//! ```
//! use mlirbc_store::{Key, Options, Store};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path().join("cache");
//! # let compiled = include_bytes!("../../fixtures/arith.mlirbc");
//! let store = Store::open_with(&folder, Options::new().max_bytes(1 << 30))?;
//! let key = Key::builder().part("source", "func.func @f() ...").part("compiler", "1.2").finish();
//! store.put_bytes(&key, compiled, b"")?;
//!
//! let context = mlirbc_dialects::context();
//! let module = store.get(&context, &key)?.ok_or("it was put")?;
//! assert!(module.symbol("f")?.is_some()); // what is read is checked, and no more is read
//! # Ok(())
//! # }
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | get and put modules | [`Store::get`], [`Store::insert`], [`Store::put`] |
//! | get and put bytes of any kind, with a note beside them | [`Store::get_bytes`], [`Store::put_bytes`], [`Value`] |
//! | bound it, share it with other users, survive a loss of power | [`Options`], [`Durability`] |
//! | look into it | [`Store::iter`], [`Store::stats`], [`Store::reset_stats`], [`Verified`] |
//! | make room | [`Store::gc`], [`Store::remove`] |
//! | take entries elsewhere | [`Store::with_layer`], [`Imported`] |
//! | know what stands on the disk | [`layout`], which says why each step of a write may be the last |
//! | test with a disk that fails | [`disk`] |
//!
//! # When not to use it
//!
//! It is a cache: entries go when space is wanted. Several machines must not write to one directory: put it on a local
//! file system.

// No file may make a reader panic.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]
#![deny(clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic"))]

mod blocks;
mod content;
mod dir;
pub mod disk;
mod evict;
mod export;
mod figures;
mod holes;
mod key;
mod last_use;
pub mod layout;
mod limits;
mod maintain;
mod manifest;
mod map;
mod modules;
mod mutex;
#[cfg(feature = "remote")]
mod object;
mod options;
mod record;
#[cfg(feature = "remote")]
pub mod remote;
mod reserve;
mod segment;
mod sorted_run;
mod stats;
mod store;
mod verify;
mod view;
mod worth;

pub use evict::Collected;
pub use export::Imported;
pub use key::{Key, KeyBuilder};
pub use limits::Limits;
pub use map::{map_file, map_open};
pub use options::{Durability, Options};
pub use record::RecordKind;
pub use stats::{AGES, SIZES, Stats};
pub use store::{Listed, Store, Value};
pub use verify::{Damage, Verified};
