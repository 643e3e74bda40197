//! What copies take along: bodies, and resources of another module.

use super::{Module, ResourceEntry, ResourceGroup};
use crate::attribute::{AttributeData, ResourceHandle};
use crate::body::{AttributeRef, Body, BodyId, Excerpt, OpId, Resolve, TypeRef};
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
    /// Refuses where names, types and attributes of one module mean nothing in the other.
    pub(crate) fn check_same_context(&self, other: &Module) -> Result<()> {
        match self.context.is(&other.context) {
            true => Ok(()),
            false => Err(Error::misuse(
                "the modules have different contexts: write the other as bytecode, and read it in the context of this one",
            )),
        }
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
