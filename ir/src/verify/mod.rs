//! Whether predicates hold, and whether operations are as their definitions say.
//!
//! An answer can be unknown: where a definition says something in C++ that has no translation into predicates, or where it asks
//! about a type of a dialect without an implementation. What is unknown is never an error.

mod checker;
mod class;
mod control_flow;
mod default;
mod dialect;
mod dominance;
mod edits;
mod hooks;
mod infer;
mod known;
mod names;
mod operation;
pub mod rules;
mod scope;
mod structure;
mod term;
mod told;
mod validity;
mod walk;

pub use checker::{Checker, VerifyFn};
pub use default::{attribute_default, dense_element, dialect_attribute, native_default};
pub use dominance::verify_dominance;
pub use edits::verify_edits;
pub use hooks::{DialectVerifier, FunctionPart, InterfaceRule, LooksAt, TypeTests};
pub use infer::{InferTypesFn, OpTypes, infer_types, type_inference};
pub use scope::PartialOp;
pub use validity::{TypedOpKey, Validity, validity};
pub use walk::{verify, verify_module, verify_module_with};
pub(crate) use walk::{verify_module_or, verify_op};
