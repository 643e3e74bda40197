//! Dialects: named groups of operations, attributes and types, and what other crates attach to them.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;

use crate::ods::{AttrOrTypeDef, OpDef, OpTable, UndefinedOp};

/// A dialect as it is registered in a [`Context`](crate::Context): operations from a table, and what is attached to them and to its
/// attributes and types by what works on these: text, checks, interfaces, and extensions of other crates, such as bytecode encodings.
#[derive(Clone, Default)]
pub struct Dialect {
    name: Box<str>,
    operations: Vec<OpTable>,
    /// Tables that are made on a look-up of an operation that no other has.
    later: Vec<fn() -> OpTable>,
    beside: Vec<[Box<str>; 3]>,
    extensions: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    /// Types whose text follows from their definitions, by mnemonic, once they were asked for.
    defined_types: OnceLock<HashMap<Box<str>, AttrOrTypeDef>>,
}

impl Dialect {
    /// A dialect of that name, with nothing in it yet.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        Dialect { name: name.into(), ..Default::default() }
    }

    /// Adds the operations of a table. Where two tables have one operation, the one that was added last counts: it replaces the
    /// other. Of that stays whether it [is of MLIR](OpDef::is_of_mlir) and, where both have the same properties, what other
    /// releases have in place of these ([`OpDef::layout`]).
    #[must_use]
    pub fn ops(mut self, table: OpTable) -> Self {
        self.operations.push(table);
        self.defined_types = OnceLock::new();
        self
    }

    /// Adds one operation: as [`Dialect::ops`].
    #[must_use]
    pub fn op(self, definition: OpDef) -> Self {
        self.ops(OpTable::from_definitions([definition]))
    }

    /// Adds the operations of a table that is made when first needed, each time anew: for an operation that the
    /// other tables do not define. A table that takes long to make should be kept by the function that makes it.
    #[must_use]
    pub fn ops_on_demand(mut self, table: fn() -> OpTable) -> Self {
        self.later.push(table);
        self
    }

    /// Says that a discardable attribute of that name says what a member of the operation's properties says, in releases of MLIR
    /// whose operation does not have that member: writing for one of them moves it there, and writing for others moves it
    /// into the properties.
    #[must_use]
    pub fn beside(mut self, operation: &str, member: &str, attribute: &str) -> Self {
        self.beside.push([operation, member, attribute].map(Into::into));
        self
    }

    /// The members of the operation of that name, without the dialect's, that are attributes beside its properties in some
    /// releases, and the names of these.
    #[doc(hidden)]
    pub fn members_beside(&self, operation: &str) -> impl Iterator<Item = (&str, &str)> {
        let of = self.beside.iter().filter(move |[of, ..]| **of == *operation);
        of.map(|[_, member, attribute]| (&**member, &**attribute))
    }

    /// Attaches a value of another crate's, one of each type.
    #[must_use]
    pub fn extension<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.extensions.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Changes the attached value of that type, or the default where there is none: for extensions that are added to bit by bit.
    #[must_use]
    pub fn amend<T: Any + Clone + Default + Send + Sync>(mut self, change: impl FnOnce(&mut T)) -> Self {
        let attached = self.extensions.remove(&TypeId::of::<T>()).and_then(|value| value.downcast().ok());
        let mut attached: Arc<T> = attached.unwrap_or_default();
        change(Arc::make_mut(&mut attached));
        self.extensions.insert(TypeId::of::<T>(), attached);
        self
    }

    /// The dialect's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tables of its definitions, without those that are made on demand.
    pub fn tables(&self) -> &[OpTable] {
        &self.operations
    }

    /// The definition of the operation of that full name.
    pub fn operation(&self, name: &str) -> Option<Arc<OpDef>> {
        let mut tables = self.operations.iter().rev();
        let found = tables.find_map(|table| table.get(name)).map(|mut found| {
            // A definition that stands for one of MLIR's does not take that from MLIR; and where it has the same members,
            // what other releases have in their place is as true of it.
            for other in tables.filter_map(|table| table.get(name)) {
                found.is_of_mlir |= other.is_of_mlir;
                if found.changes.is_empty() && other.properties == found.properties {
                    found.changes = other.changes;
                }
            }
            found
        });
        found.or_else(|| self.later.iter().find_map(|table| table().get(name))).map(Arc::new)
    }

    /// What is known of the operation of that full name where it has no definition.
    #[doc(hidden)]
    pub fn undefined_operation(&self, name: &str) -> Option<Arc<UndefinedOp>> {
        self.operations.iter().rev().find_map(|table| table.undefined(name)).map(Arc::new)
    }

    /// Whether definitions of MLIR's own tools are among those of the dialect.
    pub fn is_of_mlir(&self) -> bool {
        let mut first = self.operations.iter().filter_map(|table| table.dialect(&self.name).next());
        first.any(|op| op.is_of_mlir)
    }

    /// Types by mnemonic, as `make` makes them of the tables when they are first asked for.
    pub(crate) fn defined_types(
        &self,
        make: fn(&Dialect) -> HashMap<Box<str>, AttrOrTypeDef>,
    ) -> &HashMap<Box<str>, AttrOrTypeDef> {
        self.defined_types.get_or_init(|| make(self))
    }

    /// What another crate attached, by its type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.extensions.get(&TypeId::of::<T>()).cloned()?.downcast().ok()
    }
}
