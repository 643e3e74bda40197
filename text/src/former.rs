//! Dialects under a name that they had before: what a text says under it is read as the operations of today.
//!
//! Such a name is registered as a dialect of its own, without definitions, that says what became of its operations
//! ([`DialectAssembly::former`](crate::DialectAssembly::former)) and of its types and attributes
//! ([`DialectText::renamed`](mlirbc_ir::text::DialectText::renamed)). Its assembly, by the names of today, goes before that of the
//! dialect; where it has none, an operation is written as it is today, but that enumerants stand in quotes or as words, and the
//! dictionary of attributes may stand before a colon or at the end. Nothing is ever printed under such a name.

use mlirbc_ir::ods::OpDef;
use mlirbc_ir::{Context, NamedAttribute, Result};

/// What became of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Today {
    /// The operation of that full name.
    Operation(String),
    /// It is left out: it said nothing.
    Nothing,
    /// There is none that says the same, for that reason.
    Gone(String),
}

/// What became of the operations of a dialect that goes by another name today.
pub trait FormerDialect: Send + Sync {
    /// What became of an operation, by its name without that of the dialect.
    fn operation(&self, name: &str) -> Today;

    /// What became of an operation that had no dialect then, and stands in generic form beside those of this one.
    fn bare(&self, name: &str) -> Option<Today> {
        let _ = name;
        None
    }

    /// An attribute that an operation had then, as the operation of today has it.
    ///
    /// # Errors
    /// Where it has none that says the same.
    fn entry(&self, context: &Context, operation: &OpDef, entry: NamedAttribute) -> Result<NamedAttribute> {
        let _ = (context, operation);
        Ok(entry)
    }

    /// Adds the attributes that the operation of today has to have, and that went without saying then.
    fn complete(&self, context: &Context, operation: &OpDef, entries: &mut Vec<NamedAttribute>) {
        let _ = (context, operation, entries);
    }
}
