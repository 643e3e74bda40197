//! Copies of operations within a module, and from one module into another.

use super::{Module, ResourceEntry, ResourceGroup};
use crate::attribute::{AttributeData, ResourceHandle};
use crate::body::{AttributeRef, Body, BodyId, Excerpt, IsolationMark, Keep, OpId, Resolve, TypeRef, ValueMap};
use crate::context::OperationName;
use crate::error::{Error, Result};
use crate::parts::{Part, Parts};
use crate::types::TypeData;

/// An operation and all that is in it, read off: what is in the body that holds it, and behind that each body in it, those of
/// the operations of one excerpt before those of the next.
pub(crate) fn excerpts_of<'b>(
    body_of: &dyn Fn(BodyId) -> Result<&'b Body>,
    body: BodyId,
    op: OpId,
    resolve: &mut dyn Resolve,
) -> Result<Vec<Excerpt>> {
    let first = Excerpt::of(body_of(body)?, op, resolve)?;
    with_bodies(body_of, first, resolve)
}

/// What was read off a body, and behind it each body in it, as [`excerpts_of`] gives them.
pub(crate) fn with_bodies<'b>(
    body_of: &dyn Fn(BodyId) -> Result<&'b Body>,
    first: Excerpt,
    resolve: &mut dyn Resolve,
) -> Result<Vec<Excerpt>> {
    let mut excerpts = vec![first];
    let mut at = 0;
    while let Some(excerpt) = excerpts.get(at) {
        let children: Vec<BodyId> = excerpt.region_bodies().map(|child| child.1).collect();
        for child in children {
            excerpts.push(Excerpt::whole(body_of(child)?, resolve)?);
        }
        at += 1;
    }
    Ok(excerpts)
}

impl Module {
    /// Copies an operation of this module and all that is in it, bodies included, into the body `into`, detached. In its own
    /// body, operands and successors that `map` does not name stay what they are. Afterwards `map` also names the copies of
    /// the values and blocks that are in the operation and in its body.
    ///
    /// # Errors
    /// Where a body in it cannot be read, or where the copy would stand in another body and the operation uses a value or goes
    /// on to a block of its own one that `map` does not name.
    pub fn clone_operation(&mut self, from: BodyId, op: OpId, into: BodyId, map: &mut ValueMap) -> Result<OpId> {
        let excerpts = excerpts_of(&|id| self.body(id), from, op, &mut Keep)?;
        self.paste(&excerpts, from == into, into, map)
    }

    /// Copies an operation of another module of the same context, as [`Module::clone_operation`] does of this one. What is lazy in
    /// the other module is decoded, and resources that the operation refers to come with it.
    ///
    /// # Errors
    /// As [`Module::clone_operation`]; where the modules have different contexts, so that names, types and attributes of one mean
    /// nothing in the other; where something cannot be decoded, or is opaque and so belongs to the other module's file; and where
    /// this module has another resource of the same key. Nothing is changed then.
    pub fn clone_operation_from(
        &mut self,
        other: &Module,
        from: BodyId,
        op: OpId,
        into: BodyId,
        map: &mut ValueMap,
    ) -> Result<OpId> {
        self.check_same_context(other)?;
        let mut resolver = Resolver::new(other);
        let excerpts = excerpts_of(&|id| other.body(id), from, op, &mut resolver)?;
        let resources = self.missing_resources(other, resolver.resources())?;
        let copy = self.paste(&excerpts, false, into, map)?;
        self.add_resources(resources)?;
        Ok(copy)
    }

    /// Refuses where names, types and attributes of one module mean nothing in the other.
    pub(crate) fn check_same_context(&self, other: &Module) -> Result<()> {
        match self.context.is(&other.context) {
            true => Ok(()),
            false => Err(Error::misuse(
                "the modules have different contexts: write the other as bytecode, and read it in the context of this one",
            )),
        }
    }

    fn paste(&mut self, excerpts: &[Excerpt], within: bool, into: BodyId, map: &mut ValueMap) -> Result<OpId> {
        let Some(first) = excerpts.first() else { return Err(Error::misuse("nothing to copy")) };
        let mut made = self.body_mut(into)?.paste_operation(first, map, within)?;
        let copy = made[0];
        // A body gets its number when its operation has been made, and is filled when its turn comes.
        let mut ids = vec![into];
        for (at, excerpt) in excerpts.iter().enumerate() {
            if at > 0 {
                let mut body = Body::new(excerpt.root_count());
                made = body.paste_whole(excerpt);
                self.fill(ids[at], body);
            }
            for (op, _) in excerpt.region_bodies() {
                let regions = excerpts[ids.len()].root_count();
                let child = self.declare(None, None, Some((ids[at], made[op])));
                self.body_mut(ids[at])?.set_region_body(made[op], Some(child), regions, IsolationMark::Unknown);
                ids.push(child);
            }
        }
        Ok(copy)
    }

    /// What `other` holds of those resources and this module does not.
    pub(crate) fn missing_resources(
        &self,
        other: &Module,
        wanted: &[ResourceHandle],
    ) -> Result<Vec<(ResourceHandle, ResourceEntry)>> {
        let mut missing = Vec::new();
        for &handle in wanted {
            let Some(entry) = other.resource(handle)? else { continue };
            if self.resource(handle)?.is_some() {
                continue;
            }
            let owner = self.context[handle].dialect;
            let mut groups = self.resources()?.iter().filter(|group| group.dialect && group.owner == owner);
            if groups.any(|group| group.entries.iter().any(|known| known.key == entry.key)) {
                let key = Error::quoted(&entry.key);
                return Err(Error::misuse(format!("both modules have a resource {key}, and they are not the same")));
            }
            missing.push((handle, entry.clone()));
        }
        Ok(missing)
    }

    /// Takes in resources of another module, but for those that have come meanwhile.
    pub(crate) fn bring_resources(&mut self, brought: Vec<(ResourceHandle, ResourceEntry)>) -> Result<()> {
        for (handle, entry) in brought {
            if self.resource(handle)?.is_none() {
                self.add_resources(vec![(handle, entry)])?;
            }
        }
        Ok(())
    }

    fn add_resources(&mut self, added: Vec<(ResourceHandle, ResourceEntry)>) -> Result<()> {
        for (handle, entry) in added {
            let owner = self.context[handle].dialect;
            let groups = self.resources_mut()?;
            match groups.iter_mut().find(|group| group.dialect && group.owner == owner) {
                Some(group) => group.entries.push(entry),
                None => groups.push(ResourceGroup { owner, dialect: true, entries: vec![entry] }),
            }
        }
        Ok(())
    }
}

/// Decodes what was lazy in the module that is copied from.
pub(crate) struct Resolver<'m> {
    from: &'m Module,
    parts: Parts<'m>,
    /// What the attributes and types refer to.
    resources: Vec<ResourceHandle>,
}

impl<'m> Resolver<'m> {
    pub(crate) fn new(from: &'m Module) -> Self {
        Resolver { from, parts: Parts::new(&from.context), resources: Vec::new() }
    }

    /// The resources that what was resolved refers to.
    pub(crate) fn resources(&self) -> &[ResourceHandle] {
        &self.resources
    }

    /// Looks at all that is in an attribute or type, and was not met before.
    fn look_at(&mut self, part: Part) -> Result<()> {
        let (context, resources) = (self.from.context(), &mut self.resources);
        let mut opaque = false;
        self.parts.visit(part, &mut |part| match part {
            Part::Attribute(attribute) => match context[attribute] {
                AttributeData::DenseResource { resource, .. } => resources.push(resource),
                AttributeData::Encoded(_) => opaque = true,
                _ => {}
            },
            Part::Type(ty) => opaque |= matches!(context[ty], TypeData::Encoded(_)),
        });
        match opaque {
            false => Ok(()),
            true => Err(Error::misuse(
                "an opaque attribute or type refers to the tables of its own file: it cannot be moved to another module",
            )),
        }
    }
}

impl Resolve for Resolver<'_> {
    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.attribute(attribute)?;
        self.look_at(Part::Attribute(attribute))?;
        Ok(attribute.into())
    }

    fn properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.properties(name, properties)?;
        self.look_at(Part::Attribute(attribute))?;
        Ok(attribute.into())
    }

    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef> {
        let ty = self.from.ty(ty)?;
        self.look_at(Part::Type(ty))?;
        Ok(ty.into())
    }
}
