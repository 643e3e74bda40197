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
mod elements;
mod error;
pub mod fields;
mod fused;
mod handles;
mod inherent;
pub mod interfaces;
mod interner;
mod invariants;
mod module;
pub mod number;
pub mod ods;
mod parameter;
mod parts;
mod path;
mod properties;
pub mod rewriter;
mod statics;
mod symbols;
#[cfg(feature = "ods-json")]
pub mod tablegen;
pub mod text;
pub mod threads;
mod types;
pub mod verify;

pub use attribute::{
    Attribute, AttributeData, Encoded, Identifier, NamedAttribute, ResourceHandle, ResourceKey, UNKNOWN_COLUMN,
};
pub use blob::Blob;
pub use body::{
    AttributeRef, BlockId, Body, BodyBuilder, BodyId, IsolationMark, OpHead, OpId, OpKey, OpView, OperationSpec, Ref,
    RegionId, TypeRef, Use, Uses, Value, ValueMap, ValueOwner,
};
pub use compare::{CompareOptions, Difference, What, compare};
pub use context::{Context, KnownDialect, MakeDialect, Number, OperationName, fresh_number};
pub use dense::NumberKind;
pub use dialect::Dialect;
pub use dominance::Dominance;
pub use elements::Numbers;
pub use error::{Error, ErrorCode, ErrorKind, ErrorPlace, Errors, Result};
pub use interfaces::constant_value;
pub use module::{
    FileInfo, Inside, Location, Module, ModuleSource, OpRef, PackedLocation, PackedLocations, PendingBody,
    ResourceEntry, ResourceGroup, ResourceValue, SymbolPlace, TakenBody, foreign_properties,
};
pub use parameter::{DialectValue, Parameter};
pub use rewriter::{
    Builder, Copied, InsertionPoint, Listener, ListenerId, Original, Rewriter, Rewritten, Source, Workspace,
};
pub use symbols::{
    SymbolReferences, SymbolTable, SymbolTableCollection, SymbolUse, Visibility, symbol_path, symbol_text,
};
pub use types::{DYNAMIC, Signedness, Type, TypeData};
pub use verify::{DialectVerifier, InterfaceRule, LooksAt, VerifyFn};
