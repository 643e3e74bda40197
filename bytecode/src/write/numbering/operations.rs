//! Operations and what they refer to, in the order in which MLIR meets them.

use super::scan::Shown;
use super::walk::{self, Meet, key_of};
use super::*;
use crate::write::parts::Parts;
use crate::write::property_values::references;

impl Meet for Numbering<'_> {
    fn argument(&mut self, location: Option<AttributeRef>, ty: TypeRef) -> Result<()> {
        if let Some(location) = self.shown().of_argument(location) {
            self.attribute_ref(location)?;
        }
        self.type_ref(ty)
    }

    /// Many operations of a name refer to what the one before refers to: they are only counted.
    #[inline]
    fn operation(&mut self, op: OpView<'_>) -> Result<()> {
        self.met_operations += 1;
        match (key_of(op), self.repeats.get_mut(op.name().raw() as usize)) {
            (Some(key), Some(repeats)) if repeats.key == Some(key) => repeats.more += 1,
            _ => self.first_of_its_kind(op)?,
        }
        self.location(op.location())
    }
}

impl Numbering<'_> {
    /// Meets everything, and what there is in `parts` with the help of other threads.
    pub(crate) fn run(&mut self, parts: &Parts) -> Result<()> {
        match parts.is_empty() {
            true => walk::module(self.module, self)?,
            false => self.meet_parts(parts)?,
        }
        self.count_file();
        for at in 0..self.name_keys.len() {
            self.count_repeats(self.name_keys[at].name)?;
        }
        let ledger = &mut *self.ledger;
        for (references, more) in ledger.properties.repeated() {
            for &slot in references {
                ledger.attributes.add(slot, more);
            }
        }
        Ok(())
    }

    /// Meets all of an operation but its location.
    #[inline(never)]
    fn first_of_its_kind(&mut self, op: OpView<'_>) -> Result<()> {
        let parts = self.kind(op.name(), op.result_types(), (op.attributes(), op.properties()), None)?;
        let at = op.name().raw() as usize;
        self.count_repeats(op.name())?;
        let names = self.repeats.len().max(at + 1);
        self.repeats.resize_with(names, Repeats::default);
        self.repeats[at] = Repeats { key: key_of(op), parts, more: 0 };
        Ok(())
    }

    /// Meets what operations of one kind refer to; gives their parts as the version splits them. `known`: what the properties given
    /// refer to, where that was found before.
    #[inline(always)]
    pub(super) fn kind(
        &mut self,
        name: OperationName,
        types: impl Iterator<Item = TypeRef>,
        given: Split,
        known: Option<&[Attribute]>,
    ) -> Result<Split> {
        let slot = self.name(name)?;
        for ty in types {
            self.type_ref(ty)?;
        }
        let (attributes, properties) = self.parts(given, self.name_keys[slot as usize])?;
        if let Some(attributes) = attributes {
            self.attribute_ref(attributes)?;
        }
        if let Some(properties) = properties {
            let known = known.filter(|_| given.1 == Some(properties));
            self.operation_properties(name, properties, known)?;
        }
        Ok((attributes, properties))
    }

    /// Counts what the last operations of a name have in common.
    fn count_repeats(&mut self, name: OperationName) -> Result<()> {
        let repeats = self.repeats.get_mut(name.raw() as usize).map(std::mem::take).unwrap_or_default();
        let Some(key) = repeats.key.filter(|_| repeats.more > 0) else { return Ok(()) };
        self.count_kind(name, key.3, repeats.parts, repeats.more)
    }

    /// Counts so many operations more of a kind that was met.
    pub(super) fn count_kind(
        &mut self,
        name: OperationName,
        result: Option<TypeRef>,
        (attributes, properties): Split,
        more: u32,
    ) -> Result<()> {
        if let Some(slot) = self.name_slot(name) {
            self.names.add(slot, more);
        }
        self.count_type(result, more);
        if let Some(attributes) = attributes
            && let Some(slot) = self.slot(attributes)?
        {
            self.attributes.add(slot, more);
        }
        if let Some(properties) = properties {
            self.properties.add(name, properties, more);
        }
        Ok(())
    }

    /// Counts so many uses more of a type that was met.
    pub(super) fn count_type(&mut self, ty: Option<TypeRef>, more: u32) {
        if let Some(slot) = ty.and_then(|ty| self.type_slot(ty)) {
            self.types.add(slot, more);
        }
    }

    /// Which locations are met.
    pub(super) fn shown(&self) -> Shown {
        let unknown = AttributeRef::from(self.unknown_location);
        // From version 4 on an unknown location is not written; MLIR counts it all the same.
        let counts = !self.keeps || self.version < 4;
        Shown { stripped: self.strip_locations.then_some(unknown), unknown: counts.then_some(unknown) }
    }

    /// From now on every location is unknown.
    pub(crate) fn strip_locations(&mut self) {
        self.strip_locations = true;
    }

    #[inline(always)]
    fn location(&mut self, location: AttributeRef) -> Result<()> {
        if self.strip_locations { self.handle_ref(self.unknown_location.into()) } else { self.attribute_ref(location) }
    }

    /// The location to write in the place of `location`.
    #[inline]
    pub(crate) fn shown_location(&self, location: AttributeRef) -> AttributeRef {
        if self.strip_locations { self.unknown_location.into() } else { location }
    }

    /// The dictionary and the properties of an operation as the version being written splits them. A dictionary
    /// without entries is none.
    #[inline(always)]
    fn parts(&mut self, (attributes, properties): Split, name: Name) -> Result<Split> {
        if self.version < 5 {
            return self.merged(name.name, attributes, properties);
        }
        if name.refits {
            return self.refit(name.name, attributes, properties);
        }
        self.met_parts((attributes, properties), name)
    }

    /// The same of an operation that was met.
    #[inline(always)]
    pub(crate) fn met_parts(&self, (attributes, properties): Split, name: Name) -> Result<Split> {
        if self.version < 5 || name.refits {
            return self.worked_out(name.name, attributes, properties);
        }
        if properties.is_some() || !name.has_properties {
            return match attributes {
                None => Ok((None, properties)),
                Some(_) => Ok((self.not_empty(attributes)?, properties)),
            };
        }
        self.split(name.name, attributes)
    }

    /// What was found of such parts before.
    #[inline(never)]
    fn worked_out(
        &self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Split> {
        let found = match self.version {
            0..5 => self.merged.get(&(name, attributes, properties)).map(|&merged| (merged, None)),
            _ => self.refitted.get(&(name, (attributes, properties))).copied(),
        };
        found.ok_or_else(|| Error::misuse("an operation that was not numbered"))
    }

    #[inline(never)]
    pub(super) fn not_empty(&self, attributes: Option<AttributeRef>) -> Result<Option<AttributeRef>> {
        let Some(attributes) = attributes else { return Ok(None) };
        let empty = match &self.context[self.module.attribute(attributes)?] {
            AttributeData::Dictionary(entries) => entries.is_empty(),
            _ => false,
        };
        Ok((!empty).then_some(attributes))
    }

    /// From version 5 on the attributes of the definition stand apart.
    #[inline(never)]
    fn split(&self, name: OperationName, attributes: Option<AttributeRef>) -> Result<Split> {
        match self.target.undefined_layout(self.context, name) {
            Some(layout) => self.split_undefined(&layout, attributes),
            None => self.module.split_dictionary(name, attributes),
        }
    }

    /// Before version 5 all attributes are in one dictionary.
    #[inline(never)]
    fn merged(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Split> {
        let key = (name, attributes, properties);
        if let Some(&merged) = self.merged.get(&key) {
            return Ok((merged, None));
        }
        let merged = self.merge(name, attributes, properties)?;
        self.merged.insert(key, merged);
        Ok((merged, None))
    }

    /// Where members are missing that the layout cannot do without, the operation is left as it is: code that makes one
    /// need know of them.
    fn split_undefined(&self, layout: &[PropertyDef], attributes: Option<AttributeRef>) -> Result<Split> {
        let (discardable, properties) = self.module.split_by_layout(layout, attributes)?;
        let entries = match properties.map(|properties| self.module.attribute(properties)).transpose()? {
            Some(properties) => self.context.entries(properties)?,
            None => &[],
        };
        let has = |name: &str| entries.iter().any(|entry| self.context.bytes(entry.0) == name.as_bytes());
        let mut required = layout.iter().filter(|member| member.kind == PropertyKind::Required);
        match required.all(|member| has(&member.name)) {
            true => Ok((discardable, properties)),
            false => Ok((self.not_empty(attributes)?, None)),
        }
    }

    fn merge(
        &mut self,
        name: OperationName,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
    ) -> Result<Option<AttributeRef>> {
        let Some(properties) = properties else { return self.not_empty(attributes) };
        let dictionary = self.module.properties(name, properties)?;
        let source = self.answers();
        let Some(plan) = self.known.plan(source, name) else {
            self.losses.unregistered_properties(self.context, name, dictionary);
            return self.not_empty(attributes);
        };
        let AttributeData::Dictionary(inherent) = &self.context[dictionary] else { return Err(self.opaque()) };
        let mut entries = Vec::new();
        if let Some(attributes) = attributes {
            match &self.context[self.module.attribute(attributes)?] {
                AttributeData::Dictionary(discardable) => entries.extend_from_slice(discardable),
                AttributeData::Encoded(_) => return Err(self.opaque()),
                _ => {}
            }
        }
        match &*plan {
            Plan::Dialect(_) => entries.extend_from_slice(inherent),
            Plan::Fields(fields) => {
                for &(key, value) in inherent {
                    match fields.members.iter().find(|field| field.1 == key) {
                        Some((PropertyKind::Native(_), _)) => {
                            self.losses.native_property(self.context, name, key, value);
                        }
                        _ => entries.push((key, value)),
                    }
                }
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        entries.sort_by(|a, b| self.context.bytes(a.0).cmp(self.context.bytes(b.0)));
        entries.dedup_by_key(|entry| entry.0);
        Ok(Some(self.context.dictionary(entries)?.into()))
    }

    /// `known`: what they refer to, where that was found before.
    fn operation_properties(
        &mut self,
        name: OperationName,
        properties: AttributeRef,
        known: Option<&[Attribute]>,
    ) -> Result<()> {
        if self.properties.add(name, properties, 1) {
            return Ok(());
        }
        if self.keeps
            && let Some(index) = properties.in_source()
        {
            let unused = self.context.unit();
            let place = self.properties.insert((name, properties), unused, None);
            self.properties.set_blob(place, Coded::new(index));
            return Ok(());
        }
        let source = self.answers();
        if properties.in_source().is_some()
            && let Some(file) = self.module.source()
            && let Some(plan) = self.known.plan(source, name)
            && plan.of_source(&**file).is_some()
        {
            // They are written without it, and refer to nothing.
            let unused = self.context.unit();
            self.properties.insert((name, properties), unused, None);
            return Ok(());
        }
        let dictionary = self.module.properties(name, properties)?;
        let mut template = self.known.properties(name, dictionary);
        match (template, known) {
            (Some(at), _) => self.refer_by_template(at)?,
            (None, Some(known)) => {
                let plan = self.known.plan(source, name);
                self.refer(known)?;
                self.refer_by_dialect(name, plan.as_deref(), dictionary)?;
            }
            (None, None) => {
                let plan = self.known.plan(source, name);
                if matches!(self.context[dictionary], AttributeData::Encoded(_)) {
                    return Err(self.opaque());
                }
                let reader = (self.version, self.target.release);
                let mut found = Vec::new();
                let mut losses = Losses::default();
                references(self.context, name, plan.as_deref(), dictionary, reader, &mut losses, &mut found)?;
                if losses.is_empty() {
                    let ledger = &mut *self.ledger;
                    let given = (name, plan.as_deref(), dictionary);
                    template = ledger.known.record_properties(source, &mut ledger.strings, given);
                } else {
                    // What was lost before has a say in how it is put.
                    references(
                        self.context,
                        name,
                        plan.as_deref(),
                        dictionary,
                        reader,
                        &mut self.losses,
                        &mut Vec::new(),
                    )?;
                }
                self.refer(&found)?;
                self.refer_by_dialect(name, plan.as_deref(), dictionary)?;
            }
        }
        self.properties.insert((name, properties), dictionary, template);
        Ok(())
    }

    /// Meets what is known that properties refer to.
    fn refer_by_template(&mut self, at: u32) -> Result<()> {
        let template = self.known.templates.get(at);
        for piece in template.pieces() {
            if let Some(reference) = self.known.templates.reference(piece) {
                self.refer_to(reference)?;
            }
        }
        Ok(())
    }

    /// Meets what properties refer to as their dialect writes them, if it does.
    fn refer_by_dialect(&mut self, name: OperationName, plan: Option<&Plan>, dictionary: Attribute) -> Result<()> {
        let Some(Plan::Dialect(encoding)) = plan else { return Ok(()) };
        let mut collect = Collect(Vec::new());
        encoding.write_properties(name, dictionary, &mut self.writer(&mut collect));
        for reference in collect.0 {
            self.refer_to(reference)?;
        }
        Ok(())
    }

    fn refer_to(&mut self, reference: Reference) -> Result<()> {
        match reference {
            Reference::Attribute(attribute) => self.refer(&[attribute])?,
            Reference::Type(ty) => self.ty(ty).map(drop)?,
            Reference::Resource(resource) => self.meet_resource(resource),
        }
        Ok(())
    }

    /// Meets what properties refer to.
    fn refer(&mut self, attributes: &[Attribute]) -> Result<()> {
        for &attribute in attributes {
            let slot = self.attribute(attribute)?;
            self.properties.refer(slot);
        }
        Ok(())
    }
}
