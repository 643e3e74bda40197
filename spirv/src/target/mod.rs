//! What a module needs, and what a target has.
//!
//! | file | what | type |
//! | --- | --- | --- |
//! | `availability.rs` | what an operation or enumerant is available with, as data | [`Availability`], [`Need`] |
//! | `types.rs` | what a type is available with, which MLIR says in code | [`of_type`] |
//! | `requirements.rs` | what an operation needs with all that stands in it | [`of_operation`], [`Depth`] |
//! | `unsaid.rs` | what of that MLIR's definitions do not say | |
//! | `binary.rs` | what an instruction of a binary needs, by the grammar | [`of_binary`], [`Needs`], [`Requirement`] |
//! | `uses.rs` | what it needs by what its ids stand for, which the grammar does not say | |
//! | `environment.rs` | what a target has: versions, capabilities, extensions, and what these imply | [`Environment`] |
//! | `platform.rs` | targets by name | [`Platform`] |
//! | `check.rs` | what a module needs; whether it can run on a target, and why not | [`reasons`], [`Runner`], [`Obstacle`] |
//!
//! A [`Need`] is one condition: a version, one of some extensions, or one of some capabilities. All needs of an operation have to be
//! met, and an [`Environment`] says how it meets each ([`Environment::meets`]).
//!
//! ```
//! use mlirbc_spirv::dialect::EnumKind;
//! use mlirbc_spirv::target::{Availability, Need};
//!
//! let ballot = Availability::of_name("spirv.GroupNonUniformBallot").ok_or("no such operation")?;
//! assert_eq!(ballot.least, Some(3));
//! let fragment = EnumKind::ExecutionModel.value("Fragment").ok_or("no such model")?;
//! let needs: Vec<Need> = Availability::of(EnumKind::ExecutionModel, fragment).ok_or("unknown")?.needs().collect();
//! assert_eq!(needs.len(), 1);
//! assert_eq!(needs[0].to_string(), "capability Shader");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod availability;
mod binary;
mod check;
mod environment;
mod platform;
mod requirements;
mod types;
mod unsaid;
mod uses;

pub(crate) use availability::is_extension;
pub use availability::{Availability, Need, implied};
pub use binary::{Needs, Requirement, of_binary};
pub use check::{Obstacle, Runner, reasons};
pub use environment::{Environment, Met, TARGET_ENV, limits_of, lookup, lookup_or_default, of_triple, set_target};
pub(crate) use environment::{environment_of, with_implied};
pub use platform::{Platform, target_attribute};
pub(crate) use requirements::Search;
pub use requirements::{Depth, of_operation, post_order};
pub use types::of_type;
pub(crate) use types::relaxed;
pub(crate) use unsaid::{is_free, is_shown, is_shown_extension};
