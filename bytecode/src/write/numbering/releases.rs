//! Operations of one release of MLIR in a file for another.

use mlirbc_ir::ods::{NativeProperty, PropertyDef, PropertyKind};
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, NamedAttribute, OperationName, Result};

use super::{Numbering, Split};

/// Of symbols, the members that some releases have and others say beside the members, by the same name.
const OF_SYMBOLS: [(&str, &str); 2] = [("sym_name", "sym_name"), ("sym_visibility", "sym_visibility")];

impl Numbering<'_> {
    /// The parts of an operation whose members are not the same in every release, as the release being written has them:
    /// what it has a member for goes there, and what says the same outside of them goes there. What has no place
    /// stays, and is found to be a loss.
    #[inline(never)]
    pub(super) fn refit(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Split> {
        let key = (name, (attributes, properties));
        if let Some(&parts) = self.refitted.get(&key) {
            return Ok(parts);
        }
        let parts = self.fitting(name, attributes, properties)?;
        self.refitted.insert(key, parts);
        Ok(parts)
    }

    fn fitting(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Split> {
        let context = self.context;
        let Some(definition) = self.target.definition(context, name) else {
            // Of an unknown operation, no members are no properties.
            let dictionary = properties.map(|properties| self.module.properties(name, properties)).transpose()?;
            let is_empty =
                |it: Attribute| matches!(&context[it], AttributeData::Dictionary(entries) if entries.is_empty());
            let properties = properties.filter(|_| !dictionary.is_some_and(is_empty));
            return Ok((self.not_empty(attributes)?, properties));
        };
        let release = self.target.release;
        let layout = definition.layout(release);
        let (attributes, properties) = match properties {
            None if *layout == *definition.properties => self.module.split_dictionary(name, attributes)?,
            _ => (self.not_empty(attributes)?, properties),
        };
        let entries = |dictionary| match &context[dictionary] {
            AttributeData::Dictionary(entries) => Some(&**entries),
            _ => None,
        };
        let inherent = properties.map(|properties| self.module.properties(name, properties)).transpose()?;
        let discardable = attributes.map(|attributes| self.module.attribute(attributes)).transpose()?;
        // What is opaque stays as it is.
        let Some(inherent) = inherent.map_or(Some(&[][..]), entries) else { return Ok((attributes, properties)) };
        let Some(discardable) = discardable.map_or(Some(&[][..]), entries) else { return Ok((attributes, properties)) };
        let dialect = context.bytes(context.operation_dialect(name));
        let dialect = std::str::from_utf8(dialect).ok().and_then(|dialect| context.dialect(dialect));
        let operation = definition.name.split_once('.').map_or("", |(_, operation)| operation);
        let beside: Vec<(&str, &str)> = match &dialect {
            Some(dialect) => dialect.members_beside(operation).chain(OF_SYMBOLS).collect(),
            None => OF_SYMBOLS.to_vec(),
        };
        let has = |name: &[u8]| layout.iter().any(|member| member.name.as_bytes() == name);
        // A flag that is no attribute elsewhere: one that is not set is absent here.
        let layouts = definition.layouts();
        let is_of_kind = |layout: &[PropertyDef], name: &[u8], kind: &PropertyKind| {
            layout.iter().any(|member| member.name.as_bytes() == name && member.kind == *kind)
        };
        let is_unset = |name: &[u8], value: Attribute| {
            let flag = PropertyKind::Native(NativeProperty::Bool);
            context.native_zero(&NativeProperty::Bool) == Some(value)
                && is_of_kind(&layout, name, &PropertyKind::Optional)
                && layouts.iter().any(|other| is_of_kind(&other.1, name, &flag))
        };
        let mut dropped = false;
        let (mut inside, mut outside): (Vec<NamedAttribute>, Vec<NamedAttribute>) = (Vec::new(), Vec::new());
        for &(key, value) in inherent {
            let name = context.bytes(key);
            if is_unset(name, value) {
                dropped = true;
                continue;
            }
            match beside.iter().find(|(member, _)| member.as_bytes() == name && !has(name)) {
                Some((_, attribute)) => outside.push((context.identifier(attribute), value)),
                None => inside.push((key, value)),
            }
        }
        let (mut moved, mut rest): (Vec<NamedAttribute>, Vec<NamedAttribute>) = (Vec::new(), Vec::new());
        for &(key, value) in discardable {
            let name = context.bytes(key);
            let member = beside.iter().find(|(_, attribute)| attribute.as_bytes() == name);
            let member = member.map_or(name, |(member, _)| member.as_bytes());
            match layout.iter().find(|known| known.is_given_as(member)) {
                Some(known) => moved.push((context.identifier(&known.name), value)),
                None => rest.push((key, value)),
            }
        }
        if layout.is_empty() {
            for member in inside.drain(..) {
                self.losses.member(context, definition, member, release)?;
            }
        }
        let properties = match properties {
            Some(properties) if outside.is_empty() && moved.is_empty() && !layout.is_empty() && !dropped => {
                Some(properties)
            }
            _ if layout.is_empty() => None,
            _ => {
                // Where both have one, the properties win.
                let new = moved.iter().filter(|entry| inside.iter().all(|known| known.0 != entry.0)).copied();
                let new: Vec<_> = new.collect();
                inside.extend(new);
                Some(context.dictionary(inside)?.into())
            }
        };
        let attributes = match outside.is_empty() && moved.is_empty() {
            true => attributes,
            false => {
                let new = outside.into_iter().filter(|entry| rest.iter().all(|known| known.0 != entry.0));
                let new: Vec<_> = new.collect();
                rest.extend(new);
                if rest.is_empty() { None } else { Some(context.dictionary(rest)?.into()) }
            }
        };
        Ok((attributes, properties))
    }
}
