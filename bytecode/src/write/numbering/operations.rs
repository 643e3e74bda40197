//! Operations and what they refer to, in the order in which MLIR meets them.

use super::*;
use crate::write::property_values::references;

impl Numbering<'_> {
    /// Meets everything.
    pub(crate) fn run(&mut self) -> Result<()> {
        let module = self.module;
        let top = BodyId::from_index(Module::TOP);
        let body = module.body(top)?;
        let mut waiting: Vec<Waiting> = Vec::new();
        for block in body.top_regions().iter().flat_map(|&region| body.blocks(region)) {
            self.operations(&mut waiting, top, body, block)?;
        }
        // The last region first, each wholly before what is nested in it.
        while let Some((id, region)) = waiting.pop() {
            let body = module.body(id)?;
            for block in body.blocks(region) {
                for (&value, &location) in body.arguments(block).iter().zip(body.argument_locations(block)) {
                    // From version 4 on an unknown location is not written; MLIR counts it all the same.
                    if location.is_some() || !self.keeps || self.version < 4 {
                        self.location(location.unwrap_or(self.unknown_location.into()))?;
                    }
                    self.type_ref(body.ty(value))?;
                }
                self.operations(&mut waiting, id, body, block)?;
            }
        }
        self.count_file();
        for at in 0..self.name_keys.len() {
            self.count_repeats(self.name_keys[at].name)?;
        }
        for (references, more) in self.properties.repeated() {
            for &slot in references {
                self.attributes.add(slot, more);
            }
        }
        Ok(())
    }

    /// Meets the operations of a block; their regions have to wait.
    fn operations(&mut self, waiting: &mut Vec<Waiting>, id: BodyId, body: &Body, block: BlockId) -> Result<()> {
        for op in body.views(block) {
            self.operation(op)?;
            if op.region_count() > 0 {
                match op.region_body() {
                    Some(child) => {
                        waiting.extend(self.module.body(child)?.top_regions().iter().map(|&root| (child, root)))
                    }
                    None => waiting.extend(op.regions().map(|region| (id, region))),
                }
            }
        }
        Ok(())
    }

    /// Most operations of a name have the key of the one before: they are only counted.
    #[inline]
    fn operation(&mut self, op: OpView<'_>) -> Result<()> {
        match (op.key(), self.repeats.get_mut(op.name().raw() as usize)) {
            (Some(key), Some(repeats)) if repeats.key == Some(key) => repeats.more += 1,
            _ => self.first_of_its_kind(op)?,
        }
        self.location(op.location())
    }

    /// Meets all of an operation but its location.
    #[inline(never)]
    fn first_of_its_kind(&mut self, op: OpView<'_>) -> Result<()> {
        let slot = self.name(op.name())?;
        for ty in op.result_types() {
            self.type_ref(ty)?;
        }
        let (attributes, properties) = self.parts(op, self.name_keys[slot as usize])?;
        if let Some(attributes) = attributes {
            self.attribute_ref(attributes)?;
        }
        if let Some(properties) = properties {
            self.operation_properties(op.name(), properties)?;
        }
        let at = op.name().raw() as usize;
        self.count_repeats(op.name())?;
        self.repeats.resize_with(self.repeats.len().max(at + 1), Repeats::default);
        self.repeats[at] = Repeats { key: op.key(), attributes, properties, more: 0 };
        Ok(())
    }

    /// Counts what the last operations of a name have in common.
    fn count_repeats(&mut self, name: OperationName) -> Result<()> {
        let repeats = self.repeats.get_mut(name.raw() as usize).map(std::mem::take).unwrap_or_default();
        let Some(key) = repeats.key.filter(|_| repeats.more > 0) else { return Ok(()) };
        if let Some(slot) = self.name_slot(name) {
            self.names.add(slot, repeats.more);
        }
        if let Some(slot) = key.result.and_then(|ty| self.type_slot(ty)) {
            self.types.add(slot, repeats.more);
        }
        if let Some(attributes) = repeats.attributes
            && let Some(slot) = self.slot(attributes)?
        {
            self.attributes.add(slot, repeats.more);
        }
        if let Some(properties) = repeats.properties {
            self.properties.add(name, properties, repeats.more);
        }
        Ok(())
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
    fn parts(&mut self, op: OpView<'_>, name: Name) -> Result<Parts> {
        if self.version < 5 {
            return self.merged(name.name, op.attributes(), op.properties());
        }
        if name.refits {
            return self.refit(name.name, op.attributes(), op.properties());
        }
        self.met_parts(op, name)
    }

    /// The same of an operation that was met.
    #[inline(always)]
    pub(crate) fn met_parts(&self, op: OpView<'_>, name: Name) -> Result<Parts> {
        let (attributes, properties) = (op.attributes(), op.properties());
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
    ) -> Result<Parts> {
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
    fn split(&self, name: OperationName, attributes: Option<AttributeRef>) -> Result<Parts> {
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
    ) -> Result<Parts> {
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
    fn split_undefined(&self, layout: &[PropertyDef], attributes: Option<AttributeRef>) -> Result<Parts> {
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
        let Some(plan) = self.properties.plan(self.context, self.target, name, self.version) else {
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

    fn operation_properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<()> {
        if self.properties.add(name, properties, 1) {
            return Ok(());
        }
        if self.keeps
            && let Some(index) = properties.in_source()
        {
            let unused = self.context.unit();
            let place = self.properties.insert(name, properties, unused, &[]);
            self.properties.set_blob(place, Coded::new(index));
            return Ok(());
        }
        let dictionary = self.module.properties(name, properties)?;
        if matches!(self.context[dictionary], AttributeData::Encoded(_)) {
            return Err(self.opaque());
        }
        let plan = self.properties.plan(self.context, self.target, name, self.version);
        let (reader, losses) = ((self.version, self.target.release), &mut self.losses);
        let references = references(self.context, name, plan.as_deref(), dictionary, reader, losses)?;
        let mut slots = Vec::with_capacity(references.len());
        for attribute in references {
            slots.push(self.attribute(attribute)?);
        }
        if let Some(Plan::Dialect(encoding)) = plan.as_deref() {
            let mut collect = Collect(Vec::new());
            encoding.write_properties(name, dictionary, &mut self.writer(&mut collect));
            for reference in collect.0 {
                match reference {
                    Reference::Attribute(attribute) => slots.push(self.attribute(attribute)?),
                    Reference::Type(ty) => self.ty(ty).map(drop)?,
                    Reference::Resource(resource) => self.meet_resource(resource),
                }
            }
        }
        self.properties.insert(name, properties, dictionary, &slots);
        Ok(())
    }
}
