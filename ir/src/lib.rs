//! MLIR's intermediate representation in Rust.


pub mod affine;
mod affine_build;
mod attribute;
mod context;
pub mod dense;
mod dialect;
mod error;
mod interner;
pub mod number;
pub mod ods;
mod parameter;
pub mod text;
mod types;
mod verify;

pub use attribute::{
    Attribute, AttributeData, Encoded, Identifier, NamedAttribute, ResourceHandle, ResourceKey,
};
pub use context::{Context, OperationName, fresh_number};
pub use dialect::Dialect;
pub use error::{Error, ErrorKind, Place, Result};
pub use parameter::{DialectValue, Parameter};
pub use types::{DYNAMIC, Signedness, Type, TypeData};
