//! What an operation is made of: operands, successors, attributes, types, locations.

use super::Rewriter;
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::{AttributeRef, BlockId, OpId, TypeRef, Value};
use crate::context::{IntoAttribute, OperationName};
use crate::error::{Error, ErrorCode, Result};

impl Rewriter<'_> {
    /// Tells listeners once of all that `change` does to one operation in place: they hear of it afterwards.
    ///
    /// # Errors
    /// Where the body has no such operation, and what `change` gives.
    pub fn modify<R>(&mut self, op: OpId, change: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.body.check_operation(op)?;
        self.modifying.push(op);
        let result = change(self);
        self.modifying.pop();
        if !self.body.is_erased(op) {
            self.tell_modified(op);
        }
        result
    }

    /// Sets one operand.
    ///
    /// # Errors
    /// Where the operation has no operand of that number, or nothing in the body defines `value`.
    pub fn set_operand(&mut self, op: OpId, number: usize, value: Value) -> Result<()> {
        self.body.set_operand(op, number, value)?;
        self.tell_modified(op);
        Ok(())
    }

    /// Gives the operation other operands, in any number. `operandSegmentSizes`, where it has them, are left as they are.
    ///
    /// # Errors
    /// Where nothing in the body defines one of them.
    pub fn set_operands(&mut self, op: OpId, operands: impl AsRef<[Value]>) -> Result<()> {
        self.body.set_operands(op, operands.as_ref())?;
        self.tell_modified(op);
        Ok(())
    }

    /// Sets one successor.
    ///
    /// # Errors
    /// Where the operation has no successor of that number, or `block` is none of the body's.
    pub fn set_successor(&mut self, op: OpId, number: usize, block: BlockId) -> Result<()> {
        self.body.set_successor(op, number, block)?;
        self.tell_modified(op);
        Ok(())
    }

    /// Sets the type of a value. Where an operation defines it, that is modified.
    ///
    /// # Errors
    /// Where nothing in the body defines it.
    pub fn set_type(&mut self, value: Value, ty: impl Into<TypeRef>) -> Result<()> {
        self.body.check_value(value)?;
        self.body.set_type(value, ty.into());
        if let Some(op) = self.body.defining_operation(value) {
            self.tell_modified(op);
        }
        Ok(())
    }

    /// Sets the location of an operation.
    ///
    /// # Errors
    /// Where the body has no such operation.
    pub fn set_location(&mut self, op: OpId, location: impl Into<AttributeRef>) -> Result<()> {
        self.body.check_operation(op)?;
        self.body.set_location(op, location.into());
        self.tell_modified(op);
        Ok(())
    }

    /// Renames the operation: its properties are from now on those of an operation of the new name.
    ///
    /// # Errors
    /// Where they cannot be decoded, or the body has no such operation.
    pub fn set_name(&mut self, op: OpId, name: OperationName) -> Result<()> {
        self.body.check_operation(op)?;
        let old = self.body.name(op);
        if let Some(properties) = self.body.properties(op).filter(|properties| properties.in_source().is_some()) {
            let properties = self.module.properties(old, properties)?;
            self.body.set_properties(op, Some(properties.into()));
        }
        self.body.set_name(op, name);
        self.tell_modified(op);
        Ok(())
    }

    /// Sets an attribute: among the properties where the definition has one of that name, or there is one, else among the discardable
    /// attributes. Those of the operation are decoded.
    ///
    /// # Errors
    /// Where they cannot be decoded, or are opaque.
    pub fn set_attribute(&mut self, op: OpId, name: impl AsRef<[u8]>, value: impl IntoAttribute) -> Result<()> {
        let value = value.into_attribute(self.context());
        self.put_attribute(op, name.as_ref(), Some(value))
    }

    /// Takes an attribute away. Nothing where the operation has none of that name.
    ///
    /// # Errors
    /// As [`Rewriter::set_attribute`].
    pub fn remove_attribute(&mut self, op: OpId, name: impl AsRef<[u8]>) -> Result<()> {
        self.put_attribute(op, name.as_ref(), None)
    }

    fn put_attribute(&mut self, op: OpId, name: &[u8], value: Option<Attribute>) -> Result<()> {
        self.body.check_operation(op)?;
        let context = self.context();
        let (attributes, properties) = self.op(op).dictionaries()?;
        let is_defined = context.definition(self.body.name(op)).is_some_and(|definition| {
            definition.inherent(name).is_some()
                || definition.properties.iter().any(|property| property.name.as_bytes() == name)
        });
        let has = |dictionary: Option<Attribute>| match dictionary.map(|dictionary| &context[dictionary]) {
            Some(AttributeData::Dictionary(entries)) => entries.iter().any(|entry| context.bytes(entry.0) == name),
            _ => false,
        };
        let is_property = is_defined || has(properties);
        if value.is_none() && !has(if is_property { properties } else { attributes }) {
            return Ok(());
        }
        let edited = self.edited(if is_property { properties } else { attributes }, name, value)?;
        let (attributes, properties) = match is_property {
            true => (attributes, Some(context.dictionary(edited)?)),
            false if edited.is_empty() => (None, properties),
            false => (Some(context.dictionary(edited)?), properties),
        };
        // What is as it was stays the entry of the file that it is.
        let unchanged =
            |old: Option<AttributeRef>, new: Option<Attribute>, decoded: Result<Option<Attribute>>| match decoded {
                Ok(decoded) if decoded == new => old,
                _ => new.map(AttributeRef::from),
            };
        let (old_attributes, old_properties) = (self.body.attributes(op), self.body.properties(op));
        let decoded = old_attributes.map(|attributes| self.module.dictionary(attributes)).transpose();
        let attributes = unchanged(old_attributes, attributes, decoded);
        let name = self.body.name(op);
        let decoded = old_properties.map(|properties| self.module.properties(name, properties)).transpose();
        let properties = unchanged(old_properties, properties, decoded);
        self.body.set_attributes(op, attributes);
        self.body.set_properties(op, properties);
        self.tell_modified(op);
        Ok(())
    }

    /// The entries of a dictionary with one of them set, or taken away.
    fn edited(
        &self,
        dictionary: Option<Attribute>,
        name: &[u8],
        value: Option<Attribute>,
    ) -> Result<Vec<NamedAttribute>> {
        let context = self.context();
        let mut entries = match dictionary.map(|dictionary| &context[dictionary]) {
            None => Vec::new(),
            Some(AttributeData::Dictionary(entries)) => entries.to_vec(),
            Some(_) => {
                return Err(Error::misuse("the attributes of the operation are opaque").with_code(ErrorCode::Opaque));
            }
        };
        entries.retain(|entry| context.bytes(entry.0) != name);
        entries.extend(value.map(|value| (context.identifier(name), value)));
        Ok(entries)
    }

    /// Sets all discardable attributes at once: a dictionary, or none.
    ///
    /// # Errors
    /// Where the body has no such operation.
    pub fn set_attributes(&mut self, op: OpId, attributes: Option<AttributeRef>) -> Result<()> {
        self.body.check_operation(op)?;
        self.body.set_attributes(op, attributes);
        self.tell_modified(op);
        Ok(())
    }

    /// Sets all properties at once: a dictionary, or none.
    ///
    /// # Errors
    /// Where the body has no such operation.
    pub fn set_properties(&mut self, op: OpId, properties: Option<AttributeRef>) -> Result<()> {
        self.body.check_operation(op)?;
        self.body.set_properties(op, properties);
        self.tell_modified(op);
        Ok(())
    }
}
