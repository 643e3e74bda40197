//! Operations as people look at them: a module, a body and a number in one.

use std::borrow::Cow;

use super::source::Location;
use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute};
use crate::body::{AttributeRef, Body, BodyId, OpId, Ref, RegionId, Value};
use crate::context::OperationName;
use crate::error::Result;
use crate::module::Module;
use crate::ods::{OpDef, Traits};
use crate::types::Type;

/// What the attribute is called that names a symbol.
pub(crate) const SYMBOL_NAME: &str = "sym_name";

/// An operation of a module, to look at.
#[derive(Clone, Copy)]
pub struct OpRef<'m> {
    module: &'m Module,
    body_id: BodyId,
    body: &'m Body,
    op: OpId,
}

impl<'m> OpRef<'m> {
    /// An operation of a body, which has to be the body of that number in the module.
    pub fn new(module: &'m Module, body_id: BodyId, body: &'m Body, op: OpId) -> Self {
        OpRef { module, body_id, body, op }
    }

    /// The module that holds the operation.
    pub fn module(self) -> &'m Module {
        self.module
    }

    /// The body that holds the operation.
    pub fn body(self) -> &'m Body {
        self.body
    }

    /// The number of that body.
    pub fn body_id(self) -> BodyId {
        self.body_id
    }

    /// The operation's number in its body.
    pub fn id(self) -> OpId {
        self.op
    }

    /// Another operation of the same body, which is not checked: see [`Body`] for what happens where it is none.
    pub fn at(self, op: OpId) -> Self {
        OpRef { op, ..self }
    }

    /// The operation's name, uniqued.
    pub fn operation_name(self) -> OperationName {
        self.body.name(self.op)
    }

    /// The operation's name as text: `func.call`.
    pub fn name(self) -> Cow<'m, str> {
        self.module.context().operation_str(self.operation_name())
    }

    /// Whether that is the operation's name: cheaper than to ask for [`OpRef::name`].
    pub fn is(self, name: impl AsRef<[u8]>) -> bool {
        self.module.context().operation_text(self.operation_name()) == name.as_ref()
    }

    /// What is known of operations of this name.
    pub fn definition(self) -> Option<&'m OpDef> {
        self.module.context().definition(self.operation_name()).map(|definition| &**definition)
    }

    /// Whether the definition has that trait.
    pub fn has_trait(self, wanted: Traits) -> bool {
        self.definition().is_some_and(|definition| definition.traits.contains(wanted))
    }

    /// The operation's location.
    pub fn location(self) -> Result<Location> {
        self.module.location(self.body.location(self.op))
    }

    /// The operation's operands.
    pub fn operands(self) -> &'m [Value] {
        self.body.operands(self.op)
    }

    /// The operation's results.
    pub fn results(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone {
        self.body.results(self.op)
    }

    /// The type of a value of the same body.
    ///
    /// # Errors
    /// Where it cannot be decoded, or the body has no such value.
    pub fn type_of(self, value: Value) -> Result<Type> {
        self.body.check_value(value)?;
        self.module.ty(self.body.ty(value))
    }

    /// The operation that defines the value, if an operation does.
    pub fn defining_operation(self, value: Value) -> Option<Self> {
        Some(self.at(self.body.defining_operation(value)?))
    }

    /// The discardable attributes and the properties, each as one attribute: see [`Context::split_attributes`]. Properties
    /// are a dictionary, or an opaque blob.
    ///
    /// [`Context::split_attributes`]: crate::Context::split_attributes
    pub fn dictionaries(self) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let (attributes, properties) = self.stored()?;
        if attributes.is_none() && properties.is_some() {
            return Ok((attributes, properties));
        }
        self.module.context().split_attributes(self.operation_name(), attributes, properties)
    }

    /// Whether its attributes or properties are bytes that nothing decodes. What it means, and does, nobody knows then, whatever its
    /// definition says: it is neither verified nor changed.
    ///
    /// # Errors
    /// Where they are broken.
    pub fn is_opaque(self) -> Result<bool> {
        let (module, context) = (self.module, self.module.context());
        // What the context has needs no look at what it is.
        let attributes = match self.body.attributes(self.op).map(AttributeRef::resolve) {
            Some(Ref::Context(attributes)) => Some(attributes),
            Some(Ref::Source(index)) => Some(module.lazy()?.dictionary(context, index)?),
            None => None,
        };
        if attributes.is_some_and(|attributes| context.is_encoded(attributes)) {
            return Ok(true);
        }
        let properties = match self.body.properties(self.op).map(AttributeRef::resolve) {
            Some(Ref::Context(properties)) => Some(properties),
            Some(Ref::Source(index)) => Some(module.lazy()?.properties(context, self.operation_name(), index)?),
            None => None,
        };
        Ok(properties.is_some_and(|properties| context.is_encoded(properties)))
    }

    /// Attributes and properties as the file keeps them.
    fn stored(self) -> Result<(Option<Attribute>, Option<Attribute>)> {
        let attributes = match self.body.attributes(self.op) {
            Some(attributes) => Some(self.module.dictionary(attributes)?),
            None => None,
        };
        let properties = match self.body.properties(self.op) {
            Some(properties) => Some(self.module.properties(self.operation_name(), properties)?),
            None => None,
        };
        Ok((attributes, properties))
    }

    /// The discardable attributes.
    ///
    /// # Errors
    /// Where they cannot be decoded, or are opaque: [`OpRef::dictionaries`] has them as they are.
    pub fn attributes(self) -> Result<&'m [NamedAttribute]> {
        self.dictionaries()?.0.map_or(Ok(&[]), |dictionary| self.module.context().entries(dictionary))
    }

    /// The properties as one attribute: a dictionary, or an opaque blob.
    pub fn properties(self) -> Result<Option<Attribute>> {
        Ok(self.dictionaries()?.1)
    }

    /// The inherent attribute, native property or discardable attribute of that name.
    pub fn attribute(self, name: impl AsRef<[u8]>) -> Result<Option<Attribute>> {
        self.attribute_of(name.as_ref())
    }

    fn attribute_of(self, name: &[u8]) -> Result<Option<Attribute>> {
        self.attribute_by(name, |entries| self.module.context().entry_of(entries, name))
    }

    /// As [`OpRef::attribute`], of a name that the program itself spells out: cheaper than that, to be asked for time and again.
    pub(crate) fn static_attribute(self, name: &'static str) -> Result<Option<Attribute>> {
        self.attribute_as(name, self.module.context().static_identifier(name))
    }

    /// The same, of a name that was looked up.
    fn attribute_as(self, name: &str, key: Identifier) -> Result<Option<Attribute>> {
        self.attribute_by(name.as_bytes(), |entries| entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1))
    }

    /// The attribute of that name, which `find` finds among entries.
    #[inline]
    fn attribute_by(
        self,
        name: &[u8],
        find: impl Fn(&[NamedAttribute]) -> Option<Attribute>,
    ) -> Result<Option<Attribute>> {
        let context = self.module.context();
        let find = |dictionary: Option<Attribute>| match &context[dictionary?] {
            AttributeData::Dictionary(entries) => find(entries),
            _ => None,
        };
        let (attributes, properties) = self.stored()?;
        if let Some(found) = find(properties).or_else(|| find(attributes)) {
            return Ok(Some(found));
        }
        if attributes.is_none() && properties.is_some() {
            return Ok(None);
        }
        // What has another name, or no place at all, in an older file.
        match self.definition() {
            Some(definition) if definition.properties.iter().any(|property| property.name.as_bytes() == name) => {
                Ok(find(self.dictionaries()?.1))
            }
            _ => Ok(None),
        }
    }

    /// The name of the symbol that the operation defines.
    pub fn symbol_name(self) -> Result<Option<Identifier>> {
        self.symbol_name_as(self.module.context().static_identifier(SYMBOL_NAME))
    }

    /// The same, where this is what the attribute is called: [`SYMBOL_NAME`].
    pub(crate) fn symbol_name_as(self, called: Identifier) -> Result<Option<Identifier>> {
        let view = self.body.view(self.op);
        if view.attributes().is_none() && view.properties().is_none() {
            return Ok(None);
        }
        let attribute = self.attribute_as(SYMBOL_NAME, called)?;
        Ok(attribute.and_then(|attribute| self.module.context().as_identifier(attribute)))
    }

    /// The operations directly in the operation's regions. Reads its body if it was not entered before.
    pub fn ops(self) -> Result<impl Iterator<Item = OpRef<'m>>> {
        Ok(self.inside()?.ops(self.module))
    }

    /// The body that holds the operation's regions, and these. Reads the body if it was not entered before.
    pub fn region_tree(self) -> Result<(BodyId, &'m Body, Vec<RegionId>)> {
        let inside = self.inside()?;
        Ok((inside.id, inside.body, inside.regions().collect()))
    }

    /// The same, with the regions one by one.
    ///
    /// # Errors
    /// Where the body is malformed.
    pub fn inside(self) -> Result<Inside<'m>> {
        let view = self.body.view(self.op);
        let all = view.region_count();
        Ok(match view.region_body() {
            Some(id) => {
                let body = self.module.body(id)?;
                Inside { id, body, roots: body.top_regions(), first: 0, count: 0, all }
            }
            None => {
                let mut regions = view.regions();
                let (count, first) = (regions.len(), regions.next().map_or(0, RegionId::index));
                Inside { id: self.body_id, body: self.body, roots: &[], first, count, all }
            }
        })
    }

    /// The operation and every operation inside it, each before what it holds, those in other bodies included. All
    /// bodies are read first.
    ///
    /// # Errors
    /// Where one of them is malformed.
    pub fn walk(self) -> Result<impl Iterator<Item = OpRef<'m>>> {
        let mut pending: Vec<BodyId> =
            self.body.preorder_of(self.op).filter_map(|op| self.body.region_body(op)).collect();
        while let Some(id) = pending.pop() {
            let body = self.module.body(id)?;
            pending.extend(body.preorder().filter_map(|op| body.region_body(op)));
        }
        Ok(Walk { module: self.module, stack: vec![(self.body_id, self.body, self.body.preorder_of(self.op))] })
    }
}

/// Where the regions of an operation are.
#[derive(Clone, Copy)]
pub struct Inside<'m> {
    /// The number of the body that holds them.
    pub id: BodyId,
    /// That body.
    pub body: &'m Body,
    /// The regions of an operation with a body of its own.
    roots: &'m [RegionId],
    /// Where those of another one begin, and how many it has.
    first: usize,
    count: usize,
    /// How many the operation has, those of one without a body too.
    all: usize,
}

impl<'m> Inside<'m> {
    /// Where the regions are, if the operation has any.
    pub(crate) fn of(op: OpRef<'m>) -> Result<Option<Self>> {
        let has_regions = op.body.view(op.op).region_count() > 0;
        if has_regions { op.inside().map(Some) } else { Ok(None) }
    }

    /// How many regions the operation has, empty ones without a body among them.
    pub(crate) fn with_empty(&self) -> usize {
        self.all
    }

    /// The region of that number.
    #[inline]
    pub fn region(&self, number: usize) -> Option<RegionId> {
        match self.roots.get(number) {
            Some(&root) => Some(root),
            None => (number < self.count).then(|| RegionId::from_index(self.first + number)),
        }
    }

    /// The regions, in order.
    pub fn regions(self) -> impl Iterator<Item = RegionId> + use<'m> {
        (0..).map_while(move |number| self.region(number))
    }

    /// The operations directly in the regions, of that module.
    pub(crate) fn ops(self, module: &'m Module) -> impl Iterator<Item = OpRef<'m>> + use<'m> {
        let Inside { id, body, .. } = self;
        let blocks = self.regions().flat_map(move |region| body.blocks(region));
        blocks.flat_map(move |block| body.operations(block)).map(move |op| OpRef::new(module, id, body, op))
    }
}

struct Walk<'m> {
    module: &'m Module,
    stack: Vec<(BodyId, &'m Body, crate::body::Preorder<'m>)>,
}

impl<'m> Iterator for Walk<'m> {
    type Item = OpRef<'m>;
    fn next(&mut self) -> Option<OpRef<'m>> {
        loop {
            let (id, body, ops) = self.stack.last_mut()?;
            let (id, body) = (*id, *body);
            let Some(op) = ops.next() else {
                self.stack.pop();
                continue;
            };
            if let Some((child, inside)) =
                body.region_body(op).and_then(|child| Some((child, self.module.loaded(child)?)))
            {
                self.stack.push((child, inside, inside.preorder()));
            }
            return Some(OpRef::new(self.module, id, body, op));
        }
    }
}

impl std::fmt::Debug for OpRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({:?} of {:?})", self.name(), self.op, self.body_id)
    }
}
