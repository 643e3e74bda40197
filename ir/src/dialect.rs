//! Dialects: named groups of operations, attributes and types, and what other crates attach to them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;

use crate::ods::{OpDef, OpTable};
use crate::text::DialectText;

/// A dialect as it is registered in a [`Context`](crate::Context): operations from a table, text hooks, and extensions
/// of other crates, such as bytecode encodings.
#[derive(Default)]
pub struct Dialect {
    name: Box<str>,
    operations: Vec<OpTable>,
    text: Option<Arc<dyn DialectText>>,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl Dialect {
    /// A dialect of that name, with nothing in it yet.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        Dialect { name: name.into(), ..Default::default() }
    }

    /// Adds the operations of a table.
    #[must_use]
    pub fn ops(mut self, table: OpTable) -> Self {
        self.operations.push(table);
        self
    }

    /// Sets how the dialect's attributes and types are printed and parsed.
    #[must_use]
    pub fn text(mut self, text: impl DialectText + 'static) -> Self {
        self.text = Some(Arc::new(text));
        self
    }

    /// Attaches a value of another crate's, one of each type.
    #[must_use]
    pub fn extension<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.extensions.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// The dialect's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tables of its definitions.
    pub fn tables(&self) -> &[OpTable] {
        &self.operations
    }

    /// The definition of the operation of that full name.
    pub fn operation(&self, name: &str) -> Option<Arc<OpDef>> {
        self.operations.iter().find_map(|table| table.get(name)).map(Arc::new)
    }

    /// How the dialect's attributes and types are printed and parsed.
    pub fn text_hooks(&self) -> Option<&Arc<dyn DialectText>> {
        self.text.as_ref()
    }

    /// What another crate attached, by its type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.extensions.get(&TypeId::of::<T>()).cloned()?.downcast().ok()
    }
}
