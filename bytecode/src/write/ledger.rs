//! What a numbering takes down of a module, in room that the next module has again.

use hashbrown::HashMap;
use mlirbc_ir::{Attribute, AttributeRef, Identifier, OperationName, ResourceHandle, Type, TypeRef};

use super::known::{Known, Name};
use super::locations::LocationIndex;
use super::order::Uses;
use super::property_values::PropertyTable;
use super::slot_map::SlotMap;
use super::strings::Strings;
use super::templates::Reference;

/// The dictionary of an operation's attributes, and its properties.
pub(crate) type Split = (Option<AttributeRef>, Option<AttributeRef>);

/// All that an operation refers to beside its location: its name, attributes, properties, and the type of its result, if it has one.
pub(crate) type Key = (OperationName, Option<AttributeRef>, Option<AttributeRef>, Option<TypeRef>);

/// What the last operation of a name may have in common with those after it, and how many of these there were.
#[derive(Clone, Copy, Default)]
pub(super) struct Repeats {
    pub(super) key: Option<Key>,
    /// Its parts as the version splits them.
    pub(super) parts: Split,
    /// How many operations with its key were met after it, and are yet to be counted.
    pub(super) more: u32,
}

/// What is taken down.
#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) known: Known,
    pub(crate) strings: Strings,
    pub(crate) dialects: Vec<Identifier>,
    /// By place among those that are known.
    pub(crate) dialect_numbers: SlotMap,
    /// The source's slots hold its packed locations; everything else is in a slot of its own.
    pub(crate) attributes: Uses,
    pub(crate) attribute_keys: Vec<Attribute>,
    pub(crate) types: Uses,
    pub(crate) type_keys: Vec<Type>,
    pub(crate) names: Uses,
    pub(crate) name_keys: Vec<Name>,
    pub(super) attribute_by_handle: SlotMap,
    pub(super) type_by_handle: SlotMap,
    pub(super) type_by_local: SlotMap,
    pub(super) name_by_handle: SlotMap,
    pub(super) locations: LocationIndex,
    /// Numbers of the source's files, and the slots of their names.
    pub(super) file_numbers: HashMap<Identifier, u32>,
    pub(super) file_slots: SlotMap,
    /// By file: slots of locations that were met before the source's number of their file was known.
    pub(super) unplaced: HashMap<Identifier, Vec<u32>>,
    /// By the number of the name in the context.
    pub(super) repeats: Vec<Repeats>,
    /// Resources by owner, in order of first reference.
    pub(crate) resources: Vec<ResourceHandle>,
    pub(super) resource_seen: HashMap<ResourceHandle, ()>,
    pub(crate) properties: PropertyTable,
    pub(super) pending: Vec<Reference>,
    pub(super) merged: HashMap<(OperationName, Option<AttributeRef>, Option<AttributeRef>), Option<AttributeRef>>,
    pub(super) refitted: HashMap<(OperationName, Split), Split>,
}

impl Ledger {
    /// Whether it has grown so much that it is better let go of.
    pub(crate) fn is_large(&self) -> bool {
        /// How many entries are worth keeping the room that they took.
        const ENTRIES: usize = 1 << 14;
        let entries = [
            self.attributes.room(),
            self.types.room(),
            self.properties.len(),
            self.strings.len(),
            self.resources.len(),
            self.merged.len(),
            self.refitted.len(),
        ];
        entries.iter().any(|&count| count > ENTRIES) || self.known.is_much() || self.strings.is_much()
    }

    /// Forgets the module; what is known of the context stays.
    pub(crate) fn clear(&mut self) {
        self.attribute_keys.drain(..).for_each(|key| self.attribute_by_handle.remove(key.raw()));
        self.type_keys.drain(..).for_each(|key| self.type_by_handle.remove(key.raw()));
        for key in self.name_keys.drain(..) {
            self.name_by_handle.remove(key.name.raw());
            if let Some(repeats) = self.repeats.get_mut(key.name.raw() as usize) {
                *repeats = Repeats::default();
            }
        }
        self.type_by_local.clear();
        self.strings.clear();
        self.dialects.clear();
        self.dialect_numbers.clear();
        self.locations.clear();
        self.file_numbers.clear();
        self.file_slots.clear();
        self.unplaced.clear();
        self.resources.clear();
        self.resource_seen.clear();
        self.properties.clear();
        self.pending.clear();
        self.merged.clear();
        self.refitted.clear();
    }
}
