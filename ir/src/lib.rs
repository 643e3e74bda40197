//! MLIR's intermediate representation in Rust.

#![forbid(unsafe_code)]

pub mod affine;
mod affine_build;
mod attribute;
mod blob;
pub mod body;
mod compare;
mod context;
pub mod dense;
mod dialect;
mod dominance;
mod error;
pub mod fields;
mod fused;
mod handles;
mod inherent;
pub mod interfaces;
mod interner;
mod module;
pub mod number;
pub mod ods;
mod operation;
mod parameter;
mod parts;
mod path;
mod properties;
mod source;
mod statics;
mod symbols;
pub mod text;
mod types;
mod verify;

pub use attribute::{
    Attribute, AttributeData, Encoded, Identifier, NamedAttribute, ResourceHandle, ResourceKey, UNKNOWN_COLUMN,
};
pub use blob::Blob;
pub use body::{
    AttributeRef, BlockId, Body, BodyBuilder, BodyId, IsolationMark, OpHead, OpId, OpKey, OpView, OperationSpec, Ref,
    RegionId, TypeRef, Use, Uses, Value, ValueMap, ValueOwner,
};
pub use compare::{CompareOptions, Difference, What, compare};
pub use context::{Context, KnownDialect, MakeDialect, OperationName, fresh_number};
pub use dialect::{Dialect, DialectVerifier, InterfaceRule, VerifyFn};
pub use dominance::Dominance;
pub use error::{Error, ErrorKind, ErrorPlace, Result};
pub use module::{FileInfo, Module, ResourceEntry, ResourceGroup, ResourceValue};
pub use operation::OpRef;
pub use parameter::{DialectValue, Parameter};
pub use source::{Location, ModuleSource, PackedLocation, PackedLocations, PendingBody, SymbolPlace};
pub use symbols::{symbol_path, symbol_text};
pub use types::{DYNAMIC, Signedness, Type, TypeData};
