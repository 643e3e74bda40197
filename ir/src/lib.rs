//! MLIR's intermediate representation in Rust: types and attributes, modules, operations, changes to them, checks.
//!
//! It is for programs that hold IR: compilers, tools that look into modules, and dialects. It knows no file format and, of dialects, `builtin`
//! alone; what it does not know the definition of, it holds all the same.
//!
//! ```
//! use mlirbc_ir::{Context, Module};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = Context::new();
//! let mut module = Module::with_module_op(&context)?;
//!
//! // Changes go through a rewriter, which has an insertion point: here, the end of the module.
//! module.build(|rw| {
//!     let one = rw.build("toy.one").result_type(context.integer_type(32)).value()?;
//!     rw.build("toy.use").operands([one, one]).attribute("count", context.index_attr(2)).create()
//! })?;
//!
//! // To look, an operation is one small value that may be copied.
//! let user = module.walk()?.find(|op| op.is("toy.use")).ok_or("it was made")?;
//! assert_eq!(user.int("count")?, Some(2));
//! let definer = user.defining_operation(user.operands()[0]).ok_or("it is a result")?;
//! assert_eq!(definer.name(), "toy.one");
//!
//! let place = user.place();
//! module.set_attribute(place, "count", context.index_attr(3))?;
//! module.verify()?;
//! # Ok(())
//! # }
//! ```
//!
//! # What belongs to what
//!
//! | handle | is a number in |
//! | --- | --- |
//! | [`Attribute`], [`Type`], [`Identifier`], [`OperationName`] | its [`Context`]: equal ones are one, `context[attribute]` is the data |
//! | [`BodyId`] | its [`Module`]: what an operation holds that is isolated from above (`func.func`, `builtin.module`) is a [`Body`] of its own |
//! | [`OpId`], [`BlockId`], [`RegionId`], [`Value`] | its [`Body`]: those of one body mean nothing in another |
//! | [`OpRef`] | none: a module, a body and an operation in one, borrowed |
//! | [`AttributeRef`], [`TypeRef`] | a context, or the file that a module came from: [`Module::attribute`] and [`Module::ty`] decode it |
//!
//! A body is read from its file when it is first entered, and changed, written and given to a thread as one. Methods that may read give a
//! [`Result`]; an [`Error`] says what kind it is of, and where.
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | make types and attributes, take them apart | [`Context`], [`TypeData`], [`AttributeData`], [`elements`](Numbers), [`affine`] |
//! | show them, and read them from text | [`Context::show`], [`text`] |
//! | find operations | [`Module::walk`], [`Module::symbol`], [`OpRef::ops`], [`SymbolTable`] |
//! | look at one | [`OpRef`]; at its blocks, and at uses of values, [`Body`] |
//! | change | [`Module::build`], [`Module::set_attribute`], [`Module::rename_symbol`]; several things at once, [`Module::rewrite`] with its [`Rewriter`] |
//! | check | [`Module::verify`], [`verify`]: definitions, dominance, and what dialects add |
//! | bring operations, types, attributes | [`Dialect`], [`ods`], [`fields`], [`interfaces`] |
//! | compare two modules | [`compare()`] |
//! | compute as constants are folded | [`number`], [`Dominance`] for what reaches what |
//! | use several threads | [`threads`], [`Module::take_body`] |
//!
//! Operations as text are in `mlirbc-text`, files in `mlirbc-bytecode`, patterns and passes in `mlirbc-rewrite`. `mlirbc::guide` has a page and a
//! program for each task.
//!
//! # When not to use it
//!
//! To read a file, and for modules of MLIR's dialects, begin with `mlirbc`, which has all crates in one. To execute IR, or to lower what
//! `mlirbc-conversion` does not, use MLIR.

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
mod short;
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
pub use context::{Context, IntoAttribute, KnownDialect, MakeDialect, OperationName, fresh_number};
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
pub use short::Number;
pub use symbols::{
    SymbolReferences, SymbolTable, SymbolTableCollection, SymbolUse, Visibility, symbol_path, symbol_text,
};
pub use types::{DYNAMIC, Signedness, Type, TypeData};
pub use verify::{DialectVerifier, InterfaceRule, LooksAt, VerifyFn};
