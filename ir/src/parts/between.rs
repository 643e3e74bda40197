//! Attributes, types and names of one context, made again in another.

use std::collections::HashMap;

use super::{Held, Part, change_attribute, change_type, of_part};
use crate::attribute::{Attribute, AttributeData, Identifier, ResourceHandle, ResourceKey};
use crate::context::{Context, OperationName};
use crate::error::{Error, ErrorCode, Result};
use crate::parameter::DialectValue;
use crate::types::{Type, TypeData};

/// Makes what modules of one context refer to in that of another, which may be the same: then it looks at all of it once. It remembers
/// what it met.
pub(crate) struct Between<'c> {
    from: &'c Context,
    to: &'c Context,
    known: HashMap<Part, Part>,
    names: HashMap<OperationName, OperationName>,
    /// Whether both contexts have a dialect, or neither does.
    dialects: HashMap<Identifier, bool>,
    resources: Vec<(ResourceHandle, ResourceHandle)>,
}

impl<'c> Between<'c> {
    pub(crate) fn new(from: &'c Context, to: &'c Context) -> Self {
        Between {
            from,
            to,
            known: HashMap::new(),
            names: HashMap::new(),
            dialects: HashMap::new(),
            resources: Vec::new(),
        }
    }

    /// The resources that what was made refers to, as each context has them.
    pub(crate) fn resources(&self) -> &[(ResourceHandle, ResourceHandle)] {
        &self.resources
    }

    /// # Errors
    /// Where it, or something that it holds, is opaque, or of a dialect that one context alone has.
    pub(crate) fn attribute(&mut self, attribute: Attribute) -> Result<Attribute> {
        self.visit(Part::Attribute(attribute))?;
        Ok(self.attribute_for(attribute))
    }

    /// # Errors
    /// As [`Between::attribute`].
    pub(crate) fn ty(&mut self, ty: Type) -> Result<Type> {
        self.visit(Part::Type(ty))?;
        Ok(self.type_for(ty))
    }

    /// # Errors
    /// Where one context alone has its dialect.
    pub(crate) fn operation_name(&mut self, name: OperationName) -> Result<OperationName> {
        if self.is_same() {
            return Ok(name);
        }
        if let Some(&known) = self.names.get(&name) {
            return Ok(known);
        }
        self.check_dialect(self.from.operation_dialect(name))?;
        let made = self.to.operation_name(self.from.operation_text(name), self.from.is_registered(name));
        self.names.insert(name, made);
        Ok(made)
    }

    fn is_same(&self) -> bool {
        self.from.is(self.to)
    }

    fn visit(&mut self, part: Part) -> Result<()> {
        let mut waiting = vec![(part, false)];
        let mut held = Vec::new();
        while let Some((part, held_is_known)) = waiting.pop() {
            if self.known.contains_key(&part) {
                continue;
            }
            if held_is_known {
                let made = match part {
                    Part::Attribute(attribute) => Part::Attribute(self.made_attribute(attribute)?),
                    Part::Type(ty) => Part::Type(self.made_type(ty)?),
                };
                self.known.insert(part, made);
                continue;
            }
            waiting.push((part, true));
            of_part(self.from, part, &mut held);
            waiting.extend(held.drain(..).map(|part| (part, false)));
        }
        Ok(())
    }

    fn attribute_for(&self, attribute: Attribute) -> Attribute {
        match self.known.get(&Part::Attribute(attribute)) {
            Some(Part::Attribute(made)) => *made,
            _ => attribute,
        }
    }

    fn type_for(&self, ty: Type) -> Type {
        match self.known.get(&Part::Type(ty)) {
            Some(Part::Type(made)) => *made,
            _ => ty,
        }
    }

    fn change(&self, held: Held<&mut Attribute, &mut Type>) {
        match held {
            Held::Attribute(attribute) => *attribute = self.attribute_for(*attribute),
            Held::Type(ty) => *ty = self.type_for(*ty),
        }
    }

    fn made_attribute(&mut self, attribute: Attribute) -> Result<Attribute> {
        if let AttributeData::Encoded(_) = self.from[attribute] {
            return Err(opaque());
        }
        if let AttributeData::DenseResource { resource, .. } = self.from[attribute] {
            let made = self.resource(resource);
            self.resources.push((resource, made));
        }
        if self.is_same() {
            return Ok(attribute);
        }
        let mut data = self.from[attribute].clone();
        change_attribute(&mut data, &mut |held| self.change(held));
        match &mut data {
            AttributeData::Dictionary(entries) => entries.iter_mut().for_each(|entry| self.rename(&mut entry.0)),
            AttributeData::SymbolRef { root, nested } => {
                self.rename(root);
                nested.iter_mut().for_each(|name| self.rename(name));
            }
            AttributeData::FileLocation { file: name, .. } | AttributeData::NameLocation { name, .. } => {
                self.rename(name)
            }
            AttributeData::DenseResource { resource, .. } => *resource = self.resource(*resource),
            AttributeData::Dialect(value) => self.rename_value(value)?,
            AttributeData::Text { dialect, .. } => {
                self.check_dialect(*dialect)?;
                self.rename(dialect);
            }
            _ => {}
        }
        Ok(self.to.attribute(data))
    }

    fn made_type(&mut self, ty: Type) -> Result<Type> {
        if let TypeData::Encoded(_) = self.from[ty] {
            return Err(opaque());
        }
        if self.is_same() {
            return Ok(ty);
        }
        let mut data = self.from[ty].clone();
        change_type(&mut data, &mut |held| self.change(held));
        match &mut data {
            TypeData::Dialect(value) => self.rename_value(value)?,
            TypeData::Text { dialect, .. } => {
                self.check_dialect(*dialect)?;
                self.rename(dialect);
            }
            _ => {}
        }
        Ok(self.to.ty(data))
    }

    fn rename(&self, name: &mut Identifier) {
        *name = self.to.identifier(self.from.bytes(*name));
    }

    fn rename_value(&mut self, value: &mut DialectValue) -> Result<()> {
        self.check_dialect(value.dialect)?;
        self.rename(&mut value.dialect);
        self.rename(&mut value.mnemonic);
        Ok(())
    }

    fn resource(&self, resource: ResourceHandle) -> ResourceHandle {
        if self.is_same() {
            return resource;
        }
        let mut key: ResourceKey = self.from[resource].clone();
        self.rename(&mut key.dialect);
        self.to.resource(key)
    }

    /// What a dialect has is text or bytes to a context without it, and its own to one with it: neither can be told from the other here.
    fn check_dialect(&mut self, dialect: Identifier) -> Result<()> {
        let name = self.from.text(dialect);
        let (from, to) = (self.from, self.to);
        let alike = *self.dialects.entry(dialect).or_insert_with(|| from.has_dialect(&name) == to.has_dialect(&name));
        match alike {
            true => Ok(()),
            false => {
                let message = format!(
                    "one of the two contexts alone has the dialect `{name}`: what is of it means something else in the other"
                );
                Err(Error::misuse(message).with_code(ErrorCode::OtherContext))
            }
        }
    }
}

#[cold]
fn opaque() -> Error {
    Error::misuse(
        "an opaque attribute or type refers to the tables of its own file: it cannot be moved to another module",
    )
    .with_code(ErrorCode::Opaque)
}
